// SPDX-License-Identifier: GPL-2.0
/* What `explain` counts over all frames: shares, slots, and the heaviest flows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explain/flows.h"
#include "lib/clean.h"
#include "lib/say.h"

/*
 * Heaviest flows in constant memory (Metwally et al., "Space-Saving", 2005), in
 * sets of a few ways as a cache has them: exact up to WAYS flows in a set.
 */
enum { SETS = 1 << 14, WAYS = 8 };

int tally_new(struct tally **ret)
{
	cleanup(tally_free) struct tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return fail(-ENOMEM, "out of memory");
	tally->flows = calloc(SETS * WAYS, sizeof(*tally->flows));
	if (!tally->flows)
		return fail(-ENOMEM, "out of memory");
	*ret = take(tally);
	return 0;
}

void tally_free(struct tally **tally)
{
	if (*tally)
		free((*tally)->flows);
	free(*tally);
}

/* A flow that finds its set full takes over the count of the lightest one there. */
static void add_flow(struct tally *tally, const struct explained *record)
{
	struct flow_count *set = &tally->flows[(record->hash % SETS) * WAYS];
	struct flow_count *lightest = set;

	for (int i = 0; i < WAYS; i++) {
		if (set[i].frames && set[i].hash == record->hash) {
			set[i].frames++;
			return;
		}
		if (set[i].frames < lightest->frames)
			lightest = &set[i];
	}
	lightest->frames++;
	lightest->hash = record->hash;
	lightest->flow = record->flow;
}

void tally_add(struct tally *tally, const struct explained *record, uint32_t bytes)
{
	tally->frames++;
	tally->bytes += bytes;
	if (record->verdict < VERDICT_COUNT)
		tally->verdicts[record->verdict]++;
	if (record->fallback < FALLBACK_COUNT)
		tally->fallbacks[record->fallback]++;
	if (record->verdict != VERDICT_redirected)
		return;
	if (record->slot < SLOTS_MAX)
		tally->slots[record->slot]++;
	if (record->place.cpu < CPUS_MAX)
		tally->cpus[record->place.cpu]++;
	add_flow(tally, record);
}

unsigned int tally_heaviest(const struct tally *tally, struct flow_count *ret, unsigned int max)
{
	unsigned int count = 0;

	for (int i = 0; i < SETS * WAYS; i++) {
		const struct flow_count *flow = &tally->flows[i];
		unsigned int at = count;

		if (!flow->frames)
			continue;
		while (at > 0 && ret[at - 1].frames < flow->frames)
			at--;
		if (at == max)
			continue;
		count += count < max;
		memmove(&ret[at + 1], &ret[at], (count - 1 - at) * sizeof(*ret));
		ret[at] = *flow;
	}
	return count;
}

unsigned int tally_slots(const struct tally *tally, uint32_t *ret, unsigned int max)
{
	unsigned int count = 0;

	for (uint32_t slot = 0; slot < SLOTS_MAX; slot++) {
		unsigned int at = count;

		if (!tally->slots[slot])
			continue;
		while (at > 0 && tally->slots[ret[at - 1]] < tally->slots[slot])
			at--;
		if (at == max)
			continue;
		count += count < max;
		memmove(&ret[at + 1], &ret[at], (count - 1 - at) * sizeof(*ret));
		ret[at] = slot;
	}
	return count;
}

struct evenness tally_evenness(const struct tally *tally, const struct cpuset *targets)
{
	uint64_t all = tally->verdicts[VERDICT_redirected], busiest = 0;
	struct evenness evenness = { 1, 1 };
	struct flow_count heaviest;
	double mean;

	if (!all || !cpuset_count(targets))
		return evenness;
	cpuset_for_each(targets, cpu)
		if (tally->cpus[cpu] > busiest)
			busiest = tally->cpus[cpu];
	mean = (double)all / cpuset_count(targets);
	evenness.max_over_mean = (double)busiest / mean;
	if (tally_heaviest(tally, &heaviest, 1) && (double)heaviest.frames > mean)
		evenness.floor = (double)heaviest.frames / mean;
	return evenness;
}
