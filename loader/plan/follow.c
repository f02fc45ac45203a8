// SPDX-License-Identifier: GPL-2.0
/* What a follower wants next, when the machine has changed or `set` was there. */
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "plan/plan.h"

/* Away for now; a CPU that cannot be is a mistake, which a plan tells of. */
static bool is_away(const struct cpu_facts *cpus, unsigned int cpu)
{
	return !cpuset_has(&cpus->online, cpu) && cpuset_has(&cpus->possible, cpu);
}

static struct cpu_shares shares_of(const struct loaded *loaded)
{
	struct cpu_shares shares = { 0 };

	for (uint32_t cpu = 0; cpu < CPUS_MAX && shares.count < TARGETS_MAX; cpu++)
		if (loaded->weights[cpu])
			shares.at[shares.count++] = (struct cpu_share){
				.cpu = (uint16_t)cpu,
				.weight = loaded->weights[cpu],
			};
	return shares;
}

static bool same_shares(const struct cpu_shares *a, const struct cpu_shares *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned int i = 0; i < a->count; i++)
		if (a->at[i].cpu != b->at[i].cpu || a->at[i].weight != b->at[i].weight)
			return false;
	return true;
}

void follow_left(struct following *following, const struct loaded *loaded)
{
	following->left = shares_of(loaded);
}

void follow_loaded(struct following *following, const struct facts *facts)
{
	struct policy *wanted = &following->wanted;
	struct cpu_shares now = shares_of(&facts->loaded);
	cleanup(freep) struct cpu_shares *cpus = malloc(sizeof(*cpus));

	if (!cpus)
		return;
	/* Not as it was left: `set` was there. Else those that are offline are still wanted. */
	*cpus = same_shares(&now, &following->left) ? wanted->cpus : now;
	wanted->named = 0;
	wanted->rule_list = NULL;
	policy_keep(wanted, facts);
	following->rules = *wanted->rule_list;
	wanted->rule_list = &following->rules;
	wanted->cpus = *cpus;
}

static void drop_away(struct cpu_list *list, const struct cpu_facts *cpus)
{
	cpuset_for_each(&cpus->possible, cpu)
		if (is_away(cpus, cpu))
			cpuset_remove(&list->cpus, cpu);
	list->set = list->set && cpuset_count(&list->cpus);
}

bool follow_policy(const struct following *following, const struct facts *facts, struct policy *ret)
{
	const struct cpu_shares *wanted = &following->wanted.cpus;

	*ret = following->wanted;
	ret->cpus.count = 0;
	for (unsigned int i = 0; i < wanted->count; i++)
		if (!is_away(&facts->cpus, wanted->at[i].cpu))
			ret->cpus.at[ret->cpus.count++] = wanted->at[i];
	drop_away(&ret->napi_cpus, &facts->cpus);
	drop_away(&ret->irq_cpus, &facts->cpus);
	/* None at all is not `auto`. */
	return !wanted->count || ret->cpus.count;
}
