// SPDX-License-Identifier: GPL-2.0
/* The config file to a policy: what a line may be, and what is wrong with one, and where. */
#include <string.h>

#include "unit.h"
#include "policy/config.h"
#include "policy/options.h"

static int parse(const char *text, size_t size, struct policy *policy, struct config_fault *fault)
{
	/* Exactly as large as promised, for the sanitizer to watch. */
	char *copy = malloc(size + 1);
	int r;

	assert_non_null(copy);
	memcpy(copy, text, size);
	copy[size] = '\0';
	r = config_parse(copy, size, policy, fault);
	free(copy);
	return r;
}

static void lines_become_a_policy(void **state)
{
	static const char text[] = "# a comment\n"
				   "\n"
				   "cpus = 1-2:1,3:2   # behind a value\n"
				   "  qsize=64\r\n"
				   "mode\t=\tskb\n"
				   "second-stage = none\n"
				   "dispatcher = no\n"
				   "force = yes";
	struct config_fault fault;
	struct policy policy;

	assert_int_equal(parse(text, strlen(text), &policy, &fault), 0);
	assert_int_equal(policy.cpus.count, 3);
	assert_int_equal(policy.cpus.at[2].weight, 2);
	assert_int_equal(policy.qsize, 64);
	assert_int_equal(policy.mode, MODE_SKB);
	assert_int_equal(policy.dispatcher, ASK_NO);
	assert_true(policy.no_second_stage);
	assert_true(policy.force);
}

static void long_lists_go_over_lines(void **state)
{
	static const struct {
		const char *text;
		unsigned int count;
	} rows[] = {
		{ "cpus = 0,\\\n1,\\\n2\n", 3 },
		{ "cpus = 0, \\\n    1, \\   # the first die\n    8-11\n", 6 },
		{ "cpus = \\\n0\n", 1 },
		{ "cpus \\\n = 0\n", 1 },
		{ "cpus = 0\\", 1 },
		{ "cpus = 0,\\\r\n1\r\n", 2 },
		{ "# a comment is not joined \\\ncpus = 0\n", 1 },
		{ "cpus = 0 \\\n# nor is one joined to\n", 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct config_fault fault;
		struct policy policy;

		print_message("# row %zu\n", i);
		assert_int_equal(parse(rows[i].text, strlen(rows[i].text), &policy, &fault), 0);
		assert_int_equal(policy.cpus.count, rows[i].count);
	}
}

static void a_list_may_be_as_long_as_the_machine_is_wide(void **state)
{
	char *text = malloc(TARGETS_MAX * 16), *at = text;
	struct config_fault fault;
	struct policy policy;

	assert_non_null(text);
	at += sprintf(at, "cpus = 0");
	for (unsigned int cpu = 1; cpu < TARGETS_MAX; cpu++)
		at += sprintf(at, ",%u:3", cpu);
	assert_int_equal(parse(text, (size_t)(at - text), &policy, &fault), 0);
	assert_int_equal(policy.cpus.count, TARGETS_MAX);
	free(text);
}

#define TEXT(literal) literal, sizeof(literal) - 1

static void mistakes_are_named_with_their_line(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		unsigned int line;
		const char *about, *says;
	} rows[] = {
		{ TEXT("cpsu = 1"), 1, NULL, "no setting 'cpsu'; did you mean 'cpus'?" },
		{ TEXT("\n\nsecond_stage = none"), 3, NULL, "did you mean 'second-stage'?" },
		{ TEXT("xyzzy = 1"), 1, NULL, "no setting 'xyzzy'" },
		{ TEXT("--cpus = 1"), 1, NULL, "no setting '--cpus'; did you mean 'cpus'?" },
		{ TEXT("json = yes"), 1, NULL, "'json' is for the command line alone" },
		{ TEXT("config = x"), 1, NULL, "'config' is for the command line alone" },
		{ TEXT("netns = x"), 1, NULL, "'netns' is for the command line alone" },
		{ TEXT("cpus 1"), 1, NULL, "'cpus 1' is no setting" },
		{ TEXT("[eth0]"), 1, NULL, "'[eth0]' is no setting" },
		{ TEXT("= 1"), 1, NULL, "'= 1' is no setting" },
		{ TEXT("qsize = 1\n# \nqsize = 2"), 3, NULL, "'qsize' was set in line 1 already" },
		{ TEXT("qsize = 0"), 1, "qsize", "'0': a queue holds" },
		{ TEXT("qsize ="), 1, "qsize", "'': a queue holds" },
		{ TEXT("mode = fast"), 1, "mode", "'fast' is not one of auto, native, skb" },
		{ TEXT("force = 1"), 1, "force", "'1' is neither yes nor no" },
		{ TEXT("qsize = 1\ncpus = 0,\\\n\\\n0"), 2, "cpus", "CPU 0 is named twice" },
		{ TEXT("cpus = 0, 1"), 1, "cpus", "missing at ' 1'" },
		{ TEXT("qsize = 1\n\0"), 2, NULL, "no text" },
		{ TEXT("qs\0ize = 1"), 1, NULL, "no text" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct policy policy = { .qsize = 7 };
		struct config_fault fault;

		assert_int_equal(parse(rows[i].text, rows[i].size, &policy, &fault), -E_USAGE);
		print_message("# %u: %s\n", fault.line, fault.why.text);
		assert_int_equal(fault.line, rows[i].line);
		assert_non_null(strstr(fault.why.text, rows[i].says));
		if (rows[i].about)
			assert_string_equal(fault.about->name, rows[i].about);
		else
			assert_null(fault.about);
		assert_int_equal(policy.qsize, 7); /* left alone */
	}
}

static void an_empty_file_is_the_default(void **state)
{
	static const struct policy defaults;
	struct config_fault fault;
	struct policy policy;

	assert_int_equal(parse(TEXT(""), &policy, &fault), 0);
	assert_memory_equal(&policy, &defaults, sizeof(policy));
	assert_int_equal(parse(TEXT("\n\n"), &policy, &fault), 0);
}

/* The example, as it is and with each `#key = value` made one. */
static void the_example_has_every_key_and_its_default(void **state)
{
	static const struct policy defaults;
	struct config_fault fault;
	struct policy policy;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	config_example(out);
	fclose(out);
	assert_int_equal(parse(text, size, &policy, &fault), 0);
	assert_memory_equal(&policy, &defaults, sizeof(policy));
	for (const struct option_row *row = option_rows; row->name; row++) {
		char setting[64];

		snprintf(setting, sizeof(setting), "\n#%s = ", row->name);
		if (!(row->verbs & VERB_LOAD) || row->verbs & ONE_RUN)
			assert_null(strstr(text, setting));
		else
			assert_non_null(strstr(text, setting));
	}
	for (char *at = text; (at = strstr(at, "\n#")); at++)
		if (at[2] != ' ' && at[2] != '\n')
			at[1] = ' ';
	assert_int_equal(parse(text, size, &policy, &fault), 0);
	/* Each was set in a line of its own, to what it is without. */
	memset(policy.lines, 0, sizeof(policy.lines));
	assert_memory_equal(&policy, &defaults, sizeof(policy));
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_a_policy),
		cmocka_unit_test(long_lists_go_over_lines),
		cmocka_unit_test(a_list_may_be_as_long_as_the_machine_is_wide),
		cmocka_unit_test(mistakes_are_named_with_their_line),
		cmocka_unit_test(an_empty_file_is_the_default),
		cmocka_unit_test(the_example_has_every_key_and_its_default),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
