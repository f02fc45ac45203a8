// SPDX-License-Identifier: GPL-2.0
/* The command line to a policy: CPU lists with weights, options, what is wrong with them. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "policy/options.h"

static void lists_of_cpus_carry_weights(void **state)
{
	struct cpu_shares shares;
	struct reason why;

	assert_int_equal(cpu_shares_parse("1-2:1,3:2", &shares, &why), 0);
	assert_int_equal(shares.count, 3);
	assert_int_equal(shares.at[1].cpu, 2);
	assert_int_equal(shares.at[1].weight, 1);
	assert_int_equal(shares.at[2].cpu, 3);
	assert_int_equal(shares.at[2].weight, 2);
	assert_int_equal(cpu_shares_parse("3,1,2", &shares, &why), 0);
	assert_int_equal(shares.at[0].cpu, 3); /* in the order given */
	assert_int_equal(cpu_shares_parse("0-7:2", &shares, &why), 0);
	assert_int_equal(shares.count, 8);
	assert_int_equal(shares.at[7].weight, 2);
	assert_int_equal(cpu_shares_parse("auto", &shares, &why), 0);
	assert_int_equal(shares.count, 0);
	assert_int_equal(cpu_shares_parse("0-1023", &shares, &why), 0);
	assert_int_equal(shares.count, TARGETS_MAX);
}

static void bad_lists_are_told_apart(void **state)
{
	static const struct {
		const char *text;
		int r;
		const char *says;
	} rows[] = {
		{ "", -EINVAL, "empty" },
		{ "0,0", -EINVAL, "CPU 0 is named twice" },
		{ "0-3,2", -EINVAL, "CPU 2 is named twice" },
		{ "3-1", -EINVAL, "ends before it begins" },
		{ "9999", -ERANGE, "no CPU number" },
		{ "0-99999999999", -ERANGE, "no CPU number" },
		{ "0-1024", -ERANGE, "more than 1024" },
		{ "0:0", -ERANGE, "a weight is 1 to 1000" },
		{ "0:1001", -ERANGE, "a weight is 1 to 1000" },
		{ "0:", -EINVAL, "a weight is 1 to 1000" },
		{ "0,", -EINVAL, "missing" },
		{ "-1", -EINVAL, "missing" },
		{ "all", -EINVAL, "missing" },
		{ "0;1", -EINVAL, "cannot read ';1'" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct cpu_shares shares = { .count = 7 };
		struct reason why;

		print_message("# '%s'\n", rows[i].text);
		assert_int_equal(cpu_shares_parse(rows[i].text, &shares, &why), rows[i].r);
		assert_non_null(strstr(why.text, rows[i].says));
		assert_int_equal(shares.count, 7);
	}
}

static int read_args(unsigned int verb, const char *words, struct policy *policy,
		     struct reason *why)
{
	const struct option_row *about;
	char text[256], *argv[16];
	int argc = 0;

	snprintf(text, sizeof(text), "%s", words);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	why->text[0] = '\0';
	return policy_read_args(verb, true, argc, argv, policy, &about, why);
}

static void words_become_a_policy(void **state)
{
	struct policy policy;
	struct reason why;

	assert_int_equal(read_args(VERB_LOAD,
				   "load --cpus 1-3 eth0 --qsize=64 --mode skb --second-stage none "
				   "--dispatcher no --json",
				   &policy, &why),
			 0);
	assert_string_equal(policy.iface, "eth0");
	assert_int_equal(policy.cpus.count, 3);
	assert_int_equal(policy.qsize, 64);
	assert_int_equal(policy.mode, MODE_SKB);
	assert_int_equal(policy.dispatcher, ASK_NO);
	assert_true(policy.no_second_stage);
	assert_true(policy.json);
	assert_false(policy.dry_run);
}

static void bad_words_are_named(void **state)
{
	static const struct {
		unsigned int verb;
		const char *words, *says;
	} rows[] = {
		{ VERB_LOAD, "load", "which interface" },
		{ VERB_LOAD, "load eth0 eth1", "what is 'eth1'" },
		{ VERB_LOAD, "load eth0 --cpsu", "did you mean --cpus?" },
		{ VERB_LOAD, "load eth0 --qsize 0", "1 to 16384" },
		{ VERB_LOAD, "load eth0 --mode fast", "auto, native, skb" },
		{ VERB_LOAD, "load eth0 --cpus", "--cpus needs a value" },
		{ VERB_LOAD, "load eth0 -x", "-x" },
		{ VERB_LOAD, "load a/b", "not the name of an interface" },
		{ VERB_LOAD, "load a:b", "not the name of an interface" },
		{ VERB_LOAD, "load ..", "not the name of an interface" },
		{ VERB_LOAD, "load sixteen-letters-", "not the name of an interface" },
		{ VERB_UNLOAD, "unload eth0 --qsize 64", "unload does not know" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct policy policy;
		struct reason why;

		assert_int_equal(read_args(rows[i].verb, rows[i].words, &policy, &why), -E_USAGE);
		print_message("# %s: %s\n", rows[i].words, why.text);
		assert_non_null(strstr(why.text, rows[i].says));
	}
}

static void each_option_is_complete(void **state)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		print_message("# --%s\n", row->name);
		assert_ptr_equal(option_find(row->name, row->verbs), row);
		assert_non_null(row->help);
		assert_non_null(row->set);
		assert_true(row->verbs);
	}
	assert_null(option_find("qsize", VERB_STATUS));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_cpus_carry_weights),
		cmocka_unit_test(bad_lists_are_told_apart),
		cmocka_unit_test(words_become_a_policy),
		cmocka_unit_test(bad_words_are_named),
		cmocka_unit_test(each_option_is_complete),
	};

	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
