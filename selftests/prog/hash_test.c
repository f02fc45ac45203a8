/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flow hash spreads what networks really look like: six patterns of 16 384
 * flows over 256 slots, judged by chi-square per degree of freedom (1.0 is
 * chance) and by the fullest slot, both averaged over keys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <cpumap/hash.h>

#define FLOWS 16384
#define SLOTS 256
#define KEYS 16
#define MEAN (FLOWS / SLOTS)

/* xorshift64*: the same numbers in every run. */
static uint64_t seed;

static uint32_t number(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * 0x2545f4914f6cdd1dULL >> 32;
}

static struct flow_key random_key(void)
{
	struct flow_key key;
	uint32_t *word = (uint32_t *)&key;

	for (size_t i = 0; i < sizeof(key) / sizeof(*word); i++)
		word[i] = number();
	return key;
}

/* Host n of 10.0.0.0/8, or of a /64: what counts up is the last byte on the wire. */
static uint32_t host(uint32_t n)
{
	return __builtin_bswap32(n);
}

static void between(struct flow *flow, uint32_t src, uint32_t dst, uint16_t sport, uint16_t dport)
{
	int word = flow->v6 ? 3 : 0;

	if (flow->v6)
		flow->src[0] = flow->dst[0] = host(0x20010db8);
	flow->src[word] = host(0x0a000000 + src);
	flow->dst[word] = host(0x0a000000 + dst);
	flow->sport = sport;
	flow->dport = dport;
}

static void one_host_pair(struct flow *flow, uint32_t i)
{
	between(flow, 1, 2, 1024 + i, 443);
}

static void sequential_clients(struct flow *flow, uint32_t i)
{
	between(flow, 256 + i, 1, 40000, 443);
}

static void two_networks(struct flow *flow, uint32_t i)
{
	between(flow, i % 256, 0x10000 + i / 256, 40000, 443);
}

/* Both directions of a pair may be drawn, and must share a slot: chance is 1.4 here. */
static void mesh(struct flow *flow, uint32_t i)
{
	static bool drawn[200][200];
	uint32_t src, dst;

	if (i == 0)
		memset(drawn, 0, sizeof(drawn));
	do {
		src = number() % 200;
		dst = number() % 200;
	} while (drawn[src][dst]);
	drawn[src][dst] = true;
	between(flow, src, dst, 5000, 5000);
}

static void random_flows(struct flow *flow, uint32_t i)
{
	between(flow, number(), number(), number(), number());
}

static void same_ports(struct flow *flow, uint32_t i)
{
	between(flow, 1, 2, i, i);
}

static const struct pattern {
	const char *name;
	void (*make)(struct flow *flow, uint32_t i);
	double chi_max;
} patterns[] = {
	{ "one host pair, sequential ports", one_host_pair, 1.35 },
	{ "sequential clients of one server", sequential_clients, 1.35 },
	{ "two /24 networks", two_networks, 1.35 },
	{ "a mesh of 200 hosts, fixed ports", mesh, 1.8 },
	{ "random flows", random_flows, 1.35 },
	{ "the same port at both ends", same_ports, 1.35 },
};

static void spread(const struct pattern *pattern, bool v6)
{
	double chi = 0, fullest = 0;

	seed = 42;
	for (int k = 0; k < KEYS; k++) {
		struct flow_key key = random_key();
		uint32_t hits[SLOTS] = {}, most = 0;
		double sum = 0;

		for (uint32_t i = 0; i < FLOWS; i++) {
			struct flow flow = { .l4 = 6, .v6 = v6 };

			pattern->make(&flow, i);
			hits[flow_hash(&flow, &key) % SLOTS]++;
		}
		for (int i = 0; i < SLOTS; i++) {
			sum += ((double)hits[i] - MEAN) * ((double)hits[i] - MEAN) / MEAN;
			most = hits[i] > most ? hits[i] : most;
		}
		chi += sum / (SLOTS - 1) / KEYS;
		fullest += (double)most / MEAN / KEYS;
	}
	print_message("# %s, IPv%d: chi-square/df %.2f, fullest %.2f\n", pattern->name, v6 ? 6 : 4,
		      chi, fullest);
	assert_true(chi <= pattern->chi_max);
	assert_true(fullest <= 1.7);
}

static void test_spread_v4(void **state)
{
	spread(*state, false);
}

static void test_spread_v6(void **state)
{
	spread(*state, true);
}

static struct flow random_flow(void)
{
	struct flow flow = {
		.sport = number(), .dport = number(), .l4 = number(), .v6 = number() & 1
	};

	for (int i = 0; i < (flow.v6 ? 4 : 1); i++) {
		flow.src[i] = number();
		flow.dst[i] = number();
	}
	return flow;
}

static void test_symmetry(void **state)
{
	seed = 43;
	for (int i = 0; i < 10000; i++) {
		struct flow_key key = random_key();
		struct flow out = random_flow(), back = out;

		memcpy(back.src, out.dst, sizeof(out.dst));
		memcpy(back.dst, out.src, sizeof(out.src));
		back.sport = out.dport;
		back.dport = out.sport;
		assert_int_equal(flow_hash(&out, &key), flow_hash(&back, &key));
	}
}

/* One new word of the key, any one, has to move the flows. */
static void test_rekey(void **state)
{
	struct flow_key key, other;
	uint32_t *word = (uint32_t *)&other;

	seed = 44;
	key = random_key();
	for (size_t i = 0; i < sizeof(key) / sizeof(*word); i++) {
		int moved = 0;

		other = key;
		word[i] = number();
		for (int n = 0; n < 1000; n++) {
			struct flow flow = random_flow();

			flow.v6 |= i >= 3; /* the last four words are for IPv6 */
			moved += flow_hash(&flow, &key) % SLOTS != flow_hash(&flow, &other) % SLOTS;
		}
		assert_in_range(moved, 800, 1000);
	}
}

#define PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

int main(void)
{
	struct CMUnitTest tests[2 * PATTERNS + 2] = {
		{ .name = "both directions of 10 000 flows", .test_func = test_symmetry },
		{ .name = "a new key moves at least 80 % of flows", .test_func = test_rekey },
	};

	for (size_t i = 0; i < 2 * PATTERNS; i++)
		tests[2 + i] = (struct CMUnitTest){
			.name = patterns[i / 2].name,
			.test_func = i % 2 ? test_spread_v6 : test_spread_v4,
			.initial_state = (void *)&patterns[i / 2],
		};
	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
