// SPDX-License-Identifier: GPL-2.0
/* Weights to slots: exact parts, and no move that the weights do not ask for. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "plan/plan.h"

#define SLOTS 256

static unsigned int targets_of(const char *list, struct plan_target *targets)
{
	struct cpu_shares shares;
	struct reason why;

	assert_int_equal(cpu_shares_parse(list, &shares, &why), 0);
	for (unsigned int i = 0; i < shares.count; i++)
		targets[i] = (struct plan_target){ .cpu = shares.at[i].cpu,
						   .weight = shares.at[i].weight };
	return shares.count;
}

static unsigned int deal(const char *list, const struct place *old, struct place *slots)
{
	static struct plan_target targets[TARGETS_MAX];
	unsigned int count = targets_of(list, targets), empty, dealt[CPUS_MAX] = { 0 };

	assert_int_equal(slots_share(targets, count, SLOTS, &empty), 0);
	slots_deal(targets, count, old, slots, SLOTS);
	for (unsigned int i = 0; i < SLOTS; i++) {
		assert_true(slots[i].set);
		dealt[slots[i].cpu]++;
	}
	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(dealt[targets[i].cpu], targets[i].slots);
	return count;
}

/* The largest remainder: nobody is a whole slot away from his quota, and the parts add up. */
static void parts_are_exact(void **state)
{
	static const char *const lists[] = { "0",     "0-2",	   "0-1:1,2:1000", "0-6:3,7:5",
					     "0-255", "1-2:1,3:2", "0:7,1:11,2:13" };
	static struct plan_target targets[TARGETS_MAX];

	for (size_t i = 0; i < COUNT(lists); i++) {
		unsigned int count = targets_of(lists[i], targets), sum = 0, dealt = 0, empty = 99;
		int r = slots_share(targets, count, SLOTS, &empty);

		print_message("# %s\n", lists[i]);
		for (unsigned int t = 0; t < count; t++) {
			sum += targets[t].weight;
			dealt += targets[t].slots;
		}
		assert_int_equal(dealt, SLOTS);
		for (unsigned int t = 0; t < count; t++)
			assert_true(labs((long)targets[t].slots * sum -
					 (long)SLOTS * targets[t].weight) < sum);
		if (r < 0)
			assert_int_equal(targets[empty].slots, 0);
	}
}

static void nobody_is_left_without_a_slot(void **state)
{
	static struct plan_target targets[TARGETS_MAX];
	unsigned int count = targets_of("0:1,1:1000", targets), empty = 99;

	assert_int_equal(slots_share(targets, count, SLOTS, &empty), -ERANGE);
	assert_int_equal(empty, 0);
	count = targets_of("0-256", targets);
	assert_int_equal(slots_share(targets, count, SLOTS, &empty), -ERANGE);
}

static unsigned int moves(const struct place *a, const struct place *b)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < SLOTS; i++)
		count += a[i].cpu != b[i].cpu;
	return count;
}

static void only_what_must_moves(void **state)
{
	static const struct {
		const char *from, *to;
		unsigned int moves;
	} rows[] = {
		{ "0-3", "0-3", 0 },	  { "0-3", "3,2,1,0", 0 },
		{ "0-3", "0-2", 64 },	  /* those of CPU 3 */
		{ "0-2", "0-3", 64 },	  /* as many as CPU 3 gets */
		{ "0-1", "0-1:2", 0 },	  /* the same parts */
		{ "0-1", "0:1,1:3", 64 }, /* 128, 128 to 64, 192 */
		{ "0-3", "4-7", 256 },	  /* nobody stays */
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct place old[SLOTS], new[SLOTS];

		print_message("# %s to %s\n", rows[i].from, rows[i].to);
		deal(rows[i].from, NULL, old);
		deal(rows[i].to, old, new);
		assert_int_equal(moves(old, new), rows[i].moves);
	}
}

/* Neighbouring slots go to different CPUs, so that a part of the table is as even as all of it. */
static void the_targets_take_turns(void **state)
{
	struct place slots[SLOTS];
	unsigned int first[4] = { 0 };

	deal("0-3", NULL, slots);
	for (unsigned int i = 0; i < SLOTS / 4; i++)
		first[slots[i].cpu]++;
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		assert_int_equal(first[cpu], SLOTS / 16);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_exact),
		cmocka_unit_test(nobody_is_left_without_a_slot),
		cmocka_unit_test(only_what_must_moves),
		cmocka_unit_test(the_targets_take_turns),
	};

	return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
