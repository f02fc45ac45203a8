/* SPDX-License-Identifier: GPL-2.0 */
/* Two snapshots, and what they say together: rows of counters and of what follows from them. */
#ifndef STATS_VIEW_H
#define STATS_VIEW_H

#include <math.h>

#include "stats/snapshot.h"

/* In these, NAN is unknown. */

struct iface_gauges {
	double targets;
	double evenness;       /* the busiest target over the mean, by weight */
	double evenness_floor; /* what the heaviest slot leaves possible */
	double drops_per_s;
	double drops_pct; /* of what was redirected */
};

struct rx_gauges {
	double softirq_pct;
};

struct target_gauges {
	double slots;
	double weight_pct; /* of the slots */
	double share_pct;  /* of the packets */
	double drops_per_s;
	double drops_pct; /* of what was sent to it */
	double busy_pct;  /* of all its lanes */
	double softirq_pct;
	double frames_per_skb;
	double heaviest_slot;	  /* its number */
	double heaviest_slot_pct; /* of the packets sent to the CPU */
};

struct queue_gauges {
	double qsize;
	double bulk_average;
	double busy_pct;
	double fill_packets;
};

struct rule_gauges {
	double share_pct; /* of all frames */
};

struct iface_count {
	uint64_t redirected_packets;
	uint64_t redirected_bytes;
	uint64_t stay_packets;
};

struct reason_count {
	uint64_t packets;
};

/* What a row is about; the tables of fields are by scope. */
enum scope {
	SCOPE_IFACE,
	SCOPE_RX,
	SCOPE_STAY,
	SCOPE_FALLBACK,
	SCOPE_TARGET,
	SCOPE_QUEUE,
	SCOPE_RULE,
	SCOPES
};

/* A row: counters of two moments and gauges, of the structures of its scope. */
struct view_row {
	unsigned int cpu;
	unsigned int lane;
	const char *reason; /* of SCOPE_STAY and SCOPE_FALLBACK */
	const char *rule;   /* of SCOPE_RULE, its name */
	const void *before;
	const void *now;
	union {
		struct iface_gauges iface;
		struct rx_gauges rx;
		struct target_gauges target;
		struct queue_gauges queue;
		struct rule_gauges rule_gauges;
	};
};

struct view {
	const struct snapshot *before;
	const struct snapshot *now;
	double seconds; /* between them */
	struct iface_count totals[2];
	struct {
		unsigned int count;
		struct view_row *rows;
	} scopes[SCOPES];
};

/*
 * Pure. Both snapshots stay the caller's and outlive the view; they may differ
 * in their shape when the interface was loaded anew between them. NULL: no memory.
 */
struct view *view_new(const struct snapshot *before, const struct snapshot *now);
void view_free(struct view *view);
void view_freep(struct view **view);

/* A counter that started at 0 between the two moments grew by what it is now. */
uint64_t view_growth(uint64_t before, uint64_t now);

/* Of a whole, unknown when there is none; a share is 100 at most. */
static inline double view_ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static inline double view_pct(double part, double whole)
{
	double share = 100 * view_ratio(part, whole);

	/* fmin() would take an unknown for the greater one. */
	return share > 100 ? 100 : share;
}

/* Its parts: a row to be filled in, what the slots say, the rules. */
struct view_row *view_add(struct view *view, enum scope scope, unsigned int cpu);
void view_find_slots(const struct view *view, unsigned int cpu, double sent,
		     struct target_gauges *gauges);
void view_judge_evenness(const struct view *view, double all, struct iface_gauges *gauges);
void view_add_rules(struct view *view);

/* The row of a CPU; NULL: it has none. */
const struct view_row *view_find(const struct view *view, enum scope scope, unsigned int cpu,
				 unsigned int lane);

#endif
