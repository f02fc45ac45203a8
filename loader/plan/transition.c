// SPDX-License-Identifier: GPL-2.0
/* New programs with the maps of those that run; another hash gives flows other slots on the way. */
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

	strcpy(step->before, "old hash");
	strcpy(step->after, "new hash");
}

void plan_transition(const struct facts *facts, struct plan *plan)
{
	const struct steer_config *loaded = &facts->loaded.config;
	struct steer_config stage = plan->config;

	if (!plan->share) {
		plan_stage(facts, plan, &plan->config);
		return;
	}
	/* One that is not over, as its flows left no gap, or it was killed. */
	if (loaded->in_transition) {
		settle(facts, plan);
		if (is_other(&loaded->now, &plan->config.now)) {
			stage.now = loaded->now;
			replace(facts, plan, stage);
		}
	}
	if (is_other(&loaded->now, &plan->config.now)) {
		/* 0 is what slots have that never were in one. */
		plan->config.transition = (__u16)(loaded->transition + 1);
		if (!plan->config.transition)
			plan->config.transition = 1;
		stage = plan->config;
		stage.in_transition = 1;
		stage.before = loaded->now;
		replace(facts, plan, stage);
		settle(facts, plan);
	}
	replace(facts, plan, plan->config);
}
