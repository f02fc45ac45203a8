// SPDX-License-Identifier: GPL-2.0
/* A set of CPU numbers, and its text as the kernel writes it: "0-3,8". */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/cpuset.h"
#include "lib/text.h"

void cpuset_add(struct cpuset *set, unsigned int cpu)
{
	set->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

void cpuset_remove(struct cpuset *set, unsigned int cpu)
{
	set->bits[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

bool cpuset_has(const struct cpuset *set, unsigned int cpu)
{
	return cpu < CPUS_MAX && (set->bits[cpu / 64] >> cpu % 64 & 1);
}

unsigned int cpuset_count(const struct cpuset *set)
{
	unsigned int count = 0;

	for (size_t i = 0; i < CPUS_MAX / 64; i++)
		count += (unsigned int)__builtin_popcountll(set->bits[i]);
	return count;
}

unsigned int cpuset_next(const struct cpuset *set, unsigned int cpu)
{
	while (cpu < CPUS_MAX && !cpuset_has(set, cpu))
		cpu = set->bits[cpu / 64] >> cpu % 64 ? cpu + 1 : (cpu / 64 + 1) * 64;
	return cpu;
}

int cpuset_take_range(const char **text, uint32_t *ret_first, uint32_t *ret_last)
{
	const char *at = *text;
	uint32_t first, last;
	int r;

	r = text_take_u32(&at, CPUS_MAX - 1, &first);
	if (r < 0)
		return r;
	last = first;
	if (*at == '-') {
		at++;
		r = text_take_u32(&at, CPUS_MAX - 1, &last);
		if (r < 0)
			return r;
		if (last < first)
			return -EDOM;
	}
	*text = at;
	*ret_first = first;
	*ret_last = last;
	return 0;
}

/* ":2/4" behind a range: of each group of 4 CPUs, the first 2. */
static int take_stride(const char **text, uint32_t *ret_used, uint32_t *ret_group)
{
	int r;

	*ret_used = *ret_group = 1;
	if (**text != ':')
		return 0;
	(*text)++;
	r = text_take_u32(text, CPUS_MAX, ret_used);
	if (r < 0)
		return r;
	if (*(*text)++ != '/')
		return -EINVAL;
	r = text_take_u32(text, CPUS_MAX, ret_group);
	if (r < 0)
		return r;
	return *ret_group == 0 || *ret_used > *ret_group ? -EINVAL : 0;
}

int cpuset_parse(const char *list, struct cpuset *ret)
{
	struct cpuset set = { 0 };

	while (*list && *list != '\n') {
		uint32_t first, last, used, group;
		int r;

		r = cpuset_take_range(&list, &first, &last);
		if (r < 0)
			return r;
		r = take_stride(&list, &used, &group);
		if (r < 0)
			return r;
		for (uint32_t cpu = first; cpu <= last; cpu++)
			if ((cpu - first) % group < used)
				cpuset_add(&set, cpu);
		if (*list == ',')
			list++;
		else if (*list && *list != '\n')
			return -EINVAL;
	}
	*ret = set;
	return 0;
}

static int hex_digit(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = digit ? strchr(digits, digit) : NULL;

	return at ? (int)(at - digits) : -1;
}

int cpuset_parse_mask(const char *mask, struct cpuset *ret)
{
	size_t length = strcspn(mask, "\n");
	struct cpuset set = { 0 };
	unsigned int cpu = 0;

	if (!length)
		return -EINVAL;
	for (const char *at = mask + length; at-- > mask;) {
		int digit = hex_digit(*at);

		if (*at == ',')
			continue;
		if (digit < 0)
			return -EINVAL;
		for (unsigned int bit = 0; bit < 4; bit++) {
			if (!(digit >> bit & 1))
				continue;
			if (cpu + bit >= CPUS_MAX)
				return -ERANGE;
			cpuset_add(&set, cpu + bit);
		}
		cpu += 4;
	}
	*ret = set;
	return 0;
}

/* Words of 32 bits, the highest first, without those that are zero. */
const char *cpuset_format_mask(const struct cpuset *set, char *text, size_t size)
{
	*text = '\0';
	for (unsigned int word = CPUS_MAX / 32; word-- > 0;) {
		uint32_t bits = (uint32_t)(set->bits[word / 2] >> 32 * (word % 2));

		if (bits || *text || !word)
			text_append(text, size, *text ? ",%08x" : "%x", bits);
	}
	return text;
}

const char *cpuset_format(const struct cpuset *set, char *text, size_t size)
{
	unsigned int first = cpuset_next(set, 0);

	snprintf(text, size, "%s", first < CPUS_MAX ? "" : "none");
	while (first < CPUS_MAX) {
		unsigned int last = first;

		while (cpuset_has(set, last + 1))
			last++;
		text_append(text, size, "%s%u", *text ? "," : "", first);
		if (last > first)
			text_append(text, size, "-%u", last);
		first = cpuset_next(set, last + 1);
	}
	return text;
}
