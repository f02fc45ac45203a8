// SPDX-License-Identifier: GPL-2.0
/* Every number of `stats`, described once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "stats/fields.h"

const char *const scope_names[] = {
	[SCOPE_IFACE] = "interface",	[SCOPE_RX] = "rx_cpus",	    [SCOPE_STAY] = "stays",
	[SCOPE_FALLBACK] = "fallbacks", [SCOPE_TARGET] = "targets", [SCOPE_QUEUE] = "queues",
	[SCOPE_RULE] = "rules",
};

const char *const scope_helps[] = {
	[SCOPE_IFACE] = "an interface",
	[SCOPE_RX] = "a CPU that receives (it runs the NIC's NAPI and `steer`)",
	[SCOPE_STAY] = "why frames stay on the RX CPU, by RX CPU and reason",
	[SCOPE_FALLBACK] = "frames placed by fewer headers than they have, by RX CPU and reason",
	[SCOPE_TARGET] = "a target CPU, all its lanes together",
	[SCOPE_QUEUE] = "a cpumap entry: a queue and its kthread, by target CPU and lane",
	[SCOPE_RULE] = "a rule, in the order in which they are asked; none without rules",
};

#define COUNTER(scope_, structure, member, name_, label_, unit_, needs_, exported_, help_, where_, \
		act_)                                                                              \
	{                                                                                          \
		.scope = scope_, .counter = true, .exported = exported_, .name = name_,            \
		.label = label_, .offset = offsetof(structure, member), .unit = unit_,             \
		.needs = needs_, .help = help_, .where = where_, .act = act_                       \
	}
#define GAUGE(scope_, structure, member, label_, unit_, needs_, exported_, help_, where_, act_) \
	{                                                                                       \
		.scope = scope_, .exported = exported_, .name = #member, .label = label_,       \
		.offset = offsetof(structure, member), .unit = unit_, .needs = needs_,          \
		.help = help_, .where = where_, .act = act_                                     \
	}

#define IFACE(member, label, unit, help, act)                                                  \
	COUNTER(SCOPE_IFACE, struct iface_count, member, #member, label, unit, 0, false, help, \
		"sum over the RX CPUs", act)
#define IFACE_GAUGE(member, unit, help, where, act) \
	GAUGE(SCOPE_IFACE, struct iface_gauges, member, NULL, unit, 0, false, help, where, act)
#define RX(member, label, unit, needs, help, where, act)                                           \
	COUNTER(SCOPE_RX, struct rx_count, member, #member, label, unit, needs, true, help, where, \
		act)
#define TARGET(member, name, label, unit, needs, help, where, act)                               \
	COUNTER(SCOPE_TARGET, struct target_count, member, name, label, unit, needs, true, help, \
		where, act)
#define TARGET_GAUGE(member, label, unit, exported, help, where, act)                            \
	GAUGE(SCOPE_TARGET, struct target_gauges, member, label, unit, 0, exported, help, where, \
	      act)
#define QUEUE(member, name, label, unit, needs, help, where, act)                              \
	COUNTER(SCOPE_QUEUE, struct queue_count, member, name, label, unit, needs, true, help, \
		where, act)
#define QUEUE_GAUGE(member, label, unit, exported, help, where, act) \
	GAUGE(SCOPE_QUEUE, struct queue_gauges, member, label, unit, 0, exported, help, where, act)

#define RULE(member, label, unit, help, act)                                                  \
	COUNTER(SCOPE_RULE, struct rule_count, member, "rule_" #member, label, unit, 0, true, \
		help, "map `rule_hits`", act)

#define ENQUEUE_TP "map `enqueued`, from tracepoint xdp_cpumap_enqueue"
#define KTHREAD_TP "map `dequeued`, from tracepoint xdp_cpumap_kthread"
#define SLOT_MAPS "maps `slot_state` and `sent`"

const struct field fields[] = {
	IFACE(redirected_packets, NULL, UNIT_PACKETS, "frames redirected to target CPUs",
	      "nothing: this is the work"),
	IFACE(redirected_bytes, NULL, UNIT_BYTES, "bytes of these frames", "nothing"),
	IFACE(stay_packets, NULL, UNIT_PACKETS, "frames that stayed on the RX CPU",
	      "see the reasons under `stays`: what cannot be read gains nothing here"),
	IFACE_GAUGE(targets, UNIT_COUNT, "target CPUs that own a slot", "map `slots`", "nothing"),
	IFACE_GAUGE(drops_per_s, UNIT_PACKETS, "frames lost before a target CPU took them",
		    "sum over the target CPUs", "see which target CPU drops"),
	IFACE_GAUGE(drops_pct, UNIT_PCT, "their part of the redirected frames",
		    "sum over the target CPUs", "see which target CPU drops"),
	IFACE_GAUGE(evenness, UNIT_RATIO,
		    "the busiest target CPU over the mean, in packets by weight; 1 is even",
		    SLOT_MAPS, "compare with evenness_floor: only what is above it can be mended"),
	IFACE_GAUGE(evenness_floor, UNIT_RATIO,
		    "the best that any table can do: no table splits the heaviest slot", SLOT_MAPS,
		    "one flow or a few carry most packets: no spreading helps them"),

	RX(redirected_packets, "REDIRECTED/s", UNIT_PACKETS, 0,
	   "frames this CPU redirected to target CPUs", SLOT_MAPS, "nothing: this is the work"),
	RX(redirected_bytes, "BYTES/s", UNIT_BYTES, 0, "bytes of these frames", SLOT_MAPS,
	   "nothing"),
	/* Not exported: it is the sum of the reasons. */
	COUNTER(SCOPE_RX, struct rx_count, stay_packets, "stay_packets", "STAYED/s", UNIT_PACKETS,
		0, false, "frames that stayed on this CPU", "map `counters`",
		"see the reasons under `stays`"),
	RX(exceptions, "EXCEPTIONS/s", UNIT_PACKETS, HAVE_EXCEPTIONS,
	   "frames lost because the driver or a program failed on this CPU",
	   "map `exceptions`, from tracepoint xdp_exception",
	   "the driver cannot redirect, or is out of memory: see dmesg, report it"),
	GAUGE(SCOPE_RX, struct rx_gauges, softirq_pct, "SOFTIRQ", UNIT_PCT, HAVE_HOST, false,
	      "time this CPU spends in softirq, for whatever reason", "/proc/stat",
	      "near 100: the RX CPU itself is the limit, more target CPUs do not help"),

	COUNTER(SCOPE_STAY, struct reason_count, packets, "stay_packets", NULL, UNIT_PACKETS, 0,
		true, "frames that stayed on the RX CPU, by reason", "map `counters`",
		"not_ip, too_deep: a protocol we do not read carries the load; no_slot, no_entry: "
		"load the interface again"),
	COUNTER(SCOPE_FALLBACK, struct reason_count, packets, "fallback_packets", NULL,
		UNIT_PACKETS, 0, true, "frames placed by fewer headers than they have, by reason",
		"map `counters`",
		"fragments: all of a pair of hosts go to one CPU; raise the MTU of the tunnel"),

	TARGET(sent_packets, "sent_packets", "SENT/s", UNIT_PACKETS, 0,
	       "frames sent to this CPU by the RX CPUs", SLOT_MAPS, "nothing: this is the work"),
	TARGET(sent_bytes, "sent_bytes", "BYTES/s", UNIT_BYTES, 0, "bytes of these frames",
	       SLOT_MAPS, "nothing"),
	TARGET(packets, "arrived_packets", NULL, UNIT_PACKETS, HAVE_STAGE,
	       "frames that the second-stage program saw on this CPU", "map `targets`",
	       "nothing: this is the work"),
	TARGET(bytes, "arrived_bytes", NULL, UNIT_BYTES, HAVE_STAGE, "bytes of these frames",
	       "map `targets`", "nothing"),
	TARGET_GAUGE(slots, NULL, UNIT_COUNT, true, "slots of the table that lead to this CPU",
		     "map `slots`", "nothing: set it by the weights of --cpus"),
	TARGET_GAUGE(weight_pct, NULL, UNIT_PCT, false, "its part of the slots", "map `slots`",
		     "nothing: set it by the weights of --cpus"),
	TARGET_GAUGE(share_pct, "SHARE", UNIT_PCT, false, "its part of the frames", SLOT_MAPS,
		     "far above weight_pct: a few flows are heavy; see heaviest_slot_pct"),
	TARGET_GAUGE(drops_per_s, "DROPS/s", UNIT_PACKETS, false,
		     "frames lost because its queue was full",
		     ENQUEUE_TP "; without it, what was sent minus what arrived",
		     "busy_pct near 100: add a CPU; else bursts: raise --qsize"),
	TARGET_GAUGE(drops_pct, NULL, UNIT_PCT, false, "their part of the frames sent to it",
		     ENQUEUE_TP "; without it, what was sent minus what arrived",
		     "busy_pct near 100: add a CPU; else bursts: raise --qsize"),
	TARGET_GAUGE(busy_pct, NULL, UNIT_PCT, false, "time its kthreads run",
		     "/proc/PID/schedstat", "near 100: add a CPU, or give this one less weight"),
	TARGET_GAUGE(softirq_pct, "SOFTIRQ", UNIT_PCT, false,
		     "time this CPU spends in softirq, for whatever reason", "/proc/stat",
		     "it receives, too: keep the NIC's interrupts on other CPUs"),
	TARGET_GAUGE(frames_per_skb, "FRAMES/SKB", UNIT_RATIO, false,
		     "frames merged into one skb by GRO, at least: skbs of others on this CPU "
		     "count as well",
		     "map `targets` and /proc/net/softnet_stat",
		     "growth is good: the stack is entered less often"),
	TARGET_GAUGE(heaviest_slot, NULL, UNIT_COUNT, false, "number of its heaviest slot",
		     "map `slot_state`", "nothing"),
	TARGET_GAUGE(heaviest_slot_pct, NULL, UNIT_PCT, false,
		     "the heaviest slot's part of the frames sent to this CPU", "map `slot_state`",
		     "one flow or a few carry most packets: no spreading helps them"),

	QUEUE(bulks, "enqueue_bulks", NULL, UNIT_COUNT, HAVE_ENQUEUE,
	      "flushes of up to 8 frames into the queue", ENQUEUE_TP, "nothing"),
	QUEUE(enqueue_packets, "enqueue_packets", NULL, UNIT_PACKETS, HAVE_ENQUEUE,
	      "frames offered to the queue, dropped ones included", ENQUEUE_TP, "nothing"),
	QUEUE(enqueue_drops, "enqueue_dropped_packets", NULL, UNIT_PACKETS, HAVE_ENQUEUE,
	      "frames dropped because the queue was full", ENQUEUE_TP,
	      "busy_pct near 100: add a CPU; else bursts: raise --qsize"),
	QUEUE(redirect_errors, "redirect_failed_packets", NULL, UNIT_PACKETS, HAVE_ERRORS,
	      "redirects that failed; in generic mode a full queue counts here as well",
	      "map `enqueued`, from tracepoint xdp_redirect_err",
	      "native mode: the frame does not fit a page, lower the MTU"),
	QUEUE(batches, "dequeue_batches", NULL, UNIT_COUNT, HAVE_KTHREAD,
	      "times the kthread took up to 8 frames", KTHREAD_TP, "nothing"),
	QUEUE(dequeue_packets, "dequeued_packets", NULL, UNIT_PACKETS, HAVE_KTHREAD,
	      "frames that the kthread took", KTHREAD_TP, "nothing: this is the work"),
	QUEUE(memory_drops, "memory_dropped_packets", NULL, UNIT_PACKETS, HAVE_KTHREAD,
	      "frames dropped because there was no memory for an skb", KTHREAD_TP,
	      "the machine is out of memory"),
	QUEUE(sleeps, "sleeps", "SLEEPS/s", UNIT_COUNT, HAVE_KTHREAD,
	      "times the kthread found its queue empty, or let others run", KTHREAD_TP,
	      "as many as packets: each frame wakes a thread; let the NIC coalesce interrupts"),
	QUEUE(stage_pass, "stage_passed_packets", NULL, UNIT_PACKETS, HAVE_KTHREAD,
	      "frames that the second-stage program gave to the stack", KTHREAD_TP, "nothing"),
	QUEUE(stage_drops, "stage_dropped_packets", NULL, UNIT_PACKETS, HAVE_KTHREAD,
	      "frames that the second-stage program dropped", KTHREAD_TP,
	      "`pass` drops none: an entry holds another program"),
	QUEUE(stage_redirects, "stage_redirected_packets", NULL, UNIT_PACKETS, HAVE_KTHREAD,
	      "frames that the second-stage program redirected", KTHREAD_TP,
	      "`pass` redirects none: an entry holds another program"),
	QUEUE(busy_ns, "busy_ns", NULL, UNIT_NS, HAVE_BUSY,
	      "time the kthread ran; from 0 again when a new one takes over", "/proc/PID/schedstat",
	      "a second each second is all there is: add a CPU"),
	QUEUE_GAUGE(qsize, NULL, UNIT_PACKETS, true, "frames that the queue holds", "map `cpus`",
		    "nothing: set it by --qsize"),
	QUEUE_GAUGE(bulk_average, "BULK", UNIT_RATIO, false, "frames in a flush, 8 at most",
		    ENQUEUE_TP, "growth is good: a wakeup serves more frames"),
	QUEUE_GAUGE(busy_pct, "BUSY", UNIT_PCT, false, "time the kthread runs",
		    "/proc/PID/schedstat", "near 100: add a CPU, or give this one less weight"),
	QUEUE_GAUGE(fill_packets, "FILL", UNIT_PACKETS, true,
		    "frames in the queue now: what went in minus what came out",
		    "maps `enqueued` and `dequeued`", "near qsize: it is about to drop"),

	RULE(packets, "HITS/s", UNIT_PACKETS, "frames that matched this rule, and none before it",
	     "nothing; a rule that stays at 0 matches nothing, or one before it takes it all"),
	RULE(bytes, "BYTES/s", UNIT_BYTES, "bytes of these frames", "nothing"),
	GAUGE(SCOPE_RULE, struct rule_gauges, share_pct, "SHARE", UNIT_PCT, 0, false,
	      "its part of all frames", "maps `rule_hits`, `counters`, `slot_state` and `sent`",
	      "more than its CPUs carry: give the rule more of them"),
	{ 0 },
};

static unsigned int known(const struct view *view)
{
	return view->before->have & view->now->have;
}

bool field_total(const struct field *field, const struct view *view, const struct view_row *row,
		 uint64_t *ret)
{
	if ((view->now->have & field->needs) != field->needs)
		return false;
	*ret = *(const uint64_t *)((const char *)row->now + field->offset);
	return true;
}

double field_value(const struct field *field, const struct view *view, const struct view_row *row)
{
	uint64_t before, now;
	double gauge;

	if ((known(view) & field->needs) != field->needs)
		return NAN;
	if (!field->counter) {
		memcpy(&gauge, (const char *)&row->iface + field->offset, sizeof(gauge));
		return gauge;
	}
	before = *(const uint64_t *)((const char *)row->before + field->offset);
	now = *(const uint64_t *)((const char *)row->now + field->offset);
	return view->seconds > 0 ? (double)view_growth(before, now) / view->seconds : NAN;
}

const char *field_rate(const struct field *field)
{
	static char names[sizeof(fields) / sizeof(fields[0])][48];
	char *name = names[field - fields];

	if (!*name)
		snprintf(name, sizeof(names[0]), "%s_per_s", field->name);
	return name;
}

/* Prometheus counts in base units: seconds. */
const char *field_metric(const struct field *field, char *text, size_t size)
{
	size_t stem = strlen(field->name) - (field->unit == UNIT_NS ? strlen("_ns") : 0);

	snprintf(text, size, "xdp_cpumap_%.*s", (int)stem, field->name);
	text_append(text, size, "%s%s", field->unit == UNIT_NS ? "_seconds" : "",
		    field->counter ? "_total" : "");
	return text;
}
