// SPDX-License-Identifier: GPL-2.0
/* What `watch` counted in the kernel's tracepoints. */
#include <bpf/bpf.h>
#include <unistd.h>

#include "lib/clean.h"
#include "lib/percpu.h"
#include "stats/snapshot.h"

static void read_enqueued(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	unsigned int count = snapshot->lane_count * snapshot->cpu_count;

	if (percpu_open(home, "enqueued", snapshot->cpu_count, &map) < 0)
		return;
	for (uint32_t key = 0; key < count && percpu_walk(&map, key) == 0; key++)
		for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
			const struct enqueued *value = percpu_value(&map, cpu);
			struct queue_count *queue = &snapshot->queues[key];

			queue->bulks += value->bulks;
			queue->enqueue_packets += value->packets;
			queue->enqueue_drops += value->drops;
			queue->redirect_errors += value->errors;
		}
}

static void read_dequeued(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };

	if (percpu_open(home, "dequeued", snapshot->cpu_count, &map) < 0)
		return;
	for (uint32_t lane = 0; lane < snapshot->lane_count && percpu_read(&map, lane) == 0; lane++)
		for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
			const struct dequeued *value = percpu_value(&map, cpu);
			struct queue_count *queue = snapshot_queue(snapshot, lane, cpu);

			queue->batches = value->batches;
			queue->dequeue_packets = value->packets;
			queue->memory_drops = value->drops;
			queue->sleeps = value->sleeps;
			queue->stage_pass = value->stage_pass;
			queue->stage_drops = value->stage_drop;
			queue->stage_redirects = value->stage_redirect;
		}
}

static void read_exceptions(const struct home *home, struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };

	if (percpu_open(home, "exceptions", snapshot->cpu_count, &map) < 0 ||
	    percpu_read(&map, 0) < 0)
		return;
	for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
		const struct exceptions *value = percpu_value(&map, cpu);

		snapshot->cpus[cpu].rx.exceptions = value->steer + value->pass;
	}
}

void snapshot_read_watch(const struct home *home, struct snapshot *snapshot)
{
	static const struct {
		const char *link;
		unsigned int have;
	} links[] = {
		{ "watch_enqueue", HAVE_ENQUEUE },
		{ "watch_kthread", HAVE_KTHREAD },
		{ "watch_redirect_err", HAVE_ERRORS },
		{ "watch_exception", HAVE_EXCEPTIONS },
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (access(home_pin(home, links[i].link).text, F_OK) == 0)
			snapshot->have |= links[i].have;
	/* What was taken from a queue before what was put in: none is taken twice. */
	read_dequeued(home, snapshot);
	read_enqueued(home, snapshot);
	read_exceptions(home, snapshot);
}
