// SPDX-License-Identifier: GPL-2.0
/* Write the entries of the cpumaps. */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "dataplane/dataplane.h"
#include "lib/clean.h"
#include "lib/kthread.h"
#include "lib/say.h"

/* struct bpf_cpumap_val of linux/bpf.h, which the kernel reads as 8 bytes. */
int entry_set(const struct dataplane *dataplane, struct place at, uint32_t qsize, bool second_stage)
{
	struct bpf_cpumap_val value = { .qsize = qsize };
	uint32_t cpu = at.cpu;
	int r;

	/* The kernel takes any fd below 1 for "no program", and says nothing. */
	if (second_stage)
		value.bpf_prog.fd = dataplane->pass[at.lane];
	r = bpf_map_update_elem(dataplane->cpus[at.lane], &cpu, &value, 0);
	if (r == -ENOMEM)
		return fail(r,
			    "CPU %u: the kernel has no memory for a queue of %u frames, or does "
			    "not take the second-stage program beside the first",
			    cpu, qsize);
	if (r < 0)
		return fail(r, "CPU %u: the kernel refuses a queue of %u frames: %s", cpu, qsize,
			    strerror(-r));
	return 0;
}

int entry_delete(const struct dataplane *dataplane, struct place at)
{
	uint32_t cpu = at.cpu;
	int r = bpf_map_delete_elem(dataplane->cpus[at.lane], &cpu);

	return r < 0 ? fail(r, "CPU %u: cannot delete its queue: %s", cpu, strerror(-r)) : 0;
}

uint32_t entries_map_id(const struct dataplane *dataplane, unsigned int lane)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	if (dataplane->cpus[lane] < 0 ||
	    bpf_obj_get_info_by_fd(dataplane->cpus[lane], &info, &size) < 0)
		return 0;
	return info.id;
}

void entries_note_kthreads(const struct dataplane *dataplane)
{
	const struct table *table = &dataplane->table;
	unsigned int max = 2 * table->entry_count; /* replaced ones may be there still */
	cleanup(freep) struct kthread *threads = calloc(max + 1, sizeof(*threads));
	uint32_t map_ids[LANES_MAX];
	unsigned int count;

	for (unsigned int lane = 0; lane < LANES_MAX; lane++)
		map_ids[lane] = entries_map_id(dataplane, lane);
	count = threads ? kthreads_scan(map_ids, LANES_MAX, threads, max) : 0;
	for (unsigned int i = 0; i < count; i++) {
		uint32_t at = threads[i].lane * table->cpus + threads[i].cpu;

		if (at < table->entry_count)
			table->targets[at].kthread = (uint64_t)threads[i].pid;
	}
}
