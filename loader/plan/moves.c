// SPDX-License-Identifier: GPL-2.0
/* When a frame is certain to have been delivered, and what `set` leaves as it is. */
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

#define MS 1000000ULL

static bool all_have_second_stage(const struct loaded *loaded)
{
	for (unsigned int i = 0; i < loaded->entry_count; i++)
		if (!loaded->entries[i].prog_id)
			return false;
	return true;
}

/*
 * cpumap's GRO is flushed after 64 frames, and the kthread takes 8 at a time:
 * the program of the 72nd frame behind one runs when that one has gone. Without
 * GRO, 8 frames may still wait in the list that netif_receive_skb_list() gets
 * (net.core.gro_normal_batch). From HZ = 1000 on, a flush under load spares what
 * is younger than a tick.
 *
 * Nobody who sees more may be there (a `set` that was killed): then an idle
 * target is done after a second, and a full queue even of a slow CPU (100 000
 * frames a second) in its time.
 */
struct move_rules plan_rules(const struct facts *facts, const struct plan *plan)
{
	uint64_t tick_ns = facts->kernel.tick_ns ? facts->kernel.tick_ns : 10 * MS;
	bool merges = !plan->generic && facts->kernel.gro != NO &&
		      facts->iface.features[FEATURE_GRO].on != NO;

	return (struct move_rules){
		.stamps = !plan->generic && plan->attach == ATTACH_LINK && plan->second_stage &&
			  all_have_second_stage(&facts->loaded),
		.margin = (merges ? 64 : 8) + plan->gro_batch,
		.hold_ns = merges && tick_ns <= MS ? 2 * tick_ns : 0,
		.idle_ns = 1000 * MS + plan->qsize * 10000ULL,
	};
}

static void keep_cpus(struct policy *policy, const struct facts *facts)
{
	const struct cpuset *online = &facts->cpus.online;
	bool unknown = cpuset_next(online, 0) == CPUS_MAX;

	policy->cpus.count = 0;
	for (uint32_t cpu = 0; cpu < CPUS_MAX && policy->cpus.count < TARGETS_MAX; cpu++)
		if (facts->loaded.weights[cpu] && (unknown || cpuset_has(online, cpu)))
			policy->cpus.at[policy->cpus.count++] =
				(struct cpu_share){ .cpu = (uint16_t)cpu,
						    .weight = facts->loaded.weights[cpu] };
}

static uint32_t lanes_of(const struct loaded *loaded)
{
	uint32_t lanes = 1;

	for (unsigned int i = 0; i < loaded->slot_count; i++)
		if (loaded->slots[i].set && loaded->slots[i].lane >= lanes)
			lanes = loaded->slots[i].lane + 1;
	return lanes;
}

static void keep_classifier(struct policy *policy, const struct steer_config *config)
{
	if (!policy_names(policy, "hash"))
		policy->hash = (enum hash)config->now.hash;
	if (!policy_names(policy, "inner"))
		policy->inner = (enum inner)config->inner;
	if (!policy_names(policy, "multicast"))
		policy->multicast = config->multicast_stays ? MULTICAST_PASS : MULTICAST_STEER;
	snprintf(policy->dsa, sizeof(policy->dsa), "%s", dsa_tag_name(&config->dsa));
}

void policy_keep(struct policy *policy, const struct facts *facts)
{
	const struct loaded *loaded = &facts->loaded;

	if (!policy_names(policy, "cpus"))
		keep_cpus(policy, facts);
	if (!policy_names(policy, "lanes"))
		policy->lanes = lanes_of(loaded);
	keep_classifier(policy, &loaded->config);
	policy->match = (enum match)loaded->config.now.match;
	policy->max_prefixes = loaded->max_prefixes;
	if (!policy->rule_list)
		policy->rule_list = &loaded->rule_list;
	if (!loaded->entry_count)
		return;
	if (!policy_names(policy, "qsize"))
		policy->qsize = loaded->entries[0].qsize;
	if (!policy_names(policy, "second-stage"))
		policy->no_second_stage = !loaded->entries[0].prog_id;
}
