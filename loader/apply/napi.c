// SPDX-License-Identifier: GPL-2.0
/* Whether the NAPI instances of an interface have threads, and on which CPUs these run. */
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "apply/values.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/netdev.h"
#include "lib/text.h"

#define THREADED "sys/class/net/%s/threaded"

/* Values: a word or a list for all instances, or "257=0-1;258=2" where they differ. */
struct member {
	uint32_t id;
	const char *value;
};

static int list(const char *iface, struct napi *ret, unsigned int *ret_count)
{
	uint32_t index = if_nametoindex(iface);
	int r = index ? netdev_napis(index, ret, ret_count) : -ENODEV;

	/* A kernel that cannot list them is no failure: sysfs has the switch for all. */
	return r == -ENODEV ? r : 0;
}

static int put_together(const struct member *members, unsigned int count, char *ret, size_t size)
{
	bool differ = false;

	for (unsigned int i = 1; i < count; i++)
		differ |= strcmp(members[i].value, members[0].value) != 0;
	snprintf(ret, size, "%s", count && !differ ? members[0].value : "");
	for (unsigned int i = 0; differ && i < count; i++)
		text_append(ret, size, "%s%u=%s", i ? ";" : "", members[i].id, members[i].value);
	return strlen(ret) < size - 1 ? 0 : -E2BIG;
}

/* Call set for each instance with what the value says of it. */
static int each(const char *value, const struct napi *napis, unsigned int count,
		int (*set)(const struct napi *napi, const char *value))
{
	char copy[STEP_VALUE], *rest = copy, *part;
	int r = 0;

	if (!strchr(value, '=')) {
		for (unsigned int i = 0; r == 0 && i < count; i++)
			r = set(&napis[i], value);
		return r;
	}
	snprintf(copy, sizeof(copy), "%s", value);
	while (r == 0 && (part = strsep(&rest, ";"))) {
		const char *at = part;
		uint32_t id;

		if (text_take_u32(&at, UINT32_MAX, &id) < 0 || *at++ != '=')
			continue;
		for (unsigned int i = 0; r == 0 && i < count; i++)
			if (napis[i].id == id)
				r = set(&napis[i], at);
	}
	return r;
}

int napi_read(const struct site *site, const char *target, char *ret, size_t size)
{
	struct member members[NAPIS_MAX];
	struct napi napis[NAPIS_MAX];
	unsigned int count = 0, told = 0;
	char line[8];
	int r = list(target, napis, &count);

	if (r < 0)
		return r;
	for (unsigned int i = 0; i < count; i++)
		if (napis[i].threaded >= 0)
			members[told++] =
				(struct member){ napis[i].id,
						 napis[i].threaded ? "threaded" : "softirq" };
	if (told)
		return put_together(members, told, ret, size);
	r = file_read_line(site->root, line, sizeof(line), THREADED, target);
	if (r == 0)
		snprintf(ret, size, "%s", strcmp(line, "0") == 0 ? "softirq" : "threaded");
	return r;
}

static int set_threaded(const struct napi *napi, const char *value)
{
	return netdev_napi_set_threaded(napi->id, strcmp(value, "threaded") == 0);
}

int napi_write(struct site *site, const char *target, const char *value)
{
	struct napi napis[NAPIS_MAX];
	unsigned int count = 0;
	int r = list(target, napis, &count);

	if (r < 0)
		return r;
	if (count && napis[0].threaded >= 0)
		return each(value, napis, count, set_threaded);
	return file_write(site->root, strcmp(value, "threaded") == 0 ? "1" : "0", THREADED, target);
}

static void read_affinity(uint32_t pid, char *ret, size_t size)
{
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	struct cpuset cpus = { 0 };

	if (mask && sched_getaffinity((pid_t)pid, CPU_ALLOC_SIZE(CPUS_MAX), mask) == 0)
		for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
			if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(CPUS_MAX), mask))
				cpuset_add(&cpus, cpu);
	CPU_FREE(mask);
	cpuset_format(&cpus, ret, size);
}

int threads_read(const struct site *site, const char *target, char *ret, size_t size)
{
	cleanup(freep) char *texts = calloc(NAPIS_MAX, STEP_VALUE);
	struct member members[NAPIS_MAX];
	struct napi napis[NAPIS_MAX];
	unsigned int count = 0, told = 0;
	int r = texts ? list(target, napis, &count) : -ENOMEM;

	if (r < 0)
		return r;
	for (unsigned int i = 0; i < count; i++) {
		char *text = texts + (size_t)told * STEP_VALUE;

		if (!napis[i].pid)
			continue;
		read_affinity(napis[i].pid, text, STEP_VALUE);
		members[told++] = (struct member){ napis[i].id, text };
	}
	if (told)
		return put_together(members, told, ret, size);
	snprintf(ret, size, "-");
	return 0;
}

static int set_affinity(const struct napi *napi, const char *value)
{
	cpu_set_t *mask = CPU_ALLOC(CPUS_MAX);
	struct cpuset cpus;
	int r = !mask ? -ENOMEM : cpuset_parse(value, &cpus);

	if (r == 0 && napi->pid) {
		CPU_ZERO_S(CPU_ALLOC_SIZE(CPUS_MAX), mask);
		cpuset_for_each(&cpus, cpu)
			CPU_SET_S(cpu, CPU_ALLOC_SIZE(CPUS_MAX), mask);
		if (sched_setaffinity((pid_t)napi->pid, CPU_ALLOC_SIZE(CPUS_MAX), mask) < 0)
			r = -errno;
	}
	CPU_FREE(mask);
	return r;
}

int threads_write(struct site *site, const char *target, const char *value)
{
	struct napi napis[NAPIS_MAX];
	unsigned int count = 0;
	int r = list(target, napis, &count);

	if (r < 0 || strcmp(value, "-") == 0)
		return r;
	return each(value, napis, count, set_affinity);
}
