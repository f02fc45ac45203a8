// SPDX-License-Identifier: GPL-2.0
/* Rules as text, and their tables against a slow matcher that is easy to see through. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "lib/clean.h"
#include "plan/ruleset.h"

static int write_one(const char *text, struct rule_text *ret, struct reason *why)
{
	char line[1024];

	snprintf(line, sizeof(line), "%s", text);
	return rule_write(line, ret, why);
}

static void rules_are_kept_in_one_spelling(void **state)
{
	static const char *const rows[][3] = {
		{ "voip proto udp dport 5060-5080 cpu 3", "voip",
		  "proto udp dport 5060-5080 cpu 3" },
		{ " a  src 10.0.0.0/8 and\tnot dport 80,443 cpus 1-2:1,3:2 ", "a",
		  "src 10.0.0.0/8 not dport 80,443 cpus 1-2:1,3:2" },
		{ "all pass", "all", "pass" },
		{ "v6 host 2001:db8::/32,192.0.2.1 pass", "v6",
		  "host 2001:db8::/32,192.0.2.1 pass" },
		{ "x vlan none and dscp 46 and ethertype 0x0800 cpu 0", "x",
		  "vlan none dscp 46 ethertype 0x0800 cpu 0" },
		{ "t tunnel gre,gtpu not multicast and not fragment dsa-port 0-3 cpu 1", "t",
		  "tunnel gre,gtpu not multicast not fragment dsa-port 0-3 cpu 1" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct rule_text text;
		struct reason why;

		assert_int_equal(write_one(rows[i][0], &text, &why), 0);
		assert_string_equal(text.name, rows[i][1]);
		assert_string_equal(text.text, rows[i][2]);
		assert_int_equal(write_one("again pass", &text, &why), 0);
	}
}

static void a_bad_rule_says_what_is_bad(void **state)
{
	static const char *const rows[][2] = {
		{ "", "NAME MATCH... ACTION" },
		{ "a", "'a' has no action" },
		{ "a/b pass", "is no name" },
		{ "this-name-is-longer-than-31-characters pass", "at most 31" },
		{ "a dport 80", "'a' has no action" },
		{ "a drop", "'drop' is neither a match" },
		{ "a not pass", "'pass' is neither a match" },
		{ "a dport pass", "'pass' is not a port" },
		{ "a dport 70000 pass", "'70000' is not a port" },
		{ "a dport 9-8 pass", "'9-8' is not a port" },
		{ "a dport 80, pass", "'' is not a port" },
		{ "a src 10.0.0.1/8 pass", "bits behind its length" },
		{ "a src host pass", "'host' is no prefix" },
		{ "a vlan 4096 pass", "'4096' is not a VLAN" },
		{ "a dscp 64 pass", "'64' is not a DSCP" },
		{ "a ethertype 0x10000 pass", "'0x10000' is not an EtherType" },
		{ "a ethertype 0x pass", "'0x' is not an EtherType" },
		{ "a proto foo pass", "'foo' is not a protocol" },
		{ "a tunnel wireguard pass", "'wireguard' is no tunnel" },
		{ "a host 10.0.0.1 host 10.0.0.2 pass", "'host' may stand in a rule once" },
		{ "a cpu 1-2", "'1-2' is no CPU number" },
		{ "a cpus 2-1", "ends before it begins" },
		{ "a cpus auto", "'auto' is no list" },
		{ "a cpus", "'cpus' needs a value" },
		{ "a pass dport 80", "what is 'dport' behind the action?" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct rule_text text;
		struct reason why = { "" };

		assert_int_equal(write_one(rows[i][0], &text, &why), -EINVAL);
		if (!strstr(why.text, rows[i][1]))
			print_message("# '%s': %s\n", rows[i][0], why.text);
		assert_non_null(strstr(why.text, rows[i][1]));
	}
}

static void a_file_is_read_whole_or_tells_its_line(void **state)
{
	static struct rule_list list;
	char good[] = "# none\n\na dport 80 cpu 1 # web\r\nb pass\n",
	     twice[] = "a pass\n\na pass\n";
	char many[RULES_MAX * 16 + 16] = "";
	struct reason why;
	uint32_t line;

	assert_int_equal(rules_parse(good, &list, &line, &why), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.at[0].text, "dport 80 cpu 1");
	assert_int_equal(rules_find(&list, "b"), 1);
	assert_int_equal(rules_find(&list, "c"), -1);
	assert_int_equal(rules_parse(twice, &list, &line, &why), -EINVAL);
	assert_int_equal(line, 3);
	for (unsigned int i = 0; i <= RULES_MAX; i++)
		snprintf(many + strlen(many), 16, "r%u pass\n", i);
	assert_int_equal(rules_parse(many, &list, &line, &why), -EINVAL);
	assert_int_equal(line, RULES_MAX + 1);
}

/* ---- a matcher that anybody can check ---- */

struct sample {
	struct flow flow;
	struct rule_key key;
	uint8_t src[16], dst[16];
};

static bool in_prefix(const struct sample *sample, const uint8_t *addr, const struct prefix *prefix)
{
	if (sample->key.ip != (prefix->v6 ? 6 : 4))
		return false;
	for (unsigned int bit = 0; bit < prefix->len; bit++)
		if ((addr[bit / 8] ^ prefix->addr[bit / 8]) & 0x80 >> bit % 8)
			return false;
	return true;
}

static bool in_range(uint32_t number, const struct rule_value *value)
{
	return number >= value->first && number <= value->last;
}

static bool takes_value(const struct sample *sample, enum rule_kind kind,
			const struct rule_value *value)
{
	const struct flow *flow = &sample->flow;
	const struct rule_key *key = &sample->key;

	switch (kind) {
	case RULE_SRC:
		return in_prefix(sample, sample->src, &value->prefix);
	case RULE_DST:
		return in_prefix(sample, sample->dst, &value->prefix);
	case RULE_HOST:
		return in_prefix(sample, sample->src, &value->prefix) ||
		       in_prefix(sample, sample->dst, &value->prefix);
	case RULE_SPORT:
		return key->ports && in_range(flow->sport, value);
	case RULE_DPORT:
		return key->ports && in_range(flow->dport, value);
	case RULE_PORT:
		return key->ports && (in_range(flow->sport, value) || in_range(flow->dport, value));
	case RULE_PROTO:
		return in_range(flow->l4, value);
	case RULE_VLAN:
		return in_range(key->vlan, value);
	case RULE_DSCP:
		return in_range(key->dscp, value);
	case RULE_ETHERTYPE:
		return in_range(key->ethertype, value);
	case RULE_TUNNEL:
		return key->tunnels >> value->first & 1;
	case RULE_DSA_PORT:
		return in_range(key->dsa_port, value);
	default:
		return false;
	}
}

static bool takes(const struct sample *sample, const struct rule *rule)
{
	for (unsigned int i = 0; i < rule->match_count; i++) {
		const struct rule_match *match = &rule->matches[i];
		bool is = false;

		if (match->kind == RULE_IS_MULTICAST)
			is = sample->key.flags & RULE_MULTICAST;
		if (match->kind == RULE_IS_FRAGMENT)
			is = sample->key.flags & RULE_FRAGMENT;
		for (unsigned int v = match->from; v < match->to; v++)
			is |= takes_value(sample, match->kind, &rule->values[v]);
		if (is == match->negate)
			return false;
	}
	return true;
}

/* ---- random rules and frames; values few enough to meet ---- */

static uint32_t below(uint32_t end)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)((state >> 33) % end);
}

static void random_address(char *text, size_t size)
{
	static const char *const some[] = {
		"10.0.0.0/8",	  "10.1.0.0/16",   "10.1.2.0/23",	"10.1.2.3",    "0.0.0.0/0",
		"192.168.0.0/17", "2001:db8::/32", "2001:db8:0:4::/62", "2001:db8::1", "::/0",
	};

	snprintf(text, size, "%s", some[below(COUNT(some))]);
}

static void random_value(unsigned int kind, char *text, size_t size)
{
	static const uint32_t max[] = { 65536, 65536, 65536, 256, 4096, 64, 0, 0, 32 };
	static const char *const tunnels[] = { "gre", "gtpu", "pppoe", "l2tp" };
	uint32_t first;

	if (kind <= RULE_HOST) {
		random_address(text, size);
		return;
	}
	if (kind == RULE_TUNNEL || kind == RULE_ETHERTYPE) {
		snprintf(text, size, "%s",
			 kind == RULE_TUNNEL ? tunnels[below(4)]
			 : below(2)	     ? "0x0800"
					     : "0x86dd-0x8864");
		return;
	}
	if (kind == RULE_VLAN && below(4) == 0) {
		snprintf(text, size, "none");
		return;
	}
	first = below(max[kind - RULE_SPORT]) / (1 + below(20));
	snprintf(text, size, "%u-%u", first, first + below(max[kind - RULE_SPORT] - first));
}

static void random_rule(unsigned int number, struct rule *ret)
{
	static const char *const words[RULE_KINDS] = {
		"src",	"dst",	"host",	     "sport",  "dport",	   "port",	"proto",
		"vlan", "dscp", "ethertype", "tunnel", "dsa-port", "multicast", "fragment"
	};
	char line[512], value[64];
	struct reason why = { "" };
	bool either[2] = { false, false };

	snprintf(line, sizeof(line), "r%u", number);
	for (unsigned int left = 1 + below(3); left; left--) {
		unsigned int kind = below(RULE_KINDS);

		if (kind == RULE_HOST || kind == RULE_PORT) {
			if (either[kind == RULE_PORT])
				continue;
			either[kind == RULE_PORT] = true;
		}
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s %s",
			 below(3) ? "" : " not", words[kind]);
		for (unsigned int values = 0; kind < RULE_IS_MULTICAST && values < 1 + below(2);
		     values++) {
			random_value(kind, value, sizeof(value));
			snprintf(line + strlen(line), sizeof(line) - strlen(line), "%c%s",
				 values ? ',' : ' ', value);
		}
	}
	strcat(line, " pass");
	if (rule_parse(line, ret, &why) < 0)
		print_message("# %s\n", why.text);
	assert_string_equal(why.text, "");
}

static uint32_t word_of(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void random_sample(struct sample *ret)
{
	static const uint16_t types[] = { 0x0800, 0x86dd, 0x8847, 0x8864, 0x8863 };
	struct sample sample = { .key = { .ip = (uint8_t)(below(3) * 2 + 2) } };
	uint8_t *addresses[] = { sample.src, sample.dst };

	sample.key.ip = sample.key.ip == 2 ? 0 : sample.key.ip;
	for (int end = 0; end < 2; end++) {
		struct prefix prefix = { 0 };
		char text[64];

		do {
			random_address(text, sizeof(text));
			prefix_parse(text, &prefix);
		} while (prefix.v6 != (sample.key.ip == 6));
		memcpy(addresses[end], prefix.addr, 16);
		addresses[end][sample.key.ip == 6 ? below(16) : below(4)] ^= (uint8_t)below(4);
	}
	for (int i = 0; i < (sample.key.ip == 6 ? 4 : 1); i++) {
		sample.flow.src[i] = word_of(sample.src + 4 * i);
		sample.flow.dst[i] = word_of(sample.dst + 4 * i);
	}
	sample.flow.sport = (uint16_t)below(65536);
	sample.flow.dport = (uint16_t)(below(65536) / (1 + below(20)));
	sample.flow.l4 = (uint8_t)below(256);
	sample.key.ports = below(4) != 0;
	sample.key.vlan = (uint16_t)(below(3) ? below(4096) : RULE_NO_VLAN);
	sample.key.ethertype = types[below(COUNT(types))];
	sample.key.dscp = (uint8_t)(sample.key.ip ? below(64) : RULE_NO_DSCP);
	sample.key.dsa_port = (uint8_t)(below(2) ? below(32) : RULE_NO_DSA_PORT);
	sample.key.tunnels = (uint8_t)below(256);
	sample.key.flags = (uint8_t)below(4);
	*ret = sample;
}

static int slow_find(const struct rule *rules, unsigned int count, const struct sample *sample)
{
	for (unsigned int i = 0; i < count; i++)
		if (takes(sample, &rules[i]))
			return (int)i;
	return -1;
}

static void the_tables_find_what_a_slow_matcher_finds(void **state)
{
	enum { SETS = 50, SAMPLES = 2000 };
	cleanup(freep) struct rule *rules = calloc(RULES_MAX, sizeof(*rules));
	cleanup(freep) struct rule_set *set = calloc(1, sizeof(*set));
	unsigned int matched = 0;

	for (unsigned int n = 0; n < SETS; n++) {
		unsigned int count = n ? 1 + below(24) : 0;

		for (unsigned int i = 0; i < count; i++)
			random_rule(i, &rules[i]);
		assert_int_equal(rule_set_compile(rules, count, set), 0);
		for (unsigned int i = 0; i < count; i++)
			set->actions[rule_place(1ULL << i)].id = (uint8_t)i;
		for (unsigned int i = 0; i < SAMPLES; i++) {
			const struct rule_action *action;
			struct sample sample;
			int slow;

			random_sample(&sample);
			slow = slow_find(rules, count, &sample);
			action = rule_find(set, &sample.flow, &sample.key);
			assert_int_equal(action ? action->id : -1, slow);
			matched += slow >= 0;
		}
	}
	print_message("# %u of %u matched a rule\n", matched, SETS * SAMPLES);
	assert_in_range(matched, SETS * SAMPLES / 5, SETS * SAMPLES * 19 / 20);
}

static void each_of_64_rules_has_a_place_of_its_own(void **state)
{
	bool taken[RULES_MAX] = { false };

	for (unsigned int i = 0; i < RULES_MAX; i++) {
		assert_false(taken[rule_place(1ULL << i)]);
		taken[rule_place(1ULL << i)] = true;
	}
}

static void what_does_not_fit_is_refused(void **state)
{
	cleanup(freep) struct rule *rules = calloc(RULES_MAX, sizeof(*rules));
	cleanup(freep) struct rule_set *set = calloc(1, sizeof(*set));

	for (unsigned int i = 0; i < RULES_MAX; i++) {
		char line[1024];
		struct reason why;

		snprintf(line, sizeof(line), "r%u src ", i);
		for (unsigned int p = 0; p < 20; p++)
			snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%u.%u.%u.%u",
				 p ? "," : "", i, p, below(256), below(256));
		strcat(line, " pass");
		assert_int_equal(rule_parse(line, &rules[i], &why), 0);
	}
	assert_int_equal(rule_set_compile(rules, RULES_MAX, set), -ENOSPC);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_kept_in_one_spelling),
		cmocka_unit_test(a_bad_rule_says_what_is_bad),
		cmocka_unit_test(a_file_is_read_whole_or_tells_its_line),
		cmocka_unit_test(the_tables_find_what_a_slow_matcher_finds),
		cmocka_unit_test(each_of_64_rules_has_a_place_of_its_own),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
