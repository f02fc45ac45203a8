// SPDX-License-Identifier: GPL-2.0
/* Frame and rule: does the program see the match? Each also with `not`. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#undef fail /* the name of one of ours, in lib/say.h */

#include <cpumap/rules.h>

#include "bpf/steer.skel.h"
#include "plan/ruleset.h"
#include "prog/rows.h"
#include "prog/runner.h"

#undef A
#define A "10.1.2.3"
#undef B
#define B "192.168.0.9"
#undef A6
#define A6 "2001:db8::1"
#undef B6
#define B6 "fd00::2"
#undef V4
#define V4 IPV4(A, B)
#undef V6
#define V6 IPV6(A6, B6)

static const struct {
	const char *match;
	struct layer layers[LAYERS_MAX];
	bool is;
	const char *dsa;
} rows[] = {
	{ "src 10.1.0.0/16", { ETH(), V4, TCP(1, 2) }, true },
	{ "src 10.2.0.0/16", { ETH(), V4, TCP(1, 2) }, false },
	{ "src 192.168.0.0/16", { ETH(), V4, TCP(1, 2) }, false },
	{ "dst 192.168.0.9", { ETH(), V4, TCP(1, 2) }, true },
	{ "dst 192.168.0.8", { ETH(), V4, TCP(1, 2) }, false },
	{ "host 192.168.0.9", { ETH(), V4, TCP(1, 2) }, true },
	{ "host 10.1.2.3", { ETH(), V4, TCP(1, 2) }, true },
	{ "host 10.1.2.4", { ETH(), V4, TCP(1, 2) }, false },
	{ "src 2001:db8::/32", { ETH(), V6, TCP(1, 2) }, true },
	{ "src 2001:db8::1", { ETH(), V6, TCP(1, 2) }, true },
	{ "src 2001:db8::2", { ETH(), V6, TCP(1, 2) }, false },
	{ "dst fd00::2/127", { ETH(), V6, TCP(1, 2) }, true },
	{ "src ::/0", { ETH(), V4, TCP(1, 2) }, false },
	{ "src 0.0.0.0/0", { ETH(), V6, TCP(1, 2) }, false },
	{ "src 0.0.0.0/0", { ETH(), MPLS(7), DATA(20) }, false },
	{ "sport 1000", { ETH(), V4, TCP(1000, 2) }, true },
	{ "sport 1000", { ETH(), V4, TCP(2, 1000) }, false },
	{ "dport 80,443,1000-2000", { ETH(), V4, UDP(1, 1999) }, true },
	{ "dport 80,443,1000-2000", { ETH(), V4, UDP(1, 2001) }, false },
	{ "port 80", { ETH(), V4, TCP(80, 2) }, true },
	{ "port 80", { ETH(), V6, SCTP(2, 80) }, true },
	{ "port 7", { ETH(), V4, ICMP(8, .id = 7) }, false },
	{ "dport 2", { ETH(), V4, ESP(2) }, false },
	{ "sport 0", { ETH(), IPV4(A, B, .more = 1), UDP(0, 80) }, false },
	{ "proto udp", { ETH(), V4, UDP(1, 2) }, true },
	{ "proto udp", { ETH(), V4, TCP(1, 2) }, false },
	{ "proto 6,17", { ETH(), V6, TCP(1, 2) }, true },
	{ "proto icmp", { ETH(), V4, ICMP(8) }, true },
	{ "vlan 5", { ETH(), VLAN(0xe005), V4, TCP(1, 2) }, true },
	{ "vlan 5", { ETH(), VLAN(6, .type = 0x88a8), VLAN(5), V4, TCP(1, 2) }, false },
	{ "vlan 6", { ETH(), VLAN(6, .type = 0x88a8), VLAN(5), V4, TCP(1, 2) }, true },
	{ "vlan none", { ETH(), V4, TCP(1, 2) }, true },
	{ "vlan none", { ETH(), VLAN(5), V4, TCP(1, 2) }, false },
	{ "vlan 0-4095", { ETH(), V4, TCP(1, 2) }, false },
	{ "dscp 0", { ETH(), V4, TCP(1, 2) }, true },
	{ "dscp 46", { ETH(), V6, TCP(1, 2) }, false },
	{ "dscp 0-63", { ETH(), MPLS(7), DATA(20) }, false },
	{ "ethertype 0x0800", { ETH(), V4, TCP(1, 2) }, true },
	{ "ethertype 0x0800", { ETH(), VLAN(5), V4, TCP(1, 2) }, true },
	{ "ethertype 0x86dd", { ETH(), V6, TCP(1, 2) }, true },
	{ "ethertype 0x0800", { ETH(), PPPOE(), V4, TCP(1, 2) }, false },
	{ "ethertype 0x8864", { ETH(), PPPOE(), V4, TCP(1, 2) }, true },
	{ "tunnel pppoe", { ETH(), PPPOE(), V4, TCP(1, 2) }, true },
	{ "tunnel mpls", { ETH(), MPLS(7), V4, TCP(1, 2) }, true },
	{ "tunnel gre", { ETH(), V4, GRE(0), V4, TCP(1, 2) }, true },
	{ "tunnel ipip", { ETH(), V4, V4, TCP(1, 2) }, true },
	{ "tunnel ipip", { ETH(), V4, V6, TCP(1, 2) }, true },
	{ "tunnel vxlan", { ETH(), V4, UDP(1, 4789), VXLAN(), ETH(), V4, TCP(1, 2) }, true },
	{ "tunnel geneve", { ETH(), V4, UDP(1, 6081), GENEVE(), ETH(), V4, TCP(1, 2) }, true },
	{ "tunnel gtpu", { ETH(), V4, UDP(1, 2152), GTPU(9), V4, TCP(1, 2) }, true },
	{ "tunnel l2tp", { ETH(), V4, L2TP(9) }, true },
	{ "tunnel gre,mpls", { ETH(), V4, V4, TCP(1, 2) }, false },
	{ "tunnel gre", { ETH(), V4, TCP(1, 2) }, false },
	{ "dport 2", { ETH(), V4, UDP(1, 2152), GTPU(9), IPV4(B, A), TCP(1, 2) }, true },
	{ "src 192.168.0.9", { ETH(), V4, GRE(0), IPV4(B, A), TCP(1, 2) }, true },
	{ "src 10.1.2.3", { ETH(), V4, GRE(0), IPV4(B, A), TCP(1, 2) }, false },
	{ "multicast", { ETH(.dst = "01:00:5e:00:00:fb"), V4, UDP(1, 2) }, true },
	{ "multicast src 10.1.2.3", { ETH(.dst = "01:00:5e:00:00:fb"), V4, UDP(1, 2) }, true },
	{ "multicast", { ETH(), V4, UDP(1, 2) }, false },
	{ "fragment", { ETH(), IPV4(A, B, .more = 1), UDP(1, 2) }, true },
	{ "fragment", { ETH(), V6, EXT(44, .more = 1), UDP(1, 2) }, true },
	{ "fragment", { ETH(), V4, UDP(1, 2) }, false },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void write_rule(const struct runner *runner, const char *negate, const char *match)
{
	static struct rule_set set;
	static struct rule rule;
	struct rule_set *sets;
	struct reason why;
	char line[256];

	snprintf(line, sizeof(line), "r %s %s pass", negate, match);
	assert_int_equal(rule_parse(line, &rule, &why), 0);
	assert_int_equal(rule_set_compile(&rule, 1, &set), 0);
	set.actions[rule_place(1)] = (struct rule_action){ .id = 77, .pass = 1 };
	sets = mmap(NULL, RULE_SETS * sizeof(*sets), PROT_READ | PROT_WRITE, MAP_SHARED,
		    bpf_map__fd(runner->skel->maps.rules), 0);
	assert_ptr_not_equal(sets, MAP_FAILED);
	sets[1] = set;
	munmap(sets, RULE_SETS * sizeof(*sets));
}

static void test_matches(void **state)
{
	struct steer_config config = { .rules = 1, .now.rules = 2, .explain = 1 };
	struct runner runner = {};

	runner_open(&runner, &config);
	for (size_t i = 0; i < ROWS; i++) {
		struct explained said;
		struct frame frame;
		bool is;

		frame_build(&frame, rows[i].layers);
		write_rule(&runner, "", rows[i].match);
		said = runner_explain(&runner, frame.data, frame.len);
		is = said.decider == DECIDER_rule && said.rule == 77;
		if (is != rows[i].is)
			print_message("# row %zu: %s\n", i, rows[i].match);
		assert_int_equal(is, rows[i].is);
		assert_int_equal(said.verdict == VERDICT_rule, is);
		if (strchr(strchr(rows[i].match, ' ') ? strchr(rows[i].match, ' ') + 1 : "", ' '))
			continue; /* two matches: `not` is for the first */
		write_rule(&runner, "not", rows[i].match);
		said = runner_explain(&runner, frame.data, frame.len);
		assert_int_equal(said.verdict == VERDICT_rule, !is);
	}
	runner_close(&runner);
}

/*
 * Tags as the switch sends them from its port 3, all other bits set that may be:
 * as net/dsa/tag_*.c of Linux reads them.
 */
static const struct tagged {
	const char *name;
	uint8_t tag[8];
} tags[] = {
	{ "dsa", { 0xc0, 3 << 3 | 7, 0xef, 0xff } },
	{ "edsa", { 0xda, 0xda, 0, 0, 0xc0, 3 << 3 | 7, 0xef, 0xff } },
	{ "brcm", { 0, 0, 0, 7 << 5 | 3 } },
	{ "brcm-prepend", { 0, 0, 0, 7 << 5 | 3 } },
	{ "qca", { 0xb8, 0x38 | 3 } },
	{ "ar9331", { 0x30 | 3, 0x40 } },
	{ "mtk", { 0, 0xf8 | 3, 0, 0 } },
	{ "rtl4a", { 0x88, 0x99, 0xa0, 3 } },
	{ "rtl8_4", { 0x88, 0x99, 4, 0, 0, 0, 0, 0xf0 | 3 } },
	{ "gswip", { 0, 0, 0, 0, 0, 0, 0, 0x80 | 3 << 4 | 15 } },
	{ "gsw1xx", { 0x88, 0xc3, 3, 0xff, 0xff, 0xff, 0, 0 } },
};

static size_t tagged_frame(const struct tagged *tagged, const struct dsa_tag *tag, uint8_t *frame)
{
	static const uint8_t macs[] = { 2, 0, 0, 0, 0, 10, 2, 0, 0, 0, 0, 11 };
	static const uint8_t rest[] = { 8,  0, 0x45, 0,	 0, 46, 0, 0,  0, 0, 64,
					17, 0, 0,    10, 1, 2,	3, 10, 1, 2, 4 };
	size_t len = 0;

	memset(frame, 0, 96);
	memcpy(frame, tagged->tag, tag->front);
	len += tag->front;
	memcpy(frame + len, macs, sizeof(macs));
	len += sizeof(macs);
	memcpy(frame + len, tagged->tag, tag->len);
	len += tag->len;
	memcpy(frame + len, rest, sizeof(rest));
	return len + 2 + 46;
}

static void test_dsa_port(void **state)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		struct steer_config config = {
			.rules = 1, .now.rules = 2, .explain = 1, .dsa = dsa_tag_of(tags[i].name)
		};
		struct runner runner = {};
		uint8_t frame[96];
		size_t len = tagged_frame(&tags[i], &config.dsa, frame);

		print_message("# %s\n", tags[i].name);
		runner_open(&runner, &config);
		write_rule(&runner, "", "dsa-port 3");
		assert_int_equal(runner_explain(&runner, frame, len).verdict, VERDICT_rule);
		write_rule(&runner, "", "dsa-port 0-2,4-31");
		assert_int_not_equal(runner_explain(&runner, frame, len).verdict, VERDICT_rule);
		runner_close(&runner);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches),
		cmocka_unit_test(test_dsa_port),
	};

	return cmocka_run_group_tests_name("rule", tests, NULL, NULL);
}
