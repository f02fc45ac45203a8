// SPDX-License-Identifier: GPL-2.0
/* The CPUs: which there are, which may be used, how fast they are and how fast they wake up. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/text.h"

#define CPU "sys/devices/system/cpu"

static bool read_list(int root, const char *path, struct cpuset *ret)
{
	char line[4096];

	if (file_read_line(root, line, sizeof(line), "%s", path) == 0 &&
	    cpuset_parse(line, ret) == 0)
		return true;
	*ret = (struct cpuset){ 0 };
	return false;
}

/*
 * cpus: 0-3
 * page-size: 4096
 */
void ask_process(const struct source *source, const char *iface, FILE *out)
{
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	struct cpuset cpus = { 0 };
	char list[4096];

	fprintf(out, "page-size: %ld\n", sysconf(_SC_PAGESIZE));
	if (mask && sched_getaffinity(0, size, mask) == 0) {
		for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
			if (CPU_ISSET_S(cpu, size, mask))
				cpuset_add(&cpus, cpu);
		fprintf(out, "cpus: %s\n", cpuset_format(&cpus, list, sizeof(list)));
	}
	CPU_FREE(mask);
}

/* Those of the online CPUs that the affinity or the cpuset of this process allows. */
static void read_process(const struct source *source, struct cpu_facts *ret)
{
	cleanup(freep) char *text = source_ask(source, "process", NULL);
	char *rest = text, *line;
	struct cpuset mask;

	ret->allowed = ret->online;
	ret->page_size = 4096;
	while ((line = text_next_line(&rest))) {
		if (text_starts(line, "page-size: "))
			text_to_u32(line + strlen("page-size: "), UINT32_MAX, &ret->page_size);
		if (!text_starts(line, "cpus: ") ||
		    cpuset_parse(line + strlen("cpus: "), &mask) < 0)
			continue;
		cpuset_for_each(&ret->online, cpu)
			if (!cpuset_has(&mask, cpu))
				cpuset_remove(&ret->allowed, cpu);
	}
}

static uint16_t read_u16(int root, const char *path, unsigned int cpu)
{
	uint32_t value;

	if (file_read_u32(root, &value, CPU "/cpu%u/%s", cpu, path) < 0)
		return 0;
	return (uint16_t)(value > UINT16_MAX ? UINT16_MAX : value);
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

static uint16_t read_core(int root, unsigned int cpu)
{
	struct cpuset siblings;
	char path[96];

	snprintf(path, sizeof(path), CPU "/cpu%u/topology/thread_siblings_list", cpu);
	if (!read_list(root, path, &siblings) || cpuset_next(&siblings, 0) == CPUS_MAX)
		return (uint16_t)cpu;
	return (uint16_t)cpuset_next(&siblings, 0);
}

/*
 * Two kinds of core without capacities: Intel's hybrids have a PMU for each.
 * Which is faster is all that matters.
 */
static void read_hybrid(int root, struct cpu_facts *ret)
{
	struct cpuset big, little;

	if (!read_list(root, "sys/devices/cpu_core/cpus", &big) ||
	    !read_list(root, "sys/devices/cpu_atom/cpus", &little))
		return;
	cpuset_for_each(&big, cpu)
		ret->capacity[cpu] = 1024;
	cpuset_for_each(&little, cpu)
		ret->capacity[cpu] = 512;
}

static void read_nodes(int root, struct cpu_facts *ret)
{
	struct cpuset nodes, cpus;
	char path[64];

	ret->nodes = 1;
	if (!read_list(root, "sys/devices/system/node/online", &nodes))
		return;
	ret->nodes = cpuset_count(&nodes);
	cpuset_for_each(&nodes, node) {
		snprintf(path, sizeof(path), "sys/devices/system/node/node%u/cpulist", node);
		read_list(root, path, &cpus);
		cpuset_for_each(&cpus, cpu)
			ret->node[cpu] = (uint16_t)node;
	}
}

/* "512K" of the highest level. */
static uint32_t read_cache(int root, unsigned int cpu)
{
	uint32_t highest = 0, level, kib = 0;
	char line[32];

	for (int i = 0; file_read_u32(root, &level, CPU "/cpu%u/cache/index%d/level", cpu, i) == 0;
	     i++) {
		const char *text = line;

		if (level < highest || file_read_line(root, line, sizeof(line),
						      CPU "/cpu%u/cache/index%d/size", cpu, i) < 0)
			continue;
		highest = level;
		text_take_u32(&text, UINT32_MAX, &kib);
		if (*text == 'M')
			kib *= 1024;
	}
	return kib;
}

static uint64_t read_memory(int root)
{
	char line[128];
	const char *at = line;
	uint32_t kib;

	if (file_read_line(root, line, sizeof(line), "proc/meminfo") < 0 ||
	    !text_starts(line, "MemTotal:"))
		return 0;
	at += strlen("MemTotal:");
	at += strspn(at, " ");
	return text_take_u32(&at, UINT32_MAX, &kib) < 0 ? 0 : (uint64_t)kib * 1024;
}

void facts_cpus(const struct source *source, struct cpu_facts *ret)
{
	int root = source->root;

	*ret = (struct cpu_facts){ 0 };
	read_list(root, CPU "/possible", &ret->possible);
	read_list(root, CPU "/online", &ret->online);
	read_list(root, CPU "/isolated", &ret->isolated);
	read_list(root, CPU "/nohz_full", &ret->nohz_full);
	read_process(source, ret);
	read_hybrid(root, ret);
	read_nodes(root, ret);
	cpuset_for_each(&ret->online, cpu) {
		uint32_t exit_us = read_idle_exit(root, cpu);
		uint16_t capacity = read_u16(root, "cpu_capacity", cpu);

		if (capacity)
			ret->capacity[cpu] = capacity;
		ret->core[cpu] = read_core(root, cpu);
		if (exit_us > ret->idle_exit_us)
			ret->idle_exit_us = exit_us;
	}
	ret->cache_kib = read_cache(root, cpuset_next(&ret->online, 0));
	ret->memory = read_memory(root);
}
