// SPDX-License-Identifier: GPL-2.0
/* What is wrong between two snapshots, in sentences an admin can act on. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "stats/diagnose.h"

#define NOTEWORTHY_PCT 0.01 /* of the frames; below it, a loss is not worth a sentence */
#define FULL_PCT 90	    /* of a CPU: no time is left for more */
#define HEAVY_PCT 50	    /* of a CPU's frames in one slot */
#define FEW_PER_S 100	    /* frames: below it, shares are chance */
#define UNEVEN 1.5	    /* the busiest CPU over the mean */

struct list {
	unsigned int count;
	struct finding *at;
};

static struct finding *add(struct list *list, const char *kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static struct finding *add(struct list *list, const char *kind, const char *format, ...)
{
	static struct finding spare;
	struct finding *finding = list->count < FINDINGS_MAX ? &list->at[list->count++] : &spare;
	va_list args;

	finding->kind = kind;
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
	return finding;
}

static double per_s(const struct view *view, uint64_t before, uint64_t now)
{
	return view->seconds > 0 ? (double)view_growth(before, now) / view->seconds : 0;
}

static double sent_per_s(const struct view *view, const struct view_row *row)
{
	const struct target_count *before = row->before, *now = row->now;

	return per_s(view, before->sent_packets, now->sent_packets);
}

static double iface_per_s(const struct view *view, bool stay)
{
	const struct iface_count *before = &view->totals[0], *now = &view->totals[1];

	return stay ? per_s(view, before->stay_packets, now->stay_packets)
		    : per_s(view, before->redirected_packets, now->redirected_packets);
}

static void say_heaviest(struct finding *finding, const struct target_gauges *target)
{
	if (target->heaviest_slot_pct > HEAVY_PCT && target->slots > 1)
		text_append(finding->text, sizeof(finding->text),
			    "; one slot carries %.0f %% of it, which no table can split",
			    target->heaviest_slot_pct);
}

/* CPU 3 drops 1.2 % at enqueue: raise --qsize or add a CPU; one slot carries 61 % of it, ... */
static void find_drops(const struct view *view, struct list *list)
{
	for (unsigned int i = 0; i < view->scopes[SCOPE_TARGET].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_TARGET].rows[i];
		const struct target_gauges *target = &row->target;
		const char *cure = "raise --qsize or add a CPU";
		struct finding *finding;

		if (!(target->drops_pct > NOTEWORTHY_PCT))
			continue;
		if (target->busy_pct >= FULL_PCT)
			cure = "it has no time left: add a CPU, or give it less weight";
		else if (target->busy_pct < FULL_PCT / 2)
			cure = "it has time left, so these are bursts: raise --qsize";
		finding = add(list, "drops", "CPU %u drops %.*f %% at enqueue: %s", row->cpu,
			      target->drops_pct < 1 ? 2 : 1, target->drops_pct, cure);
		say_heaviest(finding, target);
	}
}

static void find_lost(const struct view *view, struct list *list)
{
	for (unsigned int i = 0; i < view->scopes[SCOPE_QUEUE].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_QUEUE].rows[i];
		const struct queue_count *before = row->before, *now = row->now;
		uint64_t memory = view_growth(before->memory_drops, now->memory_drops);
		uint64_t errors = view_growth(before->redirect_errors, now->redirect_errors);

		if (memory)
			add(list, "memory",
			    "CPU %u lost %llu frames for want of memory: the machine has too "
			    "little",
			    row->cpu, (unsigned long long)memory);
		/* In generic mode each frame that finds the queue full is an error, too. */
		if (errors > view_growth(before->enqueue_drops, now->enqueue_drops))
			add(list, "redirect",
			    "%llu redirects to CPU %u failed: do the frames fit a page? lower the "
			    "MTU of the interface",
			    (unsigned long long)errors, row->cpu);
	}
	for (unsigned int i = 0; i < view->scopes[SCOPE_RX].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_RX].rows[i];
		const struct rx_count *before = row->before, *now = row->now;
		uint64_t lost = view_growth(before->exceptions, now->exceptions);

		if (lost)
			add(list, "exceptions",
			    "CPU %u lost %llu frames in the driver or a program: see dmesg",
			    row->cpu, (unsigned long long)lost);
	}
}

static void find_full(const struct view *view, struct list *list)
{
	for (unsigned int i = 0; i < view->scopes[SCOPE_RX].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_RX].rows[i];

		if (row->rx.softirq_pct >= FULL_PCT)
			add(list, "rx_full",
			    "RX CPU %u spends %.0f %% of its time in softirq: it is the limit, "
			    "more "
			    "target CPUs do not help; spread the NIC's queues or keep other work "
			    "off it",
			    row->cpu, row->rx.softirq_pct);
	}
	for (unsigned int i = 0; i < view->scopes[SCOPE_TARGET].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_TARGET].rows[i];

		if (row->target.busy_pct >= FULL_PCT && !(row->target.drops_pct > NOTEWORTHY_PCT))
			add(list, "target_full",
			    "CPU %u is %.0f %% busy with our frames and will drop when there are "
			    "more: add a CPU, or give it less weight",
			    row->cpu, row->target.busy_pct);
	}
}

static void find_misplaced(const struct view *view, struct list *list)
{
	uint64_t nowhere = 0;

	for (unsigned int i = 0; i < view->scopes[SCOPE_STAY].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_STAY].rows[i];
		const struct reason_count *before = row->before, *now = row->now;

		if (strcmp(row->reason, "no_slot") == 0 || strcmp(row->reason, "no_entry") == 0)
			nowhere += view_growth(before->packets, now->packets);
	}
	if (nowhere)
		add(list, "no_target",
		    "%llu frames found no target CPU and stayed: load the interface again",
		    (unsigned long long)nowhere);
	for (unsigned int i = 0; i < view->scopes[SCOPE_QUEUE].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_QUEUE].rows[i];
		const struct queue_count *now = row->now;

		if (now->qsize && !now->pid && view->now->have & HAVE_BUSY)
			add(list, "no_kthread", "CPU %u has a queue and no kthread that empties it",
			    row->cpu);
	}
}

/* "not_ip", and how many of those that stayed. */
static const char *main_reason(const struct view *view, double *ret_pct)
{
	uint64_t sums[VERDICT_COUNT] = { 0 }, all = 0;
	int most = VERDICT_redirected;

	for (unsigned int i = 0; i < view->scopes[SCOPE_STAY].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_STAY].rows[i];
		const struct reason_count *before = row->before, *now = row->now;
		int reason = text_in(row->reason, verdict_names);
		uint64_t growth = view_growth(before->packets, now->packets);

		all += growth;
		sums[reason] += growth;
		if (sums[reason] > sums[most])
			most = reason;
	}
	*ret_pct = all ? 100.0 * (double)sums[most] / (double)all : 0;
	return verdict_names[most];
}

static void find_stays(const struct view *view, struct list *list)
{
	double stay = iface_per_s(view, true), all = stay + iface_per_s(view, false), pct;
	const char *reason;

	if (all < FEW_PER_S || stay < all / 2)
		return;
	reason = main_reason(view, &pct);
	add(list, "stays",
	    "%.0f %% of the frames stay on the RX CPU, %.0f %% of them as %s (a frame that %s)",
	    100 * stay / all, pct, reason, verdict_helps[text_in(reason, verdict_names)]);
}

static const struct view_row *busiest(const struct view *view)
{
	const struct view_row *most = NULL;
	double load, highest = 0;

	for (unsigned int i = 0; i < view->scopes[SCOPE_TARGET].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_TARGET].rows[i];

		load = row->target.share_pct / row->target.weight_pct;
		if (!(load > highest))
			continue;
		highest = load;
		most = row;
	}
	return most;
}

static void find_uneven(const struct view *view, struct list *list)
{
	const struct iface_gauges *gauges = &view->scopes[SCOPE_IFACE].rows[0].iface;
	const struct view_row *most = busiest(view);

	if (!most || gauges->targets < 2 || !(gauges->evenness > UNEVEN) ||
	    sent_per_s(view, most) < FEW_PER_S)
		return;
	if (gauges->evenness_floor > 0.9 * gauges->evenness)
		add(list, "heavy_slot",
		    "CPU %u carries %.1f times its part, and slot %.0f alone %.0f %% of it, which "
		    "no table can split",
		    most->cpu, gauges->evenness, most->target.heaviest_slot,
		    most->target.heaviest_slot_pct);
	else
		add(list, "uneven",
		    "CPU %u carries %.1f times its part, where a better table could do with %.1f: "
		    "give it less weight",
		    most->cpu, gauges->evenness, gauges->evenness_floor);
}

static void find_shared(const struct view *view, struct list *list)
{
	for (unsigned int i = 0; i < view->scopes[SCOPE_RX].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_RX].rows[i];
		const struct view_row *target = view_find(view, SCOPE_TARGET, row->cpu, 0);
		const struct rx_count *before = row->before, *now = row->now;
		double redirected =
			per_s(view, before->redirected_packets, now->redirected_packets);

		if (target && redirected > FEW_PER_S &&
		    redirected > iface_per_s(view, false) / 10 &&
		    sent_per_s(view, target) > FEW_PER_S)
			add(list, "shared",
			    "CPU %u both receives and is a target: it competes with itself; leave "
			    "it out of --cpus",
			    row->cpu);
	}
}

unsigned int diagnose(const struct view *view, struct finding ret[FINDINGS_MAX])
{
	struct list list = { .at = ret };

	find_lost(view, &list);
	find_drops(view, &list);
	find_misplaced(view, &list);
	find_full(view, &list);
	find_stays(view, &list);
	find_uneven(view, &list);
	find_shared(view, &list);
	return list.count;
}
