// SPDX-License-Identifier: GPL-2.0
/* Arms on the traffic of an interface that is there anyway: what it delivers, and what that costs.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/text.h"
#include "stats/sample.h"

#define SETTLE_MS 400 /* flows move, TCP finds its pace */
#define WHILE_MS 1000
#define LEAST_PPS 1000 /* less would be noise */
#define USER_PCT 50    /* of all CPUs, by programs: they would be measured instead */
#define STEAL_PCT 2    /* by other guests of the host */

struct cpu_ticks {
	uint64_t user, interrupt, steal, all;
};

/* What is read at both ends of the while. */
struct reading {
	uint64_t at_ns;
	uint64_t frames, drops;	     /* of the interface, its queues and the backlog */
	uint64_t steered, arrived;   /* by our own counters */
	uint64_t kthreads_ns;	     /* of the cpumap entries */
	struct cpu_ticks rx, target; /* of all CPUs of a kind */
};

static uint64_t interface_count(int root, const char *iface, const char *name)
{
	char line[32];
	const char *at = line;
	uint64_t count = 0;

	if (file_read_line(root, line, sizeof(line), "sys/class/net/%s/statistics/%s", iface,
			   name) == 0)
		text_take_u64(&at, &count);
	return count;
}

/* cpu3 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL */
static void add_ticks(const char *at, struct cpu_ticks *sum)
{
	uint64_t ticks;

	for (int i = 0; i < 8; i++) {
		at += strspn(at, " ");
		if (text_take_u64(&at, &ticks) < 0)
			return;
		sum->all += ticks;
		if (i == 0 || i == 1)
			sum->user += ticks;
		if (i == 5 || i == 6)
			sum->interrupt += ticks;
		if (i == 7)
			sum->steal += ticks;
	}
}

static void read_ticks(int root, const struct cpuset *targets, struct reading *reading)
{
	int fd = openat(root, "proc/stat", O_RDONLY | O_CLOEXEC);
	cleanup(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = line + strlen("cpu");
		uint32_t cpu;

		if (text_starts(line, "cpu") && text_take_u32(&at, CPUS_MAX - 1, &cpu) == 0)
			add_ticks(at, cpuset_has(targets, cpu) ? &reading->target : &reading->rx);
	}
}

/* The second column: packets that a CPU's backlog, of RPS, had no room for. */
static uint64_t backlog_drops(int root)
{
	int fd = openat(root, "proc/net/softnet_stat", O_RDONLY | O_CLOEXEC);
	cleanup(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	uint64_t packets, drops, sum = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = line;

		if (text_take_hex(&at, &packets) < 0)
			continue;
		at += strspn(at, " ");
		if (text_take_hex(&at, &drops) == 0)
			sum += drops;
	}
	return sum;
}

static void read_ours(const char *iface, struct reading *reading)
{
	struct sample sample;

	if (sample_take(iface, &sample) < 0)
		return;
	for (unsigned int i = 0; i < sample.count; i++) {
		const struct snapshot *now = sample.at[i];

		for (unsigned int cpu = 0; cpu < now->cpu_count; cpu++) {
			reading->steered += now->cpus[cpu].target.sent_packets;
			reading->arrived += now->cpus[cpu].target.packets;
		}
		for (unsigned int q = 0; q < now->lane_count * now->cpu_count; q++) {
			reading->drops += now->queues[q].enqueue_drops +
					  now->queues[q].memory_drops + now->queues[q].stage_drops;
			reading->kthreads_ns += now->queues[q].busy_ns;
		}
	}
	sample_done(&sample);
}

/* The packets that each CPU took from a driver; the CPU is told by kernels since 5.10. */
static void read_received(int root, uint64_t *ret)
{
	int fd = openat(root, "proc/net/softnet_stat", O_RDONLY | O_CLOEXEC);
	cleanup(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = line;
		uint64_t column[13];
		int i = 0;

		while (i < 13 && text_take_hex(&at, &column[i]) == 0) {
			at += strspn(at, " ");
			i++;
		}
		if (i == 13 && column[12] < CPUS_MAX)
			ret[column[12]] = column[0];
	}
}

/* The CPU that receives most, now; with several queues others receive, too. */
static int find_rx_cpu(struct bench_result *result)
{
	static uint64_t before[CPUS_MAX], after[CPUS_MAX];
	cleanup(closep) int root = root_open("/");
	uint64_t most = 0;
	int r;

	read_received(root, before);
	r = bench_wait(SETTLE_MS);
	read_received(root, after);
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (!cpuset_has(&result->targets, cpu) && after[cpu] - before[cpu] > most) {
			most = after[cpu] - before[cpu];
			result->rx_cpu = cpu;
		}
	return r;
}

static struct reading take_reading(int root, bool ours, const struct bench_result *result)
{
	struct reading reading = { 0 };
	struct timespec now;

	if (ours)
		read_ours(result->iface, &reading);
	reading.frames = interface_count(root, result->iface, "rx_packets");
	reading.drops += interface_count(root, result->iface, "rx_dropped") + backlog_drops(root);
	read_ticks(root, &result->targets, &reading);
	clock_gettime(CLOCK_MONOTONIC, &now);
	reading.at_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	return reading;
}

static double ticks_ns(uint64_t ticks)
{
	return (double)ticks * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

static struct bench_sample compare(const struct reading *a, const struct reading *b)
{
	double seconds = (double)(b->at_ns - a->at_ns) / 1e9;
	/* Some drivers do not count what XDP redirects. */
	double frames = fmax((double)(b->frames - a->frames), (double)(b->steered - a->steered));
	double drops = fmin(frames, (double)(b->drops - a->drops)), delivered = frames - drops;
	struct bench_sample sample = {
		.packets_per_s = delivered / seconds,
		.rx_ns = NAN,
		.target_ns = NAN,
		.frames_per_skb = NAN,
		.drops_pct = frames > 0 ? 100 * drops / frames : NAN,
		.reorders = NAN,
		.rtt_p50_us = NAN,
		.rtt_p99_us = NAN,
	};

	if (delivered <= 0)
		return sample;
	sample.rx_ns = ticks_ns(b->rx.interrupt - a->rx.interrupt) / delivered;
	sample.target_ns = (ticks_ns(b->target.interrupt - a->target.interrupt) +
			    (double)(b->kthreads_ns - a->kthreads_ns)) /
			   delivered;
	return sample;
}

static bool steers(enum arm arm)
{
	return arm == ARM_CPUMAP || arm == ARM_GRO || arm == ARM_LANES;
}

static int measure(enum arm arm, const struct bench_result *result, struct bench_sample *ret)
{
	cleanup(closep) int root = root_open("/");
	struct reading before, after;
	int r = bench_wait(SETTLE_MS);

	if (r < 0)
		return r;
	before = take_reading(root, steers(arm), result);
	r = bench_wait(WHILE_MS);
	if (r < 0)
		return r;
	after = take_reading(root, steers(arm), result);
	*ret = compare(&before, &after);
	if (ret->packets_per_s < LEAST_PPS && after.frames - before.frames < LEAST_PPS)
		return fail(-EAGAIN,
			    "%s: only %.0f packets/s come in, too few to tell ways to receive "
			    "apart; bench it when there is traffic",
			    result->iface, ret->packets_per_s);
	if (steers(arm) && (after.steered == before.steered || after.arrived == before.arrived))
		return fail(-EIO, "arm '%s': nothing was steered", arm_names[arm]);
	return 0;
}

/* Softirqs are the traffic's; programs that need the CPUs would be measured with it. */
static int check_quiet(bool force, struct bench_result *result)
{
	cleanup(closep) int root = root_open("/");
	struct reading a = take_reading(root, false, result), b;
	double all, user, steal;
	int r = bench_wait(500);

	if (r < 0)
		return r;
	b = take_reading(root, false, result);
	all = fmax(1, (double)(b.rx.all + b.target.all - a.rx.all - a.target.all));
	user = 100 * (double)(b.rx.user + b.target.user - a.rx.user - a.target.user) / all;
	steal = 100 * (double)(b.rx.steal + b.target.steal - a.rx.steal - a.target.steal) / all;
	if (user <= USER_PCT && steal <= STEAL_PCT)
		return 0;
	result->forced |= force;
	return force ? 0
		     : fail(-EBUSY,
			    "the machine is too busy to tell: programs use %.0f %% of its CPUs and "
			    "%.0f %% are stolen from it; try when it is quiet, or --force to see "
			    "numbers all the same",
			    user, steal);
}

static int run_round(const struct live *live, unsigned int round, struct bench_result *result)
{
	enum arm arms[ARMS];
	unsigned int count = 0;
	int r = 0, ended;

	for (int arm = 0; arm < ARMS; arm++)
		if (result->have[arm])
			arms[count++] = (enum arm)arm;
	bench_shuffle(arms, count);
	for (unsigned int i = 0; r == 0 && i < count; i++) {
		r = live->begin(arms[i], live->data);
		if (r < 0)
			return r;
		r = measure(arms[i], result, &result->samples[arms[i]][KIND_LIVE][round]);
		ended = live->end(arms[i], live->data);
		r = r < 0 ? r : ended;
	}
	return r;
}

int bench_live(const struct live *live, unsigned int rounds, bool force,
	       struct bench_result *result)
{
	struct bench_sample first;
	int r;

	bench_watch_signals();
	bench_note_where(result);
	/* Before anything is changed. */
	r = find_rx_cpu(result);
	if (r == 0)
		r = measure(ARM_PLAIN, result, &first);
	for (unsigned int round = 0; r == 0 && round < rounds; round++) {
		r = check_quiet(force, result);
		if (r == 0)
			r = run_round(live, round, result);
		if (r < 0)
			return r;
		result->rounds++;
		note("round %u of %u", round + 1, rounds);
	}
	return r;
}
