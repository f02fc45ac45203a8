/* SPDX-License-Identifier: GPL-2.0 */
/* The counters of an interface at one moment, summed over the CPUs that count. */
#ifndef STATS_SNAPSHOT_H
#define STATS_SNAPSHOT_H

#include "facts/facts.h"

struct target_count {
	uint64_t sent_packets; /* by the RX CPUs, into the entry's queue */
	uint64_t sent_bytes;
	uint64_t packets; /* seen by the second-stage program on the CPU */
	uint64_t bytes;
};

struct snapshot {
	uint64_t verdicts[VERDICT_COUNT];
	uint64_t fallbacks[FALLBACK_COUNT]; /* that of FALLBACK_none is not counted */
	uint64_t moves_committed;
	uint64_t moves_forced;
	unsigned int moves_pending;    /* slots that some RX CPU sends to their old place */
	unsigned int cpu_count;	       /* possible CPUs */
	struct target_count targets[]; /* at lane * cpu_count + CPU */
};

static inline struct target_count *snapshot_at(struct snapshot *snapshot, uint32_t cpu,
					       uint32_t lane)
{
	return &snapshot->targets[lane * snapshot->cpu_count + cpu];
}

/* Says what failed; free() it. */
int snapshot_take(const struct home *home, struct snapshot **ret);

extern const char *const verdict_names[];
extern const char *const fallback_names[];
extern const char *const verdict_helps[];

#endif
