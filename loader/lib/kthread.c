// SPDX-License-Identifier: GPL-2.0
/* The kernel threads of a cpumap, found by the name the kernel gives them. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/kthread.h"
#include "lib/text.h"

static void read_allowed(int proc, uint32_t pid, char *ret, size_t size)
{
	static const char key[] = "Cpus_allowed_list:";
	cleanup(fclosep) FILE *file = NULL;
	char path[32], line[512];
	int fd;

	*ret = '\0';
	snprintf(path, sizeof(path), "%u/status", pid);
	fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	file = fd < 0 ? NULL : fdopen(fd, "r");
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
unsigned int kthreads_find(uint32_t map_id, struct kthread *ret, unsigned int max)
{
	cleanup(closedirp) DIR *proc = opendir("/proc");
	unsigned int count = 0;
	struct dirent *entry;

	while (proc && count < max && (entry = readdir(proc))) {
		struct kthread *found = &ret[count];
		uint32_t pid, id;
		char name[64];

		if (text_to_u32(entry->d_name, INT32_MAX, &pid) < 0 ||
		    file_read_line(dirfd(proc), name, sizeof(name), "%u/comm", pid) < 0 ||
		    sscanf(name, "cpumap/%u/map:%u", &found->cpu, &id) != 2 || id != map_id)
			continue;
		found->pid = (pid_t)pid;
		read_allowed(dirfd(proc), pid, found->allowed, sizeof(found->allowed));
		count++;
	}
	return count;
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
