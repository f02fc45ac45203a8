/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What steer costs a frame, by BPF_PROG_TEST_RUN: beside a program that only
 * passes and one that only redirects, all arms in turn, in one run.
 *
 *	frame                    redirect        steer   above redirect
 *	TCP/IPv4                   28  28       41  40           13  12
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cpumap/abi.h>

#include "bpf/steer.skel.h"
#include "prog/native.h"
#include "prog/rows.h"

#define REPEAT 50000 /* frames a run */
#define ROUNDS_MAX 200
#define RUN_SECONDS 9

enum arm { ARM_PASS, ARM_REDIRECT, ARM_STEER, ARM_COUNT };

#define OUTER IPV4("172.16.0.1", "172.16.0.2")
#define TCP_ TCP(40000, 443)

static const struct sample {
	const char *name;
	const struct layer *layers;
	const char *dsa;
	enum inner inner;
	enum hash hash;
	unsigned int prefixes; /* this many, and the destination's is one */
} rows[] = {
	{ "TCP/IPv4", FRAME(ETH(), V4, TCP_, DATA(10)) },
	{ "TCP/IPv6", FRAME(ETH(), V6, TCP_) },
	{ "VLAN TCP/IPv4", FRAME(ETH(), VLAN(5), V4, TCP_, DATA(6)) },
	{ "UDP/IPv4", FRAME(ETH(), V4, UDP(40000, 443), DATA(22)) },
	{ "QinQ", FRAME(ETH(), VLAN(5, .type = 0x88a8), VLAN(6), V4, TCP_) },
	{ "PPPoE", FRAME(ETH(), PPPOE(), V4, TCP_) },
	{ "QinQ PPPoE", FRAME(ETH(), VLAN(5, .type = 0x88a8), VLAN(6), PPPOE(), V4, TCP_) },
	{ "DSA (Marvell)", FRAME(ETH(.next = 0xc108), BYTES("0005"), TYPE(), V4, TCP_),
	  .dsa = "dsa" },
	{ "DSA (Qualcomm)", FRAME(ETH(.next = 0x8002), TYPE(), V4, TCP_), .dsa = "qca" },
	{ "MPLS, 2 labels", FRAME(ETH(), MPLS(16), MPLS(17), V4, TCP_) },
	{ "IPv6, hop-by-hop", FRAME(ETH(), V6, EXT(0), TCP_) },
	{ "IPv4 fragment", FRAME(ETH(), IPV4("10.0.0.1", "10.0.0.2", .more = 1), UDP(1, 2)) },
	{ "ICMP echo", FRAME(ETH(), V4, ICMP(8), DATA(32)) },
	{ "ESP", FRAME(ETH(), V4, ESP(1), DATA(40)) },
	{ "GRE", FRAME(ETH(), OUTER, GRE(0), V4, TCP_) },
	{ "IPIP", FRAME(ETH(), OUTER, V4, TCP_) },
	{ "GTP-U", FRAME(ETH(), OUTER, UDP(2152, 2152), GTPU(7), V4, TCP_) },
	{ "VXLAN, outer", FRAME(ETH(), OUTER, UDP(50000, 4789), VXLAN(), ETH(), V4, TCP_) },
	{ "VXLAN, inner", FRAME(ETH(), OUTER, UDP(50000, 4789), VXLAN(), ETH(), V4, TCP_),
	  .inner = INNER_always },
	{ "TCP/IPv4, prefixes", FRAME(ETH(), V4, TCP_, DATA(10)), .prefixes = 100000 },
	{ "TCP/IPv6, prefixes", FRAME(ETH(), V6, TCP_), .prefixes = 100000 },
	{ "TCP/IPv4, siphash", FRAME(ETH(), V4, TCP_, DATA(10)), .hash = HASH_siphash },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int samples[ROWS][ARM_COUNT][ROUNDS_MAX];

static void die(const char *what)
{
	fprintf(stderr, "bench_prog: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Neighbours of the frames' destinations, as long as addresses are. */
static void fill_prefixes(const struct steer *skel, unsigned int count)
{
	struct prefix_key_4 key_4 = { .len = 32 };
	struct prefix_key_6 key_6 = { .len = 128, .addr = { htonl(0x20010db8) } };
	struct prefix_home home = { .len = 32 };

	for (unsigned int i = 0; i < count; i++) {
		key_4.addr = htonl(0x0a000002 + i * 37);
		key_6.addr[3] = htonl(2 + i * 37);
		if (bpf_map_update_elem(bpf_map__fd(skel->maps.prefixes_4), &key_4, &home, 0) ||
		    bpf_map_update_elem(bpf_map__fd(skel->maps.prefixes_6), &key_6, &home, 0))
			die("fill the prefixes");
	}
}

static struct steer *steer_loaded(const struct sample *row)
{
	struct bpf_cpumap_val entry = { .qsize = 64 };
	struct slot slot = { .want = { .cpu = 0, .set = 1 } };
	struct steer *skel = steer__open();
	int cpus = libbpf_num_possible_cpus();
	__u32 cpu = 0;

	if (!skel)
		die("open the programs");
	*(struct steer_config *)&skel->rodata->steer_config = (struct steer_config){
		.slot_mask = SLOTS_MIN - 1,
		.inner = row->inner,
		.now.hash = row->hash,
		.now.match = row->prefixes ? MATCH_dst : MATCH_none,
		.homes = HOMES_MAX,
		.dsa = dsa_tag_of(row->dsa),
	};
	*(struct flow_key *)&skel->data_key->flow_keys = native_key();
	*(__u16 *)&skel->rodata->steer_config.cpus = cpus;
	bpf_map__set_max_entries(skel->maps.cpus, cpus);
	bpf_map__set_max_entries(skel->maps.sent, LANES_MAX * cpus);
	bpf_map__set_max_entries(skel->maps.targets, LANES_MAX * cpus);
	bpf_map__set_max_entries(skel->maps.asleep, LANES_MAX * cpus);
	bpf_map__set_max_entries(skel->maps.slots, SLOTS_MIN + HOMES_MAX);
	bpf_map__set_max_entries(skel->maps.slot_state, SLOTS_MIN + HOMES_MAX);
	bpf_map__set_max_entries(skel->maps.prefixes_4, row->prefixes + 1);
	bpf_map__set_max_entries(skel->maps.prefixes_6, row->prefixes + 1);
	if (steer__load(skel))
		die("load the programs");
	fill_prefixes(skel, row->prefixes);
	if (bpf_map_update_elem(bpf_map__fd(skel->maps.cpus), &cpu, &entry, 0))
		die("make a cpumap entry");
	for (__u32 i = 0; i < SLOTS_MIN + HOMES_MAX; i++)
		if (bpf_map_update_elem(bpf_map__fd(skel->maps.slots), &i, &slot, 0))
			die("fill the slots");
	return skel;
}

/* return XDP_PASS; */
static int pass_loaded(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_XDP, "bare_pass", "GPL", insns, 2, NULL);
}

/* return bpf_redirect_map(&cpus, 0, XDP_PASS); */
static int redirect_loaded(int cpus_fd)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_DW | BPF_IMM,
		  .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = cpus_fd },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_XDP, "bare_redirect", "GPL", insns, 6, NULL);
}

/* ns a frame. */
static int run(int prog_fd, const struct frame *frame, __u32 expected)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame->data, .data_size_in = frame->len,
		    .repeat = REPEAT);

	if (bpf_prog_test_run_opts(prog_fd, &opts))
		die("run a program");
	if (opts.retval != expected) {
		fprintf(stderr, "bench_prog: a program answered %u, not %u\n", opts.retval,
			expected);
		exit(1);
	}
	return opts.duration;
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void sort(int *values, int count)
{
	qsort(values, count, sizeof(*values), by_value);
}

static void report(int rounds)
{
	printf("ns a frame, median and least of %d runs of %d frames; XDP_PASS alone", rounds,
	       REPEAT);
	sort(samples[0][ARM_PASS], rounds);
	printf(" %d %d\n", samples[0][ARM_PASS][rounds / 2], samples[0][ARM_PASS][0]);
	printf("%-20s %12s %12s   above redirect\n", "frame", "redirect", "steer");
	for (size_t i = 0; i < ROWS; i++) {
		int *bare = samples[i][ARM_REDIRECT], *steer = samples[i][ARM_STEER];

		sort(bare, rounds);
		sort(steer, rounds);
		printf("%-20s %8d %3d %8d %3d %12d %3d\n", rows[i].name, bare[rounds / 2], bare[0],
		       steer[rounds / 2], steer[0], steer[rounds / 2] - bare[rounds / 2],
		       steer[0] - bare[0]);
	}
}

int main(void)
{
	int fds[ROWS][ARM_COUNT];
	struct frame frame;
	int rounds = 0;
	time_t end;

	for (size_t i = 0; i < ROWS; i++) {
		struct steer *skel = steer_loaded(&rows[i]);

		fds[i][ARM_STEER] = bpf_program__fd(skel->progs.steer);
		fds[i][ARM_PASS] = i ? fds[0][ARM_PASS] : pass_loaded();
		fds[i][ARM_REDIRECT] =
			i ? fds[0][ARM_REDIRECT] : redirect_loaded(bpf_map__fd(skel->maps.cpus));
	}
	if (fds[0][ARM_PASS] < 0 || fds[0][ARM_REDIRECT] < 0)
		die("load a bare program");
	end = time(NULL) + RUN_SECONDS;
	for (; rounds < ROUNDS_MAX && time(NULL) < end; rounds++) {
		for (size_t i = 0; i < ROWS; i++) {
			frame_build(&frame, rows[i].layers);
			/* What only passes is asked once a round: it does not look at the frame. */
			for (int arm = i ? ARM_REDIRECT : ARM_PASS; arm < ARM_COUNT; arm++)
				samples[i][arm][rounds] =
					run(fds[i][arm], &frame,
					    arm == ARM_PASS ? XDP_PASS : XDP_REDIRECT);
		}
	}
	report(rounds);
	return 0;
}
