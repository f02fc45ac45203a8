/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slot that the program takes by prefix is that of the longest match which
 * a list, read from end to end, has: for nested prefixes of both IP versions,
 * and addresses near and far.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include <cpumap/abi.h>

#include "bpf/steer.skel.h"
#include "prog/frame.h"
#include "prog/runner.h"

#define PREFIXES 500 /* of each IP version */
/* For each kind of match; an emulated guest is slow. */
#define FRAMES (getenv("VM_CELL") ? 2000u : 20000u)

struct row {
	uint8_t addr[16];
	struct prefix_home home;
};

static struct row rows[2][PREFIXES];
static unsigned int counts[2];
static uint32_t seed = 1;

static uint32_t number(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* Few values a byte, so that prefixes lie within each other and addresses within them. */
static void random_address(uint8_t *addr, int size)
{
	for (int i = 0; i < size; i++)
		addr[i] = number(4) ? number(3) * 85 : number(256);
}

static bool covers(const struct row *row, const uint8_t *addr)
{
	for (int bit = 0; bit < row->home.len; bit++)
		if ((row->addr[bit / 8] ^ addr[bit / 8]) & 0x80 >> bit % 8)
			return false;
	return true;
}

static const struct row *longest(bool v6, const uint8_t *addr)
{
	const struct row *best = NULL;

	for (unsigned int i = 0; i < counts[v6]; i++)
		if (covers(&rows[v6][i], addr) && (!best || rows[v6][i].home.len > best->home.len))
			best = &rows[v6][i];
	return best;
}

static bool is_there(bool v6, const struct row *row)
{
	for (unsigned int i = 0; i < counts[v6]; i++)
		if (rows[v6][i].home.len == row->home.len &&
		    !memcmp(rows[v6][i].addr, row->addr, v6 ? 16 : 4))
			return true;
	return false;
}

static void fill(bool v6, int fd)
{
	int size = v6 ? 16 : 4;

	for (counts[v6] = 0; counts[v6] < PREFIXES;) {
		struct row *row = &rows[v6][counts[v6]];
		uint8_t key[20];
		uint32_t len;

		random_address(row->addr, size);
		len = 12 + number(8 * size - 11);
		for (uint32_t bit = len; bit < 8u * size; bit++)
			row->addr[bit / 8] &= ~(0x80 >> bit % 8);
		row->home = (struct prefix_home){ .home = number(HOMES_MAX), .len = len };
		memcpy(key, &len, 4);
		memcpy(key + 4, row->addr, size);
		/* Tries before 6.13 know no BPF_NOEXIST. */
		if (is_there(v6, row))
			continue;
		assert_int_equal(bpf_map_update_elem(fd, key, &row->home, BPF_ANY), 0);
		counts[v6]++;
	}
}

static const struct row *expected(uint8_t match, bool v6, const uint8_t *src, const uint8_t *dst)
{
	const struct row *from = longest(v6, src), *to = longest(v6, dst);

	if (match == MATCH_src)
		return from;
	if (match == MATCH_dst || !from)
		return to;
	return to && to->home.len >= from->home.len ? to : from;
}

static struct frame frame_of(bool v6, const uint8_t *src, const uint8_t *dst)
{
	struct frame frame;

	frame_build(&frame, v6 ? FRAME(ETH(), IPV6("::", "::"), TCP(1, 2))
			       : FRAME(ETH(), IPV4("0.0.0.0", "0.0.0.0"), TCP(1, 2)));
	memcpy(frame.data + 14 + (v6 ? 8 : 12), src, v6 ? 16 : 4);
	memcpy(frame.data + 14 + (v6 ? 24 : 16), dst, v6 ? 16 : 4);
	return frame;
}

static void test_match(void **state)
{
	struct steer_config config = { .explain = 1,
				       .homes = HOMES_MAX,
				       .now.match = (uint8_t)(uintptr_t)*state };
	unsigned int by_prefix = 0;
	struct runner runner = {};

	runner_open(&runner, &config);
	fill(false, bpf_map__fd(runner.skel->maps.prefixes_4));
	fill(true, bpf_map__fd(runner.skel->maps.prefixes_6));
	for (unsigned int i = 0; i < FRAMES; i++) {
		uint8_t src[16], dst[16];
		bool v6 = number(2);
		const struct row *row;
		struct explained said;
		struct frame frame;

		random_address(src, 16);
		random_address(dst, 16);
		row = expected(config.now.match, v6, src, dst);
		frame = frame_of(v6, src, dst);
		said = runner_explain(&runner, frame.data, frame.len);
		if (row)
			assert_int_equal(said.slot, RUNNER_SLOTS + row->home.home);
		else
			assert_int_equal(said.slot, said.hash & (RUNNER_SLOTS - 1));
		by_prefix += row != NULL;
	}
	print_message("# %u of %u by prefix\n", by_prefix, FRAMES);
	assert_true(by_prefix > FRAMES / 10);
	runner_close(&runner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{ .name = "the destination's longest prefix",
		  .test_func = test_match,
		  .initial_state = (void *)MATCH_dst },
		{ .name = "the source's longest prefix",
		  .test_func = test_match,
		  .initial_state = (void *)MATCH_src },
		{ .name = "the longer one of both",
		  .test_func = test_match,
		  .initial_state = (void *)MATCH_either },
	};

	return cmocka_run_group_tests_name("prefix", tests, NULL, NULL);
}
