// SPDX-License-Identifier: GPL-2.0
/* Rules: which set of them takes over, their ids, and the slots of each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "plan/plan.h"
#include "plan/ruleset.h"

static bool same_rules(const struct rule_list *a, const struct rule_list *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned int i = 0; i < a->count; i++)
		if (strcmp(a->at[i].name, b->at[i].name) != 0 ||
		    strcmp(a->at[i].text, b->at[i].text) != 0)
			return false;
	return true;
}

/* A rule keeps the id of the one of its name, so that its counts go on. */
static void give_ids(const struct rule_list *old, struct rule_list *list)
{
	bool taken[RULE_IDS] = { false };
	uint32_t next = 0;

	for (unsigned int i = 0; i < old->count; i++)
		taken[old->at[i].id % RULE_IDS] = true;
	for (unsigned int i = 0; i < list->count; i++) {
		int was = rules_find(old, list->at[i].name);

		while (was < 0 && taken[next])
			next++;
		list->at[i].id = was < 0 ? next++ : old->at[was].id;
	}
}

static unsigned int power_of_two(unsigned int least)
{
	unsigned int size = 1;

	while (size < least)
		size *= 2;
	return size;
}

static unsigned int sum_of(const unsigned int *sizes, unsigned int count)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < count; i++)
		sum += sizes[i];
	return sum;
}

/*
 * As many slots for each CPU of a rule as it can have lanes, fewer where room
 * is short; one at least. It hangs on the rules alone: a set that runs is not
 * written to.
 */
static int give_sizes(const struct rule *rules, unsigned int count, unsigned int *sizes)
{
	for (unsigned int i = 0; i < count; i++)
		sizes[i] = rules[i].pass ? 1 : power_of_two(LANES_MAX * rules[i].cpus.count);
	while (sum_of(sizes, count) > RULE_SLOTS) {
		unsigned int most = count;

		for (unsigned int i = 0; i < count; i++)
			if (sizes[i] / 2 >= (rules[i].cpus.count ? rules[i].cpus.count : 1) &&
			    (most == count || sizes[i] > sizes[most]))
				most = i;
		if (most == count)
			return -ENOSPC;
		sizes[most] /= 2;
	}
	return 0;
}

static int deal(const struct rule *rule, unsigned int lanes, const struct place *old,
		struct place *slots, unsigned int size, struct reason *why)
{
	cleanup(freep) struct plan_target *targets = calloc(TARGETS_MAX, sizeof(*targets));
	cleanup(freep) struct plan_target *parts = calloc(RULE_SLOTS, sizeof(*parts));
	unsigned int empty, count;

	if (!targets || !parts)
		return because(why, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < rule->cpus.count; i++)
		targets[i] = (struct plan_target){ .cpu = rule->cpus.at[i].cpu,
						   .weight = rule->cpus.at[i].weight };
	if (slots_share(targets, rule->cpus.count, size, &empty) < 0)
		return because(why, -E_USAGE,
			       "rule '%s': CPU %u gets none of its %u slots, its weight of %u is "
			       "too small beside the others",
			       rule->name, targets[empty].cpu, size, targets[empty].weight);
	count = slots_split(targets, rule->cpus.count, lanes, parts, RULE_SLOTS);
	slots_deal(parts, count, old, slots, size);
	return 0;
}

static bool has_queue(const struct plan *plan, uint32_t cpu)
{
	for (unsigned int i = 0; i < plan->target_count + plan->extra_count; i++)
		if (plan_queue_cpu(plan, i) == cpu)
			return true;
	return false;
}

/* Rules may send to CPUs that the hash does not. */
static int note_cpus(const struct rule *rule, const struct facts *facts, struct plan *plan,
		     struct reason *why)
{
	const struct cpuset *online = &facts->cpus.online;
	/* A CPU that goes while its rule runs: the kernel lets its kthread run elsewhere. */
	bool runs = facts->loaded.state == LOADED &&
		    facts->loaded.config.now.rules == plan->config.now.rules;
	char list[256];

	for (unsigned int i = 0; i < rule->cpus.count; i++) {
		uint32_t cpu = rule->cpus.at[i].cpu;

		if (!runs && !cpuset_has(online, cpu) && cpuset_next(online, 0) != CPUS_MAX)
			return because(why, -E_USAGE, "rule '%s': CPU %u %s; online here: %s",
				       rule->name, cpu,
				       cpuset_has(&facts->cpus.possible, cpu) ? "is offline"
									      : "does not exist",
				       cpuset_format(online, list, sizeof(list)));
		if (has_queue(plan, cpu))
			continue;
		if (plan->extra_count == RULE_SLOTS)
			return because(why, -E_USAGE, "rules name more than %u CPUs", RULE_SLOTS);
		plan->extra[plan->extra_count++] = (uint16_t)cpu;
	}
	return 0;
}

static int give_slots(const struct rule *rules, const struct facts *facts, struct plan *plan,
		      struct reason *why)
{
	const struct loaded *loaded = &facts->loaded;
	unsigned int first = plan->slot_count + plan->home_count, base = 0;
	unsigned int sizes[RULES_MAX], offset = (plan->config.now.rules - 1u) * RULE_SLOTS;
	bool keep = loaded->state == LOADED && loaded->slot_count == plan->slot_count &&
		    loaded->home_count == plan->home_count;

	if (give_sizes(rules, plan->rule_list.count, sizes) < 0)
		return because(why, -E_USAGE, "the rules name more CPUs than their %u slots hold",
			       RULE_SLOTS);
	for (unsigned int i = 0; i < plan->rule_list.count; i++) {
		const struct rule *rule = &rules[i];
		struct place *slots = &plan->slots[first + offset + base];
		int r = note_cpus(rule, facts, plan, why);

		if (r == 0 && !rule->pass)
			r = deal(rule, plan->lanes,
				 keep ? &loaded->slots[first + offset + base] : NULL, slots,
				 sizes[i], why);
		if (r < 0)
			return r;
		plan->rule_set.actions[rule_place(1ULL << i)] = (struct rule_action){
			.base = (__u16)base,
			.mask = (__u16)(sizes[i] - 1),
			.id = (__u8)plan->rule_list.at[i].id,
			.pass = rule->pass,
		};
		base += sizes[i];
	}
	return 0;
}

/* The set that does not run is the one that can be written. */
static void choose_set(const struct facts *facts, struct plan *plan)
{
	const struct loaded *loaded = &facts->loaded;
	bool running = loaded->state == LOADED;

	if (!plan->rule_list.count)
		return;
	plan->config.rules = 1;
	if (running && loaded->config.now.rules && same_rules(&loaded->rule_list, &plan->rule_list))
		plan->config.now.rules = loaded->config.now.rules;
	else
		plan->config.now.rules = running && loaded->config.now.rules == 1 ? 2 : 1;
}

static int check_dsa(const struct rule *rule, const struct plan *plan, struct reason *why)
{
	for (unsigned int i = 0; i < rule->match_count; i++)
		if (rule->matches[i].kind == RULE_DSA_PORT && !plan->config.dsa.port_mask)
			return because(why, -E_USAGE,
				       "rule '%s': no DSA tag tells us the port of the switch here",
				       rule->name);
	return 0;
}

static int read_rules(const struct plan *plan, struct rule *rules, struct reason *why)
{
	struct reason inner;

	for (unsigned int i = 0; i < plan->rule_list.count; i++) {
		int r = rule_read(&plan->rule_list.at[i], &rules[i], &inner);

		if (r == 0)
			r = check_dsa(&rules[i], plan, why);
		else
			because(why, r, "rule '%s': %s", plan->rule_list.at[i].name, inner.text);
		if (r < 0)
			return -E_USAGE;
	}
	return 0;
}

int plan_rule_sets(const struct policy *policy, const struct facts *facts, struct plan *plan,
		   struct reason *why)
{
	cleanup(freep) struct rule *rules = calloc(RULES_MAX, sizeof(*rules));
	unsigned int first = plan->slot_count + plan->home_count;
	const struct loaded *loaded = &facts->loaded;
	int r;

	if (!rules)
		return because(why, -ENOMEM, "out of memory");
	if (policy->rule_list)
		plan->rule_list = *policy->rule_list;
	give_ids(&loaded->rule_list, &plan->rule_list);
	choose_set(facts, plan);
	/* Those of the other set stay as they are. */
	if (loaded->state == LOADED && loaded->slot_count == plan->slot_count &&
	    loaded->home_count == plan->home_count)
		memcpy(&plan->slots[first], &loaded->slots[first],
		       RULE_SETS * RULE_SLOTS * sizeof(plan->slots[0]));
	if (!plan->rule_list.count)
		return 0;
	r = read_rules(plan, rules, why);
	if (r < 0)
		return r;
	if (rule_set_compile(rules, plan->rule_list.count, &plan->rule_set) < 0)
		return because(why, -E_USAGE,
			       "the rules tell more ranges apart than there is room for (%u nodes, "
			       "%u classes): fewer or shorter prefixes and ranges",
			       RULE_NODES_MAX, RULE_CLASSES_MAX);
	return give_slots(rules, facts, plan, why);
}

void plan_rule_step(const struct facts *facts, struct plan *plan)
{
	const struct loaded *loaded = &facts->loaded;
	bool same = loaded->state == LOADED && loaded->config.now.rules == plan->config.now.rules;
	struct step *step;

	if (!plan->rule_list.count || (same && (plan->share || !plan->replace)))
		return;
	step = plan_step(plan, STEP_RULES, facts->iface.name,
			 "the set that no frame meets yet; the program then changes over to it");
	snprintf(step->before, sizeof(step->before), loaded->rule_list.count ? "%u rules" : "-",
		 loaded->rule_list.count);
	snprintf(step->after, sizeof(step->after), "%u rules", plan->rule_list.count);
}
