// SPDX-License-Identifier: GPL-2.0
/* Two snapshots, and what they say together. */
#include <math.h>
#include <stdlib.h>

#include "stats/view.h"

static const struct cpu_snapshot no_cpu;
static const struct queue_count no_queue;

uint64_t view_growth(uint64_t before, uint64_t now)
{
	return now >= before ? now - before : now;
}

static const struct cpu_snapshot *cpu_of(const struct snapshot *snapshot, unsigned int cpu)
{
	return cpu < snapshot->cpu_count ? &snapshot->cpus[cpu] : &no_cpu;
}

static const struct queue_count *queue_of(const struct snapshot *snapshot, unsigned int lane,
					  unsigned int cpu)
{
	if (lane >= snapshot->lane_count || cpu >= snapshot->cpu_count)
		return &no_queue;
	return snapshot_queue(snapshot, lane, cpu);
}

/* What is known at both moments. */
static bool both_have(const struct view *view, unsigned int what)
{
	return (view->before->have & view->now->have & what) == what;
}

struct view_row *view_add(struct view *view, enum scope scope, unsigned int cpu)
{
	struct view_row *row = &view->scopes[scope].rows[view->scopes[scope].count++];

	row->cpu = cpu;
	return row;
}

static double softirq_pct(const struct view *view, unsigned int cpu)
{
	const struct host_count *before = &cpu_of(view->before, cpu)->host;
	const struct host_count *now = &cpu_of(view->now, cpu)->host;

	if (!both_have(view, HAVE_HOST))
		return NAN;
	return 100 * view_ratio((double)view_growth(before->softirq_ticks, now->softirq_ticks),
				(double)view_growth(before->all_ticks, now->all_ticks));
}

static double queue_busy_pct(const struct view *view, const struct view_row *row)
{
	const struct queue_count *before = row->before, *now = row->now;

	if (!both_have(view, HAVE_BUSY) || !now->pid)
		return NAN;
	return 100 *
	       view_ratio((double)view_growth(before->busy_ns, now->busy_ns), view->seconds * 1e9);
}

/* What went in and did not come out. */
static double queue_fill(const struct view *view, const struct queue_count *now)
{
	uint64_t in = now->enqueue_packets - now->enqueue_drops;

	if ((view->now->have & (HAVE_ENQUEUE | HAVE_KTHREAD)) != (HAVE_ENQUEUE | HAVE_KTHREAD))
		return NAN;
	in = in > now->dequeue_packets ? in - now->dequeue_packets : 0;
	return in < now->qsize ? (double)in : now->qsize;
}

static void add_queue(struct view *view, unsigned int lane, unsigned int cpu)
{
	struct view_row *row = view_add(view, SCOPE_QUEUE, cpu);
	const struct queue_count *before = queue_of(view->before, lane, cpu);
	const struct queue_count *now = queue_of(view->now, lane, cpu);

	row->lane = lane;
	row->before = before;
	row->now = now;
	row->queue = (struct queue_gauges){
		.qsize = now->qsize,
		.bulk_average = NAN,
		.busy_pct = queue_busy_pct(view, row),
		.fill_packets = queue_fill(view, now),
	};
	if (both_have(view, HAVE_ENQUEUE))
		row->queue.bulk_average = view_ratio(
			(double)view_growth(before->enqueue_packets, now->enqueue_packets),
			(double)view_growth(before->bulks, now->bulks));
}

/* By the tracepoint; without it, what was sent and did not arrive. */
static double target_drops(const struct view *view, unsigned int cpu)
{
	const struct target_count *before = &cpu_of(view->before, cpu)->target;
	const struct target_count *now = &cpu_of(view->now, cpu)->target;
	uint64_t drops = 0, sent, arrived;

	for (unsigned int lane = 0; lane < view->now->lane_count; lane++)
		drops += view_growth(queue_of(view->before, lane, cpu)->enqueue_drops,
				     queue_of(view->now, lane, cpu)->enqueue_drops);
	if (both_have(view, HAVE_ENQUEUE))
		return (double)drops;
	if (!both_have(view, HAVE_STAGE))
		return NAN;
	sent = view_growth(before->sent_packets, now->sent_packets);
	arrived = view_growth(before->packets, now->packets);
	return sent > arrived ? (double)(sent - arrived) : 0;
}

/* Of the machine's skbs on that CPU, those of others included: at least so many frames in each. */
static double frames_per_skb(const struct view *view, unsigned int cpu, double arrived)
{
	const struct host_count *before = &cpu_of(view->before, cpu)->host;
	const struct host_count *now = &cpu_of(view->now, cpu)->host;
	double frames;

	if (!both_have(view, HAVE_SKBS) || arrived < 1)
		return NAN;
	frames = view_ratio(arrived, (double)view_growth(before->skbs, now->skbs));
	/* Below 1 the others' skbs drown ours. */
	return frames >= 1 ? frames : NAN;
}

static double arrived_at(const struct view *view, unsigned int cpu)
{
	uint64_t taken = 0;

	if (both_have(view, HAVE_STAGE))
		return (double)view_growth(cpu_of(view->before, cpu)->target.packets,
					   cpu_of(view->now, cpu)->target.packets);
	if (!both_have(view, HAVE_KTHREAD))
		return NAN;
	for (unsigned int lane = 0; lane < view->now->lane_count; lane++)
		taken += view_growth(queue_of(view->before, lane, cpu)->dequeue_packets,
				     queue_of(view->now, lane, cpu)->dequeue_packets);
	return (double)taken;
}

static void add_target(struct view *view, unsigned int cpu, double all)
{
	struct view_row *row = view_add(view, SCOPE_TARGET, cpu);
	const struct target_count *before = &cpu_of(view->before, cpu)->target;
	const struct target_count *now = &cpu_of(view->now, cpu)->target;
	double sent = (double)view_growth(before->sent_packets, now->sent_packets);
	double drops = target_drops(view, cpu);

	row->before = before;
	row->now = now;
	row->target = (struct target_gauges){
		.share_pct = view_pct(sent, all),
		.drops_per_s = view_ratio(drops, view->seconds),
		.drops_pct = view_pct(drops, sent),
		.softirq_pct = softirq_pct(view, cpu),
		.frames_per_skb = frames_per_skb(view, cpu, arrived_at(view, cpu)),
		.heaviest_slot = NAN,
		.heaviest_slot_pct = NAN,
	};
	view_find_slots(view, cpu, sent, &row->target);
	row->target.weight_pct = view_pct(row->target.slots, view->now->slot_count);
	for (unsigned int lane = 0; lane < view->now->lane_count; lane++) {
		add_queue(view, lane, cpu);
		row->target.busy_pct += view->scopes[SCOPE_QUEUE]
						.rows[view->scopes[SCOPE_QUEUE].count - 1]
						.queue.busy_pct;
	}
}

static void add_reasons(struct view *view, unsigned int cpu)
{
	const struct rx_count *before = &cpu_of(view->before, cpu)->rx;
	const struct rx_count *now = &cpu_of(view->now, cpu)->rx;
	struct view_row *row;

	for (int i = VERDICT_redirected + 1; i < VERDICT_COUNT; i++) {
		row = view_add(view, SCOPE_STAY, cpu);
		row->reason = verdict_names[i];
		row->before = &before->stays[i];
		row->now = &now->stays[i];
	}
	for (int i = FALLBACK_none + 1; i < FALLBACK_COUNT; i++) {
		row = view_add(view, SCOPE_FALLBACK, cpu);
		row->reason = fallback_names[i];
		row->before = &before->fallbacks[i];
		row->now = &now->fallbacks[i];
	}
}

/* CPUs on which a frame was received, ever. */
static void add_rx(struct view *view, unsigned int cpu)
{
	const struct rx_count *now = &view->now->cpus[cpu].rx;
	struct view_row *row;

	if (!now->redirected_packets && !now->stay_packets)
		return;
	row = view_add(view, SCOPE_RX, cpu);
	row->before = &cpu_of(view->before, cpu)->rx;
	row->now = now;
	row->rx.softirq_pct = softirq_pct(view, cpu);
	add_reasons(view, cpu);
}

static bool has_entry(const struct snapshot *snapshot, unsigned int cpu)
{
	for (unsigned int lane = 0; lane < snapshot->lane_count; lane++)
		if (snapshot_queue(snapshot, lane, cpu)->qsize)
			return true;
	return false;
}

static void add_iface(struct view *view, double all)
{
	struct view_row *row = view_add(view, SCOPE_IFACE, 0);
	double drops = 0;

	for (int i = 0; i < 2; i++) {
		const struct snapshot *snapshot = i ? view->now : view->before;
		struct iface_count *total = &view->totals[i];

		for (unsigned int cpu = 0; cpu < snapshot->cpu_count; cpu++) {
			total->redirected_packets += snapshot->cpus[cpu].rx.redirected_packets;
			total->redirected_bytes += snapshot->cpus[cpu].rx.redirected_bytes;
			total->stay_packets += snapshot->cpus[cpu].rx.stay_packets;
		}
	}
	row->before = &view->totals[0];
	row->now = &view->totals[1];
	row->iface = (struct iface_gauges){ .evenness = NAN };
	for (unsigned int i = 0; i < view->scopes[SCOPE_TARGET].count; i++)
		drops += view->scopes[SCOPE_TARGET].rows[i].target.drops_per_s;
	row->iface.drops_per_s = drops;
	row->iface.drops_pct = view_pct(drops * view->seconds, all);
	view_judge_evenness(view, all, &row->iface);
}

static double sent_in_all(const struct view *view)
{
	double all = 0;

	for (unsigned int cpu = 0; cpu < view->now->cpu_count; cpu++)
		all += (double)view_growth(cpu_of(view->before, cpu)->target.sent_packets,
					   view->now->cpus[cpu].target.sent_packets);
	return all;
}

static bool make_room(struct view *view)
{
	unsigned int cpus = view->now->cpu_count;
	const unsigned int most[SCOPES] = {
		[SCOPE_IFACE] = 1,
		[SCOPE_RX] = cpus,
		[SCOPE_STAY] = cpus * VERDICT_COUNT,
		[SCOPE_FALLBACK] = cpus * FALLBACK_COUNT,
		[SCOPE_TARGET] = cpus,
		[SCOPE_QUEUE] = cpus * view->now->lane_count,
		[SCOPE_RULE] = view->now->rule_count,
	};

	for (int i = 0; i < SCOPES; i++) {
		view->scopes[i].rows = calloc(most[i] + 1, sizeof(struct view_row));
		if (!view->scopes[i].rows)
			return false;
	}
	return true;
}

struct view *view_new(const struct snapshot *before, const struct snapshot *now)
{
	struct view *view = calloc(1, sizeof(*view));
	double all;

	if (!view)
		return NULL;
	view->before = before;
	view->now = now;
	view->seconds = (double)view_growth(before->at_ns, now->at_ns) / 1e9;
	if (!make_room(view)) {
		view_free(view);
		return NULL;
	}
	all = sent_in_all(view);
	for (unsigned int cpu = 0; cpu < now->cpu_count; cpu++)
		add_rx(view, cpu);
	for (unsigned int cpu = 0; cpu < now->cpu_count; cpu++)
		if (has_entry(now, cpu))
			add_target(view, cpu, all);
	add_iface(view, all);
	view_add_rules(view);
	return view;
}

void view_free(struct view *view)
{
	if (!view)
		return;
	for (int i = 0; i < SCOPES; i++)
		free(view->scopes[i].rows);
	free(view);
}

void view_freep(struct view **view)
{
	view_free(*view);
}

const struct view_row *view_find(const struct view *view, enum scope scope, unsigned int cpu,
				 unsigned int lane)
{
	for (unsigned int i = 0; i < view->scopes[scope].count; i++) {
		const struct view_row *row = &view->scopes[scope].rows[i];

		if (row->cpu == cpu && row->lane == lane)
			return row;
	}
	return NULL;
}
