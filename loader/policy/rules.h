/* SPDX-License-Identifier: GPL-2.0 */
/* Rules as text: "NAME MATCH... ACTION". */
#ifndef POLICY_RULES_H
#define POLICY_RULES_H

#include "lib/prefix.h"
#include "policy/policy.h"

/* What a match is about. */
enum rule_kind {
	RULE_SRC,
	RULE_DST,
	RULE_HOST,
	RULE_SPORT,
	RULE_DPORT,
	RULE_PORT,
	RULE_PROTO,
	RULE_VLAN,
	RULE_DSCP,
	RULE_ETHERTYPE,
	RULE_TUNNEL,
	RULE_DSA_PORT,
	RULE_IS_MULTICAST,
	RULE_IS_FRAGMENT,
	RULE_KINDS
};

enum { RULE_MATCHES_MAX = 16, RULE_VALUES_MAX = 48 };

/* Of addresses a prefix, else a range of numbers. */
struct rule_value {
	struct prefix prefix;
	uint32_t first, last;
};

struct rule {
	char name[RULE_NAME];
	unsigned int match_count;
	struct rule_match {
		enum rule_kind kind;
		bool negate;
		unsigned int from, to; /* values, any of which it takes */
	} matches[RULE_MATCHES_MAX];
	unsigned int value_count;
	struct rule_value values[RULE_VALUES_MAX];
	bool pass;
	struct cpu_shares cpus;
};

/* Cuts the line to pieces. Says why not, -EINVAL. */
int rule_parse(char *line, struct rule *ret, struct reason *why);

/* The same from a text of its own, name and rest. */
int rule_read(const struct rule_text *text, struct rule *ret, struct reason *why);

/*
 * Check a rule and write it as it is kept: one blank between words, no "and".
 * Cuts the line to pieces.
 */
int rule_write(char *line, struct rule_text *ret, struct reason *why);

/*
 * One rule a line; '#' begins a comment. No name stands there twice. Says why
 * not, and in which line. Cuts the text to pieces.
 */
int rules_parse(char *text, struct rule_list *ret, uint32_t *ret_line, struct reason *why);

/* The line of such a text that has the rule of that name; 0: none. Cuts text to pieces. */
uint32_t rules_line(char *text, const char *name);

/* Its position, or -1. */
int rules_find(const struct rule_list *list, const char *name);

#endif
