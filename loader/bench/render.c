// SPDX-License-Identifier: GPL-2.0
/* The result of `bench` as a table and as JSON. */
#include <json-c/json.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/bench.h"
#include "lib/json.h"

#define MEMBER(name) offsetof(struct bench_sample, name)

static const struct column {
	const char *name; /* in JSON */
	const char *label;
	size_t member;
	double scale; /* in the table */
	int digits;
} columns[] = {
	{ "packets_per_s", "kpps", MEMBER(packets_per_s), 1e-3, 0 },
	{ "rx_cpu_ns_per_packet", "RX ns", MEMBER(rx_ns), 1, 0 },
	{ "target_cpus_ns_per_packet", "target ns", MEMBER(target_ns), 1, 0 },
	{ "frames_per_skb", "frames/skb", MEMBER(frames_per_skb), 1, 1 },
	{ "drops_pct", "drops %", MEMBER(drops_pct), 1, 1 },
	{ "reorders", "reorders", MEMBER(reorders), 1, 0 },
	{ "rtt_p50_us", "rtt p50", MEMBER(rtt_p50_us), 1, 0 },
	{ "rtt_p99_us", "p99 us", MEMBER(rtt_p99_us), 1, 0 },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void put_ratio(const struct ratio *ratio, FILE *out)
{
	if (ratio->verdict == RATIO_UNKNOWN)
		fprintf(out, "  %18s", "-");
	else if (ratio->verdict == RATIO_SAME)
		fprintf(out, "  %5.2f no difference", ratio->median);
	else
		fprintf(out, "  %5.2f (%.2f-%.2f)", ratio->median, ratio->low, ratio->high);
}

static void put_arm(const struct bench_result *result, enum arm arm, enum kind kind, FILE *out)
{
	struct ratio ratio = bench_ratio(result, arm, ARM_PLAIN, kind, MEMBER(packets_per_s));

	fprintf(out, "  %-11s", arm_names[arm]);
	for (size_t i = 0; i < COLUMNS; i++) {
		struct spread spread = bench_spread(result, arm, kind, columns[i].member);

		if (!spread.count)
			fprintf(out, " %10s", "-");
		else
			fprintf(out, " %10.*f", columns[i].digits,
				spread.median * columns[i].scale);
		if (i == 0) {
			char range[32];

			snprintf(range, sizeof(range), "%.0f-%.0f", spread.least * 1e-3,
				 spread.most * 1e-3);
			fprintf(out, " %-11s", range);
		}
	}
	if (arm != ARM_PLAIN)
		put_ratio(&ratio, out);
	putc('\n', out);
}

void bench_table(const struct bench_result *result, FILE *out)
{
	char cpus[128], advice[1024];

	fprintf(out,
		"%s, kernel %s: CPU %u %s, CPUs %s are targets; %u rounds%s\n"
		"Medians; behind kpps the least and the most; last the kpps beside plain in the "
		"same "
		"rounds, with a 95 %% interval.\n",
		result->when, result->kernel, result->rx_cpu,
		result->iface[0] ? "receives" : "sends and receives",
		cpuset_format(&result->targets, cpus, sizeof(cpus)), result->rounds,
		result->forced ? ", on a BUSY machine (--force)" : "");
	for (int kind = 0; kind < KINDS; kind++) {
		if (!bench_has(result, (enum kind)kind))
			continue;
		fprintf(out, "\n%s: %s\n  %-11s", kind_names[kind], kind_helps[kind], "");
		for (size_t i = 0; i < COLUMNS; i++)
			fprintf(out, " %10s%s", columns[i].label, i ? "" : "            ");
		fprintf(out, "  beside plain\n");
		for (int arm = 0; arm < ARMS; arm++)
			if (result->have[arm])
				put_arm(result, (enum arm)arm, (enum kind)kind, out);
	}
	putc('\n', out);
	for (int arm = 0; arm < ARMS; arm++)
		if (result->have[arm])
			fprintf(out, "  %-11s %s\n", arm_names[arm],
				(result->iface[0] ? live_arm_helps : arm_helps)[arm]);
	bench_advise(result, advice, sizeof(advice));
	fprintf(out, "\n%s\n", advice);
}

static struct json_object *number(double value)
{
	char text[40];

	if (isnan(value))
		return NULL;
	snprintf(text, sizeof(text), "%.4g", value);
	return json_object_new_double_s(value, text);
}

static struct json_object *spread_json(const struct spread *spread)
{
	struct json_object *json = json_object_new_object();

	json_put(json, "median", number(spread->median));
	json_put(json, "least", number(spread->least));
	json_put(json, "most", number(spread->most));
	return json;
}

static struct json_object *ratio_json(const struct ratio *ratio)
{
	static const char *const verdicts[] = { NULL, "no difference", "more", "less" };
	struct json_object *json = json_object_new_object();

	json_put(json, "median", number(ratio->median));
	json_put(json, "low", number(ratio->low));
	json_put(json, "high", number(ratio->high));
	json_put_text(json, "verdict", verdicts[ratio->verdict]);
	return json;
}

static struct json_object *cell_json(const struct bench_result *result, enum arm arm,
				     enum kind kind)
{
	struct json_object *json = json_object_new_object();
	struct ratio ratio = bench_ratio(result, arm, ARM_PLAIN, kind, MEMBER(packets_per_s));

	json_put_text(json, "arm", arm_names[arm]);
	json_put_text(json, "traffic", kind_names[kind]);
	for (size_t i = 0; i < COLUMNS; i++) {
		struct spread spread = bench_spread(result, arm, kind, columns[i].member);

		json_put(json, columns[i].name, spread_json(&spread));
	}
	json_put(json, "packets_beside_plain", ratio_json(&ratio));
	return json;
}

struct json_object *bench_json(const struct bench_result *result)
{
	struct json_object *json = json_object_new_object();
	struct json_object *cells = json_object_new_array();
	char cpus[128], advice[1024];

	json_put_text(json, "interface", result->iface[0] ? result->iface : NULL);
	json_put_text(json, "when", result->when);
	json_put_text(json, "kernel", result->kernel);
	json_put_int(json, "rounds", result->rounds);
	json_put(json, "forced", json_object_new_boolean(result->forced));
	json_put_int(json, "rx_cpu", result->rx_cpu);
	json_put_text(json, "targets", cpuset_format(&result->targets, cpus, sizeof(cpus)));
	for (int kind = 0; kind < KINDS; kind++)
		for (int arm = 0; arm < ARMS; arm++)
			if (result->have[arm] && bench_has(result, (enum kind)kind))
				json_object_array_add(
					cells, cell_json(result, (enum arm)arm, (enum kind)kind));
	json_put(json, "cells", cells);
	bench_advise(result, advice, sizeof(advice));
	json_put_text(json, "advice", advice);
	return json;
}
