/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pinned per-CPU map: for each key, as many values as there are possible
 * CPUs. A map that has one value a key is read as if there were one CPU.
 */
#ifndef LIB_PERCPU_H
#define LIB_PERCPU_H

#include <stddef.h>
#include <stdint.h>

#include "lib/home.h"

struct percpu {
	int fd;
	uint32_t keys;
	size_t size; /* of one CPU's value, a multiple of 8 */
	unsigned int cpus;
	void *values; /* those of the key */
	/* What percpu_walk() has read ahead. */
	uint32_t first, ahead, room;
	void *many;
};

/* A negative errno, not said. */
int percpu_open(const struct home *home, const char *name, unsigned int cpus, struct percpu *ret);
void percpu_done(struct percpu *map);

/* The values of a key, for percpu_value(). */
int percpu_read(struct percpu *map, uint32_t key);

/* The same for one key after another: read ahead, some 100 kB in a system call. */
int percpu_walk(struct percpu *map, uint32_t key);
void *percpu_value(const struct percpu *map, unsigned int cpu);
int percpu_write(const struct percpu *map, uint32_t key);

#endif
