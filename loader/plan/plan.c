// SPDX-License-Identifier: GPL-2.0
/* From what is wanted and what is there to the steps between. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/text.h"
#include "plan/plan.h"

const char *const step_kind_names[] = { "programs", "rules",	 "entry",  "slots",   "vacate",
					"watch",    "attach",	 "settle", "promote", "feature",
					"rps",	    "attribute", "sysctl", "irq",     "napi",
					"threads",  "priority",	 NULL };

const char *const attach_names[] = {
	[ATTACH_NONE] = "-",
	[ATTACH_LINK] = "link",
	[ATTACH_DISPATCHER] = "dispatcher",
};

void plan_note(struct plan *plan, const char *format, ...)
{
	va_list args;

	if (plan->note_count == NOTES_MAX)
		return;
	va_start(args, format);
	vsnprintf(plan->notes[plan->note_count++], sizeof(plan->notes[0]), format, args);
	va_end(args);
}

struct step *plan_step(struct plan *plan, enum step_kind kind, const char *target, const char *why)
{
	struct step *step = &plan->steps[plan->step_count++];

	step->kind = kind;
	snprintf(step->target, sizeof(step->target), "%s", target);
	snprintf(step->why, sizeof(step->why), "%s", why);
	return step;
}

/* What is on the interface and is not ours is never replaced. */
static int refuse_foreign(const struct policy *policy, const struct facts *facts,
			  struct reason *why)
{
	const struct xdp_facts *xdp = &facts->iface.xdp;
	char link[32] = "";

	if (facts->loaded.state == LOADED_OTHER_ABI)
		return because(why, -E_REFUSED,
			       "%s: steered by another version of xdp-cpumap, whose maps we cannot "
			       "read; unload it first",
			       facts->iface.name);
	if (!xdp->prog_id || facts->loaded.attach != ATTACH_NONE)
		return 0;
	if (xdp->dispatcher && policy->dispatcher != ASK_NO)
		return 0;
	if (xdp->link_id)
		snprintf(link, sizeof(link), ", held by link %u", xdp->link_id);
	return because(why, -E_REFUSED,
		       "%s: another XDP program is there (id %u, name '%s', tag %s, %s%s); remove "
		       "it first, we do not replace it",
		       facts->iface.name, xdp->prog_id, xdp->prog_name, xdp->prog_tag,
		       xdp->generic ? "generic" : "native", link);
}

static int decide_mode(const struct policy *policy, const struct facts *facts, struct plan *plan,
		       struct reason *why)
{
	const struct iface_facts *iface = &facts->iface;

	uint32_t limit = plan_native_mtu(facts);

	plan->generic = policy->mode == MODE_SKB;
	if (facts->loaded.state == LOADED) {
		if (policy->mode != MODE_AUTO && plan->generic != facts->loaded.generic)
			return because(why, -EINVAL,
				       "%s: the kernel cannot change from %s to %s mode while a "
				       "program is attached; unload it first",
				       iface->name, facts->loaded.generic ? "skb" : "native",
				       mode_names[policy->mode]);
		plan->generic = facts->loaded.generic;
		return 0;
	}
	if (policy->mode == MODE_NATIVE && iface->native == NO)
		return because(why, -EOPNOTSUPP,
			       "%s: the driver '%s' offers no native XDP here; --mode skb works "
			       "with every driver, but builds the skb first and cannot do GRO",
			       iface->name, iface->driver);
	if (policy->mode == MODE_AUTO && iface->native == NO) {
		plan->generic = true;
		plan_note(
			plan,
			"%s: the driver '%s' offers no native XDP here, so generic (skb) mode: the "
			"RX CPU still builds each skb, and there is no GRO on the target CPUs",
			iface->name, iface->driver);
	}
	if (plan->generic || !limit || iface->mtu <= limit)
		return 0;
	if (iface->port_count)
		return because(why, -EOPNOTSUPP,
			       "%s: the driver '%s' takes no native XDP above an MTU of %u, and a "
			       "conduit has that of its ports and the tag, %u; either --mode skb, "
			       "which loses no GRO here, or lower the MTU of the ports",
			       iface->name, iface->driver, limit, iface->mtu);
	return because(why, -EOPNOTSUPP,
		       "%s: the driver '%s' takes no native XDP above an MTU of %u, and it is %u; "
		       "either `ip link set %s mtu %u`, or --mode skb",
		       iface->name, iface->driver, limit, iface->mtu, iface->name, limit);
}

static int decide_attach(const struct policy *policy, const struct facts *facts, struct plan *plan,
			 struct reason *why)
{
	bool wanted = policy->dispatcher == ASK_YES ||
		      (policy->dispatcher == ASK_AUTO && facts->iface.xdp.dispatcher);

	plan->attach = wanted ? ATTACH_DISPATCHER : ATTACH_LINK;
	if (facts->loaded.state != LOADED)
		return 0;
	if (policy->dispatcher != ASK_AUTO && plan->attach != facts->loaded.attach)
		return because(why, -EINVAL,
			       "%s: attached by %s now; to change to %s, unload it first",
			       facts->iface.name, attach_names[facts->loaded.attach],
			       attach_names[plan->attach]);
	plan->attach = facts->loaded.attach;
	return 0;
}

/*
 * The one place that decides on frags: both programs must agree. A frame that
 * fits a page beside XDP's headroom (256) and the skb_shared_info (320) has one
 * buffer; 22 bytes are for Ethernet and two VLAN tags.
 */
static bool want_frags(const struct facts *facts, bool generic)
{
	uint32_t room = facts->cpus.page_size - 256 - 320;

	return !generic && facts->iface.mtu + 22 > room && facts->iface.rx_frags != NO &&
	       facts->kernel.frags == YES;
}

unsigned int plan_slot_count(unsigned int targets)
{
	return targets <= 4 ? SLOTS_MIN : 4 * SLOTS_MIN;
}

static unsigned int want_slots(const struct plan *plan, const struct loaded *loaded)
{
	unsigned int slots = plan_slot_count(plan->target_count);
	unsigned int queues = plan->target_count * plan->lanes;

	while (slots < SLOTS_MAX && slots < 8 * queues)
		slots *= 2;
	/* More than needed, or a little less even, is no reason to build new maps. */
	if (loaded->state == LOADED && loaded->slot_count >= 8 * queues)
		slots = loaded->slot_count;
	return slots;
}

static void decide_lanes(const struct policy *policy, const struct facts *facts, struct plan *plan)
{
	if (policy->lanes == LANES_AUTO)
		plan->lanes = plan_lanes(facts, plan->generic, plan->target_count);
	else
		plan->lanes = policy->lanes ? policy->lanes : 1;
}

static int decide_slots(const struct facts *facts, struct plan *plan, struct reason *why)
{
	const struct loaded *loaded = &facts->loaded;
	static struct plan_target parts[SLOTS_MAX];
	bool keep = loaded->state == LOADED;
	unsigned int empty, count;

	plan->slot_count = want_slots(plan, loaded);
	if (slots_share(plan->targets, plan->target_count, plan->slot_count, &empty) < 0)
		return because(why, -E_USAGE,
			       "--cpus: CPU %u gets none of the %u slots, its weight of %u is too "
			       "small beside the others",
			       plan->targets[empty].cpu, plan->slot_count,
			       plan->targets[empty].weight);
	keep = keep && loaded->slot_count == plan->slot_count;
	count = slots_split(plan->targets, plan->target_count, plan->lanes, parts, SLOTS_MAX);
	slots_deal(parts, count, keep ? loaded->slots : NULL, plan->slots, plan->slot_count);
	return 0;
}

static uint16_t possible_cpus(const struct facts *facts)
{
	uint16_t cpus = 1;

	cpuset_for_each(&facts->cpus.possible, cpu)
		cpus = (uint16_t)(cpu + 1);
	return cpus;
}

/* Where there are too many CPUs for a slot each, there are no prefixes. */
static int decide_prefixes(const struct policy *policy, const struct facts *facts,
			   struct plan *plan, struct reason *why)
{
	unsigned int cpus = plan->config.cpus;
	unsigned int homes = (SLOTS_MAX - plan->slot_count) / cpus;

	plan->max_prefixes = 1;
	if (policy->match == MATCH_none)
		return 0;
	if (!homes)
		return because(why, -EINVAL, "--match: %u CPUs are more than prefixes can go to",
			       cpus);
	plan->config.now.match = (__u8)policy->match;
	plan->config.homes = (__u16)(homes < HOMES_MAX ? homes : HOMES_MAX);
	plan->home_count = plan->config.homes * cpus;
	plan->max_prefixes = policy->max_prefixes ? policy->max_prefixes : PREFIXES_DEFAULT;
	slots_homes(plan->targets, plan->target_count, plan->lanes, cpus, plan->config.homes,
		    plan->slots + plan->slot_count);
	return 0;
}

/* A mark a slot and RX CPU, or so: where there are fewer, moves take a little longer. */
static uint32_t want_marks(unsigned int slots, unsigned int cpus)
{
	uint32_t marks = SLOTS_MIN;

	while (marks < MARKS_MAX && marks < slots * cpus)
		marks *= 2;
	return marks;
}

/* How many frames may wait to be handed on together; the kernel's default is 8. */
static uint32_t decide_batch(const struct policy *policy, const struct facts *facts)
{
	const struct number *wanted = &policy->gro_normal_batch;
	uint32_t now = 8;

	text_to_u32(facts->host.gro_normal_batch, UINT32_MAX, &now);
	return wanted->set && (uint32_t)wanted->value > now ? (uint32_t)wanted->value : now;
}

static void decide_config(const struct facts *facts, bool rekey, struct plan *plan)
{
	const struct loaded *loaded = &facts->loaded;
	struct steer_config shared = loaded->config, *config = &plan->config;
	uint16_t cpus = plan->config.cpus;
	bool grows =
		plan->config.now.match != MATCH_none && loaded->max_prefixes != plan->max_prefixes;

	plan->config.abi = ABI_VERSION;
	plan->config.slot_mask = plan->slot_count - 1;
	plan->config.frags = want_frags(facts, plan->generic);
	plan->config.strict_align = facts->kernel.unaligned == NO;
	plan->config.programs = facts->programs;
	plan->config.mark_mask =
		want_marks(plan->slot_count + plan->home_count + RULE_SETS * RULE_SLOTS, cpus) - 1;
	plan->config.lanes = plan->lanes > 1 ? LANES_MAX : 1;
	if (loaded->state != LOADED)
		return;
	/* A program that can reach more lanes than there are does no harm, a new one would. */
	shared.lanes = plan->config.lanes;
	shared.rules = plan->config.rules;
	plan->config.transition = loaded->config.transition;
	plan->config.now.key = loaded->config.now.key;
	if (rekey)
		plan->config.now.key = !plan->config.now.key;
	shared.in_transition = 0;
	shared.before = config->before;
	shared.now = config->now;
	plan->share = memcmp(&shared, &plan->config, sizeof(shared)) == 0 && !grows;
	if (plan->share && loaded->config.lanes > plan->config.lanes)
		plan->config.lanes = loaded->config.lanes;
	plan->replace = memcmp(&loaded->config, &plan->config, sizeof(plan->config)) != 0 || grows;
	plan->share = plan->share && plan->replace;
}

static void note_queues(const struct facts *facts, struct plan *plan)
{
	unsigned int queues = (plan->target_count + plan->extra_count) * plan->lanes;
	uint64_t bytes = plan_queue_bytes(facts, queues, plan->qsize);
	bool grows = false;

	for (unsigned int i = 0; i < plan->step_count; i++)
		grows |= plan->steps[i].kind == STEP_ENTRY && plan->steps[i].after[0] != '-';
	if (grows)
		plan_note(plan,
			  "%s: full queues hold up to %llu KiB (%u queues x %u frames x %u "
			  "bytes)",
			  facts->iface.name, (unsigned long long)bytes / 1024, queues, plan->qsize,
			  facts->cpus.page_size);
}

int plan_make(const struct policy *policy, const struct facts *facts, struct plan **ret,
	      struct reason *why)
{
	cleanup(freep) struct plan *plan = calloc(1, sizeof(*plan));
	bool has_queues;
	int r;

	if (!plan)
		return because(why, -ENOMEM, "out of memory");
	r = refuse_foreign(policy, facts, why);
	if (r < 0)
		return r;
	r = plan_targets(policy, facts, plan, why);
	if (r < 0)
		return r;
	r = decide_mode(policy, facts, plan, why);
	if (r < 0)
		return r;
	r = decide_attach(policy, facts, plan, why);
	if (r < 0)
		return r;
	decide_lanes(policy, facts, plan);
	r = decide_slots(facts, plan, why);
	if (r < 0)
		return r;
	plan->config.cpus = possible_cpus(facts);
	r = decide_prefixes(policy, facts, plan, why);
	if (r < 0)
		return r;
	r = plan_classifier(policy, facts, plan, why);
	if (r == 0)
		r = plan_rule_sets(policy, facts, plan, why);
	if (r < 0)
		return r;
	decide_config(facts, policy->rekey, plan);
	plan->second_stage = !policy->no_second_stage;
	plan->bounded = policy->bounded;
	plan->qsize =
		policy->qsize ? policy->qsize : plan_qsize(facts, plan->target_count * plan->lanes);
	plan->gro_batch = decide_batch(policy, facts);
	plan->rules = plan_rules(facts, plan);

	has_queues = plan_transition(facts, plan);
	plan_watch(facts, plan);
	if (!has_queues)
		plan_entries_new(facts, plan);
	plan_table(facts, plan);
	plan_entries_leave(facts, plan);
	plan_entries_change(facts, plan);
	plan_priority(policy, facts, plan);
	r = plan_host(policy, facts, plan, why);
	if (r < 0)
		return r;
	if (facts->loaded.state == LOADED)
		plan_threads(policy, facts, plan);
	if (!plan->share)
		plan_attach(facts, plan);
	/* An attach makes new NAPI instances in many drivers. */
	if (facts->loaded.state != LOADED)
		plan_threads(policy, facts, plan);
	note_queues(facts, plan);
	*ret = take(plan);
	return 0;
}
