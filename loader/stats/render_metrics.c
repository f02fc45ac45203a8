// SPDX-License-Identifier: GPL-2.0
/* docs/metrics.md, from the rows that the numbers are printed by. */
#include <stdio.h>

#include "stats/fields.h"
#include "stats/render.h"

static const char *const unit_words[] = {
	[UNIT_COUNT] = "a number", [UNIT_PACKETS] = "frames", [UNIT_BYTES] = "bytes",
	[UNIT_NS] = "nanoseconds", [UNIT_PCT] = "per cent",   [UNIT_RATIO] = "a ratio",
};

static void put_field(const struct field *field, FILE *out)
{
	char metric[96] = "";

	fprintf(out, "| `%s` | ", field->name);
	if (field->exported)
		fprintf(out, "`%s`", field_metric(field, metric, sizeof(metric)));
	fprintf(out, " | %s%s | %s | %s | %s |\n", field->counter ? "counter, " : "",
		unit_words[field->unit], field->help, field->where, field->act);
}

void render_metrics(FILE *out)
{
	fputs("# Metrics\n\n"
	      "Made by `xdp-cpumap help metrics`; edit `loader/stats/fields.c`, not this page.\n\n"
	      "`stats --json` has all of these; a counter `x` counts since `load` and comes with\n"
	      "`x_per_s`, its growth over `interval_s`. Unknown is `null`: a tracepoint that the\n"
	      "kernel lacks costs its numbers. `stats --prometheus` has the counters and what is\n"
	      "true of a moment; the rest is for `rate()`. A frame is counted once, before GRO.\n",
	      out);
	for (int scope = 0; scope < SCOPES; scope++) {
		fprintf(out,
			"\n## `%s`: %s\n\n| JSON | Prometheus | kind | what it is | where it comes "
			"from | when it grows |\n|---|---|---|---|---|---|\n",
			scope == SCOPE_IFACE ? "totals" : scope_names[scope], scope_helps[scope]);
		for (const struct field *field = fields; field->name; field++)
			if (field->scope == (enum scope)scope)
				put_field(field, out);
	}
	fputs("\n## Reasons of `stays`\n\n| reason | a frame that ... |\n|---|---|\n", out);
	for (int i = VERDICT_redirected + 1; verdict_names[i]; i++)
		fprintf(out, "| `%s` | %s |\n", verdict_names[i], verdict_helps[i]);
	fputs("\n## Reasons of `fallbacks`\n\n| reason | a frame that ... |\n|---|---|\n", out);
	for (int i = FALLBACK_none + 1; fallback_names[i]; i++)
		fprintf(out, "| `%s` | %s |\n", fallback_names[i], fallback_helps[i]);
}
