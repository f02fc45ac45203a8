// SPDX-License-Identifier: GPL-2.0
/*
 * Rules to the tables in which the programs look them up: for each field a trie
 * over its bytes. Where all that rules say of a field is settled, it ends in a
 * class, the bitmap of those that are satisfied.
 */
#include <errno.h>
#include <string.h>

#include "plan/ruleset.h"

/* A field, and the two matches that speak of it; the second of its opposite, too. */
static const struct field {
	uint8_t bytes; /* 0: the frame has no such thing */
	uint8_t ip;    /* 4 or 6, if they are an address */
	bool flags;
	enum rule_kind own, either; /* RULE_KINDS: none */
	uint32_t named;
} fields[ROOT_COUNT] = {
	[ROOT_SRC_4] = { 4, 4, false, RULE_SRC, RULE_HOST, NAMED_ADDRESS },
	[ROOT_SRC_6] = { 16, 6, false, RULE_SRC, RULE_HOST, NAMED_ADDRESS },
	[ROOT_SRC_NONE] = { 0, 0, false, RULE_SRC, RULE_HOST, NAMED_ADDRESS },
	[ROOT_DST_4] = { 4, 4, false, RULE_DST, RULE_HOST, NAMED_ADDRESS },
	[ROOT_DST_6] = { 16, 6, false, RULE_DST, RULE_HOST, NAMED_ADDRESS },
	[ROOT_DST_NONE] = { 0, 0, false, RULE_DST, RULE_HOST, NAMED_ADDRESS },
	[ROOT_SPORT] = { 2, 0, false, RULE_SPORT, RULE_PORT, NAMED_PORT },
	[ROOT_SPORT_NONE] = { 0, 0, false, RULE_SPORT, RULE_PORT, NAMED_PORT },
	[ROOT_DPORT] = { 2, 0, false, RULE_DPORT, RULE_PORT, NAMED_PORT },
	[ROOT_DPORT_NONE] = { 0, 0, false, RULE_DPORT, RULE_PORT, NAMED_PORT },
	[ROOT_PROTO] = { 1, 0, false, RULE_PROTO, RULE_KINDS, NAMED_PROTO },
	[ROOT_VLAN] = { 2, 0, false, RULE_VLAN, RULE_KINDS, NAMED_VLAN },
	[ROOT_DSCP] = { 1, 0, false, RULE_DSCP, RULE_KINDS, NAMED_DSCP },
	[ROOT_ETHERTYPE] = { 2, 0, false, RULE_ETHERTYPE, RULE_KINDS, NAMED_ETHERTYPE },
	[ROOT_TUNNEL] = { 1, 0, true, RULE_TUNNEL, RULE_KINDS, NAMED_TUNNEL },
	[ROOT_DSA_PORT] = { 1, 0, false, RULE_DSA_PORT, RULE_KINDS, NAMED_DSA_PORT },
	[ROOT_FLAGS] = { 1, 0, true, RULE_IS_MULTICAST, RULE_IS_FRAGMENT, NAMED_FLAGS },
};

/* All values of a field that begin with these bytes. */
struct region {
	uint8_t bytes[16];
	unsigned int depth;
};

enum relation { OUT, PART, IN };

struct build {
	const struct rule *rules;
	unsigned int count;
	struct rule_set *set;
	unsigned int nodes, classes;
	const struct field *field;
};

static enum relation prefix_relation(const struct field *field, const struct region *region,
				     const struct prefix *prefix)
{
	unsigned int bits = region->depth * 8;
	unsigned int same = prefix->len < bits ? prefix->len : bits;

	if (prefix->v6 != (field->ip == 6) || memcmp(region->bytes, prefix->addr, same / 8) != 0)
		return OUT;
	if (same % 8 && (region->bytes[same / 8] ^ prefix->addr[same / 8]) >> (8 - same % 8))
		return OUT;
	return prefix->len <= bits ? IN : PART;
}

static enum relation range_relation(const struct field *field, const struct region *region,
				    const struct rule_value *value)
{
	uint32_t first = 0, span = (1u << 8 * (field->bytes - region->depth)) - 1;

	for (unsigned int i = 0; i < region->depth; i++)
		first |= (uint32_t)region->bytes[i] << 8 * (field->bytes - 1 - i);
	if (value->last < first || value->first > first + span)
		return OUT;
	return value->first <= first && value->last >= first + span ? IN : PART;
}

/* A byte of which each bit means something of its own. */
static enum relation flag_relation(const struct region *region, uint32_t bit)
{
	if (!region->depth)
		return PART;
	return region->bytes[0] >> bit & 1 ? IN : OUT;
}

static enum relation value_relation(const struct field *field, const struct region *region,
				    const struct rule_value *value)
{
	if (field->ip)
		return prefix_relation(field, region, &value->prefix);
	return field->flags ? flag_relation(region, value->first)
			    : range_relation(field, region, value);
}

/* Whether the values are among those that the match takes, before any `not`. */
static enum relation match_relation(const struct field *field, const struct region *region,
				    const struct rule *rule, const struct rule_match *match)
{
	enum relation best = OUT;

	if (match->kind == RULE_IS_MULTICAST || match->kind == RULE_IS_FRAGMENT)
		return flag_relation(region, match->kind == RULE_IS_FRAGMENT);
	for (unsigned int i = match->from; i < match->to && field->bytes; i++) {
		enum relation one = value_relation(field, region, &rule->values[i]);

		if (one > best)
			best = one;
	}
	return best;
}

/* False: not all values of the region are alike to the rule. */
static bool rule_settled(const struct build *build, const struct region *region,
			 const struct rule *rule, bool *own, bool *either)
{
	bool flags = build->field->own == RULE_IS_MULTICAST;

	*own = true;
	*either = false;
	for (unsigned int i = 0; i < rule->match_count; i++) {
		const struct rule_match *match = &rule->matches[i];
		enum relation relation;

		if (match->kind != build->field->own && match->kind != build->field->either)
			continue;
		relation = match_relation(build->field, region, rule, match);
		if (relation == PART)
			return false;
		if (match->kind == build->field->own || flags)
			*own &= (relation == IN) != match->negate;
		else
			*either = relation == IN;
	}
	return true;
}

static bool region_settled(const struct build *build, const struct region *region,
			   struct rule_class *ret)
{
	*ret = (struct rule_class){ 0 };
	for (unsigned int i = 0; i < build->count; i++) {
		bool own, either;

		if (!rule_settled(build, region, &build->rules[i], &own, &either))
			return false;
		ret->own |= (uint64_t)own << i;
		ret->either |= (uint64_t)either << i;
	}
	return true;
}

/* The class with RULE_LEAF, or -ENOSPC. */
static int class_put(struct build *build, const struct rule_class *class)
{
	for (unsigned int i = build->classes; i-- > 0;)
		if (memcmp(&build->set->classes[i], class, sizeof(*class)) == 0)
			return (int)(i | RULE_LEAF);
	if (build->classes == RULE_CLASSES_MAX)
		return -ENOSPC;
	build->set->classes[build->classes] = *class;
	return (int)(build->classes++ | RULE_LEAF);
}

/* A node with these entries: what they all are, one that is there already, or a new one. */
static int node_put(struct build *build, const uint16_t *entries)
{
	size_t size = sizeof(build->set->nodes[0]);

	if (memcmp(entries, entries + 1, size - sizeof(*entries)) == 0)
		return entries[0];
	for (unsigned int i = 0; i < build->nodes; i++)
		if (memcmp(build->set->nodes[i], entries, size) == 0)
			return (int)i;
	if (build->nodes == RULE_NODES_MAX)
		return -ENOSPC;
	memcpy(build->set->nodes[build->nodes], entries, size);
	return (int)build->nodes++;
}

static int region_put(struct build *build, const struct region *region)
{
	struct region child = *region;
	struct rule_class class;
	uint16_t entries[256];

	if (region_settled(build, region, &class))
		return class_put(build, &class);
	child.depth++;
	for (unsigned int byte = 0; byte < 256; byte++) {
		int r;

		child.bytes[region->depth] = (uint8_t)byte;
		r = region_put(build, &child);
		if (r < 0)
			return r;
		entries[byte] = (uint16_t)r;
	}
	return node_put(build, entries);
}

/* Which rules say `host` or `port`, and which of them `not` before it. */
static void note_either(const struct rule *rule, uint64_t bit, enum rule_kind kind, __u64 *negate,
			__u64 *unnamed)
{
	*unnamed |= bit;
	for (unsigned int i = 0; i < rule->match_count; i++) {
		if (rule->matches[i].kind != kind)
			continue;
		*unnamed &= ~bit;
		if (rule->matches[i].negate)
			*negate |= bit;
	}
}

static void note_names(const struct rule *rule, struct rule_set *set)
{
	for (unsigned int i = 0; i < rule->match_count; i++)
		for (unsigned int root = 0; root < ROOT_COUNT; root++)
			if (rule->matches[i].kind == fields[root].own ||
			    rule->matches[i].kind == fields[root].either)
				set->named |= fields[root].named;
}

int rule_set_compile(const struct rule *rules, unsigned int count, struct rule_set *ret)
{
	struct build build = { .rules = rules, .count = count, .set = ret };

	memset(ret, 0, sizeof(*ret));
	for (unsigned int i = 0; i < count; i++) {
		uint64_t bit = 1ULL << i;

		ret->all |= bit;
		note_either(&rules[i], bit, RULE_HOST, &ret->host_negate, &ret->host_unnamed);
		note_either(&rules[i], bit, RULE_PORT, &ret->port_negate, &ret->port_unnamed);
		note_names(&rules[i], ret);
	}
	for (unsigned int root = 0; root < ROOT_COUNT; root++) {
		struct region all = { .depth = 0 };
		int r;

		build.field = &fields[root];
		r = region_put(&build, &all);
		if (r < 0)
			return r;
		ret->roots[root] = (uint16_t)r;
	}
	return 0;
}
