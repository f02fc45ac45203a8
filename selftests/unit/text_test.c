// SPDX-License-Identifier: GPL-2.0
/* Text to numbers and words. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "lib/text.h"

static void numbers_are_read_whole_or_not_at_all(void **state)
{
	static const struct {
		const char *text;
		uint32_t max;
		int r;
		uint32_t value;
	} rows[] = {
		{ "0", 10, 0, 0 },
		{ "10", 10, 0, 10 },
		{ "11", 10, -ERANGE },
		{ "4294967295", UINT32_MAX, 0, UINT32_MAX },
		{ "4294967296", UINT32_MAX, -ERANGE },
		{ "18446744073709551617", UINT32_MAX, -ERANGE },
		{ "007", 10, 0, 7 },
		{ "", 10, -EINVAL },
		{ " 1", 10, -EINVAL },
		{ "1 ", 10, -EINVAL },
		{ "+1", 10, -EINVAL },
		{ "-1", 10, -EINVAL },
		{ "0x1", 10, -EINVAL },
		{ "1k", 10, -EINVAL },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		uint32_t value = 4711;

		print_message("# '%s'\n", rows[i].text);
		assert_int_equal(text_to_u32(rows[i].text, rows[i].max, &value), rows[i].r);
		assert_int_equal(value, rows[i].r < 0 ? 4711 : rows[i].value);
	}
}

static void taking_a_number_stops_behind_it(void **state)
{
	const char *text = "12:3";
	uint32_t value;

	assert_int_equal(text_take_u32(&text, 100, &value), 0);
	assert_int_equal(value, 12);
	assert_string_equal(text, ":3");
	assert_int_equal(text_take_u32(&text, 100, &value), -EINVAL);
	assert_string_equal(text, ":3");
}

static void words_are_found_whole(void **state)
{
	static const char *const words[] = { "pass", "none", NULL };

	assert_int_equal(text_in("none", words), 1);
	assert_int_equal(text_in("non", words), -EINVAL);
	assert_int_equal(text_in("", words), -EINVAL);
	assert_true(text_starts("rx-vlan", "rx-"));
	assert_false(text_starts("rx", "rx-"));
}

static void lines_and_words_are_cut_off(void **state)
{
	char text[] = "one  two\n\n\tthree\n", *rest = text, *line;

	line = text_next_line(&rest);
	assert_string_equal(text_next_word(&line), "one");
	assert_string_equal(text_next_word(&line), "two");
	assert_null(text_next_word(&line));
	assert_string_equal(text_next_line(&rest), "");
	line = text_next_line(&rest);
	assert_string_equal(text_next_word(&line), "three");
	assert_null(text_next_line(&rest));
	rest = NULL;
	assert_null(text_next_line(&rest));
}

static void appending_never_leaves_the_room(void **state)
{
	char text[8] = "ab";

	text_append(text, sizeof(text), "%s", "cd");
	assert_string_equal(text, "abcd");
	text_append(text, sizeof(text), "%d", 56789);
	assert_string_equal(text, "abcd567");
	text_append(text, sizeof(text), "more");
	assert_string_equal(text, "abcd567");
}

static void distance_counts_mistypings(void **state)
{
	assert_int_equal(text_distance("load", "load"), 0);
	assert_int_equal(text_distance("load", "laod"), 1);
	assert_int_equal(text_distance("load", "lod"), 1);
	assert_int_equal(text_distance("load", "loadd"), 1);
	assert_int_equal(text_distance("load", "lead"), 1);
	assert_int_equal(text_distance("status", "unload"), 6);
	assert_int_equal(text_distance("", "abc"), 3);
	assert_true(text_distance("a word that is longer than any option of ours", "load") > 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
		cmocka_unit_test(taking_a_number_stops_behind_it),
		cmocka_unit_test(words_are_found_whole),
		cmocka_unit_test(lines_and_words_are_cut_off),
		cmocka_unit_test(appending_never_leaves_the_room),
		cmocka_unit_test(distance_counts_mistypings),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
