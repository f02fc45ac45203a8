// SPDX-License-Identifier: GPL-2.0
/* The CPUs: which there are, which may be used, how fast they wake up. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/text.h"

#define CPU "sys/devices/system/cpu"

static void read_list(int root, const char *name, struct cpuset *ret)
{
	char line[4096];

	if (file_read_line(root, line, sizeof(line), CPU "/%s", name) < 0 ||
	    cpuset_parse(line, ret) < 0)
		*ret = (struct cpuset){ 0 };
}

/* Those of the online CPUs that the affinity or the cpuset of this process allows. */
static void read_allowed(const struct cpuset *online, struct cpuset *ret)
{
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);

	*ret = (struct cpuset){ 0 };
	if (!mask || sched_getaffinity(0, size, mask) < 0) {
		*ret = *online;
	} else {
		cpuset_for_each(online, cpu)
			if (CPU_ISSET_S(cpu, size, mask))
				cpuset_add(ret, cpu);
	}
	CPU_FREE(mask);
}

static uint16_t read_capacity(int root, unsigned int cpu)
{
	uint32_t capacity;

	if (file_read_u32(root, &capacity, CPU "/cpu%u/cpu_capacity", cpu) < 0)
		return 0;
	return (uint16_t)(capacity > UINT16_MAX ? UINT16_MAX : capacity);
}

static uint32_t read_idle_exit(int root, unsigned int cpu)
{
	uint32_t deepest = 0, latency;

	for (int state = 0;
	     file_read_u32(root, &latency, CPU "/cpu%u/cpuidle/state%d/latency", cpu, state) == 0;
	     state++)
		if (latency > deepest)
			deepest = latency;
	return deepest;
}

static uint64_t read_memory(int root)
{
	char line[128];
	unsigned long long kib;

	if (file_read_line(root, line, sizeof(line), "proc/meminfo") < 0 ||
	    sscanf(line, "MemTotal: %llu kB", &kib) != 1)
		return 0;
	return kib * 1024;
}

void facts_cpus(int root, struct cpu_facts *ret)
{
	*ret = (struct cpu_facts){ .page_size = (uint32_t)sysconf(_SC_PAGESIZE) };
	read_list(root, "possible", &ret->possible);
	read_list(root, "online", &ret->online);
	read_allowed(&ret->online, &ret->allowed);
	cpuset_for_each(&ret->online, cpu) {
		uint32_t exit_us = read_idle_exit(root, cpu);

		ret->capacity[cpu] = read_capacity(root, cpu);
		if (exit_us > ret->idle_exit_us)
			ret->idle_exit_us = exit_us;
	}
	ret->memory = read_memory(root);
}
