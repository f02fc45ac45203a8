/* SPDX-License-Identifier: GPL-2.0 */
/* Every row of rows.c through the program that the kernel runs, by BPF_PROG_TEST_RUN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bpf.h>

#include "prog/rows.h"
#include "prog/runner.h"

static struct runner runner;

/* A row, and what steer has to be loaded with for it. */
struct sample {
	const struct row *row;
	struct steer_config config;
};

/* Loading takes a while: rows of one configuration stand together, and share it. */
static void load_for(const struct steer_config *config)
{
	static struct steer_config loaded;

	if (runner.skel && memcmp(&loaded, config, sizeof(loaded)) == 0)
		return;
	if (runner.skel)
		runner_close(&runner);
	loaded = *config;
	runner_open(&runner, config);
}

/* The frame took the way out that the row names, and its flow the slot that C computes. */
static void test_row(void **state)
{
	const struct sample *sample = *state;
	const struct row *row = sample->row;
	struct flow flow = row->verdict ? (struct flow){} : flow_of(&row->flow);
	struct slot_state before, after;
	struct outcome outcome;
	struct frame frame;
	uint32_t slot;

	load_for(&sample->config);
	slot = runner_slot(&runner, &flow);
	before = runner_slot_state(&runner, slot);
	frame_build(&frame, row->layers);
	outcome = runner_run(&runner, frame.data, frame.len);
	assert_int_equal(outcome.action, row->verdict ? XDP_PASS : XDP_REDIRECT);
	assert_int_equal(outcome.verdict, row->verdict);
	assert_int_equal(outcome.fallback, row->fallback);
	after = runner_slot_state(&runner, slot);
	assert_int_equal(after.packets, before.packets + !row->verdict);
	assert_int_equal(after.bytes, before.bytes + (row->verdict ? 0 : frame.len));
}

/* Cut anywhere, a frame is redirected or stays; nothing else, and always counted. */
static void test_cut(void **state)
{
	const struct sample *sample = *state;
	struct frame frame;

	load_for(&sample->config);
	frame_build(&frame, sample->row->layers);
	for (size_t len = 14; len < frame.len && len < 250; len++) {
		struct outcome outcome = runner_run(&runner, frame.data, len);

		assert_true(outcome.action == XDP_PASS || outcome.action == XDP_REDIRECT);
		assert_true(outcome.verdict >= 0 && outcome.fallback >= 0);
	}
}

static uint32_t slot_hit(const struct layer *layers)
{
	uint64_t before[RUNNER_SLOTS];
	struct frame frame;
	uint32_t slot;

	for (slot = 0; slot < RUNNER_SLOTS; slot++)
		before[slot] = runner_slot_state(&runner, slot).packets;
	frame_build(&frame, layers);
	assert_int_equal(runner_run(&runner, frame.data, frame.len).verdict, VERDICT_redirected);
	for (slot = 0; slot < RUNNER_SLOTS; slot++)
		if (runner_slot_state(&runner, slot).packets != before[slot])
			break;
	return slot;
}

#define V4_OUT IPV4("10.0.0.1", "10.9.8.7")
#define V4_BACK IPV4("10.9.8.7", "10.0.0.1")
#define V6_OUT IPV6("2001:db8::1", "fe80::2")
#define V6_BACK IPV6("fe80::2", "2001:db8::1")

/* Both directions of a connection, and nothing more, share a slot. */
static void test_symmetry(void **state)
{
	assert_int_equal(slot_hit(FRAME(ETH(), V4_OUT, TCP(1000, 80))),
			 slot_hit(FRAME(ETH(), V4_BACK, TCP(80, 1000))));
	assert_int_equal(slot_hit(FRAME(ETH(), V6_OUT, UDP(1000, 80))),
			 slot_hit(FRAME(ETH(), V6_BACK, UDP(80, 1000))));
	assert_int_not_equal(slot_hit(FRAME(ETH(), V4_OUT, TCP(1000, 80))),
			     slot_hit(FRAME(ETH(), V4_OUT, TCP(80, 1000))));
	assert_int_not_equal(slot_hit(FRAME(ETH(), V6_OUT, TCP(1000, 80))),
			     slot_hit(FRAME(ETH(), V6_OUT, UDP(1000, 80))));
}

/* A slot without a CPU, then a CPU without an entry: the frame stays, each counted. */
static void test_nowhere_to_go(void **state)
{
	struct runner empty;
	struct frame frame;
	uint32_t slot;

	runner_open(&empty, NULL);
	frame_build(&frame, FRAME(ETH(), V4_OUT, TCP(1000, 80)));
	for (slot = 0; slot < RUNNER_SLOTS; slot++)
		runner_aim(&empty, slot, (struct place){});
	assert_int_equal(runner_run(&empty, frame.data, frame.len).verdict, VERDICT_no_slot);
	for (slot = 0; slot < RUNNER_SLOTS; slot++)
		runner_aim(&empty, slot, (struct place){ .cpu = 60000, .set = 1 });
	assert_int_equal(runner_run(&empty, frame.data, frame.len).verdict, VERDICT_no_entry);
	for (slot = 0; slot < RUNNER_SLOTS; slot++)
		assert_int_equal(runner_slot_state(&empty, slot).packets, 0);
	runner_close(&empty);
}

static const struct place lane_1 = { .cpu = 0, .lane = 1, .set = 1 };

/* A slot that is forced to move leaves what it had sent in `sent`, and begins anew. */
static void test_slot_moves(void **state)
{
	struct sent before = runner_sent(&runner, 0), after;
	struct slot_state gone;
	struct frame frame;
	uint32_t slot;

	/* Each RX CPU moves what it has sent itself. */
	runner_stay_here();
	slot = slot_hit(FRAME(ETH(), V4_OUT, TCP(1, 2)));
	frame_build(&frame, FRAME(ETH(), V4_OUT, TCP(1, 2)));
	gone = runner_slot_state(&runner, slot);
	runner_want(&runner, slot, (struct slot){ .want = lane_1, .move = 1, .flags = SLOT_FORCE });
	assert_int_equal(runner_run(&runner, frame.data, frame.len).verdict, VERDICT_redirected);
	after = runner_sent(&runner, 0);
	assert_int_equal(after.packets, before.packets + gone.packets);
	assert_int_equal(after.bytes, before.bytes + gone.bytes);
	assert_int_equal(runner_slot_state(&runner, slot).packets, 1);
	assert_int_equal(runner_slot_state(&runner, slot).bytes, frame.len);
}

/* Run a frame of the flow; whether its slot goes to lane 1 then. */
static bool goes_over(struct runner *r, const struct frame *frame, uint32_t slot)
{
	assert_int_equal(runner_run(r, frame->data, frame->len).verdict, VERDICT_redirected);
	return runner_slot_here(r, slot).now.lane == 1;
}

struct moving {
	struct runner runner;
	struct frame frame;
	uint32_t slot;
};

/* A flow on lane 0 that is wanted on lane 1, with this frame as its last; on one CPU. */
static void moving_open(struct moving *m, uint32_t stamps)
{
	struct move_rules rules = runner_rules;

	rules.stamps = stamps;
	rules.idle_ns = 1ULL << 60;
	runner_open(&m->runner, NULL);
	runner_rule(&m->runner, &rules);
	frame_build(&m->frame, FRAME(ETH(), V4_OUT, TCP(1, 2)));
	assert_false(goes_over(&m->runner, &m->frame, 0));
	for (m->slot = 0; !runner_slot_here(&m->runner, m->slot).packets;)
		m->slot++;
	runner_want(&m->runner, m->slot, (struct slot){ .want = lane_1, .move = 1 });
	assert_false(goes_over(&m->runner, &m->frame, m->slot));
}

/* The second stage has seen the last frame, and so many after it. */
static void test_slot_waits_for_its_last_frame(void **state)
{
	struct moving m;
	uint32_t stamp;

	moving_open(&m, 1);
	assert_false(goes_over(&m.runner, &m.frame, m.slot));
	stamp = runner_pending(&m.runner, m.slot).stamp;
	assert_int_not_equal(stamp, 0);
	/* Another stamp was seen, then the right one, but too late for GRO to have let go. */
	runner_seen(&m.runner, m.slot, stamp - (1 << 10), 1000, 1000);
	assert_false(goes_over(&m.runner, &m.frame, m.slot));
	stamp = runner_pending(&m.runner, m.slot).stamp;
	runner_seen(&m.runner, m.slot, stamp, 1000, 1000 + runner_rules.margin - 1);
	assert_false(goes_over(&m.runner, &m.frame, m.slot));
	stamp = runner_pending(&m.runner, m.slot).stamp;
	runner_seen(&m.runner, m.slot, stamp, 1000, 1000 + runner_rules.margin);
	assert_true(goes_over(&m.runner, &m.frame, m.slot));
	assert_int_equal(runner_moves(&m.runner).committed, 1);
	assert_int_equal(runner_sent(&m.runner, 0).packets, 4 + 1);
	runner_close(&m.runner);
}

/* The loader has seen the kthread asleep: after the second stage saw the frame, or long after. */
static void test_slot_trusts_a_kthread_asleep(void **state)
{
	struct moving m;
	uint32_t stamp;

	moving_open(&m, 1);
	stamp = runner_pending(&m.runner, m.slot).stamp;
	runner_seen(&m.runner, m.slot, stamp, 1000, 1001);
	runner_slept(&m.runner, &(struct asleep){ .packets = 999 });
	assert_false(goes_over(&m.runner, &m.frame, m.slot));
	stamp = runner_pending(&m.runner, m.slot).stamp;
	runner_seen(&m.runner, m.slot, stamp, 1000, 1001);
	runner_slept(&m.runner, &(struct asleep){ .packets = 1000 });
	assert_true(goes_over(&m.runner, &m.frame, m.slot));
	runner_close(&m.runner);

	moving_open(&m, 0);
	assert_int_equal(runner_pending(&m.runner, m.slot).stamp, 0);
	runner_slept(&m.runner,
		     &(struct asleep){ .sent_ns = runner_pending(&m.runner, m.slot).sent_ns });
	assert_false(goes_over(&m.runner, &m.frame, m.slot));
	runner_slept(&m.runner,
		     &(struct asleep){ .sent_ns = runner_pending(&m.runner, m.slot).sent_ns + 1 });
	assert_true(goes_over(&m.runner, &m.frame, m.slot));
	runner_close(&m.runner);
}

/* Told that all before the move was delivered, an RX CPU goes over unless it sent since. */
static void test_slot_goes_over_at_once_when_told(void **state)
{
	struct slot told = { .want = lane_1, .move = 1, .flags = SLOT_DELIVERED };
	struct moving m;

	moving_open(&m, 1);
	runner_want(&m.runner, m.slot, told);
	assert_false(goes_over(&m.runner, &m.frame, m.slot));
	told.move = 2;
	runner_want(&m.runner, m.slot, told);
	assert_true(goes_over(&m.runner, &m.frame, m.slot));
	runner_close(&m.runner);
}

/* The second stage counts on its CPU, lets all through, and takes metadata off. */
static void test_second_stage(void **state)
{
	struct target before, after;
	struct frame frame;

	frame_build(&frame, FRAME(ETH(), V4_OUT, TCP(1, 2)));
	if (runner_pass(&runner, frame.data, frame.len, 0) == RUNNER_NO_METADATA) {
		print_message("# skipped: this kernel gives a test frame no metadata (v5.14)\n");
		skip();
	}
	before = runner_target(&runner);
	assert_int_equal(runner_pass(&runner, frame.data, frame.len, 0), XDP_PASS);
	assert_int_equal(runner_pass(&runner, frame.data, frame.len, 8), XDP_PASS);
	after = runner_target(&runner);
	assert_int_equal(after.packets, before.packets + 2);
	assert_int_equal(after.bytes, before.bytes + 2 * frame.len);
}

static int load_plain(void **state)
{
	load_for(&(struct steer_config){});
	return 0;
}

static int unload(void **state)
{
	runner_close(&runner);
	return 0;
}

#define SENTENCE(text, test)                                                  \
	{                                                                     \
		.name = (text), .test_func = (test), .setup_func = load_plain \
	}

static const struct CMUnitTest others[] = {
	SENTENCE("both directions of a connection share a slot", test_symmetry),
	SENTENCE("without a place to go, frames stay and are counted", test_nowhere_to_go),
	SENTENCE("a slot that moves leaves its count behind", test_slot_moves),
	SENTENCE("the second stage counts, and takes metadata off", test_second_stage),
	SENTENCE("a slot waits until its last frame was seen", test_slot_waits_for_its_last_frame),
	SENTENCE("a kthread that slept has delivered", test_slot_trusts_a_kthread_asleep),
	SENTENCE("a slot goes over at once when told", test_slot_goes_over_at_once_when_told),
};

#define OTHERS (sizeof(others) / sizeof(others[0]))
#define SAMPLES_MAX 400

static struct sample samples[SAMPLES_MAX];
static struct CMUnitTest tests[2 * SAMPLES_MAX + OTHERS];
static size_t test_count;

static void add(const struct sample *sample, const char *table, const char *what,
		CMUnitTestFunction test)
{
	char *name = NULL;

	if (asprintf(&name, "%s: %s%s", table, sample->row->name, what) < 0)
		abort();
	tests[test_count++] = (struct CMUnitTest){
		.name = name,
		.test_func = test,
		.initial_state = (void *)sample,
	};
}

int main(void)
{
	struct sample *sample = samples;

	for (const struct table *const *table = tables; *table; table++)
		for (size_t i = 0; i < (*table)->count && sample < samples + SAMPLES_MAX; i++) {
			sample->row = &(*table)->rows[i];
			sample->config = (*table)->config;
			sample->config.dsa = dsa_tag_of(sample->row->dsa);
			add(sample, (*table)->name, "", test_row);
			add(sample, (*table)->name, ", cut anywhere", test_cut);
			sample++;
		}
	for (size_t i = 0; i < OTHERS; i++)
		tests[test_count++] = others[i];
	return _cmocka_run_group_tests("steer", tests, test_count, NULL, unload);
}
