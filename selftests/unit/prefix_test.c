// SPDX-License-Identifier: GPL-2.0
/* Prefixes as text, lists of them, and CPUs for those that name none. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "lib/prefix.h"
#include "plan/balance.h"
#include "policy/prefixes.h"

static void prefixes_are_read_whole_or_not_at_all(void **state)
{
	static const struct {
		const char *text;
		int r;
		const char *again;
	} rows[] = {
		{ "192.0.2.0/24", 0, "192.0.2.0/24" },
		{ "192.0.2.1", 0, "192.0.2.1/32" },
		{ "0.0.0.0/0", 0, "0.0.0.0/0" },
		{ "2001:DB8::/32", 0, "2001:db8::/32" },
		{ "::1", 0, "::1/128" },
		{ "::/0", 0, "::/0" },
		{ "192.0.2.1/24", -EDOM, NULL },
		{ "2001:db8::1/127", -EDOM, NULL },
		{ "192.0.2.0/33", -ERANGE, NULL },
		{ "::/129", -ERANGE, NULL },
		{ "192.0.2/24", -EINVAL, NULL },
		{ "192.0.2.0/", -EINVAL, NULL },
		{ "192.0.2.0/24 ", -EINVAL, NULL },
		{ "192.0.2.0/+24", -EINVAL, NULL },
		{ "/24", -EINVAL, NULL },
		{ "", -EINVAL, NULL },
		{ "eth0", -EINVAL, NULL },
		{ "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc", -EINVAL, NULL },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct prefix prefix;
		char text[64];

		print_message("# '%s'\n", rows[i].text);
		assert_int_equal(prefix_parse(rows[i].text, &prefix), rows[i].r);
		if (rows[i].again)
			assert_string_equal(prefix_format(&prefix, text, sizeof(text)),
					    rows[i].again);
	}
}

static int parse(const char *text, struct prefix_rows *ret, uint32_t *line, struct reason *why)
{
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", text);
	*ret = (struct prefix_rows){ 0 };
	return prefix_rows_parse(copy, ret, line, why);
}

static void a_list_is_sorted_and_tells_the_line_of_a_mistake(void **state)
{
	static const struct {
		const char *text;
		uint32_t line;
		const char *says;
	} wrong[] = {
		{ "10.0.0.0/8,1\nfoo\n", 2, "'foo' is no prefix" },
		{ "10.0.0.0/8,1\n\n# comment\n10.0.0.1/8,1", 4, "bits behind its length" },
		{ "10.0.0.0/8,\n", 1, "'' is no CPU" },
		{ "10.0.0.0/8,one\n", 1, "'one' is no CPU" },
		{ "10.0.0.0/8,1,2\n", 1, "'1,2' is no CPU" },
		{ "10.0.0.0/8,1\n11.0.0.0/8\n10.0.0.0/8,2\n", 3, "was in line 1 already" },
	};
	struct prefix_rows rows;
	struct reason why;
	uint32_t line;

	assert_int_equal(parse("2001:db8::/32,3\r\n 10.0.0.0/16 , 2 # two\n10.0.0.0/8\n\n", &rows,
			       &line, &why),
			 0);
	assert_int_equal(rows.count, 3);
	assert_int_equal(rows.at[0].prefix.len, 8);
	assert_int_equal(rows.at[0].cpu, CPU_UNNAMED);
	assert_int_equal(rows.at[1].cpu, 2);
	assert_true(rows.at[2].prefix.v6);
	assert_int_equal(rows.at[2].line, 1);
	prefix_rows_done(&rows);
	assert_int_equal(parse("", &rows, &line, &why), 0);
	assert_int_equal(rows.count, 0);
	prefix_rows_done(&rows);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		print_message("# %s\n", wrong[i].says);
		assert_int_not_equal(parse(wrong[i].text, &rows, &line, &why), 0);
		assert_int_equal(line, wrong[i].line);
		assert_non_null(strstr(why.text, wrong[i].says));
		assert_null(rows.at);
	}
}

static void the_least_loaded_cpu_for_its_weight_is_next(void **state)
{
	static const uint16_t weights[] = { 0, 1, 3, 0, 2 };
	uint32_t counts[5] = { 50, 10, 0, 50, 0 };

	for (int i = 0; i < 590; i++)
		balance_next(weights, counts, 5);
	assert_int_equal(counts[0], 50);
	assert_int_equal(counts[1], 100);
	assert_int_equal(counts[2], 300);
	assert_int_equal(counts[3], 50);
	assert_int_equal(counts[4], 200);
	assert_int_equal(balance_next((uint16_t[]){ 0, 0 }, counts, 2), 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes_are_read_whole_or_not_at_all),
		cmocka_unit_test(a_list_is_sorted_and_tells_the_line_of_a_mistake),
		cmocka_unit_test(the_least_loaded_cpu_for_its_weight_is_next),
	};

	return cmocka_run_group_tests_name("prefix", tests, NULL, NULL);
}
