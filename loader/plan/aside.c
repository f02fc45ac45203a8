// SPDX-License-Identifier: GPL-2.0
/* The steps of `bench` on an interface: out of the way, and back again with nothing lost. */
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

static void put(struct plan *plan, enum step_kind kind, const char *target, const char *before,
		const char *after)
{
	struct step *step = plan_step(plan, kind, target, "asked for: bench");

	snprintf(step->before, sizeof(step->before), "%s", before);
	snprintf(step->after, sizeof(step->after), "%s", after);
}

static void put_attach(const struct facts *facts, bool attach, struct plan *plan)
{
	char text[STEP_VALUE];

	plan->generic = facts->loaded.generic;
	plan->attach = facts->loaded.attach;
	snprintf(text, sizeof(text), "%s %s", plan->generic ? "skb" : "native",
		 attach_names[plan->attach]);
	put(plan, STEP_ATTACH, facts->iface.name, attach ? "-" : text, attach ? text : "-");
}

/* Apply reads what is there and leaves alone what is so already. */
static void put_gro(const struct facts *facts, const struct iface_facts *was, struct plan *plan)
{
	const struct feature_fact *gro = &was->features[FEATURE_GRO];
	char target[64];

	if (gro->on == UNKNOWN || gro->fixed)
		return;
	snprintf(target, sizeof(target), "%s %s", was->name, feature_names[FEATURE_GRO]);
	put(plan, STEP_FEATURE, target, facts->iface.features[FEATURE_GRO].on == YES ? "on" : "off",
	    gro->on == YES ? "on" : "off");
}

/* Maps and pins stay: coming back is one attach, with the counters and prefixes that were there. */
void plan_aside(const struct facts *facts, const struct iface_facts *was, const struct cpuset *rps,
		struct plan *plan)
{
	char list[STEP_VALUE] = "none";

	if (facts->loaded.state == LOADED)
		put_attach(facts, false, plan);
	put_gro(facts, was, plan);
	if (rps)
		cpuset_format(rps, list, sizeof(list));
	if (was->rps.cpus[0])
		put(plan, STEP_RPS, was->name, facts->iface.rps.cpus, list);
}

void plan_back(const struct facts *facts, const struct iface_facts *was, bool attach,
	       struct plan *plan)
{
	put_gro(facts, was, plan);
	if (was->rps.cpus[0])
		put(plan, STEP_RPS, was->name, facts->iface.rps.cpus, was->rps.cpus);
	if (attach)
		put_attach(facts, true, plan);
}
