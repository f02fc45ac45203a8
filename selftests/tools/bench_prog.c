/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What steer costs a frame, by BPF_PROG_TEST_RUN: beside a program that only
 * passes and one that only redirects, all arms in turn, in one run.
 *
 *	frame                 pass  redirect     steer    above redirect
 *	TCP/IPv4               6.0      11.0      21.0   10 ns (least 9)
 */
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
#include "prog/frame.h"

#define REPEAT 100000 /* frames a run */
#define ROUNDS_MAX 200
#define RUN_SECONDS 9

enum arm { ARM_PASS, ARM_REDIRECT, ARM_STEER, ARM_COUNT };

static const struct row {
	const char *name;
	const struct layer *layers;
} rows[] = {
	{ "TCP/IPv4", FRAME(ETH(), IPV4("10.0.0.1", "10.0.0.2"), TCP(40000, 443), DATA(10)) },
	{ "TCP/IPv6", FRAME(ETH(), IPV6("2001:db8::1", "2001:db8::2"), TCP(40000, 443)) },
	{ "VLAN TCP/IPv4",
	  FRAME(ETH(), VLAN(5), IPV4("10.0.0.1", "10.0.0.2"), TCP(40000, 443), DATA(6)) },
	{ "UDP/IPv4", FRAME(ETH(), IPV4("10.0.0.1", "10.0.0.2"), UDP(40000, 443), DATA(22)) },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int samples[ROWS][ARM_COUNT][ROUNDS_MAX];

static void die(const char *what)
{
	fprintf(stderr, "bench_prog: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct steer *steer_loaded(void)
{
	struct bpf_cpumap_val entry = { .qsize = 64 };
	struct slot slot = { .want = { .cpu = 0, .set = 1 } };
	struct steer *skel = steer__open();
	__u32 cpu = 0;

	if (!skel)
		die("open the programs");
	for (int i = 0; i < 7; i++)
		((__u32 *)&skel->data_key->flow_key)[i] = 0x9e3779b9u * (i + 1);
	if (steer__load(skel))
		die("load the programs");
	if (bpf_map_update_elem(bpf_map__fd(skel->maps.cpus), &cpu, &entry, 0))
		die("make a cpumap entry");
	for (__u32 i = 0; i < SLOTS_MIN; i++)
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

static void report(int rounds)
{
	printf("%-20s %8s %8s %8s   above redirect   (ns a frame: median, least; %d runs of %d)\n",
	       "frame", "pass", "redirect", "steer", rounds, REPEAT);
	for (size_t i = 0; i < ROWS; i++) {
		int least[ARM_COUNT], median[ARM_COUNT];

		for (int arm = 0; arm < ARM_COUNT; arm++) {
			qsort(samples[i][arm], rounds, sizeof(int), by_value);
			least[arm] = samples[i][arm][0];
			median[arm] = samples[i][arm][rounds / 2];
		}
		printf("%-20s %4d %3d %4d %3d %4d %3d   %6d %3d\n", rows[i].name, median[ARM_PASS],
		       least[ARM_PASS], median[ARM_REDIRECT], least[ARM_REDIRECT],
		       median[ARM_STEER], least[ARM_STEER],
		       median[ARM_STEER] - median[ARM_REDIRECT],
		       least[ARM_STEER] - least[ARM_REDIRECT]);
	}
}

int main(void)
{
	struct steer *skel = steer_loaded();
	int fds[ARM_COUNT] = {
		[ARM_PASS] = pass_loaded(),
		[ARM_REDIRECT] = redirect_loaded(bpf_map__fd(skel->maps.cpus)),
		[ARM_STEER] = bpf_program__fd(skel->progs.steer),
	};
	time_t end = time(NULL) + RUN_SECONDS;
	struct frame frame;
	int rounds = 0;

	if (fds[ARM_PASS] < 0 || fds[ARM_REDIRECT] < 0)
		die("load a bare program");
	for (; rounds < ROUNDS_MAX && time(NULL) < end; rounds++) {
		for (size_t i = 0; i < ROWS; i++) {
			frame_build(&frame, rows[i].layers);
			for (int arm = 0; arm < ARM_COUNT; arm++)
				samples[i][arm][rounds] =
					run(fds[arm], &frame,
					    arm == ARM_PASS ? XDP_PASS : XDP_REDIRECT);
		}
	}
	report(rounds);
	steer__destroy(skel);
	return 0;
}
