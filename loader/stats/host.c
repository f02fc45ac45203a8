// SPDX-License-Identifier: GPL-2.0
/* What the machine says of its CPUs and of our kthreads, in /proc. */
#include <fcntl.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/kthread.h"
#include "lib/text.h"
#include "stats/snapshot.h"

#define PER_CPU_MAX 4096 /* kthreads of one interface */

static FILE *open_below(int root, const char *path)
{
	int fd = openat(root, path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static void skip_blanks(const char **at)
{
	*at += strspn(*at, " \t");
}

/* cpu3 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL GUEST ...: the guests' are in USER. */
static void take_stat(const char *line, struct snapshot *snapshot)
{
	struct host_count *host;
	uint64_t ticks;
	uint32_t cpu;

	line += strlen("cpu");
	if (text_take_u32(&line, CPUS_MAX, &cpu) < 0 || cpu >= snapshot->cpu_count)
		return;
	host = &snapshot->cpus[cpu].host;
	for (int i = 0; i < 8; i++) {
		skip_blanks(&line);
		if (text_take_u64(&line, &ticks) < 0)
			return;
		host->all_ticks += ticks;
		if (i == 6)
			host->softirq_ticks = ticks;
	}
	snapshot->have |= HAVE_HOST;
}

/*
 * Columns of hexadecimal: the first is the skbs that entered the stack, the
 * 13th the CPU, in kernels that tell it.
 */
static void take_softnet(const char *line, struct snapshot *snapshot)
{
	uint64_t column[13];

	for (int i = 0; i < 13; i++) {
		skip_blanks(&line);
		if (text_take_hex(&line, &column[i]) < 0)
			return;
	}
	if (column[12] >= snapshot->cpu_count)
		return;
	snapshot->cpus[column[12]].host.skbs = column[0];
	snapshot->have |= HAVE_SKBS;
}

void snapshot_read_host(int root, struct snapshot *snapshot)
{
	cleanup(fclosep) FILE *stat = open_below(root, "proc/stat");
	cleanup(fclosep) FILE *softnet = open_below(root, "proc/net/softnet_stat");
	char line[512];

	while (stat && fgets(line, sizeof(line), stat))
		if (text_starts(line, "cpu"))
			take_stat(line, snapshot);
	while (softnet && fgets(line, sizeof(line), softnet))
		take_softnet(line, snapshot);
}

void snapshot_read_kthreads(int root, const uint32_t *map_ids, struct snapshot *snapshot)
{
	cleanup(freep) struct kthread *found = calloc(PER_CPU_MAX, sizeof(*found));

	for (unsigned int lane = 0; found && lane < snapshot->lane_count; lane++) {
		unsigned int count = kthreads_find(map_ids[lane], found, PER_CPU_MAX);

		for (unsigned int i = 0; i < count; i++) {
			struct queue_count *queue;
			char line[96];
			const char *at = line;

			if (found[i].cpu >= snapshot->cpu_count)
				continue;
			queue = snapshot_queue(snapshot, lane, found[i].cpu);
			queue->pid = (uint32_t)found[i].pid;
			if (file_read_line(root, line, sizeof(line), "proc/%u/schedstat",
					   queue->pid) == 0 &&
			    text_take_u64(&at, &queue->busy_ns) == 0)
				snapshot->have |= HAVE_BUSY;
		}
	}
}
