/* SPDX-License-Identifier: GPL-2.0 */
/* Every row of rows.c through the program that the kernel runs, by BPF_PROG_TEST_RUN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <linux/bpf.h>

#include "prog/rows.h"
#include "prog/runner.h"

static struct runner runner;

/* The frame took the way out that the row names, and its flow the slot that C computes. */
static void test_row(void **state)
{
	const struct row *row = *state;
	struct flow flow = row->verdict ? (struct flow){} : flow_of(&row->flow);
	uint32_t slot = runner_slot(&runner, &flow);
	struct slot_state before = runner_slot_state(&runner, slot), after;
	struct outcome outcome;
	struct frame frame;

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
static void test_truncation(void **state)
{
	struct frame frame;

	for (size_t i = 0; i < steer_rows.count; i++) {
		frame_build(&frame, steer_rows.rows[i].layers);
		for (size_t len = 14; len < frame.len && len < 200; len++) {
			struct outcome outcome = runner_run(&runner, frame.data, len);

			assert_true(outcome.action == XDP_PASS || outcome.action == XDP_REDIRECT);
			assert_true(outcome.verdict >= 0 && outcome.fallback >= 0);
		}
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

/* A slot that moves leaves what it had sent in `sent`, and begins anew. */
static void test_slot_moves(void **state)
{
	struct sent before = runner_sent(&runner, 0), after;
	struct slot_state gone;
	struct frame frame;
	uint32_t slot = slot_hit(FRAME(ETH(), V4_OUT, TCP(1, 2)));

	frame_build(&frame, FRAME(ETH(), V4_OUT, TCP(1, 2)));
	gone = runner_slot_state(&runner, slot);
	runner_aim(&runner, slot, (struct place){ .cpu = 0, .lane = 1, .set = 1 });
	assert_int_equal(runner_run(&runner, frame.data, frame.len).verdict, VERDICT_redirected);
	after = runner_sent(&runner, 0);
	assert_int_equal(after.packets, before.packets + gone.packets);
	assert_int_equal(after.bytes, before.bytes + gone.bytes);
	assert_int_equal(runner_slot_state(&runner, slot).packets, 1);
	assert_int_equal(runner_slot_state(&runner, slot).bytes, frame.len);
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

static int group_setup(void **state)
{
	runner_open(&runner, NULL);
	return 0;
}

static int group_teardown(void **state)
{
	runner_close(&runner);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_truncation),    cmocka_unit_test(test_symmetry),
	cmocka_unit_test(test_nowhere_to_go), cmocka_unit_test(test_slot_moves),
	cmocka_unit_test(test_second_stage),
};

#define TESTS (sizeof(tests) / sizeof(tests[0]))

int main(void)
{
	struct CMUnitTest all[steer_rows.count + TESTS];

	for (size_t i = 0; i < steer_rows.count; i++)
		all[i] = (struct CMUnitTest){
			.name = steer_rows.rows[i].name,
			.test_func = test_row,
			.initial_state = (void *)&steer_rows.rows[i],
		};
	for (size_t i = 0; i < TESTS; i++)
		all[steer_rows.count + i] = tests[i];
	return _cmocka_run_group_tests("steer", all, steer_rows.count + TESTS, group_setup,
				       group_teardown);
}
