// SPDX-License-Identifier: GPL-2.0
/* Write the cpumap's entries and the indirection table. */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "dataplane/dataplane.h"
#include "lib/say.h"

/* struct bpf_cpumap_val of linux/bpf.h, which the kernel reads as 8 bytes. */
int entry_set(const struct dataplane *dataplane, uint32_t cpu, uint32_t qsize, bool second_stage)
{
	struct bpf_cpumap_val value = { .qsize = qsize };
	int r;

	/* The kernel takes any fd below 1 for "no program", and says nothing. */
	if (second_stage)
		value.bpf_prog.fd = dataplane->pass;
	r = bpf_map_update_elem(dataplane->cpus, &cpu, &value, 0);
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

int entry_delete(const struct dataplane *dataplane, uint32_t cpu)
{
	int r = bpf_map_delete_elem(dataplane->cpus, &cpu);

	return r < 0 ? fail(r, "CPU %u: cannot delete its queue: %s", cpu, strerror(-r)) : 0;
}

int slots_write(const struct dataplane *dataplane, const struct place *slots, unsigned int count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct slot slot = { .want = slots[i] };
		int r = bpf_map_update_elem(dataplane->slots, &i, &slot, 0);

		if (r < 0)
			return fail(r, "cannot write slot %u: %s", i, strerror(-r));
	}
	return 0;
}
