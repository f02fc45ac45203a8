/* SPDX-License-Identifier: GPL-2.0 */
/* What `explain` counts over all frames: shares, slots, and the heaviest flows. */
#ifndef EXPLAIN_FLOWS_H
#define EXPLAIN_FLOWS_H

#include <stdint.h>

#include "cpumap/abi.h"
#include "lib/cpuset.h"

struct flow_count {
	struct flow flow; /* of the first frame */
	uint32_t hash;
	uint64_t frames;
};

enum { HEAVIEST = 5 };

struct tally {
	uint64_t frames;
	uint64_t bytes;
	uint64_t verdicts[VERDICT_COUNT];
	uint64_t fallbacks[FALLBACK_COUNT];
	uint64_t slots[SLOTS_MAX];
	uint64_t cpus[CPUS_MAX];
	struct flow_count *flows;
};

int tally_new(struct tally **ret);
void tally_free(struct tally **tally);
void tally_add(struct tally *tally, const struct explained *record, uint32_t bytes);

/* The heaviest flows, most frames first, at most max: how many there are. */
unsigned int tally_heaviest(const struct tally *tally, struct flow_count *ret, unsigned int max);

/* The heaviest slots, likewise. */
unsigned int tally_slots(const struct tally *tally, uint32_t *ret, unsigned int max);

/*
 * How even: the busiest CPU over the mean of all targets, and the least that
 * any table could make of these flows, since none can be split.
 */
struct evenness {
	double max_over_mean;
	double floor;
};

struct evenness tally_evenness(const struct tally *tally, const struct cpuset *targets);

#endif
