/* SPDX-License-Identifier: GPL-2.0 */
/* Two snapshots made by hand: rates, shares, and the sentences about what is wrong. */
#include "unit.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <json-c/json.h>

#include "stats/diagnose.h"
#include "stats/fields.h"
#include "stats/render.h"

/* cmocka's fail_msg() would call our fail(). */
#define wrong(...)                         \
	do {                               \
		print_error(__VA_ARGS__);  \
		print_error("\n");         \
		_fail(__FILE__, __LINE__); \
	} while (0)

#define SECOND 1000000000ull
#define HOUR (3600 * SECOND)
#define CPUS 4
#define SLOTS 256
#define HAVE_ALL                                                                                \
	(HAVE_ENQUEUE | HAVE_KTHREAD | HAVE_ERRORS | HAVE_EXCEPTIONS | HAVE_STAGE | HAVE_BUSY | \
	 HAVE_HOST | HAVE_SKBS)

/* CPU 0 receives; CPUs 1 to 3 are targets with a third of the slots each, slot 0 is CPU 1's. */
struct pair {
	struct snapshot *before, *now;
};

static void set_up(struct snapshot *snapshot)
{
	snprintf(snapshot->iface, sizeof(snapshot->iface), "eth0");
	snapshot->have = HAVE_ALL;
	for (unsigned int i = 0; i < SLOTS; i++)
		snapshot->slots[i].place = (struct place){ .cpu = 1 + i % 3, .set = 1 };
	for (unsigned int cpu = 1; cpu < CPUS; cpu++) {
		snapshot_queue(snapshot, 0, cpu)->qsize = 512;
		snapshot_queue(snapshot, 0, cpu)->pid = 100 + cpu;
	}
}

static struct pair pair_new(uint64_t gap_ns)
{
	struct pair pair = { snapshot_new(CPUS, 1, SLOTS), snapshot_new(CPUS, 1, SLOTS) };

	set_up(pair.before);
	set_up(pair.now);
	pair.before->at_ns = 5 * HOUR;
	pair.now->at_ns = pair.before->at_ns + gap_ns;
	return pair;
}

static void pair_free(struct pair pair)
{
	snapshot_free(pair.before);
	snapshot_free(pair.now);
}

/* From CPU 0 to a target through one of its slots; they all arrive. */
static void send_through(struct snapshot *snapshot, unsigned int slot, uint64_t packets)
{
	unsigned int cpu = snapshot->slots[slot].place.cpu;
	struct queue_count *queue = snapshot_queue(snapshot, 0, cpu);

	snapshot->slots[slot].packets += packets;
	snapshot->cpus[0].rx.redirected_packets += packets;
	snapshot->cpus[0].rx.redirected_bytes += 100 * packets;
	snapshot->cpus[cpu].target.sent_packets += packets;
	snapshot->cpus[cpu].target.sent_bytes += 100 * packets;
	snapshot->cpus[cpu].target.packets += packets;
	queue->bulks += packets / 8;
	queue->enqueue_packets += packets;
	queue->dequeue_packets += packets;
}

/* As many to each slot. */
static void send_evenly(struct snapshot *snapshot, uint64_t packets)
{
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		send_through(snapshot, slot, packets);
}

static void drop_at(struct snapshot *snapshot, unsigned int cpu, uint64_t packets)
{
	snapshot_queue(snapshot, 0, cpu)->enqueue_drops += packets;
	snapshot_queue(snapshot, 0, cpu)->dequeue_packets -= packets;
	snapshot->cpus[cpu].target.packets -= packets;
}

static const struct field *field_named(enum scope scope, const char *name)
{
	for (const struct field *field = fields; field->name; field++)
		if (field->scope == scope && strcmp(field->name, name) == 0)
			return field;
	wrong("there is no field '%s'", name);
	return NULL;
}

static double value(const struct view *view, enum scope scope, unsigned int cpu, const char *name)
{
	const struct view_row *row = view_find(view, scope, cpu, 0);

	assert_non_null(row);
	return field_value(field_named(scope, name), view, row);
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted) + 1e-9))
		wrong("%.12g is not %.12g", got, wanted);
}

/* The same rates whether one looks after a second or after an hour. */
static void test_rates(void **state)
{
	const uint64_t gaps[] = { SECOND, HOUR, SECOND / 10 };

	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		struct pair pair = pair_new(gaps[i]);
		double seconds = (double)gaps[i] / SECOND;
		struct view *view;

		/* Years of traffic before: the rates are of the gap alone. */
		send_evenly(pair.before, 1ull << 52);
		send_evenly(pair.now, 1ull << 52);
		send_evenly(pair.now, (uint64_t)(8000 * seconds));
		snapshot_queue(pair.now, 0, 2)->busy_ns = gaps[i] / 4;
		view = view_new(pair.before, pair.now);
		assert_near(view->seconds, seconds);
		assert_near(value(view, SCOPE_RX, 0, "redirected_packets"), 2048000);
		assert_near(value(view, SCOPE_TARGET, 1, "sent_packets"), 688000);
		assert_near(value(view, SCOPE_TARGET, 2, "sent_bytes"), 68000000);
		assert_near(value(view, SCOPE_QUEUE, 2, "dequeued_packets"), 680000);
		assert_near(value(view, SCOPE_QUEUE, 2, "busy_pct"), 25);
		assert_near(value(view, SCOPE_QUEUE, 2, "bulk_average"), 8);
		view_free(view);
		pair_free(pair);
	}
}

/* A kthread that was replaced counts from 0: what it has is what was added. */
static void test_restarted_counter(void **state)
{
	struct pair pair = pair_new(SECOND);
	struct view *view;

	snapshot_queue(pair.before, 0, 1)->busy_ns = 77 * SECOND;
	snapshot_queue(pair.now, 0, 1)->busy_ns = SECOND / 2;
	view = view_new(pair.before, pair.now);
	assert_near(value(view, SCOPE_QUEUE, 1, "busy_pct"), 50);
	view_free(view);
	pair_free(pair);
}

/* An interface that was loaded anew with more lanes and slots between two looks. */
static void test_other_shape(void **state)
{
	struct snapshot *before = snapshot_new(CPUS, 1, 64), *now = snapshot_new(CPUS, 2, SLOTS);
	struct view *view;

	set_up(now);
	before->at_ns = SECOND;
	now->at_ns = 2 * SECOND;
	snapshot_queue(now, 1, 1)->qsize = 512;
	snapshot_queue(now, 1, 1)->batches = 10;
	send_evenly(now, 10);
	view = view_new(before, now);
	assert_near(value(view, SCOPE_TARGET, 1, "sent_packets"), 860);
	assert_int_equal(view->scopes[SCOPE_QUEUE].count, 6);
	view_free(view);
	snapshot_free(before);
	snapshot_free(now);
}

static void test_no_gap(void **state)
{
	struct pair pair = pair_new(0);
	struct view *view;

	send_evenly(pair.now, 10);
	view = view_new(pair.before, pair.now);
	assert_true(isnan(value(view, SCOPE_TARGET, 1, "sent_packets")));
	assert_true(isnan(value(view, SCOPE_QUEUE, 1, "busy_pct")));
	view_free(view);
	pair_free(pair);
}

static void test_evenness(void **state)
{
	struct pair pair = pair_new(SECOND);
	struct view *view;

	send_evenly(pair.now, 100);
	view = view_new(pair.before, pair.now);
	assert_near(view->scopes[SCOPE_IFACE].rows[0].iface.evenness, 1);
	assert_near(view->scopes[SCOPE_IFACE].rows[0].iface.evenness_floor, 1);
	view_free(view);

	/* One slot carries as much as all the others: half of all for a third of the weight. */
	send_through(pair.now, 0, 25600);
	view = view_new(pair.before, pair.now);
	assert_near(view->scopes[SCOPE_IFACE].rows[0].iface.evenness_floor,
		    (25700. / 51200) / (86. / 256));
	assert_near(value(view, SCOPE_TARGET, 1, "heaviest_slot"), 0);
	assert_near(value(view, SCOPE_TARGET, 1, "heaviest_slot_pct"), 100 * 25700. / 34200);
	view_free(view);
	pair_free(pair);
}

/* Without the tracepoint: what was sent and did not arrive. Without both: unknown. */
static void test_drops_without_tracepoint(void **state)
{
	struct pair pair = pair_new(2 * SECOND);
	struct view *view;

	send_evenly(pair.now, 100);
	drop_at(pair.now, 2, 500);
	pair.now->have &= ~(unsigned int)HAVE_ENQUEUE;
	view = view_new(pair.before, pair.now);
	assert_near(value(view, SCOPE_TARGET, 2, "drops_per_s"), 250);
	assert_near(value(view, SCOPE_TARGET, 1, "drops_per_s"), 0);
	assert_true(isnan(value(view, SCOPE_QUEUE, 2, "enqueue_dropped_packets")));
	assert_true(isnan(value(view, SCOPE_QUEUE, 2, "bulk_average")));
	view_free(view);
	pair.now->have &= ~(unsigned int)HAVE_STAGE;
	view = view_new(pair.before, pair.now);
	assert_true(isnan(value(view, SCOPE_TARGET, 2, "drops_per_s")));
	view_free(view);
	pair_free(pair);
}

static void test_fill(void **state)
{
	struct pair pair = pair_new(SECOND);
	struct view *view;

	send_evenly(pair.now, 100);
	snapshot_queue(pair.now, 0, 1)->dequeue_packets -= 77;
	snapshot_queue(pair.now, 0, 2)->dequeue_packets -= 5000;
	view = view_new(pair.before, pair.now);
	assert_near(value(view, SCOPE_QUEUE, 1, "fill_packets"), 77);
	assert_near(value(view, SCOPE_QUEUE, 2, "fill_packets"), 512); /* no more than it holds */
	assert_near(value(view, SCOPE_QUEUE, 3, "fill_packets"), 0);
	view_free(view);
	pair_free(pair);
}

static void test_frames_per_skb(void **state)
{
	struct pair pair = pair_new(SECOND);
	struct view *view;

	send_evenly(pair.now, 100);
	pair.now->cpus[1].host.skbs = 860;
	pair.now->cpus[2].host.skbs = 100000;
	view = view_new(pair.before, pair.now);
	assert_near(value(view, SCOPE_TARGET, 1, "frames_per_skb"), 10);
	assert_true(isnan(value(view, SCOPE_TARGET, 2, "frames_per_skb")));
	view_free(view);
	pair_free(pair);
}

static void set_rule(struct snapshot *snapshot, unsigned int at, const char *name, uint32_t id,
		     uint64_t packets)
{
	struct rule_count *rule = &snapshot->rules[at];

	snprintf(rule->name, sizeof(rule->name), "%s", name);
	rule->id = id;
	rule->packets = packets;
	rule->bytes = 100 * packets;
	if (snapshot->rule_count <= at)
		snapshot->rule_count = at + 1;
}

/* By name and id: rules change places, and a new one may have the id of one that has gone. */
static void test_rules(void **state)
{
	struct pair pair = pair_new(SECOND);
	const double packets[] = { 640, 7, 2000 };
	struct view *view;

	pair.before->rules = calloc(3, sizeof(*pair.before->rules));
	pair.now->rules = calloc(3, sizeof(*pair.now->rules));
	set_rule(pair.before, 0, "dns", 3, 1000);
	set_rule(pair.before, 1, "gone", 5, 100);
	set_rule(pair.now, 0, "new", 5, 640);
	set_rule(pair.now, 1, "dns", 3, 1007);
	set_rule(pair.now, 2, "first", 9, 2000);
	send_evenly(pair.now, 25); /* 6400 frames */
	view = view_new(pair.before, pair.now);
	assert_int_equal(view->scopes[SCOPE_RULE].count, 3);
	for (unsigned int i = 0; i < 3; i++) {
		const struct view_row *row = &view->scopes[SCOPE_RULE].rows[i];

		assert_string_equal(row->rule, pair.now->rules[i].name);
		assert_near(field_value(field_named(SCOPE_RULE, "rule_packets"), view, row),
			    packets[i]);
		assert_near(field_value(field_named(SCOPE_RULE, "rule_bytes"), view, row),
			    100 * packets[i]);
		assert_near(row->rule_gauges.share_pct, packets[i] / 64);
	}
	view_free(view);
	pair_free(pair);
}

/* ---- the sentences --------------------------------------------------------------------- */

static void all_is_well(struct snapshot *now)
{
}

static void full_queue(struct snapshot *now)
{
	drop_at(now, 3, 1020); /* of 85000 */
	snapshot_queue(now, 0, 3)->busy_ns = SECOND * 7 / 10;
}

static void full_queue_of_an_elephant(struct snapshot *now)
{
	send_through(now, 2, 160000);
	drop_at(now, 3, 2940);
	snapshot_queue(now, 0, 3)->busy_ns = SECOND * 7 / 10;
}

static void burst(struct snapshot *now)
{
	drop_at(now, 2, 850);
	snapshot_queue(now, 0, 2)->busy_ns = SECOND / 10;
}

static void no_time(struct snapshot *now)
{
	drop_at(now, 2, 8500);
	snapshot_queue(now, 0, 2)->busy_ns = SECOND * 99 / 100;
}

static void no_memory(struct snapshot *now)
{
	snapshot_queue(now, 0, 2)->memory_drops = 7;
}

static void large_frames(struct snapshot *now)
{
	snapshot_queue(now, 0, 2)->redirect_errors = 9;
}

/* Generic mode: each drop is an error as well, and one sentence is enough. */
static void generic_drops(struct snapshot *now)
{
	burst(now);
	snapshot_queue(now, 0, 2)->redirect_errors = 850;
}

static void broken_driver(struct snapshot *now)
{
	now->cpus[0].rx.exceptions = 3;
}

static void busy_rx(struct snapshot *now)
{
	now->cpus[0].host = (struct host_count){ .softirq_ticks = 97, .all_ticks = 100 };
}

static void busy_target(struct snapshot *now)
{
	snapshot_queue(now, 0, 1)->busy_ns = SECOND * 95 / 100;
}

static void lost_entry(struct snapshot *now)
{
	now->cpus[0].rx.stays[VERDICT_no_entry] = 12;
	now->cpus[0].rx.stay_packets = 12;
}

static void unread_protocol(struct snapshot *now)
{
	now->cpus[0].rx.stays[VERDICT_not_ip] = 900000;
	now->cpus[0].rx.stays[VERDICT_arp] = 100000;
	now->cpus[0].rx.stay_packets = 1000000;
}

static void uneven(struct snapshot *now)
{
	for (unsigned int slot = 0; slot < SLOTS; slot += 3)
		send_through(now, slot, 2500);
}

static void elephant(struct snapshot *now)
{
	send_through(now, 1, 2000000);
}

static void shared_cpu(struct snapshot *now)
{
	now->cpus[1].rx.redirected_packets = 200000;
}

static void dead_kthread(struct snapshot *now)
{
	snapshot_queue(now, 0, 2)->pid = 0;
}

static const struct {
	const char *name;
	void (*what)(struct snapshot *now);
	const char *kind;  /* of the first finding; NULL: none */
	const char *text;  /* part of it */
	unsigned int more; /* findings behind it */
} rows[] = {
	{ "all is well", all_is_well, NULL, NULL },
	{ "a full queue", full_queue, "drops",
	  "CPU 3 drops 1.2 % at enqueue: raise --qsize or add a CPU" },
	{ "a full queue by one slot", full_queue_of_an_elephant, "drops",
	  "add a CPU; one slot carries 66 % of it, which no table can split", 1 },
	{ "bursts", burst, "drops", "bursts: raise --qsize" },
	{ "no time left", no_time, "drops", "no time left: add a CPU" },
	{ "no memory", no_memory, "memory", "CPU 2 lost 7 frames" },
	{ "large frames", large_frames, "redirect", "9 redirects to CPU 2 failed" },
	{ "a full queue in generic mode", generic_drops, "drops", "CPU 2 drops 1.0 %" },
	{ "a broken driver", broken_driver, "exceptions", "CPU 0 lost 3 frames" },
	{ "a busy RX CPU", busy_rx, "rx_full", "RX CPU 0 spends 97 %" },
	{ "a busy target CPU", busy_target, "target_full", "CPU 1 is 95 % busy" },
	{ "an entry was deleted", lost_entry, "no_target", "12 frames found no target" },
	{ "a protocol we do not read", unread_protocol, "stays", "90 % of them as not_ip" },
	{ "an uneven table", uneven, "uneven", "CPU 1 carries 1.9 times its part" },
	{ "an elephant", elephant, "heavy_slot", "slot 1 alone" },
	{ "a CPU for both", shared_cpu, "shared", "CPU 1 both receives and is a target" },
	{ "a dead kthread", dead_kthread, "no_kthread", "CPU 2 has a queue and no kthread" },
};

static void test_sentences(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pair pair = pair_new(SECOND);
		struct finding findings[FINDINGS_MAX];
		unsigned int count;
		struct view *view;

		send_evenly(pair.now, 1000);
		rows[i].what(pair.now);
		view = view_new(pair.before, pair.now);
		count = diagnose(view, findings);
		if (!rows[i].kind && count)
			wrong("%s: '%s'", rows[i].name, findings[0].text);
		if (rows[i].kind && (!count || strcmp(findings[0].kind, rows[i].kind) != 0 ||
				     !strstr(findings[0].text, rows[i].text)))
			wrong("%s: '%s', not '%s'", rows[i].name,
			      count ? findings[0].text : "nothing", rows[i].text);
		if (count > 1 + rows[i].more)
			wrong("%s: and '%s'", rows[i].name, findings[count - 1].text);
		view_free(view);
		pair_free(pair);
	}
}

/* ---- the renderers --------------------------------------------------------------------- */

/* Each number is explained, and no two have the same name. */
static void test_fields(void **state)
{
	char mine[96], other[96];

	for (const struct field *field = fields; field->name; field++) {
		assert_true(strlen(field->help) > 5);
		assert_true(strlen(field->where) > 5);
		assert_true(strlen(field->act) > 5);
		for (const struct field *next = field + 1; next->name; next++) {
			if (next->scope == field->scope)
				assert_string_not_equal(next->name, field->name);
			if (next->exported && field->exported)
				assert_string_not_equal(field_metric(field, mine, sizeof(mine)),
							field_metric(next, other, sizeof(other)));
		}
	}
}

static void test_unknown_is_null(void **state)
{
	struct pair pair = pair_new(SECOND);
	struct json_object *json, *queues, *drops;
	struct view *view;

	pair.now->have = 0;
	send_evenly(pair.now, 1);
	view = view_new(pair.before, pair.now);
	json = render_json(view);
	assert_true(json_object_object_get_ex(json, "queues", &queues));
	assert_true(json_object_object_get_ex(json_object_array_get_idx(queues, 0),
					      "enqueue_dropped_packets", &drops));
	assert_null(drops);
	json_object_put(json);
	view_free(view);
	pair_free(pair);
}

static double render_large(const struct snapshot *before, const struct snapshot *now)
{
	struct timespec from, to;
	struct json_object *json;
	struct view *view;

	clock_gettime(CLOCK_MONOTONIC, &from);
	view = view_new(before, now);
	json = render_json(view);
	assert_non_null(json_object_to_json_string(json));
	clock_gettime(CLOCK_MONOTONIC, &to);
	json_object_put(json);
	view_free(view);
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

/* 64 of 256 CPUs receive, all are targets. The sanitizers make it several times slower. */
static void test_large(void **state)
{
	struct snapshot *before = snapshot_new(256, 1, 1024), *now = snapshot_new(256, 1, 1024);
	double least = INFINITY;

	now->have = HAVE_ALL;
	now->at_ns = SECOND;
	for (unsigned int i = 0; i < 1024; i++)
		now->slots[i].place = (struct place){ .cpu = (uint16_t)(i % 256), .set = 1 };
	for (unsigned int cpu = 0; cpu < 256; cpu++)
		snapshot_queue(now, 0, cpu)->qsize = 512;
	for (unsigned int cpu = 0; cpu < 64; cpu++)
		now->cpus[cpu].rx.redirected_packets = 1000;
	for (int i = 0; i < 5; i++)
		least = fmin(least, render_large(before, now));
	printf("# stats --json of 256 CPUs: %.1f ms, with the sanitizers\n", least);
	assert_true(least < 250);
	snapshot_free(before);
	snapshot_free(now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),	    cmocka_unit_test(test_restarted_counter),
		cmocka_unit_test(test_other_shape), cmocka_unit_test(test_no_gap),
		cmocka_unit_test(test_evenness),    cmocka_unit_test(test_drops_without_tracepoint),
		cmocka_unit_test(test_fill),	    cmocka_unit_test(test_frames_per_skb),
		cmocka_unit_test(test_rules),	    cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_fields),	    cmocka_unit_test(test_unknown_is_null),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
