// SPDX-License-Identifier: GPL-2.0
/* Rules as text: "NAME MATCH... ACTION". */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpumap/rules.h"
#include "lib/clean.h"
#include "lib/text.h"
#include "policy/rules.h"

#define NAME(name) #name,

/* A kind of match: its word, and the numbers that it takes. */
static const struct kind {
	const char *word;
	uint32_t min, max;
	const char *what;
} kinds[RULE_KINDS] = {
	[RULE_SRC] = { "src" },
	[RULE_DST] = { "dst" },
	[RULE_HOST] = { "host" },
	[RULE_SPORT] = { "sport", 0, 65535, "a port" },
	[RULE_DPORT] = { "dport", 0, 65535, "a port" },
	[RULE_PORT] = { "port", 0, 65535, "a port" },
	[RULE_PROTO] = { "proto", 0, 255, "a protocol" },
	[RULE_VLAN] = { "vlan", 0, 4095, "a VLAN, or none" },
	[RULE_DSCP] = { "dscp", 0, 63, "a DSCP" },
	[RULE_ETHERTYPE] = { "ethertype", 0x600, 0xffff, "an EtherType" },
	[RULE_TUNNEL] = { "tunnel" },
	[RULE_DSA_PORT] = { "dsa-port", 0, 31, "a port of the switch" },
	[RULE_IS_MULTICAST] = { "multicast" },
	[RULE_IS_FRAGMENT] = { "fragment" },
};

static const char *const tunnel_names[] = { RULE_TUNNELS(NAME) NULL };

static const struct proto {
	const char *name;
	uint8_t number;
} protos[] = {
	{ "icmp", 1 },	 { "igmp", 2 },	  { "tcp", 6 },	      { "udp", 17 },	{ "dccp", 33 },
	{ "gre", 47 },	 { "esp", 50 },	  { "ah", 51 },	      { "icmpv6", 58 }, { "ospf", 89 },
	{ "l2tp", 115 }, { "sctp", 132 }, { "udplite", 136 },
};

static bool is_address(enum rule_kind kind)
{
	return kind == RULE_SRC || kind == RULE_DST || kind == RULE_HOST;
}

static int take_prefix(const char *text, struct rule_value *ret, struct reason *why)
{
	int r = prefix_parse(text, &ret->prefix);

	if (r == -EDOM)
		return because(why, -EINVAL, "'%s' has bits behind its length", text);
	return r < 0 ? because(why, -EINVAL,
			       "'%s' is no prefix, as 192.0.2.0/24 or 2001:db8::/32 are", text)
		     : 0;
}

/* A word of the kind, other than a number. */
static bool take_name(enum rule_kind kind, const char *text, struct rule_value *ret)
{
	int i = kind == RULE_TUNNEL ? text_in(text, tunnel_names) : -1;

	if (i >= 0)
		ret->first = ret->last = (uint32_t)i;
	if (kind == RULE_VLAN && strcmp(text, "none") == 0) {
		ret->first = ret->last = RULE_NO_VLAN;
		return true;
	}
	for (size_t p = 0; kind == RULE_PROTO && p < sizeof(protos) / sizeof(protos[0]); p++)
		if (strcmp(protos[p].name, text) == 0) {
			ret->first = ret->last = protos[p].number;
			return true;
		}
	return i >= 0;
}

/* Up to the end or to stop, in decimal or as 0x... */
static int take_number(const char **text, uint32_t max, uint32_t *ret)
{
	uint64_t hex = 0;

	if (!text_starts(*text, "0x"))
		return text_take_u32(text, max, ret);
	*text += 2;
	if (!isxdigit((unsigned char)**text) || text_take_hex(text, &hex) < 0)
		return -EINVAL;
	*ret = (uint32_t)hex;
	return hex > max ? -ERANGE : 0;
}

static int take_range(const struct kind *kind, const char *text, struct rule_value *ret,
		      struct reason *why)
{
	const char *at = text;
	int r = take_number(&at, kind->max, &ret->first);

	ret->last = ret->first;
	if (r == 0 && *at == '-') {
		at++;
		r = take_number(&at, kind->max, &ret->last);
	}
	if (r < 0 || *at || ret->first < kind->min || ret->last < ret->first)
		return because(why, -EINVAL, "'%s' is not %s (%u to %u), nor a range of them", text,
			       kind->what, kind->min, kind->max);
	return 0;
}

static int no_tunnel(const char *text, struct reason *why)
{
	because(why, -EINVAL, "'%s' is no tunnel we read; known are ", text);
	for (int i = 0; tunnel_names[i]; i++)
		text_append(why->text, sizeof(why->text), "%s%s", i ? ", " : "", tunnel_names[i]);
	return -EINVAL;
}

static int take_value(enum rule_kind kind, const char *text, struct rule_value *ret,
		      struct reason *why)
{
	if (is_address(kind))
		return take_prefix(text, ret, why);
	if (take_name(kind, text, ret))
		return 0;
	return kind == RULE_TUNNEL ? no_tunnel(text, why)
				   : take_range(&kinds[kind], text, ret, why);
}

/* "80,443,1000-2000" */
static int take_values(enum rule_kind kind, char *list, struct rule *rule, struct reason *why)
{
	char *text;

	while ((text = strsep(&list, ","))) {
		int r;

		if (rule->value_count == RULE_VALUES_MAX)
			return because(why, -EINVAL, "a rule has at most %u values",
				       RULE_VALUES_MAX);
		r = take_value(kind, text, &rule->values[rule->value_count], why);
		if (r < 0)
			return r;
		rule->value_count++;
	}
	return 0;
}

static bool names_already(const struct rule *rule, enum rule_kind kind)
{
	for (unsigned int i = 0; i < rule->match_count; i++)
		if (rule->matches[i].kind == kind)
			return true;
	return false;
}

/* The word of a match, and behind it on the line its values. */
static int take_match(const char *word, bool negate, char **line, struct rule *rule,
		      struct reason *why)
{
	enum rule_kind kind = RULE_KINDS;
	struct rule_match *match = &rule->matches[rule->match_count];
	char *list = NULL;
	int r = 0;

	for (unsigned int i = 0; i < RULE_KINDS; i++)
		if (strcmp(kinds[i].word, word) == 0)
			kind = (enum rule_kind)i;
	if (kind == RULE_KINDS)
		return because(why, -EINVAL,
			       "'%s' is neither a match (src, dst, host, sport, dport, port, "
			       "proto, vlan, dscp, ethertype, tunnel, dsa-port, multicast, "
			       "fragment) nor an action (cpus, cpu, pass)",
			       word);
	if (rule->match_count == RULE_MATCHES_MAX)
		return because(why, -EINVAL, "a rule has at most %u matches", RULE_MATCHES_MAX);
	if ((kind == RULE_HOST || kind == RULE_PORT) && names_already(rule, kind))
		return because(why, -EINVAL, "'%s' may stand in a rule once", word);
	*match = (struct rule_match){ .kind = kind, .negate = negate, .from = rule->value_count };
	if (kind != RULE_IS_MULTICAST && kind != RULE_IS_FRAGMENT) {
		list = text_next_word(line);
		r = list ? take_values(kind, list, rule, why)
			 : because(why, -EINVAL, "'%s' needs a value", word);
	}
	match->to = rule->value_count;
	rule->match_count++;
	return r;
}

/* 0: the word is no action. */
static int take_action(const char *word, char **line, struct rule *rule, struct reason *why)
{
	bool one = strcmp(word, "cpu") == 0;
	uint32_t cpu;
	char *list;
	int r;

	rule->pass = strcmp(word, "pass") == 0;
	if (rule->pass)
		return 1;
	if (!one && strcmp(word, "cpus") != 0)
		return 0;
	list = text_next_word(line);
	if (!list)
		return because(why, -EINVAL, "'%s' needs a value", word);
	if (one && text_to_u32(list, CPUS_MAX - 1, &cpu) < 0)
		return because(why, -EINVAL, "'%s' is no CPU number", list);
	r = cpu_shares_parse(list, &rule->cpus, why);
	if (r == 0 && !rule->cpus.count)
		return because(why, -EINVAL, "'%s' is no list of CPUs, as 1-3 or 1-2:1,3:2 are",
			       list);
	return r < 0 ? -EINVAL : 1;
}

static int take_name_of_rule(const char *word, struct rule *rule, struct reason *why)
{
	if (!word)
		return because(why, -EINVAL, "a rule is NAME MATCH... ACTION");
	for (const char *at = word; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
			return because(why, -EINVAL,
				       "'%s' is no name: those have letters, digits, '-', '_', '.'",
				       word);
	if (strlen(word) >= RULE_NAME)
		return because(why, -EINVAL, "'%s': a name has at most %u characters", word,
			       RULE_NAME - 1);
	snprintf(rule->name, sizeof(rule->name), "%s", word);
	return 0;
}

int rule_parse(char *line, struct rule *ret, struct reason *why)
{
	int r = take_name_of_rule(text_next_word(&line), ret, why);
	bool negate = false;
	char *word;

	ret->match_count = ret->value_count = 0;
	ret->cpus.count = 0;
	while (r == 0 && (word = text_next_word(&line))) {
		if (strcmp(word, "and") == 0 && ret->match_count && !negate)
			continue;
		if (strcmp(word, "not") == 0 && !negate) {
			negate = true;
			continue;
		}
		r = negate ? 0 : take_action(word, &line, ret, why);
		if (r > 0) {
			word = text_next_word(&line);
			return word ? because(why, -EINVAL, "what is '%s' behind the action?", word)
				    : 0;
		}
		if (r == 0)
			r = take_match(word, negate, &line, ret, why);
		negate = false;
	}
	return r < 0 ? r
		     : because(why, -EINVAL, "'%s' has no action: cpus LIST, cpu N or pass",
			       ret->name);
}

int rule_read(const struct rule_text *text, struct rule *ret, struct reason *why)
{
	char line[RULE_NAME + RULE_TEXT + 1];

	snprintf(line, sizeof(line), "%s %s", text->name, text->text);
	return rule_parse(line, ret, why);
}

int rule_write(char *line, struct rule_text *ret, struct reason *why)
{
	cleanup(freep) char *copy = strdup(line);
	cleanup(freep) struct rule *rule = calloc(1, sizeof(*rule));
	struct rule_text text = { 0 };
	size_t length = 0;
	char *word;
	int r;

	if (!copy || !rule)
		return because(why, -ENOMEM, "out of memory");
	r = rule_parse(copy, rule, why);
	if (r < 0)
		return r;
	strcpy(text.name, rule->name);
	text_next_word(&line);
	while ((word = text_next_word(&line))) {
		if (strcmp(word, "and") == 0)
			continue;
		length += strlen(word) + 1;
		if (length > RULE_TEXT)
			return because(why, -EINVAL, "'%s' is longer than %u characters", text.name,
				       RULE_TEXT - 1);
		text_append(text.text, sizeof(text.text), "%s%s", *text.text ? " " : "", word);
	}
	*ret = text;
	return 0;
}

int rules_find(const struct rule_list *list, const char *name)
{
	for (unsigned int i = 0; i < list->count; i++)
		if (strcmp(list->at[i].name, name) == 0)
			return (int)i;
	return -1;
}

int rules_parse(char *text, struct rule_list *ret, uint32_t *ret_line, struct reason *why)
{
	struct rule_text rule;
	char *line;

	ret->count = 0;
	for (*ret_line = 1; (line = strsep(&text, "\n")); (*ret_line)++) {
		int r;

		line[strcspn(line, "#\r")] = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		r = rule_write(line, &rule, why);
		if (r < 0)
			return r;
		if (ret->count == RULES_MAX)
			return because(why, -EINVAL, "there are at most %u rules", RULES_MAX);
		if (rules_find(ret, rule.name) >= 0)
			return because(why, -EINVAL, "there is a rule '%s' already", rule.name);
		ret->at[ret->count++] = rule;
	}
	return 0;
}

uint32_t rules_line(char *text, const char *name)
{
	char *line, *word;

	for (uint32_t number = 1; (line = strsep(&text, "\n")); number++) {
		line[strcspn(line, "#\r")] = '\0';
		word = text_next_word(&line);
		if (word && strcmp(word, name) == 0)
			return number;
	}
	return 0;
}
