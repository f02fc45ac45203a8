/* SPDX-License-Identifier: GPL-2.0 */
/* A set of CPU numbers, and its text as the kernel writes it: "0-3,8". */
#ifndef LIB_CPUSET_H
#define LIB_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPUS_MAX 8192 /* the largest NR_CPUS of any architecture (x86 MAXSMP) */

struct cpuset {
	uint64_t bits[CPUS_MAX / 64];
};

void cpuset_add(struct cpuset *set, unsigned int cpu);
void cpuset_remove(struct cpuset *set, unsigned int cpu);
bool cpuset_has(const struct cpuset *set, unsigned int cpu);
unsigned int cpuset_count(const struct cpuset *set);

/* The first member at or above cpu, or CPUS_MAX. */
unsigned int cpuset_next(const struct cpuset *set, unsigned int cpu);

#define cpuset_for_each(set, cpu)                                      \
	for (unsigned int cpu = cpuset_next((set), 0); cpu < CPUS_MAX; \
	     cpu = cpuset_next((set), cpu + 1))

/*
 * Read "7" or "2-5" at *text and move behind it. -EINVAL: no number there,
 * -ERANGE: a number of CPUS_MAX or more, -EDOM: the end is before the start.
 */
int cpuset_take_range(const char **text, uint32_t *ret_first, uint32_t *ret_last);

/*
 * A list as the kernel prints and takes it (Documentation/admin-guide/
 * kernel-parameters.rst): "", "0-3,8", "0-31:2/4". A newline may end it.
 */
int cpuset_parse(const char *list, struct cpuset *ret);

/* A mask in hexadecimal words, as rps_cpus has it: "00000000,0000000f"; and back. */
int cpuset_parse_mask(const char *mask, struct cpuset *ret);
const char *cpuset_format_mask(const struct cpuset *set, char *text, size_t size);

/* The list of the set, "none" when it is empty; cut off where size ends. */
const char *cpuset_format(const struct cpuset *set, char *text, size_t size);

#endif
