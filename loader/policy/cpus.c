// SPDX-License-Identifier: GPL-2.0
/* --cpus: a list of CPUs with weights. */
#include <errno.h>
#include <string.h>

#include "lib/cpuset.h"
#include "lib/text.h"
#include "policy/policy.h"

static int range_fault(int r, const char *list, const char *at, struct reason *why)
{
	switch (r) {
	case -EDOM:
		return because(why, -EINVAL, "'%s': the range at '%s' ends before it begins", list,
			       at);
	case -ERANGE:
		return because(why, r, "'%s': the number at '%s' is no CPU number (0 to %u)", list,
			       at, CPUS_MAX - 1);
	default:
		return because(why, r, "'%s': a CPU number is missing %s%s%s", list,
			       *at ? "at '" : "at its end", at, *at ? "'" : "");
	}
}

/* ":2" behind a range; none is a weight of 1. */
static int take_weight(const char **text, uint32_t *ret)
{
	int r;

	*ret = 1;
	if (**text != ':')
		return 0;
	(*text)++;
	r = text_take_u32(text, WEIGHT_MAX, ret);
	if (r < 0)
		return r;
	return *ret ? 0 : -ERANGE;
}

static int add(struct cpu_shares *shares, struct cpuset *seen, uint32_t cpu, uint32_t weight,
	       const char *list, struct reason *why)
{
	if (cpuset_has(seen, cpu))
		return because(why, -EINVAL, "'%s': CPU %u is named twice", list, cpu);
	if (shares->count == TARGETS_MAX)
		return because(why, -ERANGE, "'%s': more than %u CPUs", list, TARGETS_MAX);
	cpuset_add(seen, cpu);
	shares->at[shares->count++] =
		(struct cpu_share){ .cpu = (uint16_t)cpu, .weight = (uint16_t)weight };
	return 0;
}

int cpu_shares_parse(const char *list, struct cpu_shares *ret, struct reason *why)
{
	struct cpu_shares shares = { 0 };
	struct cpuset seen = { 0 };
	const char *at = list;

	if (strcmp(list, "auto") == 0) {
		ret->count = 0;
		return 0;
	}
	if (!*list)
		return because(why, -EINVAL, "'': the list is empty");
	for (;; at++) {
		uint32_t first, last, weight;
		int r;

		r = cpuset_take_range(&at, &first, &last);
		if (r < 0)
			return range_fault(r, list, at, why);
		r = take_weight(&at, &weight);
		if (r < 0)
			return because(why, r, "'%s': a weight is 1 to %u", list, WEIGHT_MAX);
		for (uint32_t cpu = first; cpu <= last; cpu++) {
			r = add(&shares, &seen, cpu, weight, list, why);
			if (r < 0)
				return r;
		}
		if (!*at)
			break;
		if (*at != ',')
			return because(why, -EINVAL, "'%s': cannot read '%s'", list, at);
	}
	*ret = shares;
	return 0;
}
