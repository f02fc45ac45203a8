// SPDX-License-Identifier: GPL-2.0
/* Medians, spreads and ratios with an interval: what can be said, and what cannot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#define RESAMPLES 2000
#define LEAST_CHANGE 0.02 /* nobody feels less */

bool bench_has(const struct bench_result *result, enum kind kind)
{
	return (kind == KIND_LIVE) == (result->iface[0] != '\0');
}

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static double member_of(const struct bench_sample *sample, size_t member)
{
	double value;

	memcpy(&value, (const char *)sample + member, sizeof(value));
	return value;
}

static double median_of(double *values, unsigned int count)
{
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct spread bench_spread(const struct bench_result *result, enum arm arm, enum kind kind,
			   size_t member)
{
	struct spread spread = { 0, NAN, NAN, NAN };
	double values[ROUNDS_MAX];

	for (unsigned int i = 0; i < result->rounds; i++) {
		double value = member_of(&result->samples[arm][kind][i], member);

		if (!isnan(value))
			values[spread.count++] = value;
	}
	if (!spread.count)
		return spread;
	spread.median = median_of(values, spread.count);
	spread.least = values[0];
	spread.most = values[spread.count - 1];
	return spread;
}

/* xorshift64: the same answer each time it is asked. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void resample(const double *ratios, unsigned int count, struct ratio *ratio)
{
	uint64_t state = 0x9e3779b97f4a7c15ull;
	static double medians[RESAMPLES];
	double drawn[ROUNDS_MAX];

	for (int i = 0; i < RESAMPLES; i++) {
		for (unsigned int n = 0; n < count; n++)
			drawn[n] = ratios[next_random(&state) % count];
		medians[i] = median_of(drawn, count);
	}
	qsort(medians, RESAMPLES, sizeof(*medians), by_value);
	ratio->low = medians[RESAMPLES * 25 / 1000];
	ratio->high = medians[RESAMPLES * 975 / 1000];
}

/*
 * A change smaller than the whole interval is none; nor is one of fewer than
 * five rounds, whatever their interval says.
 */
static void judge(unsigned int count, struct ratio *ratio)
{
	double change = ratio->median - 1;

	ratio->verdict = RATIO_SAME;
	if (count < 5 || fabs(change) < LEAST_CHANGE || fabs(change) < ratio->high - ratio->low ||
	    ratio->low * ratio->high < 0 || (ratio->low <= 1 && ratio->high >= 1))
		return;
	ratio->verdict = change > 0 ? RATIO_BETTER : RATIO_WORSE;
}

struct ratio bench_ratio(const struct bench_result *result, enum arm arm, enum arm base,
			 enum kind kind, size_t member)
{
	struct ratio ratio = { NAN, NAN, NAN, RATIO_UNKNOWN };
	double ratios[ROUNDS_MAX], sorted[ROUNDS_MAX];
	unsigned int count = 0;

	for (unsigned int i = 0; i < result->rounds; i++) {
		double ours = member_of(&result->samples[arm][kind][i], member);
		double theirs = member_of(&result->samples[base][kind][i], member);

		if (ours >= 0 && theirs > 0)
			ratios[count++] = ours / theirs;
	}
	if (!count)
		return ratio;
	memcpy(sorted, ratios, sizeof(ratios[0]) * count);
	ratio.median = median_of(sorted, count);
	resample(ratios, count, &ratio);
	judge(count, &ratio);
	return ratio;
}
