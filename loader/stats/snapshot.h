/* SPDX-License-Identifier: GPL-2.0 */
/* The counters of an interface at one moment. */
#ifndef STATS_SNAPSHOT_H
#define STATS_SNAPSHOT_H

#include "facts/facts.h"

struct target_count {
	uint64_t sent_packets; /* by the RX CPUs, into the entry's queue */
	uint64_t sent_bytes;
	uint64_t packets; /* seen by the second-stage program on the CPU */
	uint64_t bytes;
};

struct rx_count {
	uint64_t redirected_packets;
	uint64_t redirected_bytes;
	uint64_t stay_packets; /* the sum of stays[] */
	uint64_t exceptions;
	uint64_t stays[VERDICT_COUNT]; /* that of VERDICT_redirected is not counted */
	uint64_t fallbacks[FALLBACK_COUNT];
};

/* What the machine says of a CPU, whoever caused it. */
struct host_count {
	uint64_t softirq_ticks;
	uint64_t all_ticks;
	uint64_t skbs; /* that entered the stack there */
};

struct cpu_snapshot {
	struct target_count target; /* the sum of its lanes */
	struct rx_count rx;
	struct host_count host;
};

/* A cpumap entry. */
struct queue_count {
	struct target_count target;
	uint64_t bulks;
	uint64_t enqueue_packets; /* offered, dropped or not */
	uint64_t enqueue_drops;
	uint64_t redirect_errors;
	uint64_t batches;
	uint64_t dequeue_packets;
	uint64_t memory_drops;
	uint64_t sleeps;
	uint64_t stage_pass;
	uint64_t stage_drops;
	uint64_t stage_redirects;
	uint64_t busy_ns; /* of the kthread: it starts at 0 when a new one takes over */
	uint32_t qsize;	  /* packets; 0: there is no entry */
	uint32_t pid;	  /* of the kthread; 0: not found */
};

struct slot_count {
	struct place place;
	uint64_t packets; /* since it went to this place */
};

/* A rule, on all RX CPUs. */
struct rule_count {
	char name[RULE_NAME];
	uint32_t id; /* of another rule when this one has gone */
	uint64_t packets;
	uint64_t bytes;
};

/* What a snapshot knows; the numbers of the others are 0. */
enum {
	HAVE_ENQUEUE = 1 << 0, /* these four: the tracepoint is there */
	HAVE_KTHREAD = 1 << 1,
	HAVE_ERRORS = 1 << 2,
	HAVE_EXCEPTIONS = 1 << 3,
	HAVE_STAGE = 1 << 4, /* a second-stage program counts what arrives */
	HAVE_BUSY = 1 << 5,  /* the kthreads' time */
	HAVE_HOST = 1 << 6,
	HAVE_SKBS = 1 << 7, /* struct host_count's */
};

struct snapshot {
	char iface[IFNAMSIZ];
	ino_t netns;	  /* 0: the machine's own */
	uint64_t at_ns;	  /* by a clock that never jumps */
	uint64_t load_ns; /* when the program was loaded, by the same clock */
	unsigned int have;

	/* The sums over the RX CPUs. */
	uint64_t verdicts[VERDICT_COUNT];
	uint64_t fallbacks[FALLBACK_COUNT]; /* that of FALLBACK_none is not counted */

	uint64_t moves_committed;
	uint64_t moves_forced;
	unsigned int moves_pending; /* slots that some RX CPU sends to their old place */

	uint16_t transition;	/* to another hash; 0: there is none */
	unsigned int unsettled; /* slots that flows of a transition have not left */

	unsigned int cpu_count; /* possible CPUs */
	struct cpu_snapshot *cpus;
	unsigned int lane_count;
	struct queue_count *queues; /* cpu_count of lane 0, cpu_count of lane 1, ... */
	unsigned int slot_count;
	struct slot_count *slots;
	unsigned int rule_count; /* in their order */
	struct rule_count *rules;
};

static inline struct queue_count *snapshot_queue(const struct snapshot *snapshot, unsigned int lane,
						 unsigned int cpu)
{
	return &snapshot->queues[lane * snapshot->cpu_count + cpu];
}

static inline struct target_count *snapshot_at(const struct snapshot *snapshot, uint32_t cpu,
					       uint32_t lane)
{
	return &snapshot_queue(snapshot, lane, cpu)->target;
}

/* Says what failed. */
int snapshot_take(const struct home *home, const struct loaded *loaded, struct snapshot **ret);

/* Of that shape with every count 0, NULL without memory: what was at its load. */
struct snapshot *snapshot_at_load(const struct snapshot *like);
struct snapshot *snapshot_new(unsigned int cpus, unsigned int lanes, unsigned int slots);
void snapshot_free(struct snapshot *snapshot);
void snapshot_freep(struct snapshot **snapshot);

/* A negative errno, not said. Without rules it reads nothing. */
int snapshot_read_rules(const struct home *home, const struct rule_list *list,
			struct snapshot *snapshot);

/* Its parts, which never fail: what cannot be read is not had. */
void snapshot_read_watch(const struct home *home, struct snapshot *snapshot);
void snapshot_read_host(int root, struct snapshot *snapshot);
void snapshot_read_kthreads(int root, struct snapshot *snapshot);

extern const char *const verdict_names[];
extern const char *const fallback_names[];
extern const char *const verdict_helps[];
extern const char *const fallback_helps[];

#endif
