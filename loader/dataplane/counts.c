// SPDX-License-Identifier: GPL-2.0
/* Counts outlive the maps that a new set of programs replaces. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dataplane/dataplane.h"
#include "lib/clean.h"
#include "lib/percpu.h"

/* Whether the pin of that name is the same map in both sets. */
static bool is_shared(const struct home *home, const char *name)
{
	cleanup(closep) int next = bpf_obj_get(home_pin_of(home, true, name).text);
	cleanup(closep) int old = bpf_obj_get(home_pin(home, name).text);
	struct bpf_map_info ours = { 0 }, theirs = { 0 };
	uint32_t size = sizeof(ours);

	return next >= 0 && old >= 0 && bpf_obj_get_info_by_fd(next, &ours, &size) == 0 &&
	       bpf_obj_get_info_by_fd(old, &theirs, &size) == 0 && ours.id == theirs.id;
}

static void add_slot(const struct percpu *slots, struct percpu *sent, unsigned int cpus)
{
	for (unsigned int cpu = 0; cpu < cpus; cpu++) {
		const struct slot_state *state = percpu_value(slots, cpu);
		uint32_t at = state->now.lane * cpus + state->now.cpu;
		struct sent *count;

		if (!state->now.set || percpu_read(sent, at) < 0)
			continue;
		count = percpu_value(sent, cpu);
		count->packets += state->packets;
		count->bytes += state->bytes;
		percpu_write(sent, at);
	}
}

void counts_carry(const struct home *home)
{
	cleanup(percpu_done) struct percpu slots = { .fd = -1 }, sent = { .fd = -1 };
	int cpus = libbpf_num_possible_cpus();

	if (cpus < 0 || !is_shared(home, "sent") || is_shared(home, "slot_state") ||
	    percpu_open(home, "slot_state", (unsigned int)cpus, &slots) < 0 ||
	    percpu_open(home, "sent", (unsigned int)cpus, &sent) < 0)
		return;
	/*
	 * A grace period: the old program has run for the last time. The new one
	 * writes to `sent` only when a slot moves, which is for who holds the lock.
	 */
	syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	for (uint32_t key = 0; key < slots.keys && percpu_walk(&slots, key) == 0; key++)
		add_slot(&slots, &sent, (unsigned int)cpus);
}
