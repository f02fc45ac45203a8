// SPDX-License-Identifier: GPL-2.0
/* The counters of an interface at one moment: those of steer and pass, and the rest called. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/percpu.h"
#include "stats/snapshot.h"

#define NAME(name, help) #name,
#define HELP(name, help) help,

const char *const verdict_names[] = { VERDICTS(NAME) NULL };
const char *const verdict_helps[] = { VERDICTS(HELP) NULL };
const char *const fallback_names[] = { "none", FALLBACKS(NAME) NULL };
const char *const fallback_helps[] = { "is not one", FALLBACKS(HELP) NULL };

struct snapshot *snapshot_new(unsigned int cpus, unsigned int lanes, unsigned int slots)
{
	struct snapshot *snapshot = calloc(1, sizeof(*snapshot));

	if (!snapshot)
		return NULL;
	snapshot->cpu_count = cpus;
	snapshot->lane_count = lanes;
	snapshot->slot_count = slots;
	snapshot->cpus = calloc(cpus, sizeof(*snapshot->cpus));
	snapshot->queues = calloc((size_t)cpus * lanes, sizeof(*snapshot->queues));
	snapshot->slots = calloc(slots, sizeof(*snapshot->slots));
	if (snapshot->cpus && snapshot->queues && snapshot->slots)
		return snapshot;
	snapshot_free(snapshot);
	return NULL;
}

void snapshot_free(struct snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->cpus);
	free(snapshot->queues);
	free(snapshot->slots);
	free(snapshot->rules);
	free(snapshot);
}

void snapshot_freep(struct snapshot **snapshot)
{
	snapshot_free(*snapshot);
}

struct snapshot *snapshot_at_load(const struct snapshot *like)
{
	struct snapshot *zero = snapshot_new(like->cpu_count, like->lane_count, like->slot_count);

	if (!zero)
		return NULL;
	memcpy(zero->iface, like->iface, sizeof(zero->iface));
	zero->at_ns = zero->load_ns = like->load_ns;
	/* The machine counted before there was a load. */
	zero->have = like->have & ~(unsigned int)(HAVE_HOST | HAVE_SKBS);
	return zero;
}

static int unreadable(const char *name, int r)
{
	return fail(r, "cannot read the map '%s': %s", name, strerror(-r));
}

static void add_counters(const uint64_t *value, unsigned int cpu, struct snapshot *snapshot)
{
	struct rx_count *rx = &snapshot->cpus[cpu].rx;

	/* struct counters is one __u64 after another, in the order of the enums */
	for (int i = VERDICT_redirected + 1; i < VERDICT_COUNT; i++) {
		rx->stays[i] = *value++;
		rx->stay_packets += rx->stays[i];
		snapshot->verdicts[i] += rx->stays[i];
	}
	for (int i = FALLBACK_none + 1; i < FALLBACK_COUNT; i++) {
		rx->fallbacks[i] = *value++;
		snapshot->fallbacks[i] += rx->fallbacks[i];
	}
}

static int read_counters(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	int r = percpu_open(home, "counters", snapshot->cpu_count, &map);

	if (r == 0)
		r = percpu_read(&map, 0);
	for (unsigned int cpu = 0; r == 0 && cpu < snapshot->cpu_count; cpu++)
		add_counters(percpu_value(&map, cpu), cpu, snapshot);
	return r < 0 ? unreadable("counters", r) : 0;
}

static int read_targets(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	int r = percpu_open(home, "targets", 1, &map); /* one value a key */

	for (uint32_t i = 0; r == 0 && i < map.keys && i < LANES_MAX * snapshot->cpu_count; i++) {
		struct target_count *sum = &snapshot->cpus[i % snapshot->cpu_count].target;
		const struct target *value;

		r = percpu_walk(&map, i);
		if (r < 0)
			break;
		value = percpu_value(&map, 0);
		sum->packets += value->packets;
		sum->bytes += value->bytes;
		if (i >= snapshot->lane_count * snapshot->cpu_count)
			continue;
		snapshot->queues[i].target.packets = value->packets;
		snapshot->queues[i].target.bytes = value->bytes;
	}
	return r < 0 ? unreadable("targets", r) : 0;
}

static void add(struct target_count *count, uint64_t packets, uint64_t bytes)
{
	count->sent_packets += packets;
	count->sent_bytes += bytes;
}

/* By an RX CPU to a place; the lane may be one that is no more. */
static void add_sent(struct snapshot *snapshot, unsigned int rx, uint32_t cpu, uint32_t lane,
		     uint64_t packets, uint64_t bytes)
{
	/* Most RX CPUs of a large machine receive nothing here. */
	if ((!packets && !bytes) || cpu >= snapshot->cpu_count)
		return;
	snapshot->verdicts[VERDICT_redirected] += packets;
	snapshot->cpus[rx].rx.redirected_packets += packets;
	snapshot->cpus[rx].rx.redirected_bytes += bytes;
	add(&snapshot->cpus[cpu].target, packets, bytes);
	if (lane < snapshot->lane_count)
		add(snapshot_at(snapshot, cpu, lane), packets, bytes);
}

/* What slots had sent that have left the place since. */
static int read_sent(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	int r = percpu_open(home, "sent", snapshot->cpu_count, &map);

	for (uint32_t key = 0; r == 0 && key < map.keys; key++) {
		r = percpu_walk(&map, key);
		for (unsigned int cpu = 0; r == 0 && cpu < snapshot->cpu_count; cpu++) {
			const struct sent *value = percpu_value(&map, cpu);

			add_sent(snapshot, cpu, key % snapshot->cpu_count,
				 key / snapshot->cpu_count, value->packets, value->bytes);
		}
	}
	return r < 0 ? unreadable("sent", r) : 0;
}

/* Whether the RX CPU may send the slot to its old place for longer than one frame. */
static bool is_pending(const struct slot *slot, const struct slot_state *state)
{
	if (!state->now.set || memcmp(&state->now, &slot->want, sizeof(slot->want)) == 0)
		return false;
	return state->move == slot->move || !(slot->flags & (SLOT_DELIVERED | SLOT_FORCE));
}

/* Any of them, those of prefixes and rules, too. */
static void take_sent(struct snapshot *snapshot, uint32_t key, const struct percpu *states)
{
	for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
		const struct slot_state *state = percpu_value(states, cpu);

		if (!state->now.set)
			continue;
		add_sent(snapshot, cpu, state->now.cpu, state->now.lane, state->packets,
			 state->bytes);
		if (key < snapshot->slot_count)
			snapshot->slots[key].packets += state->packets;
	}
}

/* Whether a slot is on its way to another place, or flows are to another slot. */
static void take_slot(struct snapshot *snapshot, const struct slot *slot,
		      const struct percpu *states)
{
	bool pending = false, held = false;

	for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
		const struct slot_state *state = percpu_value(states, cpu);

		pending |= is_pending(slot, state);
		held |= snapshot->transition && state->now.set &&
			state->transition != snapshot->transition;
	}
	snapshot->moves_pending += pending;
	snapshot->unsettled += held;
}

/*
 * What slots have sent to the place where they are, and how many are to leave it:
 * those of the hash, then those of prefixes and rules.
 */
static int read_slots(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu states = { .fd = -1 }, slots = { .fd = -1 };
	int r = percpu_open(home, "slot_state", snapshot->cpu_count, &states);

	if (r == 0)
		r = percpu_open(home, "slots", 1, &slots); /* one value a key */
	for (uint32_t key = 0; r == 0 && key < states.keys; key++) {
		r = percpu_walk(&states, key);
		if (r == 0)
			r = percpu_walk(&slots, key);
		if (r < 0)
			break;
		take_sent(snapshot, key, &states);
		take_slot(snapshot, percpu_value(&slots, 0), &states);
	}
	return r < 0 ? unreadable("slot_state", r) : 0;
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
	return r < 0 ? unreadable("moves", r) : 0;
}

static int read_rules(const struct home *home, const struct rule_list *list,
		      struct snapshot *snapshot)
{
	int r = snapshot_read_rules(home, list, snapshot);

	return r < 0 ? unreadable("rule_hits", r) : 0;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
}

static void take_settings(const struct loaded *loaded, struct snapshot *snapshot)
{
	cleanup(closep) int fd = bpf_prog_get_fd_by_id(loaded->steer_id);
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (loaded->config.in_transition)
		snapshot->transition = loaded->config.transition;
	for (unsigned int i = 0; i < loaded->slot_count; i++)
		snapshot->slots[i].place = loaded->slots[i];
	for (unsigned int i = 0; i < loaded->entry_count; i++) {
		const struct entry *entry = &loaded->entries[i];

		if (entry->cpu >= snapshot->cpu_count || entry->lane >= snapshot->lane_count)
			continue;
		snapshot_queue(snapshot, entry->lane, entry->cpu)->qsize = entry->qsize;
		snapshot_queue(snapshot, entry->lane, entry->cpu)->pid = entry->pid;
		snapshot->have |= entry->prog_id ? HAVE_STAGE : 0;
	}
	if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0)
		snapshot->load_ns = info.load_time;
}

static int read_all(const struct home *home, const struct loaded *loaded, struct snapshot *snapshot)
{
	cleanup(closep) int root = root_open("/");
	int r;

	/* What arrived before what was sent, so that none arrives unsent. */
	snapshot_read_watch(home, snapshot);
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
		r = read_rules(home, &loaded->rule_list, snapshot);
	snapshot_read_host(root, snapshot);
	snapshot_read_kthreads(root, snapshot);
	return r;
}

int snapshot_take(const struct home *home, const struct loaded *loaded, struct snapshot **ret)
{
	unsigned int lanes = loaded->config.lanes;
	cleanup(snapshot_freep) struct snapshot *snapshot = NULL;
	int r, cpus = libbpf_num_possible_cpus();

	if (cpus < 0)
		return fail(cpus, "cannot tell how many CPUs are possible");
	snapshot = snapshot_new((unsigned int)cpus, lanes ? lanes : 1, loaded->slot_count);
	if (!snapshot)
		return fail(-ENOMEM, "out of memory");
	snprintf(snapshot->iface, sizeof(snapshot->iface), "%s", home->iface);
	snapshot->netns = home->netns;
	/* The kernel notes the time of a load by its boot clock, suspend included. */
	snapshot->at_ns = now_ns(CLOCK_BOOTTIME);
	take_settings(loaded, snapshot);
	r = read_all(home, loaded, snapshot);
	if (r == 0)
		*ret = take(snapshot);
	return r;
}
