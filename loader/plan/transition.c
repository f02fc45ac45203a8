// SPDX-License-Identifier: GPL-2.0
/*
 * New programs with the maps of those that run. Another hash, another key or
 * other rules give flows other slots on the way.
 */
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

static bool is_other(const struct mapping *a, const struct mapping *b)
{
	return memcmp(a, b, sizeof(*a)) != 0;
}

void plan_stage(const struct facts *facts, struct plan *plan, const struct steer_config *stage)
{
	plan->stages[plan->stage_count++] = *stage;
	plan_programs(facts, plan);
}

static void replace(const struct facts *facts, struct plan *plan, struct steer_config stage)
{
	plan_stage(facts, plan, &stage);
	plan_attach(facts, plan);
}

static void settle(const struct facts *facts, struct plan *plan)
{
	struct step *step = plan_step(plan, STEP_SETTLE, facts->iface.name,
				      "a flow changes its slot when nothing of it is on the way");

	strcpy(step->before, "old slots");
	strcpy(step->after, "new slots");
}

/* What is wanted, but for how frames come to their slots. */
static struct steer_config stage_of(const struct plan *plan, const struct mapping *now,
				    const struct mapping *before)
{
	struct steer_config stage = plan->config;

	stage.now = *now;
	stage.in_transition = before != NULL;
	if (before)
		stage.before = *before;
	stage.rules = stage.now.rules || stage.before.rules;
	return stage;
}

/* The rules and their slots are there, and the queues of these, before a frame meets them. */
static void change_over(const struct facts *facts, struct plan *plan)
{
	const struct steer_config *loaded = &facts->loaded.config;
	struct steer_config stage;

	/* 0 is what slots have that never were in one. */
	plan->config.transition = (__u16)(loaded->transition + 1);
	if (!plan->config.transition)
		plan->config.transition = 1;
	stage = stage_of(plan, &plan->config.now, &loaded->now);
	plan_stage(facts, plan, &stage);
	plan_rule_step(facts, plan);
	plan_entries_new(facts, plan);
	plan_attach(facts, plan);
	settle(facts, plan);
}

bool plan_transition(const struct facts *facts, struct plan *plan)
{
	const struct steer_config *loaded = &facts->loaded.config;
	bool changes = is_other(&loaded->now, &plan->config.now);

	if (!plan->share) {
		plan_stage(facts, plan, &plan->config);
		plan_rule_step(facts, plan);
		return false;
	}
	/* One that is not over, as its flows left no gap, or it was killed. */
	if (loaded->in_transition) {
		settle(facts, plan);
		if (changes)
			replace(facts, plan, stage_of(plan, &loaded->now, NULL));
	}
	if (changes)
		change_over(facts, plan);
	replace(facts, plan, plan->config);
	return changes;
}
