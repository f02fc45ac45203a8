// SPDX-License-Identifier: GPL-2.0
/* The packets of each arm beside plain, as bars with their intervals: a picture for a README. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/bench.h"

enum { LEFT = 120, WIDE = 460, ROW = 22, HEAD = 44, GROUP = 34, FOOT = 40 };

#define MOST 3.0 /* times plain; a longer bar is cut */

static double at(double ratio)
{
	return LEFT + WIDE * fmin(ratio, MOST) / MOST;
}

static void put_bar(const struct bench_result *result, enum arm arm, enum kind kind, double y,
		    FILE *out)
{
	static const char *const colours[] = { "#999999", "#999999", "#2e7d32", "#c62828" };
	struct ratio ratio = bench_ratio(result, arm, ARM_PLAIN, kind,
					 offsetof(struct bench_sample, packets_per_s));

	fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 14,
		arm_names[arm]);
	if (ratio.verdict == RATIO_UNKNOWN)
		return;
	fprintf(out, "<rect x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>\n", LEFT,
		y + 3, at(ratio.median) - LEFT, colours[ratio.verdict]);
	fprintf(out,
		"<path d=\"M%.1f %.0fH%.1fM%.1f %.0fv8M%.1f %.0fv8\" stroke=\"#222222\"/>\n"
		"<text x=\"%d\" y=\"%.0f\">%.2f%s</text>\n",
		at(ratio.low), y + 10, at(ratio.high), at(ratio.low), y + 6, at(ratio.high), y + 6,
		LEFT + WIDE + 10, y + 14, ratio.median,
		ratio.verdict == RATIO_SAME ? " no difference" : "");
}

void bench_svg(FILE *out, const void *data)
{
	const struct bench_result *result = data;
	unsigned int arms = 0, kinds = 0;
	double y = HEAD, height;

	for (int arm = ARM_PLAIN + 1; arm < ARMS; arm++)
		arms += result->have[arm];
	for (int kind = 0; kind < KINDS; kind++)
		kinds += bench_has(result, (enum kind)kind);
	height = HEAD + kinds * (GROUP + arms * ROW) + FOOT;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
		"<text x=\"%d\" y=\"20\" font-size=\"14\">Packets delivered beside plain "
		"reception, "
		"same rounds, 95 %% interval</text>\n",
		LEFT + WIDE + 130, height, LEFT);
	for (int kind = 0; kind < KINDS; kind++) {
		if (!bench_has(result, (enum kind)kind))
			continue;
		fprintf(out, "<text x=\"%d\" y=\"%.0f\" font-weight=\"bold\">%s</text>\n", LEFT,
			y + 22, kind_helps[kind]);
		y += GROUP;
		for (int arm = ARM_PLAIN + 1; arm < ARMS; arm++)
			if (result->have[arm]) {
				put_bar(result, (enum arm)arm, (enum kind)kind, y, out);
				y += ROW;
			}
	}
	fprintf(out,
		"<path d=\"M%.1f %dV%.0f\" stroke=\"#222222\" stroke-dasharray=\"3 3\"/>\n"
		"<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">plain</text>\n"
		"<text x=\"%d\" y=\"%.0f\" fill=\"#555555\">%s, kernel %s, %u rounds%s; grey: no "
		"difference</text>\n</svg>\n",
		at(1), HEAD, y, at(1), y + 14, LEFT, y + 32, result->when, result->kernel,
		result->rounds, result->forced ? ", busy machine" : "");
}
