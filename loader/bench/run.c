// SPDX-License-Identifier: GPL-2.0
/* The rounds: all arms in each, in an order that is drawn anew, and none while others work. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/orphan.h"
#include "lib/say.h"
#include "lib/ticker.h"
#include "lib/text.h"

#define LOOK_MS 300
#define BUSY_PCT 15 /* of all CPUs, by others, before a round */
#define STEAL_PCT 2 /* by other guests of the host */
#define WAITS 20    /* looks at a busy machine before we give up */

static int signals = -1;

int bench_wait(unsigned int ms)
{
	struct pollfd wait = { .fd = signals, .events = POLLIN };

	return poll(&wait, 1, (int)ms) == 1 ? fail(-EINTR, "interrupted") : 0;
}

/* They are read, so that an arm that was begun is ended. */
void bench_watch_signals(void)
{
	signals = signals_open();
}

struct machine_time {
	uint64_t idle, steal, all;
};

static struct machine_time read_time(int root)
{
	struct machine_time time = { 0 };
	char line[512];
	const char *at = line + strlen("cpu");
	uint64_t ticks;

	if (file_read_line(root, line, sizeof(line), "proc/stat") < 0)
		return time;
	for (int i = 0; i < 8; i++) {
		at += strspn(at, " ");
		if (text_take_u64(&at, &ticks) < 0)
			break;
		time.all += ticks;
		if (i == 3 || i == 4)
			time.idle += ticks;
		if (i == 7)
			time.steal = ticks;
	}
	return time;
}

/* What others use of the machine now, in per cent. */
static double busy_pct(int root, double *ret_steal)
{
	struct machine_time a = read_time(root), b;
	double all;

	poll(NULL, 0, LOOK_MS);
	b = read_time(root);
	all = fmax(1, (double)(b.all - a.all));
	*ret_steal = 100 * (double)(b.steal - a.steal) / all;
	return 100 - 100 * (double)(b.idle - a.idle) / all;
}

static int wait_quiet(int root, bool force, struct bench_result *result)
{
	double busy = 0, steal = 0;

	for (int i = 0; i < WAITS; i++) {
		busy = busy_pct(root, &steal);
		if (busy <= BUSY_PCT && steal <= STEAL_PCT)
			return 0;
		if (force) {
			result->forced = true;
			return 0;
		}
		if (bench_wait(1000) < 0)
			return -EINTR;
	}
	return fail(
		-EBUSY,
		"the machine is too busy to tell: others use %.0f %% of its CPUs and %.0f %% are "
		"stolen from it; try when it is quiet, or --force to see numbers all the same",
		busy, steal);
}

void bench_shuffle(enum arm *arms, unsigned int count)
{
	for (unsigned int i = count; i > 1; i--) {
		unsigned int other;
		enum arm kept = arms[i - 1];

		if (getrandom(&other, sizeof(other), 0) != sizeof(other))
			return;
		other %= i;
		arms[i - 1] = arms[other];
		arms[other] = kept;
	}
}

static int run_arm(enum arm arm, unsigned int round, const struct bench_net *net,
		   struct bench_result *result)
{
	int r = bench_arm_begin(arm, result, net->rx_index), ended;

	for (int kind = 0; r == 0 && kind < KIND_LIVE; kind++)
		r = bench_measure(arm, (enum kind)kind, net, result,
				  &result->samples[arm][kind][round]);
	ended = bench_arm_end(arm, net->rx_index);
	return r < 0 ? r : ended;
}

static int run_round(unsigned int round, const struct bench_net *net, struct bench_result *result)
{
	enum arm arms[ARMS];
	unsigned int count = 0;

	for (int arm = 0; arm < ARMS; arm++)
		if (result->have[arm])
			arms[count++] = (enum arm)arm;
	bench_shuffle(arms, count);
	for (unsigned int i = 0; i < count; i++) {
		int r = run_arm(arms[i], round, net, result);

		if (r < 0)
			return r;
	}
	return 0;
}

/* One CPU receives, the others are targets: as many as a kernel of that size would have queues. */
static int choose_cpus(struct bench_result *result)
{
	cpu_set_t allowed;
	bool first = true;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return fail(-errno, "cannot tell which CPUs we may use: %s", strerror(errno));
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		if (first)
			result->rx_cpu = cpu;
		else
			cpuset_add(&result->targets, cpu);
		first = false;
	}
	if (!cpuset_count(&result->targets))
		return fail(-EOPNOTSUPP,
			    "there is one CPU: nothing to spread to, nothing to measure");
	return 0;
}

void bench_note_where(struct bench_result *result)
{
	time_t now = time(NULL);
	struct utsname name;

	uname(&name);
	snprintf(result->kernel, sizeof(result->kernel), "%s", name.release);
	strftime(result->when, sizeof(result->when), "%F %H:%M", localtime(&now));
}

/* A stall in one round is a result; in all of them it is a mistake of ours. */
static int check_delivery(const struct bench_result *result)
{
	for (int arm = 0; arm < ARMS; arm++)
		for (int kind = 0; kind < KIND_LIVE; kind++) {
			double most = 0;

			for (unsigned int i = 0; i < result->rounds; i++)
				most = fmax(most, result->samples[arm][kind][i].packets_per_s);
			if (most <= 0)
				return fail(-EIO, "arm '%s', %s: nothing arrived, in no round",
					    arm_names[arm], kind_names[kind]);
		}
	return 0;
}

int bench_run(unsigned int rounds, bool force, struct bench_result *ret)
{
	cleanup(closep) int root = root_open("/");
	cleanup(closep) int mark = -1;
	struct bench_net net = { -1, -1, 0, 0 };
	struct home home;
	int r = choose_cpus(ret);

	bench_watch_signals();
	bench_note_where(ret);
	for (int arm = 0; arm < ARMS; arm++)
		ret->have[arm] = true;
	if (r == 0)
		r = bench_net_make(&net);
	home_of(BENCH_RX, &home);
	if (r == 0)
		mark = r = orphan_mark(&home);
	r = r < 0 ? r : 0;
	for (unsigned int round = 0; r == 0 && round < rounds; round++) {
		r = wait_quiet(root, force, ret);
		if (r == 0)
			r = run_round(round, &net, ret);
		if (r == 0)
			ret->rounds++;
		if (r == 0)
			note("round %u of %u", round + 1, rounds);
	}
	if (mark >= 0)
		orphan_unmark(&home);
	return r < 0 ? r : check_delivery(ret);
}
