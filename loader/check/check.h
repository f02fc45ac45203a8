/* SPDX-License-Identifier: GPL-2.0 */
/* What stands in the way of steering, or makes it worse than it could be. Pure. */
#ifndef CHECK_H
#define CHECK_H

#include "facts/facts.h"
#include "plan/plan.h"
#include "policy/policy.h"

/* In the order they are shown. */
enum severity {
	SEVERITY_ERROR,	  /* it will not work, or is wrong: `load` stops */
	SEVERITY_WARNING, /* it works, and something is worse for it */
	SEVERITY_FIX,	  /* `load` puts it right, `unload` puts it back */
	SEVERITY_HINT,	  /* it may be better another way */
	SEVERITY_INFO,
};

extern const char *const severity_names[];

struct finding {
	const char *id;
	enum severity severity;
	char what[256];
	char consequence[256];
	char cure[256]; /* a command, or what else to do; "": nothing */
};

struct scene {
	const struct policy *policy;
	const struct facts *facts;
	bool generic;	       /* the mode it comes to */
	struct cpuset targets; /* the CPUs it comes to; empty: none can be */
};

/* A row: whether there is something to say, and what. */
struct check {
	const char *id;
	enum severity severity;
	bool (*look)(const struct scene *scene, struct finding *finding);
};

/* By object; each ends with a row without an id. */
extern const struct check place_checks[];
extern const struct check iface_checks[];
extern const struct check cpu_checks[];
extern const struct check host_checks[];

enum { FINDINGS_MAX = 64 };

struct findings {
	unsigned int count;
	unsigned int errors;
	struct finding at[FINDINGS_MAX];
};

/* All checks, the worst first. */
void check_all(const struct policy *policy, const struct facts *facts, struct findings *ret);

/* "would help", "may not be needed: " or "would not help: " and the first reason. */
void check_verdict(const struct findings *findings, char *ret, size_t size);

/* Fill in a finding's texts. Return true, so that a check can end with it. */
bool found(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool so_that(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool cured_by(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
