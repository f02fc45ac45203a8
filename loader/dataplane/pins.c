// SPDX-License-Identifier: GPL-2.0
/* The maps by the names of their pins. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <string.h>

#include "dataplane/dataplane.h"
#include "dataplane/skeleton.h"
#include "lib/clean.h"
#include "lib/say.h"

struct steer *steer_new(void)
{
	return steer__open();
}

unsigned int maps_named(const struct steer *skel, unsigned int lanes, struct named_map *ret)
{
	const struct named_map maps[] = {
		{ "config", skel->maps.rodata },
		{ "slots", skel->maps.slots },
		{ "slot_state", skel->maps.slot_state },
		{ "sent", skel->maps.sent },
		{ "pending", skel->maps.pending },
		{ "moves", skel->maps.moves },
		{ "marks", skel->maps.marks },
		{ "asleep", skel->maps.asleep },
		{ "move_rules", skel->maps.data_rules },
		{ "weights", skel->maps.weights },
		{ "prefixes_4", skel->maps.prefixes_4 },
		{ "prefixes_6", skel->maps.prefixes_6 },
		{ "rules", skel->maps.rules },
		{ "rule_hits", skel->maps.rule_hits },
		{ "rule_texts", skel->maps.rule_texts },
		{ "counters", skel->maps.counters },
		{ "targets", skel->maps.targets },
		{ "key", skel->maps.data_key },
		{ "cpus", skel->maps.cpus },
		{ "cpus_1", skel->maps.cpus_1 },
		{ "cpus_2", skel->maps.cpus_2 },
		{ "cpus_3", skel->maps.cpus_3 },
		{ "cpus_4", skel->maps.cpus_4 },
		{ "cpus_5", skel->maps.cpus_5 },
		{ "cpus_6", skel->maps.cpus_6 },
		{ "cpus_7", skel->maps.cpus_7 },
	};
	unsigned int count = sizeof(maps) / sizeof(maps[0]) - LANES_MAX + lanes;

	_Static_assert(sizeof(maps) / sizeof(maps[0]) == MAPS_NAMED,
		       "those of all lanes at the end");
	memcpy(ret, maps, count * sizeof(maps[0]));
	return count;
}

void lanes_restrict(struct steer *skel, unsigned int lanes)
{
	struct bpf_program *passes[LANES_MAX] = PASSES_OF(skel);
	struct named_map maps[MAPS_NAMED];

	maps_named(skel, LANES_MAX, maps);
	for (unsigned int lane = lanes; lane < LANES_MAX; lane++) {
		bpf_map__set_autocreate(maps[MAPS_NAMED - LANES_MAX + lane].map, false);
		bpf_program__set_autoload(passes[lane], false);
	}
}

int maps_reuse(const struct home *home, bool next, const struct named_map *maps, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		cleanup(closep) int fd = bpf_obj_get(home_pin_of(home, next, maps[i].name).text);
		int r = fd < 0 ? fd : bpf_map__reuse_fd(maps[i].map, fd);

		if (r < 0)
			return fail(r, "%s: cannot reuse the map '%s': %s", home->iface,
				    maps[i].name, strerror(-r));
	}
	return 0;
}

struct pin_path lane_pin(const struct home *home, bool next, const char *name, unsigned int lane)
{
	char text[16];

	if (!lane)
		return home_pin_of(home, next, name);
	snprintf(text, sizeof(text), "%s_%u", name, lane);
	return home_pin_of(home, next, text);
}
