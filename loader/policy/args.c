// SPDX-License-Identifier: GPL-2.0
/* The words of a command line to a policy. */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "policy/options.h"

static int has_arg(const struct option_row *row)
{
	if (!row->value)
		return no_argument;
	return row->value[0] == '[' ? optional_argument : required_argument;
}

const struct option_row *option_find(const char *name, unsigned int verb)
{
	for (const struct option_row *row = option_rows; row->name; row++)
		if (row->verbs & verb && strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

const struct option_row *option_near(const char *name, unsigned int verb, unsigned int except)
{
	const struct option_row *near = NULL;
	unsigned int least = 3;

	for (const struct option_row *row = option_rows; row->name; row++) {
		unsigned int distance = text_distance(row->name, name);

		if (row->verbs & verb && !(row->verbs & except) && distance < least) {
			least = distance;
			near = row;
		}
	}
	return near;
}

/* The rows of the verb, as getopt_long() wants them; val is the index + 1. */
static void make_longopts(unsigned int verb, struct option *ret)
{
	unsigned int n = 0;

	for (int i = 0; option_rows[i].name; i++)
		if (option_rows[i].verbs & verb)
			ret[n++] = (struct option){ .name = option_rows[i].name,
						    .has_arg = has_arg(&option_rows[i]),
						    .val = i + 1 };
	ret[n] = (struct option){ 0 };
}

static int unknown_option(unsigned int verb, char **argv, const char *word, struct reason *why)
{
	const struct option_row *near = option_near(word + strspn(word, "-"), verb, 0);

	return because(why, -E_USAGE, "%s does not know the option '%s'%s%s%s", argv[0], word,
		       near ? "; did you mean --" : "", near ? near->name : "", near ? "?" : "");
}

/* As dev_valid_name() of net/core/dev.c. */
static bool is_iface_name(const char *name)
{
	if (!*name || strlen(name) >= IFNAMSIZ || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	for (; *name; name++)
		if (*name == '/' || *name == ':' || isspace((unsigned char)*name))
			return false;
	return true;
}

static int take_iface(bool need_iface, int argc, char **argv, struct policy *policy,
		      struct reason *why)
{
	if (optind == argc)
		return need_iface ? because(why, -E_USAGE, "which interface? xdp-cpumap %s IFACE",
					    argv[0])
				  : 0;
	if (argc - optind > 1)
		return because(why, -E_USAGE, "%s takes one interface; what is '%s'?", argv[0],
			       argv[optind + 1]);
	if (!is_iface_name(argv[optind]))
		return because(why, -E_USAGE, "'%s' is not the name of an interface", argv[optind]);
	snprintf(policy->iface, sizeof(policy->iface), "%s", argv[optind]);
	return 0;
}

int policy_add_args(unsigned int verb, bool need_iface, int argc, char **argv,
		    struct policy *policy, const struct option_row **ret_about, struct reason *why)
{
	struct option longopts[ROWS_MAX];
	int c;

	*ret_about = NULL;
	make_longopts(verb, longopts);
	opterr = 0;
	optind = 0; /* begin anew: getopt remembers how far it was */
	while ((c = getopt_long(argc, argv, ":", longopts, NULL)) != -1) {
		const struct option_row *row = &option_rows[c - 1];

		if (c == ':')
			return because(why, -E_USAGE, "%s needs a value", argv[optind - 1]);
		if (c == '?')
			return unknown_option(verb, argv, argv[optind - 1], why);
		if (row->set(row, policy, optarg, why) < 0) {
			*ret_about = row;
			return -E_USAGE;
		}
		policy->named |= 1ULL << (c - 1);
	}
	return take_iface(need_iface, argc, argv, policy, why);
}

int policy_read_args(unsigned int verb, bool need_iface, int argc, char **argv, struct policy *ret,
		     const struct option_row **ret_about, struct reason *why)
{
	struct policy policy = { 0 };
	int r = policy_add_args(verb, need_iface, argc, argv, &policy, ret_about, why);

	if (r == 0)
		*ret = policy;
	return r;
}
