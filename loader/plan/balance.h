/* SPDX-License-Identifier: GPL-2.0 */
/* Prefixes that name no CPU get the one that has the fewest for its weight. */
#ifndef PLAN_BALANCE_H
#define PLAN_BALANCE_H

#include <stdint.h>

/*
 * The CPU for one more prefix, counted in counts; both are as long as the
 * machine has CPUs. A weight of 0 is no target.
 */
uint32_t balance_next(const uint16_t *weights, uint32_t *counts, uint32_t cpus);

#endif
