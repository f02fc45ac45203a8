// SPDX-License-Identifier: GPL-2.0
/* What the machine says of its CPUs and of our kthreads, in /proc. */
#include <fcntl.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/text.h"
#include "stats/snapshot.h"

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

void snapshot_read_kthreads(int root, struct snapshot *snapshot)
{
	for (unsigned int i = 0; i < snapshot->lane_count * snapshot->cpu_count; i++) {
		struct queue_count *queue = &snapshot->queues[i];
		char line[96];
		const char *at = line;

		if (queue->pid &&
		    file_read_line(root, line, sizeof(line), "proc/%u/schedstat", queue->pid) ==
			    0 &&
		    text_take_u64(&at, &queue->busy_ns) == 0)
			snapshot->have |= HAVE_BUSY;
	}
}
