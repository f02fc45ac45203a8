/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program in the kernel and the parser compiled for user space say the
 * same of every frame: of the rows, of the rows cut anywhere, and of the rows
 * with bytes changed. In explain mode, which is to leave no trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "prog/native.h"
#include "prog/rows.h"
#include "prog/runner.h"

/* Of each row; an emulated guest is slow. */
#define CHANGED_FRAMES (getenv("VM_CELL") ? 10 : 100)

static struct runner runner;
static struct steer_config config;
static struct flow_key key;
static uint32_t seed = 1;

static uint32_t number(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static void load(const struct steer_config *want, const char *dsa)
{
	static struct steer_config loaded;

	config = *want;
	config.explain = 1;
	config.slot_mask = RUNNER_SLOTS - 1;
	config.dsa = dsa_tag_of(dsa);
	if (runner.skel && memcmp(&loaded, &config, sizeof(config)) == 0)
		return;
	if (runner.skel)
		runner_close(&runner);
	loaded = config;
	key = native_key();
	runner_open(&runner, &config);
}

static void compare(const void *data, size_t len)
{
	struct explained in_kernel = runner_explain(&runner, data, len);
	struct explained here = native_explain(data, len, &config, &key);

	in_kernel.place = (struct place){};
	assert_memory_equal(&in_kernel, &here, sizeof(here));
}

/* One to four bytes, most often among the headers; sometimes a length that is cut, too. */
static void change(struct frame *frame)
{
	for (int i = number(4); i >= 0; i--)
		frame->data[12 + number(frame->len - 12) % 80 % (frame->len - 12)] =
			number(3) ? number(256) : 0xff * number(2);
	if (number(4) == 0)
		frame->len = 14 + number(frame->len - 13);
}

static void test_table(void **state)
{
	const struct table *table = *state;

	for (size_t i = 0; i < table->count; i++) {
		struct frame frame, changed;

		load(&table->config, table->rows[i].dsa);
		frame_build(&frame, table->rows[i].layers);
		for (size_t len = 14; len <= frame.len; len++)
			compare(frame.data, len);
		for (int n = 0, frames = CHANGED_FRAMES; n < frames; n++) {
			changed = frame;
			change(&changed);
			compare(changed.data, changed.len);
		}
	}
}

static void test_hashes(void **state)
{
	for (int hash = 0; hash < HASH_COUNT; hash++) {
		load(&(struct steer_config){ .now.hash = hash }, NULL);
		for (size_t i = 0; i < ip_rows.count; i++) {
			struct frame frame;

			frame_build(&frame, ip_rows.rows[i].layers);
			compare(frame.data, frame.len);
		}
	}
}

static struct explained explain(const struct layer *layers)
{
	struct frame frame;

	frame_build(&frame, layers);
	return runner_explain(&runner, frame.data, frame.len);
}

#define FROM(src, sport) explain(FRAME(ETH(), IPV4(src, B4), TCP(sport, 80))).hash
#define TO(dst, dport) explain(FRAME(ETH(), IPV4(A4, dst), UDP(1000, dport))).hash
#define BETWEEN(src, dst, sport) explain(FRAME(ETH(), IPV6(src, dst), TCP(sport, 80))).hash

/* What a --hash leaves out makes no difference, what it keeps does. */
static void test_hash_parts(void **state)
{
	load(&(struct steer_config){ .now.hash = HASH_l3 }, NULL);
	assert_int_equal(FROM(A4, 1), FROM(A4, 2));
	assert_int_equal(BETWEEN(A6, B6, 1), BETWEEN(B6, A6, 2));
	assert_int_not_equal(FROM(A4, 1), FROM("10.0.0.2", 1));
	load(&(struct steer_config){ .now.hash = HASH_src }, NULL);
	assert_int_equal(TO(B4, 1), TO("10.9.9.9", 2));
	assert_int_not_equal(FROM(A4, 1), FROM("10.0.0.2", 1));
	load(&(struct steer_config){ .now.hash = HASH_dst }, NULL);
	assert_int_equal(FROM(A4, 1), FROM("10.0.0.2", 2));
	assert_int_not_equal(TO(B4, 1), TO("10.9.9.9", 1));
	load(&(struct steer_config){ .now.hash = HASH_siphash }, NULL);
	assert_int_equal(explain(FRAME(ETH(), V4, TCP(1, 2))).hash,
			 explain(FRAME(ETH(), IPV4(B4, A4), TCP(2, 1))).hash);
	assert_int_not_equal(FROM(A4, 1), FROM(A4, 2));
	assert_int_not_equal(BETWEEN(A6, B6, 1), BETWEEN("2001:db8:0:1::1", B6, 1));
}

static void test_record(void **state)
{
	static const uint8_t headers[] = { HEADER_ethernet, HEADER_vlan, HEADER_vlan, HEADER_ipv4,
					   HEADER_gre,	    HEADER_ipv6, HEADER_tcp };
	struct counters before;
	struct explained record;

	load(&(struct steer_config){}, NULL);
	before = runner_counters(&runner);
	record = explain(FRAME(ETH(), VLAN(1, .type = 0x88a8), VLAN(2), V4, GRE(0), V6, TCP(1, 2)));
	assert_int_equal(record.header_count, sizeof(headers));
	assert_memory_equal(record.headers, headers, sizeof(headers));
	assert_int_equal(record.verdict, VERDICT_redirected);
	assert_int_equal(record.flow.dport, 2);
	assert_int_equal(record.slot, record.hash & (RUNNER_SLOTS - 1));
	assert_int_equal(record.place.set, 1);
	assert_int_equal(runner_slot_state(&runner, record.slot).packets, 0);
	record = explain(FRAME(ETH(), ARP()));
	assert_int_equal(record.verdict, VERDICT_arp);
	assert_int_equal(record.header_count, 1);
	record = explain(FRAME(ETH(), V4, ICMP(3)));
	assert_int_equal(record.fallback, FALLBACK_cut_short);
	runner_aim(&runner, record.slot, (struct place){});
	assert_int_equal(explain(FRAME(ETH(), V4, ICMP(3))).verdict, VERDICT_no_slot);
	runner_aim(&runner, record.slot, (struct place){ .set = 1 });
	assert_memory_equal(&before, &(struct counters){}, sizeof(before));
	before = runner_counters(&runner);
	assert_memory_equal(&before, &(struct counters){}, sizeof(before));
}

static int unload(void **state)
{
	runner_close(&runner);
	return 0;
}

#define TABLES_MAX 16

int main(void)
{
	struct CMUnitTest tests[TABLES_MAX] = {
		{ .name = "every --hash", .test_func = test_hashes },
		{ .name = "what each --hash leaves out", .test_func = test_hash_parts },
		{ .name = "an explanation, and no trace of it", .test_func = test_record },
	};
	size_t count = 3;

	for (const struct table *const *table = tables; *table && count < TABLES_MAX; table++)
		tests[count++] = (struct CMUnitTest){
			.name = (*table)->name,
			.test_func = test_table,
			.initial_state = (void *)*table,
		};
	return _cmocka_run_group_tests("same", tests, count, NULL, unload);
}
