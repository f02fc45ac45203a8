// SPDX-License-Identifier: GPL-2.0
/* What two snapshots say of the slots: the heaviest ones, and how even a table can be. */
#include <math.h>

#include "stats/view.h"

/* Packets of a slot since the moment before; it starts anew with another place. */
static uint64_t slot_growth(const struct view *view, unsigned int slot)
{
	uint64_t now = view->now->slots[slot].packets;

	if (slot >= view->before->slot_count)
		return now;
	return view_growth(view->before->slots[slot].packets, now);
}

void view_find_slots(const struct view *view, unsigned int cpu, double sent,
		     struct target_gauges *gauges)
{
	uint64_t most = 0;

	for (unsigned int i = 0; i < view->now->slot_count; i++) {
		const struct place *place = &view->now->slots[i].place;
		uint64_t packets;

		if (!place->set || place->cpu != cpu)
			continue;
		gauges->slots++;
		packets = slot_growth(view, i);
		if (packets <= most)
			continue;
		most = packets;
		gauges->heaviest_slot = i;
	}
	if (most)
		gauges->heaviest_slot_pct = view_pct((double)most, sent);
}

/*
 * The heaviest slot on the CPU of the largest weight is the best that a table
 * can do: nothing splits a slot.
 */
void view_judge_evenness(const struct view *view, double all, struct iface_gauges *gauges)
{
	double widest = 0, heaviest = 0;

	for (unsigned int i = 0; i < view->scopes[SCOPE_TARGET].count; i++) {
		const struct target_gauges *target = &view->scopes[SCOPE_TARGET].rows[i].target;
		double load = view_ratio(target->share_pct, target->weight_pct);

		gauges->targets += target->slots > 0;
		widest = fmax(widest, target->weight_pct);
		if (load > 0)
			gauges->evenness = fmax(gauges->evenness, load);
	}
	for (unsigned int i = 0; i < view->now->slot_count; i++)
		heaviest = fmax(heaviest, (double)slot_growth(view, i));
	gauges->evenness_floor = fmax(1, view_ratio(100 * view_ratio(heaviest, all), widest));
	if (!(all > 0))
		gauges->evenness = gauges->evenness_floor = NAN;
}
