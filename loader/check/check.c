// SPDX-License-Identifier: GPL-2.0
/* What stands in the way of steering, or makes it worse than it could be. Pure. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "lib/clean.h"

const char *const severity_names[] = { "error", "warning", "fix", "hint", "info", NULL };

#define FILL(text, format)                                        \
	do {                                                      \
		va_list args_;                                    \
		va_start(args_, format);                          \
		vsnprintf((text), sizeof(text), (format), args_); \
		va_end(args_);                                    \
	} while (0)

bool found(struct finding *finding, const char *format, ...)
{
	FILL(finding->what, format);
	return true;
}

bool so_that(struct finding *finding, const char *format, ...)
{
	FILL(finding->consequence, format);
	return true;
}

bool cured_by(struct finding *finding, const char *format, ...)
{
	FILL(finding->cure, format);
	return true;
}

static void run(const struct check *checks, const struct scene *scene, struct findings *ret)
{
	for (const struct check *check = checks; check->id; check++) {
		struct finding *finding = &ret->at[ret->count];

		*finding = (struct finding){ .id = check->id, .severity = check->severity };
		if (!check->look(scene, finding))
			continue;
		ret->errors += finding->severity == SEVERITY_ERROR;
		ret->count++;
	}
}

static int by_severity(const void *a, const void *b)
{
	const struct finding *one = a, *other = b;

	if (one->severity != other->severity)
		return (int)one->severity - (int)other->severity;
	return strcmp(one->id, other->id);
}

/* The CPUs that a load would take; none when it could not. */
static void read_targets(struct scene *scene)
{
	cleanup(freep) struct plan *plan = calloc(1, sizeof(*plan));
	struct reason why;

	if (!plan || plan_targets(scene->policy, scene->facts, plan, &why) < 0)
		return;
	for (unsigned int i = 0; i < plan->target_count; i++)
		cpuset_add(&scene->targets, plan->targets[i].cpu);
}

void check_all(const struct policy *policy, const struct facts *facts, struct findings *ret)
{
	struct scene scene = { .policy = policy, .facts = facts };

	scene.generic = policy->mode == MODE_SKB ||
			(policy->mode == MODE_AUTO && facts->iface.native == NO);
	read_targets(&scene);
	*ret = (struct findings){ 0 };
	run(place_checks, &scene, ret);
	/* Of an interface that is none to load, the rest is of no interest. */
	if (ret->errors)
		return;
	run(iface_checks, &scene, ret);
	run(cpu_checks, &scene, ret);
	run(host_checks, &scene, ret);
	qsort(ret->at, ret->count, sizeof(ret->at[0]), by_severity);
}

void check_verdict(const struct findings *findings, char *ret, size_t size)
{
	snprintf(ret, size, "would help");
	for (unsigned int i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];
		bool no = finding->severity == SEVERITY_ERROR;

		if (!no && strcmp(finding->id, "Q-MULTI") != 0 &&
		    strcmp(finding->id, "CONF-HWOFF") != 0)
			continue;
		snprintf(ret, size, "%s: %s (%s)", no ? "would not help" : "may not be needed",
			 finding->what, finding->id);
		return;
	}
}
