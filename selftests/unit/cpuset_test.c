// SPDX-License-Identifier: GPL-2.0
/* Lists of CPUs as the kernel prints them, and back. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "lib/cpuset.h"

static const struct {
	const char *text;
	int r;
	const char *again; /* what cpuset_format() makes of it */
} lists[] = {
	{ "", 0, "none" },
	{ "\n", 0, "none" },
	{ "0", 0, "0" },
	{ "0-3,8", 0, "0-3,8" },
	{ "0-1,4-5\n", 0, "0-1,4-5" },
	{ "3,1,2", 0, "1-3" },
	{ "0,1,2,4", 0, "0-2,4" },
	{ "0-7:2/4", 0, "0-1,4-5" },
	{ "0,2-7:2/4", 0, "0,2-3,6-7" },
	{ "63-64", 0, "63-64" },
	{ "8191", 0, "8191" },
	{ "0-8191", 0, "0-8191" },
	{ "8192", -ERANGE },
	{ "99999999999999999999", -ERANGE },
	{ "5-2", -EDOM },
	{ "1-", -EINVAL },
	{ "-1", -EINVAL },
	{ "a", -EINVAL },
	{ "0 1", -EINVAL },
	{ "0x1", -EINVAL },
	{ "0-7:3/2", -EINVAL },
	{ "0-7:1/0", -EINVAL },
	{ "0-7:1", -EINVAL },
};

static void lists_are_read_whole_or_not_at_all(void **state)
{
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct cpuset set = { .bits = { 42 } };
		char text[128];

		print_message("# '%s'\n", lists[i].text);
		assert_int_equal(cpuset_parse(lists[i].text, &set), lists[i].r);
		if (lists[i].r < 0)
			assert_int_equal(set.bits[0], 42); /* left alone */
		else
			assert_string_equal(cpuset_format(&set, text, sizeof(text)),
					    lists[i].again);
	}
}

static void members_come_and_go(void **state)
{
	struct cpuset set = { 0 };

	cpuset_add(&set, 0);
	cpuset_add(&set, 63);
	cpuset_add(&set, 64);
	cpuset_add(&set, 8191);
	assert_int_equal(cpuset_count(&set), 4);
	assert_true(cpuset_has(&set, 64));
	assert_false(cpuset_has(&set, 65));
	assert_false(cpuset_has(&set, CPUS_MAX));
	cpuset_remove(&set, 64);
	assert_int_equal(cpuset_next(&set, 0), 0);
	assert_int_equal(cpuset_next(&set, 1), 63);
	assert_int_equal(cpuset_next(&set, 64), 8191);
	assert_int_equal(cpuset_next(&set, CPUS_MAX), CPUS_MAX);
}

static void each_member_is_visited_once_in_order(void **state)
{
	unsigned int seen = 0, last = 0;
	struct cpuset set;

	assert_int_equal(cpuset_parse("0,5,62-66,8190-8191", &set), 0);
	cpuset_for_each(&set, cpu) {
		assert_true(!seen || cpu > last);
		last = cpu;
		seen++;
	}
	assert_int_equal(seen, 9);
}

static void masks_are_read_and_written_as_sysfs_does(void **state)
{
	static const struct {
		const char *mask, *list, *again;
	} rows[] = {
		{ "0", "none", "0" },
		{ "00000000,00000000", "none", "0" },
		{ "3\n", "0-1", "3" },
		{ "0000000f", "0-3", "f" },
		{ "80000000,00000001", "0,63", "80000000,00000001" },
		{ "1,00000000,00000000", "64", "1,00000000,00000000" },
	};
	struct cpuset set;
	char text[128];

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(cpuset_parse_mask(rows[i].mask, &set), 0);
		assert_string_equal(cpuset_format(&set, text, sizeof(text)), rows[i].list);
		assert_string_equal(cpuset_format_mask(&set, text, sizeof(text)), rows[i].again);
	}
	assert_int_equal(cpuset_parse_mask("", &set), -EINVAL);
	assert_int_equal(cpuset_parse_mask("g", &set), -EINVAL);
}

static void a_list_is_cut_where_the_room_ends(void **state)
{
	struct cpuset set;
	char text[8];

	assert_int_equal(cpuset_parse("1,3,5,7,9", &set), 0);
	assert_string_equal(cpuset_format(&set, text, sizeof(text)), "1,3,5,7");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_whole_or_not_at_all),
		cmocka_unit_test(members_come_and_go),
		cmocka_unit_test(each_member_is_visited_once_in_order),
		cmocka_unit_test(masks_are_read_and_written_as_sysfs_does),
		cmocka_unit_test(a_list_is_cut_where_the_room_ends),
	};

	return cmocka_run_group_tests_name("cpuset", tests, NULL, NULL);
}
