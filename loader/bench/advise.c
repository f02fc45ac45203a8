// SPDX-License-Identifier: GPL-2.0
/* What the numbers say to do, in words: steering, RPS, or nothing. */
#include <stddef.h>
#include <stdio.h>

#include "bench/bench.h"
#include "lib/text.h"

#define PACKETS offsetof(struct bench_sample, packets_per_s)

static unsigned int count_verdicts(const struct bench_result *result, enum arm arm, enum arm base,
				   enum verdict_of verdict)
{
	unsigned int count = 0;

	for (int kind = 0; kind < KINDS; kind++)
		count +=
			bench_has(result, (enum kind)kind) &&
			bench_ratio(result, arm, base, (enum kind)kind, PACKETS).verdict == verdict;
	return count;
}

static int balance(const struct bench_result *result, enum arm arm, enum arm base)
{
	return (int)count_verdicts(result, arm, base, RATIO_BETTER) -
	       (int)count_verdicts(result, arm, base, RATIO_WORSE);
}

static enum arm best_steering(const struct bench_result *result)
{
	enum arm best = ARM_CPUMAP;

	for (int arm = ARM_CPUMAP; arm <= ARM_LANES; arm++)
		if (result->have[arm] &&
		    balance(result, (enum arm)arm, ARM_PLAIN) > balance(result, best, ARM_PLAIN))
			best = (enum arm)arm;
	return best;
}

/* "udp-drop 1.8 times, tcp-1 0.6 times" */
static void list_changes(const struct bench_result *result, enum arm arm, char *ret, size_t size)
{
	for (int kind = 0; kind < KINDS; kind++) {
		struct ratio ratio = bench_ratio(result, arm, ARM_PLAIN, (enum kind)kind, PACKETS);

		if (!bench_has(result, (enum kind)kind))
			continue;
		if (ratio.verdict == RATIO_BETTER || ratio.verdict == RATIO_WORSE)
			text_append(ret, size, "%s%s %.2f times", *ret ? ", " : "",
				    kind_names[kind], ratio.median);
	}
}

/* Traffic that the RX CPU can take brings no more by steering, but may cost that CPU less. */
static void advise_room(const struct bench_result *result, enum arm steering, char *ret,
			size_t size)
{
	struct ratio cost = bench_ratio(result, steering, ARM_PLAIN, KIND_LIVE,
					offsetof(struct bench_sample, rx_ns));

	if (cost.verdict == RATIO_WORSE) /* less, which is good */
		text_append(ret, size,
			    " Steering (%s) would take %.0f %% of the time of a packet off the "
			    "CPUs that receive: it pays once they are full.",
			    arm_names[steering], 100 * (1 - cost.median));
	else
		text_append(ret, size, " Nor does it take work off the CPUs that receive.");
}

void bench_advise(const struct bench_result *result, char *ret, size_t size)
{
	enum arm steering = best_steering(result);
	int gain = balance(result, steering, ARM_PLAIN), rps = balance(result, ARM_RPS, ARM_PLAIN);
	char changes[256] = "";

	*ret = '\0';
	if (gain > 0 && (rps <= 0 || balance(result, steering, ARM_RPS) > 0)) {
		list_changes(result, steering, changes, sizeof(changes));
		text_append(ret, size, "Use xdp-cpumap (%s): %s what plain reception delivers.",
			    arm_names[steering], changes);
	} else if (rps > 0) {
		list_changes(result, ARM_RPS, changes, sizeof(changes));
		text_append(
			ret, size,
			"Use RPS: %s what plain reception delivers, and steering is not better.",
			changes);
	} else {
		text_append(ret, size,
			    "Use nothing: no way to spread delivers more than plain "
			    "reception on this machine.");
	}
	if (result->iface[0] && gain <= 0 && rps <= 0)
		advise_room(result, steering, ret, size);
	if (result->rounds < 5)
		text_append(ret, size, " But %u rounds are too few to tell: take 10.",
			    result->rounds);
	if (result->forced)
		text_append(ret, size, " But others used the CPUs meanwhile: do not rely on it.");
	if (result->iface[0]) {
		text_append(ret, size, " It holds for the traffic that came in meanwhile.");
		return;
	}
	text_append(
		ret, size,
		" The sender is on this machine, too: a NIC leaves more to the receiver. For your "
		"own traffic, look at `xdp-cpumap stats` while it is steered.");
}
