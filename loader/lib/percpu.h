/* SPDX-License-Identifier: GPL-2.0 */
/* A pinned per-CPU map: for each key, as many values as there are possible CPUs. */
#ifndef LIB_PERCPU_H
#define LIB_PERCPU_H

#include <stddef.h>
#include <stdint.h>

#include "lib/home.h"

struct percpu {
	int fd;
	uint32_t keys;
	size_t size; /* of one CPU's value, a multiple of 8 */
	void *values;
};

/* A negative errno, not said. */
int percpu_open(const struct home *home, const char *name, unsigned int cpus, struct percpu *ret);
void percpu_done(struct percpu *map);

/* The values of a key, for percpu_value(). */
int percpu_read(const struct percpu *map, uint32_t key);
void *percpu_value(const struct percpu *map, unsigned int cpu);
int percpu_write(const struct percpu *map, uint32_t key);

#endif
