/* SPDX-License-Identifier: GPL-2.0 */
/* BPF_PROG_TEST_RUN around the skeleton; what fails here is no test's fault, so it ends the run. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cpumap/abi.h>
#include <cpumap/hash.h>
#include <cpumap/rules.h>

#include "bpf/steer.skel.h"
#include "prog/native.h"
#include "prog/runner.h"

enum { STAY_COUNT = VERDICT_COUNT - 1 };

static void die(const char *what)
{
	printf("Bail out! cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

/* The sum over all CPUs of a value that is made of counters alone. */
static void read_sum(const struct bpf_map *map, uint32_t key, void *ret)
{
	size_t words = bpf_map__value_size(map) / sizeof(uint64_t);
	int cpus = libbpf_num_possible_cpus();
	uint64_t values[cpus][words], *sum = ret;

	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, values))
		die("read a map");
	memset(sum, 0, words * sizeof(*sum));
	for (int cpu = 0; cpu < cpus; cpu++)
		for (size_t i = 0; i < words; i++)
			sum[i] += values[cpu][i];
}

const struct move_rules runner_rules = { .stamps = 1, .margin = 72, .idle_ns = 100000000 };

/*
 * Kernels of 2020 rewrite their XDP dispatcher, and wait for all CPUs, before
 * and after each test run of a program that is attached nowhere. This one is
 * attached to a loopback interface of our own, which is down.
 */
static void attach_somewhere(const struct steer *skel)
{
	static bool is_alone;
	const int lo = 1;

	if (!is_alone && unshare(CLONE_NEWNET))
		return;
	is_alone = true;
	bpf_xdp_attach(lo, bpf_program__fd(skel->progs.steer), XDP_FLAGS_SKB_MODE, NULL);
}

void runner_open(struct runner *runner, const struct steer_config *config)
{
	struct bpf_cpumap_val entry = { .qsize = 64 };
	struct steer *skel = steer__open();
	int cpus = libbpf_num_possible_cpus();
	uint32_t cpu = 0;

	if (!skel)
		die("open the programs");
	if (config)
		*(struct steer_config *)&skel->rodata->steer_config = *config;
	*(uint32_t *)&skel->rodata->steer_config.slot_mask = RUNNER_SLOTS - 1;
	*(struct flow_key *)&skel->data_key->flow_keys = native_key();
	*(uint16_t *)&skel->rodata->steer_config.cpus = cpus;
	*(uint32_t *)&skel->rodata->steer_config.mark_mask = RUNNER_MARKS - 1;
	skel->data_rules->move_rules = runner_rules;
	if (config && config->rules) {
		bpf_map__set_value_size(skel->maps.rules, sizeof(struct rule_set));
		bpf_map__set_max_entries(skel->maps.rules, RULE_SETS);
	}
	bpf_map__set_max_entries(skel->maps.cpus, cpus);
	bpf_map__set_max_entries(skel->maps.sent, LANES_MAX * cpus);
	bpf_map__set_max_entries(skel->maps.targets, LANES_MAX * cpus);
	bpf_map__set_max_entries(skel->maps.asleep, LANES_MAX * cpus);
	bpf_map__set_max_entries(skel->maps.marks, RUNNER_MARKS);
	bpf_map__set_max_entries(skel->maps.prefixes_4, RUNNER_SLOTS);
	bpf_map__set_max_entries(skel->maps.prefixes_6, RUNNER_SLOTS);
	bpf_map__set_max_entries(skel->maps.slots, RUNNER_SLOTS);
	bpf_map__set_max_entries(skel->maps.slot_state, RUNNER_SLOTS);
	bpf_map__set_max_entries(skel->maps.pending, RUNNER_SLOTS);
	/* The kernel does not run programs of a cpumap for a test: load it as one of a device. */
	bpf_program__set_expected_attach_type(skel->progs.pass, BPF_XDP);
	if (steer__load(skel))
		die("load the programs");
	attach_somewhere(skel);
	if (bpf_map_update_elem(bpf_map__fd(skel->maps.cpus), &cpu, &entry, 0))
		die("make a cpumap entry");
	runner->skel = skel;
	for (uint32_t slot = 0; slot < RUNNER_SLOTS; slot++)
		runner_aim(runner, slot, (struct place){ .cpu = 0, .set = 1 });
	memset(&runner->counters, 0, sizeof(runner->counters));
}

void runner_aim(struct runner *runner, uint32_t slot, struct place place)
{
	runner_want(runner, slot, (struct slot){ .want = place });
}

void runner_want(struct runner *runner, uint32_t slot, struct slot value)
{
	if (bpf_map_update_elem(bpf_map__fd(runner->skel->maps.slots), &slot, &value, 0))
		die("fill a slot");
}

void runner_close(struct runner *runner)
{
	steer__destroy(runner->skel);
}

/* The index of the one counter that moved, by one; -1 if none did, -2 if more did. */
static int moved(const uint64_t *before, const uint64_t *after, int count)
{
	int ret = -1;

	for (int i = 0; i < count; i++) {
		if (after[i] == before[i])
			continue;
		if (ret != -1 || after[i] != before[i] + 1)
			return -2;
		ret = i;
	}
	return ret;
}

struct outcome runner_run(struct runner *runner, const void *data, size_t len)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = data, .data_size_in = len, .repeat = 1);
	const uint64_t *before = (const uint64_t *)&runner->counters;
	struct counters now;
	const uint64_t *after = (const uint64_t *)&now;
	struct outcome outcome;

	if (bpf_prog_test_run_opts(bpf_program__fd(runner->skel->progs.steer), &opts))
		die("run the program");
	read_sum(runner->skel->maps.counters, 0, &now);
	outcome.action = opts.retval;
	/* Neither a redirect nor FALLBACK_none, their first, has a counter here. */
	outcome.verdict = 1 + moved(before, after, STAY_COUNT);
	if (outcome.verdict == VERDICT_redirected && outcome.action != XDP_REDIRECT)
		outcome.verdict = -1;
	outcome.fallback = 1 + moved(before + STAY_COUNT, after + STAY_COUNT, FALLBACK_COUNT - 1);
	runner->counters = now;
	return outcome;
}

struct explained runner_explain(struct runner *runner, const void *data, size_t len)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = data, .data_size_in = len, .repeat = 1);
	struct explained record;
	uint32_t key = 0;

	if (bpf_prog_test_run_opts(bpf_program__fd(runner->skel->progs.steer), &opts))
		die("run the program");
	if (bpf_map_lookup_elem(bpf_map__fd(runner->skel->maps.explained), &key, &record))
		die("read what the program explained");
	return record;
}

uint32_t runner_slot(const struct runner *runner, const struct flow *flow)
{
	return flow_hash(flow, &runner->skel->data_key->flow_keys.at[0]) & (RUNNER_SLOTS - 1);
}

struct slot_state runner_slot_state(const struct runner *runner, uint32_t slot)
{
	struct slot_state state;

	read_sum(runner->skel->maps.slot_state, slot, &state);
	return state;
}

struct counters runner_counters(const struct runner *runner)
{
	struct counters value;

	read_sum(runner->skel->maps.counters, 0, &value);
	return value;
}

void runner_stay_here(void)
{
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(sched_getcpu(), &only);
	if (sched_setaffinity(0, sizeof(only), &only))
		die("stay on a CPU");
}

/* The value of the CPU that this test runs on, and from now on stays on. */
static void read_here(const struct bpf_map *map, uint32_t key, void *ret)
{
	size_t size = (bpf_map__value_size(map) + 7) & ~7U;
	int cpus = libbpf_num_possible_cpus();
	uint8_t values[cpus][size];

	runner_stay_here();
	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, values))
		die("read a map");
	memcpy(ret, values[sched_getcpu()], bpf_map__value_size(map));
}

void runner_rule(struct runner *runner, const struct move_rules *rules)
{
	runner->skel->data_rules->move_rules = *rules;
}

struct slot_state runner_slot_here(const struct runner *runner, uint32_t slot)
{
	struct slot_state state;

	read_here(runner->skel->maps.slot_state, slot, &state);
	return state;
}

struct pending runner_pending(const struct runner *runner, uint32_t slot)
{
	struct pending pending;

	read_here(runner->skel->maps.pending, slot, &pending);
	return pending;
}

struct moves runner_moves(const struct runner *runner)
{
	struct moves moves;

	read_here(runner->skel->maps.moves, 0, &moves);
	return moves;
}

static void put(const struct bpf_map *map, uint32_t key, const void *value)
{
	if (bpf_map_update_elem(bpf_map__fd(map), &key, value, 0))
		die("write a map");
}

void runner_seen(struct runner *runner, uint32_t slot, uint32_t stamp, uint32_t nth, uint64_t had)
{
	struct mark mark = { .seen = (uint64_t)stamp << 32 | nth };

	put(runner->skel->maps.marks, (sched_getcpu() * RUNNER_SLOTS + slot) & (RUNNER_MARKS - 1),
	    &mark);
	put(runner->skel->maps.targets, 0, &(struct target){ .packets = had });
}

void runner_slept(struct runner *runner, const struct asleep *asleep)
{
	put(runner->skel->maps.asleep, 0, asleep);
}

struct sent runner_sent(const struct runner *runner, uint32_t cpu)
{
	struct sent sent;

	read_sum(runner->skel->maps.sent, cpu, &sent);
	return sent;
}

struct target runner_target(const struct runner *runner)
{
	struct target target, sum = { 0 };

	for (int cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
		if (bpf_map_lookup_elem(bpf_map__fd(runner->skel->maps.targets), &cpu, &target))
			die("read a map");
		sum.packets += target.packets;
		sum.bytes += target.bytes;
	}
	return sum;
}

int runner_pass(struct runner *runner, const void *data, size_t len, uint32_t meta)
{
	uint8_t in[meta + len];
	struct xdp_md ctx = { .data = meta, .data_end = sizeof(in) }, ctx_out;
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = in, .data_size_in = sizeof(in),
		    .ctx_in = &ctx, .ctx_size_in = sizeof(ctx), .ctx_out = &ctx_out,
		    .ctx_size_out = sizeof(ctx_out));

	memset(in, 0, meta);
	memcpy(in + meta, data, len);
	if (bpf_prog_test_run_opts(bpf_program__fd(runner->skel->progs.pass), &opts)) {
		if (errno == EINVAL)
			return RUNNER_NO_METADATA;
		die("run the second stage");
	}
	return ctx_out.data == ctx_out.data_meta ? (int)opts.retval : -1;
}
