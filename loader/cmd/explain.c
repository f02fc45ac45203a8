// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap explain [IFACE] --pcap FILE: where frames would go, by the program itself. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "dataplane/explainer.h"
#include "explain/show.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "plan/plan.h"
#include "policy/options.h"
#include "verb.h"

/* splitmix64 (Steele, Lea and Flood, 2014). */
static uint32_t next_word(uint64_t *state)
{
	uint64_t word = *state += 0x9e3779b97f4a7c15;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
	word = (word ^ word >> 27) * 0x94d049bb133111eb;
	return (uint32_t)(word ^ word >> 31);
}

static struct flow_key key_of(uint64_t seed)
{
	struct flow_key key;

	for (int i = 0; i < 3; i++)
		key.mix[i] = next_word(&seed);
	for (int i = 0; i < 4; i++)
		key.fold[i] = next_word(&seed);
	return key;
}

/* As the interface does it now. */
static int open_live(const struct policy *policy, const struct source *source,
		     struct explainer **ret, struct cpuset *ret_targets)
{
	cleanup(freep) struct facts *facts = NULL;
	struct home home;
	int r = facts_gather(source, policy->iface, &facts);

	if (r < 0)
		return r;
	if (facts->loaded.state != LOADED)
		return fail(-EINVAL,
			    "%s: not steered; without an interface, explain needs none loaded",
			    policy->iface);
	for (unsigned int i = 0; i < facts->loaded.entry_count; i++)
		cpuset_add(ret_targets, facts->loaded.entries[i].cpu);
	home_of(policy->iface, &home);
	return explainer_live(&home, &facts->loaded.config, ret);
}

/* The targets of the policy, which need not be CPUs of this machine. */
static void take_targets(const struct policy *policy, const struct source *source,
			 struct plan *plan)
{
	struct cpu_facts cpus;

	for (unsigned int i = 0; i < policy->cpus.count; i++)
		plan->targets[plan->target_count++] =
			(struct plan_target){ .cpu = policy->cpus.at[i].cpu,
					      .weight = policy->cpus.at[i].weight };
	if (plan->target_count)
		return;
	facts_cpus(source, &cpus);
	cpuset_for_each(&cpus.online, cpu)
		if (plan->target_count < TARGETS_MAX)
			plan->targets[plan->target_count++] =
				(struct plan_target){ .cpu = cpu, .weight = 1 };
}

/* As a `load` with these options would do it. dsa: what the capture says. */
static int open_alone(const struct policy *policy, const struct source *source, const char *dsa,
		      struct explainer **ret, struct cpuset *ret_targets)
{
	cleanup(freep) struct facts *facts = calloc(1, sizeof(*facts));
	cleanup(freep) struct plan *plan = calloc(1, sizeof(*plan));
	struct flow_key key = key_of(policy->seed);
	struct reason why;
	unsigned int empty;

	if (!facts || !plan)
		return fail(-ENOMEM, "out of memory");
	if (dsa)
		snprintf(facts->iface.dsa_tagging, sizeof(facts->iface.dsa_tagging), "%s", dsa);
	if (plan_classifier(policy, facts, plan, &why) < 0)
		return fail(-EINVAL, "%s", why.text);
	take_targets(policy, source, plan);
	plan->slot_count = plan_slot_count(plan->target_count);
	if (slots_share(plan->targets, plan->target_count, plan->slot_count, &empty) < 0)
		return fail(-E_USAGE, "--cpus: CPU %u gets none of the %u slots",
			    plan->targets[empty].cpu, plan->slot_count);
	slots_deal(plan->targets, plan->target_count, NULL, plan->slots, plan->slot_count);
	plan->config.abi = ABI_VERSION;
	plan->config.slot_mask = plan->slot_count - 1;
	for (unsigned int i = 0; i < plan->target_count; i++)
		cpuset_add(ret_targets, plan->targets[i].cpu);
	return explainer_new(&plan->config, &key, plan->slots, ret);
}

static int explain_all(struct capture *capture, struct explainer *explainer,
		       const struct shower *show, const struct cpuset *targets)
{
	cleanup(tally_free) struct tally *tally = NULL;
	struct capture_frame frame;
	struct explained record;
	int r = tally_new(&tally);

	if (r < 0)
		return r;
	if (show->begin)
		show->begin();
	while ((r = capture_next(capture, &frame)) > 0) {
		r = explainer_ask(explainer, frame.data, frame.caplen, &record);
		if (r < 0)
			break;
		tally_add(tally, &record, frame.length);
		if (show->frame)
			show->frame(&frame, &record);
		capture_progress(capture, false);
	}
	capture_progress(capture, true);
	if (show->end)
		show->end(tally, targets);
	return r;
}

int cmd_explain(int argc, char **argv)
{
	cleanup(explainer_free) struct explainer *explainer = NULL;
	cleanup(capture_close) struct capture *capture = NULL;
	cleanup(source_close) struct source source = { .root = -1 };
	const struct shower *show;
	struct cpuset targets = { 0 };
	const char *dsa = NULL;
	struct policy policy;
	int r;

	r = verb_begin(VERB_EXPLAIN, false, argc, argv, &policy);
	if (r < 0)
		return r;
	if (!policy.pcap[0])
		return fail(-E_USAGE, "explain needs a capture: --pcap FILE");
	source.root = root_open("/");
	r = capture_open(policy.pcap, &capture, &dsa);
	if (r < 0)
		return r;
	if (policy.iface[0])
		r = open_live(&policy, &source, &explainer, &targets);
	else
		r = open_alone(&policy, &source, dsa, &explainer, &targets);
	if (r < 0)
		return r;
	show = policy.json ? &show_json : policy.summary ? &show_summary : &show_text;
	return explain_all(capture, explainer, show, &targets);
}
