// SPDX-License-Identifier: GPL-2.0
/* The ways to receive that are compared: each is begun and ended between two rounds. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "lib/clean.h"
#include "lib/say.h"

const char *const arm_names[] = {
	"plain", "rps", "xdp-pass", "cpumap", "cpumap+gro", "lanes", NULL
};

const char *const arm_helps[] = {
	"the stack, GRO on, on the RX CPU",
	"RPS to the target CPUs, GRO on the RX CPU",
	"an XDP program that passes every frame, GRO on",
	"xdp-cpumap load, GRO off",
	"xdp-cpumap load, GRO on",
	"xdp-cpumap load --lanes 4, GRO on",
};

const char *const live_arm_helps[] = {
	"the interface as it was, without steering and RPS",
	"RPS to the target CPUs instead",
	NULL,
	"steered as configured, GRO off",
	"steered as configured, GRO on",
	"steered with --lanes 8, GRO on",
};

const char *const kind_names[] = { "udp-drop", "udp-gro", "tcp-1", "tcp-32", "live", NULL };

const char *const kind_helps[] = {
	"UDP, 64 bytes, 32 flows, nobody listens",
	"UDP, 1442 bytes, 32 flows in trains of 16, to a socket with UDP_GRO",
	"TCP, 1 connection",
	"TCP, 32 connections",
	"what comes in on the interface",
};

extern char **environ;

/* This very tool, as a user would run it. Its words are shown when it fails. */
static int run_tool(char *const *argv)
{
	posix_spawn_file_actions_t actions;
	char said[1024] = "";
	int pipes[2], status = 0, r;
	size_t length = 0;
	ssize_t n;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return fail(-errno, "cannot make a pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO);
	r = posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipes[1]);
	/* To its end: who writes into a closed pipe is killed. */
	while (length < sizeof(said) - 1 &&
	       (n = read(pipes[0], said + length, sizeof(said) - 1 - length)) > 0)
		length += (size_t)n;
	close(pipes[0]);
	if (r)
		return fail(-r, "cannot start myself: %s", strerror(r));
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return fail(-EIO, "%s %s failed: %.*s", argv[1], argv[2], (int)length, said);
	return 0;
}

static int load(const struct bench_result *result, bool lanes)
{
	char cpus[256];
	char *argv[] = { "xdp-cpumap", "load",	 BENCH_RX, "--cpus",
			 cpus,	       "--mode", "native", lanes ? "--lanes" : NULL,
			 "4",	       NULL };

	cpuset_format(&result->targets, cpus, sizeof(cpus));
	return run_tool(argv);
}

/* The mask of rps_cpus: words of 32 bits, the highest first. */
static int set_rps(const struct cpuset *cpus)
{
	cleanup(closep) int fd =
		open("/sys/class/net/" BENCH_RX "/queues/rx-0/rps_cpus", O_WRONLY | O_CLOEXEC);
	unsigned int words = 1;
	char mask[9 * CPUS_MAX / 32 + 1] = "";
	size_t length = 0;

	cpuset_for_each(cpus, cpu)
		words = cpu / 32 + 1;
	for (unsigned int i = words; i-- > 0;) {
		uint32_t word = (uint32_t)(cpus->bits[i / 2] >> (i % 2 * 32));

		length += (size_t)snprintf(mask + length, sizeof(mask) - length, "%08x%s", word,
					   i ? "," : "");
	}
	if (fd < 0 || write(fd, mask, length) != (ssize_t)length)
		return fail(-errno, "cannot set rps_cpus: %s", strerror(errno));
	return 0;
}

/* return XDP_PASS; */
static int attach_pass(uint32_t rx_index)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	cleanup(closep) int fd =
		bpf_prog_load(BPF_PROG_TYPE_XDP, "bench_pass", "GPL", insns, 2, NULL);
	int r = fd < 0 ? fd : bpf_xdp_attach((int)rx_index, fd, XDP_FLAGS_DRV_MODE, NULL);

	return r < 0 ? fail(r, "cannot attach the program that passes: %s", strerror(-r)) : 0;
}

int bench_arm_begin(enum arm arm, const struct bench_result *result, uint32_t rx_index)
{
	int r = 0;

	if (arm == ARM_RPS)
		r = set_rps(&result->targets);
	else if (arm == ARM_PASS)
		r = attach_pass(rx_index);
	else if (arm == ARM_CPUMAP || arm == ARM_GRO || arm == ARM_LANES)
		r = load(result, arm == ARM_LANES);
	/* In every arm, and last: XDP on an interface changes the features of its peer. */
	return r < 0 ? r : bench_features(BENCH_RX, arm != ARM_CPUMAP, false);
}

int bench_arm_end(enum arm arm, uint32_t rx_index)
{
	static char *const unload[] = { "xdp-cpumap", "unload", BENCH_RX, NULL };
	const struct cpuset none = { 0 };

	if (arm == ARM_RPS)
		return set_rps(&none);
	if (arm == ARM_PASS)
		return bpf_xdp_detach((int)rx_index, XDP_FLAGS_DRV_MODE, NULL);
	if (arm == ARM_PLAIN)
		return 0;
	return run_tool(unload);
}
