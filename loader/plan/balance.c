// SPDX-License-Identifier: GPL-2.0
/* Prefixes that name no CPU get the one that has the fewest for its weight. */
#include "plan/balance.h"

uint32_t balance_next(const uint16_t *weights, uint32_t *counts, uint32_t cpus)
{
	uint32_t best = cpus;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		if (weights[cpu] &&
		    (best == cpus || (uint64_t)(counts[cpu] + 1) * weights[best] <
					     (uint64_t)(counts[best] + 1) * weights[cpu]))
			best = cpu;
	if (best < cpus)
		counts[best]++;
	return best;
}
