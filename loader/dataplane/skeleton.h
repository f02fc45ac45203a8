/* SPDX-License-Identifier: GPL-2.0 */
/* The BPF object, embedded. Its header needs the types of abi.h before it. */
#ifndef DATAPLANE_SKELETON_H
#define DATAPLANE_SKELETON_H

#include <stdbool.h>

#include "cpumap/abi.h"
#include "lib/home.h"

#include "bpf/steer.skel.h"

/* A map and the name of its pin. */
struct named_map {
	const char *name;
	struct bpf_map *map;
};

#define MAPS_NAMED 26

/* The maps of so many lanes: `config` first, and at the end the cpumaps. Returns how many. */
unsigned int maps_named(const struct steer *skel, unsigned int lanes, struct named_map *ret);

/* Take those that are pinned instead of new ones. Says what failed. */
int maps_reuse(const struct home *home, bool next, const struct named_map *maps,
	       unsigned int count);

/* Before load: no maps and programs of further lanes. */
void lanes_restrict(struct steer *skel, unsigned int lanes);

/* The second-stage programs, by lane. */
#define PASSES_OF(skel)                                                                   \
	{                                                                                 \
		(skel)->progs.pass, (skel)->progs.pass_1, (skel)->progs.pass_2,           \
			(skel)->progs.pass_3, (skel)->progs.pass_4, (skel)->progs.pass_5, \
			(skel)->progs.pass_6, (skel)->progs.pass_7                        \
	}

/*
 * steer__open(), in one place: each that calls it would have a copy of the
 * object. NULL with errno set.
 */
struct steer *steer_new(void);

static inline void steer_destroyp(struct steer **skel)
{
	steer__destroy(*skel);
}

#endif
