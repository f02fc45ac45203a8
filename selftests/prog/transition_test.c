/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program of a transition: a flow that has another slot by the new hash
 * keeps to that of before until nothing of it is on the way there.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <netinet/in.h>
#include <cmocka.h>

#include <cpumap/hash.h>

#include "bpf/steer.skel.h"
#include "prog/rows.h"
#include "prog/runner.h"

enum { NUMBER = 7 };

/* A flow that went by slot `before`, to lane 0; slot `now` is wanted on lane 1. */
struct crossing {
	struct runner runner;
	struct frame frame;
	uint32_t before, now;
};

static const struct place lane_0 = { .set = 1 }, lane_1 = { .lane = 1, .set = 1 };

static struct slot_state state_of(const struct crossing *c, uint32_t slot)
{
	return runner_slot_here(&c->runner, slot);
}

/* What each RX CPU knows of the slot of before. */
static void set_before(struct crossing *c, struct slot_state state)
{
	int fd = bpf_map__fd(c->runner.skel->maps.slot_state);
	int cpus = libbpf_num_possible_cpus();
	struct slot_state states[cpus];

	for (int cpu = 0; cpu < cpus; cpu++)
		states[cpu] = state;
	assert_int_equal(bpf_map_update_elem(fd, &c->before, states, 0), 0);
}

static void crossing_open(struct crossing *c)
{
	struct steer_config config = {
		.in_transition = 1,
		.transition = NUMBER,
		.before = { .hash = HASH_l4 },
		.now = { .hash = HASH_siphash },
	};
	struct move_rules slow = runner_rules;
	struct flow flow = flow_of(&(struct flow_text)FLOW4(IPPROTO_TCP, 1, 2));
	const struct flow_key *key;

	runner_open(&c->runner, &config);
	slow.idle_ns = 1ULL << 60;
	runner_rule(&c->runner, &slow);
	runner_stay_here();
	frame_build(&c->frame, (struct layer[LAYERS_MAX]){ ETH(), V4, TCP(1, 2) });
	key = &c->runner.skel->data_key->flow_keys.at[0];
	c->before = flow_hash_by(&flow, key, HASH_l4) & (RUNNER_SLOTS - 1);
	c->now = flow_hash_by(&flow, key, HASH_siphash) & (RUNNER_SLOTS - 1);
	assert_int_not_equal(c->before, c->now);
	runner_aim(&c->runner, c->now, lane_1);
	set_before(c, (struct slot_state){ .packets = 5, .now = lane_0 });
}

/* Run a frame; it was redirected, by the slot of before or by that of now. */
static bool goes_by_now(struct crossing *c)
{
	uint64_t before = state_of(c, c->before).packets, now = state_of(c, c->now).packets;

	assert_int_equal(runner_run(&c->runner, c->frame.data, c->frame.len).verdict,
			 VERDICT_redirected);
	before = state_of(c, c->before).packets - before;
	now = state_of(c, c->now).packets - now;
	assert_int_equal(before + now, 1);
	return now;
}

static void test_waits(void **state)
{
	struct crossing c;
	uint32_t stamp;

	crossing_open(&c);
	assert_false(goes_by_now(&c));
	assert_int_equal(runner_pending(&c.runner, c.before).transition, NUMBER);
	stamp = runner_pending(&c.runner, c.before).stamp;
	assert_int_not_equal(stamp, 0);
	/* Its last frame was seen, but GRO may still hold it. */
	runner_seen(&c.runner, c.before, stamp, 1000, 1000 + runner_rules.margin - 1);
	assert_false(goes_by_now(&c));
	stamp = runner_pending(&c.runner, c.before).stamp;
	runner_seen(&c.runner, c.before, stamp, 1000, 1000 + runner_rules.margin);
	assert_true(goes_by_now(&c));
	assert_int_equal(state_of(&c, c.now).now.lane, 1);
	assert_int_equal(state_of(&c, c.before).transition, NUMBER);
	assert_int_equal(runner_moves(&c.runner).committed, 1);
	assert_int_equal(runner_moves(&c.runner).forced, 0);
	/* It does not go back. */
	assert_true(goes_by_now(&c));
	assert_int_equal(state_of(&c, c.before).packets, 5 + 2);
	runner_close(&c.runner);
}

static void test_told(void **state)
{
	struct slot told = { .want = lane_0, .flags = SLOT_SETTLED };
	struct crossing c;

	crossing_open(&c);
	runner_want(&c.runner, c.before, told);
	assert_true(goes_by_now(&c));
	assert_int_equal(runner_moves(&c.runner).committed, 1);
	runner_close(&c.runner);

	/* What it sent in the transition, nobody could tell of. */
	crossing_open(&c);
	assert_false(goes_by_now(&c));
	runner_want(&c.runner, c.before, told);
	assert_false(goes_by_now(&c));
	told.flags = SLOT_DISSOLVE;
	runner_want(&c.runner, c.before, told);
	assert_true(goes_by_now(&c));
	assert_int_equal(runner_moves(&c.runner).forced, 1);
	runner_close(&c.runner);
}

static void test_same_place(void **state)
{
	struct crossing c;

	crossing_open(&c);
	runner_aim(&c.runner, c.now, lane_0);
	assert_true(goes_by_now(&c));
	/* A slot that is on its way is elsewhere, whatever it wants. */
	runner_aim(&c.runner, c.before, lane_1);
	runner_aim(&c.runner, c.now, lane_1);
	assert_false(goes_by_now(&c));
	runner_close(&c.runner);
}

static void test_first_frame(void **state)
{
	struct crossing c;

	crossing_open(&c);
	set_before(&c, (struct slot_state){});
	assert_true(goes_by_now(&c));
	assert_int_equal(runner_moves(&c.runner).committed, 0);
	runner_close(&c.runner);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		{ .name = "a flow waits on its slot of before for its last frame",
		  .test_func = test_waits },
		{ .name = "told that all was delivered, or to go, it goes",
		  .test_func = test_told },
		{ .name = "to the same place it goes at once", .test_func = test_same_place },
		{ .name = "where nothing was sent, nothing is waited for",
		  .test_func = test_first_frame },
	};

	return cmocka_run_group_tests_name("transition", tests, NULL, NULL);
}
