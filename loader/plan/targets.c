// SPDX-License-Identifier: GPL-2.0
/* Which CPUs, how many queues they have, and how long those are. */
#include <errno.h>
#include <stdio.h>

#include "plan/plan.h"

#define LIST 256 /* of a CPU list in a sentence */

static int check_cpu(const struct cpu_facts *cpus, uint32_t cpu, struct reason *why)
{
	char list[LIST];

	if (cpuset_has(&cpus->online, cpu) || cpuset_next(&cpus->online, 0) == CPUS_MAX)
		return 0;
	return because(why, -E_USAGE, "--cpus: CPU %u %s; online here: %s", cpu,
		       cpuset_has(&cpus->possible, cpu) ? "is offline" : "does not exist",
		       cpuset_format(&cpus->online, list, sizeof(list)));
}

static void add(struct plan *plan, uint32_t cpu, uint32_t weight)
{
	plan->targets[plan->target_count++] = (struct plan_target){ .cpu = cpu, .weight = weight };
}

static int take_list(const struct policy *policy, const struct facts *facts, struct plan *plan,
		     struct reason *why)
{
	for (unsigned int i = 0; i < policy->cpus.count; i++) {
		const struct cpu_share *share = &policy->cpus.at[i];
		int r = check_cpu(&facts->cpus, share->cpu, why);

		if (r < 0)
			return r;
		add(plan, share->cpu, share->weight);
	}
	return 0;
}

/*
 * The free CPUs: those that do not serve the interface's interrupts; of those
 * the fastest kind, since a flow that lands on a little core stays there.
 */
static int choose(const struct policy *policy, const struct facts *facts, struct plan *plan,
		  struct reason *why)
{
	const struct cpu_facts *cpus = &facts->cpus;
	struct cpuset busy = plan_irq_cpus(policy, facts);
	uint16_t fastest = 0;
	char list[LIST];

	cpuset_for_each(&policy->napi_cpus.cpus, cpu)
		cpuset_add(&busy, cpu);
	cpuset_for_each(&cpus->allowed, cpu)
		if (!cpuset_has(&busy, cpu) && cpus->capacity[cpu] > fastest)
			fastest = cpus->capacity[cpu];
	cpuset_for_each(&cpus->allowed, cpu)
		if (!cpuset_has(&busy, cpu) && cpus->capacity[cpu] == fastest &&
		    plan->target_count < TARGETS_MAX)
			add(plan, cpu, 1);
	if (plan->target_count)
		return 0;
	return because(why, -E_USAGE,
		       "--cpus auto finds none: each CPU we may use (%s) serves interrupts of %s; "
		       "name the CPUs with --cpus LIST if you want it all the same",
		       cpuset_format(&cpus->allowed, list, sizeof(list)), facts->iface.name);
}

int plan_targets(const struct policy *policy, const struct facts *facts, struct plan *plan,
		 struct reason *why)
{
	return policy->cpus.count ? take_list(policy, facts, plan, why)
				  : choose(policy, facts, plan, why);
}

uint64_t plan_queue_bytes(const struct facts *facts, unsigned int queues, uint32_t qsize)
{
	return (uint64_t)queues * qsize * facts->cpus.page_size;
}

/*
 * 512 packets, or as many of the smallest frames (84 bytes on the wire) as come
 * in at the speed of the link while a CPU leaves its deepest idle state, and a
 * NAPI budget of 64 more. At most a sixteenth of the memory in all queues.
 */
uint32_t plan_qsize(const struct facts *facts, unsigned int queues)
{
	uint64_t qsize = (uint64_t)facts->iface.speed_mbps * facts->cpus.idle_exit_us / (84 * 8);

	qsize = qsize + 64 > 512 ? qsize + 64 : 512;
	if (qsize > QSIZE_MAX)
		qsize = QSIZE_MAX;
	while (qsize > 64 && facts->cpus.memory &&
	       plan_queue_bytes(facts, queues, (uint32_t)qsize) > facts->cpus.memory / 16)
		qsize /= 2;
	return (uint32_t)qsize;
}

/*
 * A queue merges 8 flows at a time (MAX_GRO_SKBS), so as many as 8 help while
 * there are few CPUs; none but the first where nothing is merged. A sixteenth
 * of the memory again bounds what 512 frames in each would take.
 */
uint32_t plan_lanes(const struct facts *facts, bool generic, unsigned int targets)
{
	uint32_t lanes = LANES_MAX;

	if (generic || facts->kernel.gro != YES || facts->iface.features[FEATURE_GRO].on == NO)
		return 1;
	while (lanes > 1 && (targets * lanes > 64 ||
			     (facts->cpus.memory && plan_queue_bytes(facts, targets * lanes, 512) >
							    facts->cpus.memory / 16)))
		lanes /= 2;
	return lanes;
}
