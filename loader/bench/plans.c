// SPDX-License-Identifier: GPL-2.0
/* What can be measured on an interface that is there, and the plan of an arm that steers. Pure, but
 * for what is said. */
#include <errno.h>
#include <string.h>

#include "bench/bench.h"
#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/say.h"
#include "plan/plan.h"
#include "policy/policy.h"

int bench_plan(const struct policy *wanted, const struct facts *was, const struct facts *facts,
	       enum arm arm, struct plan **ret)
{
	struct policy policy = *wanted, kept = { 0 };
	struct reason why;
	int r;

	if (facts->loaded.state == LOADED)
		policy_keep(&policy, facts);
	if (was->loaded.state == LOADED) {
		policy_keep(&kept, was);
		policy.keep_rps = true;
		policy.lanes = kept.lanes;
	}
	if (arm == ARM_LANES)
		policy.lanes = LANES_MAX;
	if (was->iface.features[FEATURE_GRO].on != UNKNOWN)
		policy.gro = arm == ARM_CPUMAP ? KEEP_OFF : KEEP_ON;
	r = plan_make(&policy, facts, ret, &why);
	return r < 0 ? fail(r, "%s", why.text) : 0;
}

/* By the plan of a load, which may also say why not. */
int bench_choose(const struct policy *policy, const struct facts *was, struct bench_result *result)
{
	cleanup(freep) struct plan *plan = NULL;
	const char *iface = was->iface.name;
	bool merges;
	int r;

	if (was->loaded.state == LOADED_PART || was->loaded.state == LOADED_OTHER_ABI)
		return fail(-E_REFUSED,
			    "%s: the last load did not finish, or was of another version; "
			    "xdp-cpumap unload %s first",
			    iface, iface);
	if (was->loaded.state == LOADED && was->loaded.attach == ATTACH_DISPATCHER)
		return fail(-E_REFUSED,
			    "%s: steered through a dispatcher, which others share; bench leaves it "
			    "alone: unload it, and bench it then",
			    iface);
	r = bench_plan(policy, was, was, ARM_GRO, &plan);
	if (r < 0)
		return r;
	for (unsigned int i = 0; i < plan->target_count; i++)
		cpuset_add(&result->targets, plan->targets[i].cpu);
	merges = was->kernel.gro == YES && !plan->generic &&
		 was->iface.features[FEATURE_GRO].on != UNKNOWN;
	result->have[ARM_PLAIN] = result->have[ARM_CPUMAP] = true;
	result->have[ARM_RPS] = was->iface.rps.cpus[0] != '\0';
	result->have[ARM_GRO] = merges;
	result->have[ARM_LANES] = merges && plan->lanes != LANES_MAX;
	return 0;
}
