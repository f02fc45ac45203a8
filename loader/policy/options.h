/* SPDX-License-Identifier: GPL-2.0 */
/* The options: one table makes the command line, the help and the completion. */
#ifndef POLICY_OPTIONS_H
#define POLICY_OPTIONS_H

#include <stddef.h>

#include "policy/policy.h"

enum verb_id {
	VERB_LOAD = 1 << 0,
	VERB_UNLOAD = 1 << 1,
	VERB_STATUS = 1 << 2,
	VERB_HELP = 1 << 3,
	VERB_SET = 1 << 4,
	VERB_EXPLAIN = 1 << 5,
	VERB_CHECK = 1 << 6,
	VERB_STATS = 1 << 7,
	VERB_BENCH = 1 << 8,
	VERB_PREFIX = 1 << 9,
	VERB_RULE = 1 << 10,
};

/* Beside the verbs: how one run goes, so it has no place in a config file. */
#define ONE_RUN (1u << 31)

struct option_row {
	const char *name;  /* the long option */
	const char *value; /* for the help; NULL: it has none, "[...]": it may be left out */
	const char *help;
	unsigned int verbs; /* enum verb_id of those that take it, and ONE_RUN */
	/* Copies what it keeps of text. */
	int (*set)(const struct option_row *row, struct policy *policy, const char *text,
		   struct reason *why);
	const char *const *words; /* the values it may have, the default first */
	size_t at;		  /* of the member, for set functions that serve many rows */
};

/* Ends with a row without a name. */
extern const struct option_row option_rows[];

/*
 * Read a verb's words (argv[0] is the verb). Says why not, -E_USAGE, and then
 * which option it was about (NULL: none of them).
 */
int policy_read_args(unsigned int verb, bool need_iface, int argc, char **argv, struct policy *ret,
		     const struct option_row **ret_about, struct reason *why);

/* The same on top of what the policy holds: of a config file, say. */
int policy_add_args(unsigned int verb, bool need_iface, int argc, char **argv,
		    struct policy *policy, const struct option_row **ret_about, struct reason *why);

const struct option_row *option_find(const char *name, unsigned int verb);

/* The option of the verb, but not of except, that a mistyped name may mean; or NULL. */
const struct option_row *option_near(const char *name, unsigned int verb, unsigned int except);

#endif
