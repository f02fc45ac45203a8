// SPDX-License-Identifier: GPL-2.0
/* The steps of the data plane: each when what is there is not what was decided. */
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

void plan_programs(const struct facts *facts, struct plan *plan)
{
	bool running = facts->loaded.state == LOADED;
	struct step *step;

	if (running && !plan->replace)
		return;
	step = plan_step(
		plan, STEP_PROGRAMS, facts->iface.name,
		!running ? "the maps are filled before a frame can reach them"
		: facts->loaded.config.programs != plan->config.programs
			? "this version brings other programs: they take over"
			: "what was settled at load time changes: a new program takes over");
	snprintf(step->before, sizeof(step->before), running ? "%u slots%s" : "-",
		 facts->loaded.slot_count, facts->loaded.config.frags ? ", frags" : "");
	snprintf(step->after, sizeof(step->after), "%u slots%s", plan->slot_count,
		 plan->config.frags ? ", frags" : "");
}

/* "0-3" of the CPUs that own a slot, and nothing of how many each: see `status`. */
static void owners_format(const struct place *slots, unsigned int count, char *text, size_t size)
{
	struct cpuset owners = { 0 };

	for (unsigned int i = 0; i < count; i++)
		if (slots[i].set)
			cpuset_add(&owners, slots[i].cpu);
	cpuset_format(&owners, text, size);
}

void plan_table(const struct facts *facts, struct plan *plan)
{
	const struct loaded *loaded = &facts->loaded;
	bool old = loaded->state == LOADED && (!plan->replace || plan->share);
	unsigned int moved = 0, all = plan->slot_count + plan->home_count + RULE_SETS * RULE_SLOTS;
	unsigned int used = 0;
	struct step *step;

	for (unsigned int i = 0; i < all; i++)
		moved += old ? memcmp(&loaded->slots[i], &plan->slots[i], sizeof(struct place)) != 0
			     : plan->slots[i].set;
	if (!moved)
		return;
	for (unsigned int i = 0; i < all; i++)
		used += plan->slots[i].set;
	step = plan_step(plan, STEP_SLOTS, facts->iface.name, "");
	snprintf(step->why, sizeof(step->why), "%u of %u slots get another queue, by the weights",
		 moved, used);
	strcpy(step->before, "-");
	if (old)
		owners_format(loaded->slots, loaded->slot_count, step->before,
			      sizeof(step->before));
	owners_format(plan->slots, plan->slot_count, step->after, sizeof(step->after));
}

void plan_watch(const struct facts *facts, struct plan *plan)
{
	const struct loaded *loaded = &facts->loaded;
	bool running = loaded->state == LOADED;
	struct step *step;

	if (running && loaded->watched && !plan->replace)
		return;
	step = plan_step(plan, STEP_WATCH, facts->iface.name,
			 "drops at enqueue are told by the kernel's tracepoints alone");
	strcpy(step->before, running && loaded->watched ? "tracepoints" : "-");
	strcpy(step->after, "tracepoints");
}

void plan_attach(const struct facts *facts, struct plan *plan)
{
	const struct loaded *loaded = &facts->loaded;
	struct step *step;

	if (loaded->state == LOADED && !plan->replace)
		return;
	step = plan_step(plan, STEP_ATTACH, facts->iface.name,
			 plan->replace ? "atomic: each frame meets the old program or the new one"
				       : "last, when all that it needs is there");
	snprintf(step->after, sizeof(step->after), "%s %s", plan->generic ? "skb" : "native",
		 attach_names[plan->attach]);
	strcpy(step->before, "-");
	if (!plan->replace)
		return;
	memcpy(step->before, step->after, sizeof(step->before));
	step = plan_step(plan, STEP_PROMOTE, facts->iface.name,
			 "the old maps and programs go when nothing uses them");
	strcpy(step->before, "old pins");
	strcpy(step->after, "new pins");
}

void plan_priority(const struct policy *policy, const struct facts *facts, struct plan *plan)
{
	struct step *step;
	char before[16];
	bool fresh = plan->step_count; /* entries that change have new kthreads */

	snprintf(before, sizeof(before), "%d", facts->loaded.nice);
	if (!policy->priority.set || (!fresh && facts->loaded.state == LOADED &&
				      policy->priority.value == facts->loaded.nice))
		return;
	step = plan_step(plan, STEP_PRIORITY, "cpumap", "asked for: --priority");
	snprintf(step->before, sizeof(step->before), "%s", before);
	snprintf(step->after, sizeof(step->after), "%d", policy->priority.value);
}
