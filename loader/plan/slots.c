// SPDX-License-Identifier: GPL-2.0
/* Weights to slots: each target its exact part, and as few moves as that allows. */
#include <errno.h>
#include <string.h>

#include "plan/plan.h"

/* The target that the division has wronged most, and that got nothing back yet. */
static unsigned int largest_remainder(const uint32_t *remainder, unsigned int count)
{
	unsigned int best = 0;

	for (unsigned int i = 1; i < count; i++)
		if (remainder[i] > remainder[best])
			best = i;
	return best;
}

int slots_share(struct plan_target *targets, unsigned int target_count, unsigned int slot_count,
		unsigned int *ret_empty)
{
	uint32_t remainder[TARGETS_MAX];
	unsigned int left = slot_count;
	uint32_t sum = 0;

	for (unsigned int i = 0; i < target_count; i++)
		sum += targets[i].weight;
	for (unsigned int i = 0; i < target_count; i++) {
		targets[i].slots = slot_count * targets[i].weight / sum;
		remainder[i] = slot_count * targets[i].weight % sum;
		left -= targets[i].slots;
	}
	for (; left; left--) {
		unsigned int i = largest_remainder(remainder, target_count);

		targets[i].slots++;
		remainder[i] = 0;
	}
	for (unsigned int i = 0; i < target_count; i++) {
		if (targets[i].slots)
			continue;
		*ret_empty = i;
		return -ERANGE;
	}
	return 0;
}

static unsigned int owner(const struct plan_target *targets, unsigned int count,
			  const struct place *place)
{
	for (unsigned int i = 0; place->set && i < count; i++)
		if (targets[i].cpu == place->cpu && targets[i].lane == place->lane)
			return i;
	return count;
}

/* Each target is due its part of every slot; who is due most gets the next one. */
static unsigned int next_due(int32_t *due, const uint32_t *part, unsigned int count, uint32_t sum)
{
	unsigned int best = count;

	for (unsigned int i = 0; i < count; i++) {
		due[i] += (int32_t)part[i];
		if (part[i] && (best == count || due[i] > due[best]))
			best = i;
	}
	due[best] -= (int32_t)sum;
	return best;
}

void slots_deal(const struct plan_target *targets, unsigned int target_count,
		const struct place *old, struct place *slots, unsigned int slot_count)
{
	int32_t due[SLOTS_MAX] = { 0 };
	uint32_t part[SLOTS_MAX];
	uint32_t sum = slot_count;

	for (unsigned int i = 0; i < target_count; i++)
		part[i] = targets[i].slots;
	for (unsigned int slot = 0; slot < slot_count; slot++) {
		unsigned int i = old ? owner(targets, target_count, &old[slot]) : target_count;

		slots[slot] = (struct place){ 0 };
		if (i < target_count && part[i]) {
			slots[slot] = old[slot];
			part[i]--;
			sum--;
		}
	}
	for (unsigned int slot = 0; slot < slot_count; slot++) {
		unsigned int i;

		if (slots[slot].set)
			continue;
		i = next_due(due, part, target_count, sum);
		slots[slot] = (struct place){ .cpu = (uint16_t)targets[i].cpu,
					      .lane = (uint8_t)targets[i].lane,
					      .set = 1 };
	}
}

unsigned int slots_split(const struct plan_target *targets, unsigned int target_count,
			 unsigned int lanes, struct plan_target *ret, unsigned int max)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < target_count; i++)
		for (uint32_t lane = 0; lane < lanes && count < max; lane++) {
			struct plan_target part = targets[i];

			part.lane = lane;
			part.slots = targets[i].slots / lanes + (lane < targets[i].slots % lanes);
			if (part.slots)
				ret[count++] = part;
		}
	return count;
}

static bool same(struct place a, struct place b)
{
	return a.cpu == b.cpu && a.lane == b.lane;
}

/* The next slot after *at whose place is another than from, going round. */
static bool next_other(const struct place *slots, unsigned int count, struct place from,
		       unsigned int *at)
{
	for (unsigned int i = 1; i <= count; i++) {
		unsigned int slot = (*at + i) % count;

		if (!slots[slot].set || same(slots[slot], from))
			continue;
		*at = slot;
		return true;
	}
	return false;
}

bool slots_vacate(struct place *slots, unsigned int slot_count, struct place from,
		  const struct plan *plan)
{
	unsigned int at = 0;

	for (unsigned int slot = 0; slot < slot_count; slot++) {
		if (!slots[slot].set || !same(slots[slot], from))
			continue;
		/* Others own slots in proportion to their weights: so they get these. */
		if (!next_other(plan->slots, plan->slot_count, from, &at))
			return false;
		slots[slot] = plan->slots[at];
	}
	return true;
}

static bool is_target(const struct plan_target *targets, unsigned int count, uint32_t cpu)
{
	for (unsigned int i = 0; i < count; i++)
		if (targets[i].cpu == cpu)
			return true;
	return false;
}

void slots_homes(const struct plan_target *targets, unsigned int target_count, unsigned int lanes,
		 unsigned int cpus, unsigned int homes, struct place *ret)
{
	unsigned int turn = 0;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		for (unsigned int home = 0; home < homes; home++) {
			uint32_t to = cpu;

			if (!is_target(targets, target_count, cpu))
				to = targets[turn++ % target_count].cpu;
			*ret++ = (struct place){ .cpu = (uint16_t)to,
						 .lane = (uint8_t)(home % lanes),
						 .set = 1 };
		}
}
