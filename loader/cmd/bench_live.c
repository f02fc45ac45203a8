// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap bench IFACE: each arm is a plan that is applied, and then undone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apply/apply.h"
#include "bench/bench.h"
#include "lib/clean.h"
#include "verb.h"

/* All that has to be so again when it is over. */
struct bench_site {
	struct policy policy;
	struct source source;
	struct home home;
	struct facts *was;
	struct facts *now; /* when what runs stepped aside */
	const struct cpuset *targets;
	int lock; /* nobody else changes what is measured */
};

static bool was_loaded(const struct bench_site *site)
{
	return site->was->loaded.state == LOADED;
}

static void tell_trouble(const struct step *step, enum undone undone, const char *now, void *data)
{
	char text[512];

	undone_format(step, undone, now, text, sizeof(text));
	if (*text && undone != UNDONE)
		warn("%s", text);
}

static int look(struct bench_site *site)
{
	freep(&site->now);
	site->now = NULL;
	return facts_gather(&site->source, site->home.iface, &site->now);
}

static int step_aside(struct bench_site *site, const struct cpuset *rps)
{
	cleanup(freep) struct plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return fail(-ENOMEM, "out of memory");
	plan_aside(site->now, &site->was->iface, rps, plan);
	return plan_apply(plan, site->now, &site->home);
}

/* Undoing an arm takes the lock's file away with all else. */
static int lock_again(struct bench_site *site)
{
	closep(&site->lock);
	site->lock = home_lock(&site->home);
	return site->lock < 0 ? site->lock : 0;
}

static int begin(enum arm arm, void *data)
{
	cleanup(freep) struct plan *plan = NULL;
	struct bench_site *site = data;
	int r = was_loaded(site) ? 0 : lock_again(site);

	if (r == 0)
		r = look(site);

	if (r == 0 && (arm == ARM_PLAIN || arm == ARM_RPS))
		return step_aside(site, arm == ARM_RPS ? site->targets : NULL);
	if (r == 0)
		r = bench_plan(&site->policy, site->was, site->now, arm, &plan);
	if (r == 0)
		r = plan_apply(plan, site->now, &site->home);
	return r == -EOPNOTSUPP ? fail(r,
				       "%s: the driver has no native XDP; load it, and bench it "
				       "then",
				       site->home.iface)
				: r;
}

/* What was not loaded is as it was; what was may keep its lanes until the next arm. */
static int end(enum arm arm, void *data)
{
	cleanup(freep) struct plan *plan = calloc(1, sizeof(*plan));
	struct bench_site *site = data;
	int r;

	if (!was_loaded(site)) {
		r = look(site);
		if (r == 0)
			r = apply_undo(&site->home, site->now->iface.index, &site->now->loaded,
				       tell_trouble, NULL);
		return r < 0 ? r : 0;
	}
	if (arm != ARM_PLAIN && arm != ARM_RPS)
		return 0;
	if (!plan)
		return fail(-ENOMEM, "out of memory");
	plan_back(site->now, &site->was->iface, true, plan);
	return plan_apply(plan, site->now, &site->home);
}

static int put_back(struct bench_site *site)
{
	cleanup(freep) struct plan *lanes = NULL, *values = calloc(1, sizeof(*values));
	int r = look(site);

	if (r < 0 || !was_loaded(site))
		return r;
	r = values ? bench_plan(&site->policy, site->was, site->now, ARM_GRO, &lanes)
		   : fail(-ENOMEM, "out of memory");
	if (r == 0)
		r = plan_apply(lanes, site->now, &site->home);
	if (r == 0)
		r = look(site);
	if (r < 0)
		return r;
	plan_back(site->now, &site->was->iface, false, values);
	return plan_apply(values, site->now, &site->home);
}

int bench_interface(const struct policy *policy, struct bench_result *result)
{
	cleanup(source_close) struct source source = { .root = -1 };
	struct bench_site site = { .policy = *policy, .targets = &result->targets, .lock = -1 };
	const struct live live = { begin, end, &site };
	int r = verb_source(policy, &source), restored;

	if (r < 0)
		return r;
	site.source = source;
	snprintf(result->iface, sizeof(result->iface), "%s", policy->iface);
	home_of(policy->iface, &site.home);
	r = lock_again(&site);
	if (r == 0)
		r = facts_gather(&source, policy->iface, &site.was);
	if (r == 0)
		r = bench_choose(policy, site.was, result);
	if (r == 0) {
		r = bench_live(&live, policy->rounds ? policy->rounds : 10, policy->force, result);
		restored = put_back(&site);
		r = r < 0 ? r : restored;
	}
	if (site.lock >= 0)
		home_leave_unused(&site.home);
	closep(&site.lock);
	freep(&site.was);
	freep(&site.now);
	return r;
}
