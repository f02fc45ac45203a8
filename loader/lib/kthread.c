// SPDX-License-Identifier: GPL-2.0
/* The kernel threads of a cpumap, found by the name the kernel gives them. */
#include <bpf/bpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/kthread.h"
#include "lib/text.h"

enum { NAME_CUT = 15 };

void kthread_allowed(pid_t pid, char *ret, size_t size)
{
	static const char key[] = "Cpus_allowed_list:";
	cleanup(fclosep) FILE *file = NULL;
	char path[32], line[512];

	*ret = '\0';
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		char *value = line + strlen(key);

		if (!text_starts(line, key))
			continue;
		value += strspn(value, " \t");
		value[strcspn(value, "\n")] = '\0';
		snprintf(ret, size, "%s", value);
	}
}

/* "cpumap/3/map:17" (kernel/bpf/cpumap.c, __cpu_map_entry_alloc). */
static void name_entry(uint32_t cpu, uint32_t map_id, char *ret, size_t size)
{
	snprintf(ret, size, "cpumap/%u/map:%u", cpu, map_id);
}

/* Before Linux 5.17 a kthread has but the first 15 bytes of its name. */
static bool kernel_cuts_names(void)
{
	unsigned int major, minor;
	struct utsname kernel;

	return uname(&kernel) == 0 && sscanf(kernel.release, "%u.%u", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 17));
}

static bool is_cpumap(uint32_t map_id)
{
	cleanup(closep) int fd = bpf_map_get_fd_by_id(map_id);
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	return fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
	       info.type == BPF_MAP_TYPE_CPUMAP;
}

/* A name that was cut is that of no other map's entry. */
static bool is_of_one(const char *cut, uint32_t cpu, uint32_t map_id)
{
	uint32_t id = 0;
	char name[64];

	while (bpf_map_get_next_id(id, &id) == 0) {
		name_entry(cpu, id, name, sizeof(name));
		if (id != map_id && strncmp(name, cut, NAME_CUT) == 0 && is_cpumap(id))
			return false;
	}
	return true;
}

/* Whether the thread of this name serves an entry of the map; whose is unclear serves none. */
static bool serves(const char *name, uint32_t map_id, bool cuts, uint32_t *ret_cpu)
{
	char whole[64];
	uint32_t id;

	if (sscanf(name, "cpumap/%u/map:%u", ret_cpu, &id) != 2)
		return false;
	if (!cuts || strlen(name) < NAME_CUT)
		return id == map_id;
	name_entry(*ret_cpu, map_id, whole, sizeof(whole));
	return strncmp(name, whole, NAME_CUT) == 0 && is_of_one(name, *ret_cpu, map_id);
}

static bool is_ours(const char *name, const uint32_t *map_ids, unsigned int maps, bool cuts,
		    struct kthread *ret)
{
	if (!text_starts(name, "cpumap/"))
		return false;
	for (ret->lane = 0; ret->lane < maps; ret->lane++)
		if (map_ids[ret->lane] && serves(name, map_ids[ret->lane], cuts, &ret->cpu))
			return true;
	return false;
}

bool kthread_is(pid_t pid, uint32_t map_id, uint32_t cpu)
{
	cleanup(closep) int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct kthread found;
	char name[64];

	return file_read_line(proc, name, sizeof(name), "%d/comm", (int)pid) == 0 &&
	       is_ours(name, &map_id, 1, kernel_cuts_names(), &found) && found.cpu == cpu;
}

unsigned int kthreads_scan(const uint32_t *map_ids, unsigned int maps, struct kthread *ret,
			   unsigned int max)
{
	cleanup(closedirp) DIR *proc = opendir("/proc");
	bool cuts = kernel_cuts_names();
	unsigned int count = 0;
	struct dirent *entry;

	while (proc && count < max && (entry = readdir(proc))) {
		uint32_t pid;
		char name[64];

		if (text_to_u32(entry->d_name, INT32_MAX, &pid) < 0 ||
		    file_read_line(dirfd(proc), name, sizeof(name), "%u/comm", pid) < 0 ||
		    !is_ours(name, map_ids, maps, cuts, &ret[count]))
			continue;
		ret[count++].pid = (pid_t)pid;
	}
	return count;
}

unsigned int kthreads_find(uint32_t map_id, struct kthread *ret, unsigned int max)
{
	return kthreads_scan(&map_id, 1, ret, max);
}

int kthread_open(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool kthread_look(int fd, bool *ret_asleep, uint64_t *ret_sleeps)
{
	static const char state_key[] = "\nState:\t", sleeps_key[] = "\nvoluntary_ctxt_switches:\t";
	char text[8192];
	const char *state, *sleeps;
	ssize_t size = pread(fd, text, sizeof(text) - 1, 0);

	if (size <= 0)
		return false;
	text[size] = '\0';
	state = strstr(text, state_key);
	sleeps = strstr(text, sleeps_key);
	if (!state || !sleeps)
		return false;
	sleeps += strlen(sleeps_key);
	*ret_asleep = state[strlen(state_key)] == 'S';
	return text_take_u64(&sleeps, ret_sleeps) == 0;
}
