// SPDX-License-Identifier: GPL-2.0
/* The counters of an interface at one moment, summed over the CPUs that count. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/say.h"
#include "stats/snapshot.h"

#define NAME(name, help) #name,
#define HELP(name, help) help,

const char *const verdict_names[] = { VERDICTS(NAME) NULL };
const char *const verdict_helps[] = { VERDICTS(HELP) NULL };
const char *const fallback_names[] = { "none", FALLBACKS(NAME) NULL };

/* A per-CPU map: for each key, as many values as there are possible CPUs. */
struct percpu {
	int fd;
	uint32_t keys;
	size_t size; /* of one CPU's value, a multiple of 8 */
	void *values;
};

static void percpu_done(struct percpu *map)
{
	closep(&map->fd);
	free(map->values);
}

static int percpu_open(const struct home *home, const char *name, unsigned int cpus,
		       struct percpu *ret)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	ret->fd = bpf_obj_get(home_pin(home, name).text);
	if (ret->fd < 0 || bpf_obj_get_info_by_fd(ret->fd, &info, &size) < 0)
		return fail(-errno, "cannot open '%s': %s", home_pin(home, name).text,
			    strerror(errno));
	ret->keys = info.max_entries;
	ret->size = (info.value_size + 7) & ~7U;
	ret->values = calloc(cpus, ret->size);
	return ret->values ? 0 : fail(-ENOMEM, "out of memory");
}

static int percpu_read(const struct percpu *map, uint32_t key)
{
	int r = bpf_map_lookup_elem(map->fd, &key, map->values);

	return r < 0 ? fail(r, "cannot read a counter: %s", strerror(-r)) : 0;
}

static const void *percpu_value(const struct percpu *map, unsigned int cpu)
{
	return (const char *)map->values + cpu * map->size;
}

static int read_counters(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	int r = percpu_open(home, "counters", snapshot->cpu_count, &map);

	if (r == 0)
		r = percpu_read(&map, 0);
	if (r < 0)
		return r;
	for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
		/* struct counters is one __u64 after another, in the order of the enums */
		const uint64_t *value = percpu_value(&map, cpu);

		for (int i = VERDICT_redirected + 1; i < VERDICT_COUNT; i++)
			snapshot->verdicts[i] += *value++;
		for (int i = FALLBACK_none + 1; i < FALLBACK_COUNT; i++)
			snapshot->fallbacks[i] += *value++;
	}
	return 0;
}

static int read_targets(const struct home *home, struct snapshot *snapshot)
{
	cleanup(closep) int fd = bpf_obj_get(home_pin(home, "targets").text);

	if (fd < 0)
		return fail(fd, "cannot open '%s': %s", home_pin(home, "targets").text,
			    strerror(-fd));
	for (uint32_t i = 0; i < LANES_MAX * snapshot->cpu_count; i++) {
		struct target value;

		if (bpf_map_lookup_elem(fd, &i, &value) < 0)
			break;
		snapshot->targets[i].packets = value.packets;
		snapshot->targets[i].bytes = value.bytes;
	}
	return 0;
}

static void add_sent(struct snapshot *snapshot, uint32_t index, uint64_t packets, uint64_t bytes)
{
	if (index >= LANES_MAX * snapshot->cpu_count)
		return;
	snapshot->verdicts[VERDICT_redirected] += packets;
	snapshot->targets[index].sent_packets += packets;
	snapshot->targets[index].sent_bytes += bytes;
}

/* What slots had sent that have left the place since. */
static int read_sent(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu sent = { .fd = -1 };
	int r = percpu_open(home, "sent", snapshot->cpu_count, &sent);

	for (uint32_t key = 0; r == 0 && key < sent.keys; key++) {
		r = percpu_read(&sent, key);
		for (unsigned int cpu = 0; r == 0 && cpu < snapshot->cpu_count; cpu++) {
			const struct sent *value = percpu_value(&sent, cpu);

			add_sent(snapshot, key, value->packets, value->bytes);
		}
	}
	return r;
}

/* Whether the RX CPU may send the slot to its old place for longer than one frame. */
static bool is_pending(const struct slot *slot, const struct slot_state *state)
{
	if (!state->now.set || memcmp(&state->now, &slot->want, sizeof(slot->want)) == 0)
		return false;
	return state->move == slot->move || !slot->flags;
}

/* What slots have sent to the place where they are, and how many are to leave it. */
static int read_slots(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu states = { .fd = -1 };
	cleanup(closep) int slots = bpf_obj_get(home_pin(home, "slots").text);
	int r = percpu_open(home, "slot_state", snapshot->cpu_count, &states);

	for (uint32_t key = 0; r == 0 && key < states.keys; key++) {
		bool pending = false;
		struct slot slot;

		r = percpu_read(&states, key);
		if (r == 0 && bpf_map_lookup_elem(slots, &key, &slot) < 0)
			return fail(-errno, "cannot read slot %u: %s", key, strerror(errno));
		for (unsigned int cpu = 0; r == 0 && cpu < snapshot->cpu_count; cpu++) {
			const struct slot_state *state = percpu_value(&states, cpu);
			uint32_t at = state->now.lane * snapshot->cpu_count + state->now.cpu;

			pending |= is_pending(&slot, state);
			if (state->now.set)
				add_sent(snapshot, at, state->packets, state->bytes);
		}
		snapshot->moves_pending += pending;
	}
	return r;
}

static int read_moves(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	int r = percpu_open(home, "moves", snapshot->cpu_count, &map);

	if (r == 0)
		r = percpu_read(&map, 0);
	for (unsigned int cpu = 0; r == 0 && cpu < snapshot->cpu_count; cpu++) {
		const struct moves *moves = percpu_value(&map, cpu);

		snapshot->moves_committed += moves->committed;
		snapshot->moves_forced += moves->forced;
	}
	return r;
}

int snapshot_take(const struct home *home, struct snapshot **ret)
{
	int cpus = libbpf_num_possible_cpus();
	cleanup(freep) struct snapshot *snapshot = NULL;
	int r;

	if (cpus < 0)
		return fail(cpus, "cannot tell how many CPUs are possible");
	snapshot = calloc(1, sizeof(*snapshot) +
				     LANES_MAX * (size_t)cpus * sizeof(snapshot->targets[0]));
	if (!snapshot)
		return fail(-ENOMEM, "out of memory");
	snapshot->cpu_count = (unsigned int)cpus;
	/* What arrived before what was sent, so that none arrives unsent. */
	r = read_targets(home, snapshot);
	if (r == 0)
		r = read_sent(home, snapshot);
	if (r == 0)
		r = read_slots(home, snapshot);
	if (r == 0)
		r = read_moves(home, snapshot);
	if (r == 0)
		r = read_counters(home, snapshot);
	if (r == 0)
		*ret = take(snapshot);
	return r;
}
