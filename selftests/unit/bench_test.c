/* SPDX-License-Identifier: GPL-2.0 */
/* What `bench` concludes from numbers that are made by hand. */
#include <math.h>
#include <string.h>

#include "unit.h"
#include "bench/bench.h"

#define PACKETS offsetof(struct bench_sample, packets_per_s)

/* Ten rounds: each arm delivers its times of a plain that drifts by half. */
static struct bench_result *result_of(const double times[ARMS], double noise)
{
	struct bench_result *result = calloc(1, sizeof(*result));

	result->rounds = 10;
	for (int arm = 0; arm < ARMS; arm++) {
		result->have[arm] = true;
		for (int kind = 0; kind < KINDS; kind++)
			for (unsigned int i = 0; i < result->rounds; i++)
				result->samples[arm][kind][i].packets_per_s =
					(100000 + 5000 * i) * times[arm] *
					(1 +
					 noise * ((i * 7 + (unsigned int)arm * 3) % 11 - 5.0) / 5);
	}
	return result;
}

/* The drift is in both, so the ratio of the same rounds does not see it. */
static void ratios_are_of_the_same_round(void **state)
{
	const double times[ARMS] = { 1, 1, 1, 2, 2, 2 };
	struct bench_result *result = result_of(times, 0);
	struct ratio ratio = bench_ratio(result, ARM_CPUMAP, ARM_PLAIN, KIND_TCP, PACKETS);
	struct spread spread = bench_spread(result, ARM_PLAIN, KIND_TCP, PACKETS);

	assert_true(fabs(ratio.median - 2) < 1e-9);
	assert_true(fabs(ratio.high - ratio.low) < 1e-9);
	assert_int_equal(ratio.verdict, RATIO_BETTER);
	assert_true(spread.least == 100000 && spread.most == 145000 && spread.median == 122500);
	free(result);
}

static void noise_is_no_difference(void **state)
{
	const double times[ARMS] = { 1, 1.03, 1, 0.97, 1, 1.5 };
	struct bench_result *result = result_of(times, 0.2);

	assert_int_equal(bench_ratio(result, ARM_RPS, ARM_PLAIN, KIND_TCP, PACKETS).verdict,
			 RATIO_SAME);
	assert_int_equal(bench_ratio(result, ARM_CPUMAP, ARM_PLAIN, KIND_TCP, PACKETS).verdict,
			 RATIO_SAME);
	assert_int_equal(bench_ratio(result, ARM_LANES, ARM_PLAIN, KIND_TCP, PACKETS).verdict,
			 RATIO_BETTER);
	free(result);
}

static void few_rounds_are_no_difference(void **state)
{
	const double times[ARMS] = { 1, 1, 1, 3, 3, 3 };
	struct bench_result *result = result_of(times, 0);

	result->rounds = 4;
	assert_int_equal(bench_ratio(result, ARM_CPUMAP, ARM_PLAIN, KIND_TCP, PACKETS).verdict,
			 RATIO_SAME);
	free(result);
}

static void unknown_is_unknown(void **state)
{
	const double times[ARMS] = { 1, 1, 1, 1, 1, NAN };
	struct bench_result *result = result_of(times, 0);

	assert_int_equal(bench_ratio(result, ARM_LANES, ARM_PLAIN, KIND_TCP, PACKETS).verdict,
			 RATIO_UNKNOWN);
	assert_int_equal(bench_spread(result, ARM_LANES, KIND_TCP, PACKETS).count, 0);
	free(result);
}

static void the_advice_follows_the_numbers(void **state)
{
	static const struct {
		double times[ARMS];
		const char *words;
	} rows[] = {
		{ { 1, 1, 1, 1, 1, 1 }, "Use nothing" },
		{ { 1, 0.6, 1, 0.5, 0.7, 0.7 }, "Use nothing" },
		{ { 1, 1.5, 1, 1, 1.1, 1.2 }, "Use RPS" },
		{ { 1, 1.5, 1, 1, 2, 2 }, "Use xdp-cpumap (cpumap+gro): udp-drop 2.00 times" },
		{ { 1, 0.8, 1, 1.4, 0.9, 0.9 }, "Use xdp-cpumap (cpumap): " },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bench_result *result = result_of(rows[i].times, 0.01);
		char advice[1024];

		bench_advise(result, advice, sizeof(advice));
		if (strncmp(advice, rows[i].words, strlen(rows[i].words)) != 0)
			print_error("row %zu: '%s'\n", i, advice);
		assert_int_equal(strncmp(advice, rows[i].words, strlen(rows[i].words)), 0);
		result->forced = true;
		bench_advise(result, advice, sizeof(advice));
		assert_non_null(strstr(advice, "do not rely on it"));
		free(result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_are_of_the_same_round),
		cmocka_unit_test(noise_is_no_difference),
		cmocka_unit_test(few_rounds_are_no_difference),
		cmocka_unit_test(unknown_is_unknown),
		cmocka_unit_test(the_advice_follows_the_numbers),
	};

	return cmocka_run_group_tests_name("bench", tests, NULL, NULL);
}
