// SPDX-License-Identifier: GPL-2.0
/* One arm with one kind of traffic: the counters of the stack and of the CPUs around a while of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/text.h"
#include "stats/sample.h"

#define WARM_MS 250 /* connections are made, queues fill */
#define WHILE_MS 500
#define PING_MS 100  /* after which a ping counts as lost */
#define SEGMENT 1448 /* bytes of TCP in a frame of 1514 */

/* What is read at both ends of the while. */
struct reading {
	uint64_t at_ns;
	uint64_t packets, bytes, reorders; /* of the tally */
	uint64_t nobody;		   /* datagrams without a socket */
	uint64_t received;		   /* packets that IP got */
	uint64_t frames;		   /* that reached the interface */
	uint64_t resent, tcp_reorders;
	uint64_t rx_ns, target_ns;
	uint64_t redirected, arrived; /* of our own counters */
	uint32_t pings;
};

/*
 * /proc/PID/net/snmp and netstat: a line of names, a line of numbers, both
 * behind "Ip:" or the like.
 */
static uint64_t stack_counter(pid_t pid, const char *name, const char *group, const char *counter)
{
	cleanup(fclosep) FILE *file = NULL;
	char path[48], names[4096], numbers[4096], *name_at, *number_at, *word, *number;

	snprintf(path, sizeof(path), "/proc/%d/net/%s", (int)pid, name);
	file = fopen(path, "re");
	while (file && fgets(names, sizeof(names), file) && fgets(numbers, sizeof(numbers), file)) {
		if (!text_starts(names, group))
			continue;
		name_at = names;
		number_at = numbers;
		while ((word = strsep(&name_at, " \n")) && (number = strsep(&number_at, " \n"))) {
			const char *text = number;
			uint64_t value;

			if (strcmp(word, counter) == 0 && text_take_u64(&text, &value) == 0)
				return value;
		}
	}
	return 0;
}

static uint64_t run_ns(int root, pid_t pid)
{
	char line[96];
	const char *at = line;
	uint64_t ns = 0;

	if (file_read_line(root, line, sizeof(line), "proc/%d/schedstat", (int)pid) == 0)
		text_take_u64(&at, &ns);
	return ns;
}

/* The kernel's softirq thread of a CPU. */
static pid_t ksoftirqd_of(int root, unsigned int cpu)
{
	char wanted[32], name[32];

	snprintf(wanted, sizeof(wanted), "ksoftirqd/%u", cpu);
	/* They were made at boot, one after another. */
	for (int pid = 2; pid < 20000; pid++)
		if (file_read_line(root, name, sizeof(name), "proc/%d/comm", pid) == 0 &&
		    strcmp(name, wanted) == 0)
			return pid;
	return 0;
}

/* Time in which a CPU was not idle, whatever it did: interrupts on an idle CPU are no thread's. */
static uint64_t busy_ns(int root, const struct cpuset *cpus)
{
	int fd = openat(root, "proc/stat", O_RDONLY | O_CLOEXEC);
	cleanup(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	uint64_t tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK), busy = 0, ticks;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = line + strlen("cpu");
		uint32_t cpu;

		if (!text_starts(line, "cpu") || text_take_u32(&at, CPUS_MAX - 1, &cpu) < 0 ||
		    !cpuset_has(cpus, cpu))
			continue;
		for (int i = 0; i < 8; i++) {
			at += strspn(at, " ");
			if (text_take_u64(&at, &ticks) == 0 && i != 3 && i != 4)
				busy += ticks * tick_ns;
		}
	}
	return busy;
}

static void read_ours(struct reading *reading)
{
	struct sample sample;

	if (sample_take(BENCH_RX, &sample) < 0)
		return;
	for (unsigned int i = 0; i < sample.count; i++)
		for (unsigned int cpu = 0; cpu < sample.at[i]->cpu_count; cpu++) {
			reading->redirected += sample.at[i]->cpus[cpu].target.sent_packets;
			reading->arrived += sample.at[i]->cpus[cpu].target.packets;
		}
	sample_done(&sample);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct reading take_reading(int root, const struct crew *crew, bool ours)
{
	const struct tally *tally = crew->tally;
	pid_t self = getpid(), softirqd = ksoftirqd_of(root, crew->rx_cpu);
	struct reading reading = { 0 };
	char line[32];
	const char *at = line;

	if (ours)
		read_ours(&reading);
	if (file_read_line(root, line, sizeof(line),
			   "sys/class/net/" BENCH_RX "/statistics/rx_packets") == 0)
		text_take_u64(&at, &reading.frames);
	reading.nobody = stack_counter(self, "snmp", "Udp:", "NoPorts");
	reading.received = stack_counter(self, "snmp", "Ip:", "InReceives");
	reading.resent = stack_counter(crew->sender, "snmp", "Tcp:", "RetransSegs");
	reading.tcp_reorders = stack_counter(crew->sender, "netstat", "TcpExt:", "TCPSACKReorder");
	reading.packets = tally->packets;
	reading.bytes = tally->bytes;
	reading.reorders = tally->reorders;
	reading.pings = tally->pings;
	reading.rx_ns = run_ns(root, crew->sender) + (softirqd ? run_ns(root, softirqd) : 0);
	reading.target_ns = busy_ns(root, crew->targets);
	reading.at_ns = now_ns();
	return reading;
}

static int by_time(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void take_pings(const struct tally *tally, uint32_t from, uint32_t to,
		       struct bench_sample *ret)
{
	static uint32_t times[PINGS_MAX];
	uint32_t count = to > from ? to - from : 0;

	ret->rtt_p50_us = ret->rtt_p99_us = NAN;
	if (count < 20)
		return;
	memcpy(times, tally->rtt_us + from, count * sizeof(times[0]));
	qsort(times, count, sizeof(times[0]), by_time);
	ret->rtt_p50_us = times[count / 2];
	ret->rtt_p99_us = times[count * 99 / 100];
}

static double delivered_of(enum kind kind, const struct reading *a, const struct reading *b)
{
	switch (kind) {
	case KIND_DROP:
		return (double)(b->nobody - a->nobody);
	case KIND_GRO:
		return (double)(b->packets - a->packets);
	default:
		return (double)(b->bytes - a->bytes) / SEGMENT;
	}
}

static void compare(enum kind kind, const struct reading *a, const struct reading *b,
		    struct bench_sample *ret)
{
	double seconds = (double)(b->at_ns - a->at_ns) / 1e9;
	double delivered = delivered_of(kind, a, b), frames = (double)(b->frames - a->frames);
	double lost = kind == KIND_TCP || kind == KIND_TCPS ? (double)(b->resent - a->resent)
							    : fmax(0, frames - delivered);

	ret->packets_per_s = delivered / seconds;
	ret->rx_ns = delivered > 0 ? (double)(b->rx_ns - a->rx_ns) / delivered : NAN;
	ret->target_ns = delivered > 0 ? (double)(b->target_ns - a->target_ns) / delivered : NAN;
	ret->frames_per_skb =
		b->received > a->received ? delivered / (double)(b->received - a->received) : NAN;
	ret->drops_pct = frames > 0 ? fmin(100, 100 * lost / frames) : NAN;
	ret->reorders =
		kind == KIND_DROP
			? NAN
			: (double)(b->reorders - a->reorders + b->tcp_reorders - a->tcp_reorders);
}

static int measure(enum arm arm, const struct crew *crew, struct bench_sample *ret)
{
	bool ours = arm == ARM_CPUMAP || arm == ARM_GRO || arm == ARM_LANES;
	cleanup(closep) int root = root_open("/");
	struct reading before, after;
	int r = bench_wait(WARM_MS);

	if (r < 0)
		return r;
	before = take_reading(root, crew, ours);
	r = bench_wait(WHILE_MS);
	after = take_reading(root, crew, ours);
	/* The last pings had no time to come back. */
	if (r == 0)
		r = bench_wait(PING_MS);
	if (r < 0)
		return r;
	compare(crew->kind, &before, &after, ret);
	take_pings(crew->tally, before.pings, after.pings, ret);
	/* A number that was measured on something else is worse than none. */
	if (ours && ret->packets_per_s > 0 &&
	    (after.redirected == before.redirected || after.arrived == before.arrived))
		return fail(-EIO, "arm '%s': nothing was steered", arm_names[arm]);
	return 0;
}

int bench_measure(enum arm arm, enum kind kind, const struct bench_net *net,
		  const struct bench_result *result, struct bench_sample *ret)
{
	struct crew crew = {
		.kind = kind, .net = net, .rx_cpu = result->rx_cpu, .targets = &result->targets
	};
	int r = crew_start(&crew);

	if (r == 0)
		r = measure(arm, &crew, ret);
	crew_stop(&crew);
	return r;
}
