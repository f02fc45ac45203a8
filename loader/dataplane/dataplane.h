/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The maps and programs of an interface, as they are pinned. Only apply/ calls
 * what changes them. Functions say what failed, unless noted.
 */
#ifndef DATAPLANE_H
#define DATAPLANE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpumap/abi.h"
#include "dataplane/table.h"
#include "lib/home.h"

struct dataplane_spec {
	struct steer_config config;
	bool dispatcher; /* frags are then the dispatcher's business */
	uint32_t max_prefixes;
	bool keep_prefixes;	  /* those of the set that runs, whatever else is new */
	unsigned int share_lanes; /* of the set that runs, whose maps are kept; 0: new maps */
};

/*
 * Load maps and programs and pin them; next: beside those that run, with their
 * hash key, so that flows stay where they are.
 */
int dataplane_create(const struct home *home, const struct dataplane_spec *spec, bool next);

/* A new random key in the place of one that is not in use. */
int key_renew(const struct home *home, unsigned int which);

/* The next set takes the names of the one that ran. */
int dataplane_promote(const struct home *home);

/*
 * What the slots of the set that ran have counted is added to `sent`, which the
 * next set shares. To be called when the old program runs no more.
 */
void counts_carry(const struct home *home);

/* Unpin all there is. The kernel frees what nothing uses. */
int dataplane_remove(const struct home *home);
int dataplane_remove_next(const struct home *home);

/* The file descriptors of what apply/ writes to. */
struct dataplane {
	int steer;
	int cpus[LANES_MAX]; /* -1 where there is no such lane */
	int pass[LANES_MAX];
	struct table table;
};

void dataplane_init(struct dataplane *dataplane);
int dataplane_open(const struct home *home, bool next, struct dataplane *ret);
void dataplane_close(struct dataplane *dataplane);

int entry_set(const struct dataplane *dataplane, struct place at, uint32_t qsize,
	      bool second_stage);
int entry_delete(const struct dataplane *dataplane, struct place at);

/* The id of a lane's cpumap, 0 without one. */
uint32_t entries_map_id(const struct dataplane *dataplane, unsigned int lane);

/* Note the kthreads of all entries, so that nobody needs to look for them among all processes. */
void entries_note_kthreads(const struct dataplane *dataplane);

/* The pin of a lane's cpumap or second-stage program. */
struct pin_path lane_pin(const struct home *home, bool next, const char *name, unsigned int lane);

/*
 * Count what the kernel's tracepoints tell of these maps and programs, beside
 * those of before. What the kernel cannot tell is said once; an error, not
 * said, when nothing can be counted.
 */
int tracepoints_follow(const struct home *home, bool next, const struct dataplane_spec *spec);
void tracepoints_forget(const struct home *home);

/*
 * Attach `steer` by a pinned bpf_link. -EOPNOTSUPP, not said: no native XDP in
 * the driver (what it said is in kernel_said()).
 */
int link_attach(const struct home *home, const struct dataplane *dataplane, uint32_t ifindex,
		bool generic);
int link_replace(const struct home *home, const struct dataplane *dataplane);
int link_detach(const struct home *home);

/*
 * Attach `steer` through libxdp, late in the chain (programs before it still
 * see every frame), and pin the program that libxdp made of it; detach the
 * program with that id.
 */
int dispatcher_attach(const struct home *home, const struct dataplane_spec *spec, bool next,
		      uint32_t ifindex, bool generic);
int dispatcher_detach(uint32_t ifindex, uint32_t prog_id);

#endif
