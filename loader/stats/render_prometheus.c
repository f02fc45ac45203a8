// SPDX-License-Identifier: GPL-2.0
/* `stats --prometheus`: the text exposition format, for node_exporter's textfile collector. */
#include <math.h>
#include <stdio.h>

#include "stats/fields.h"
#include "stats/render.h"

/* Values of labels: an interface's name may hold anything but '/' and blanks. */
static void put_quoted(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
}

static void put_labels(const struct field *field, const struct view *view,
		       const struct view_row *row, FILE *out)
{
	fputs("{interface=\"", out);
	put_quoted(view->now->iface, out);
	putc('"', out);
	if (view->now->netns)
		fprintf(out, ",netns=\"%ju\"", (uintmax_t)view->now->netns);
	if (row->rule)
		fprintf(out, ",rule=\"%s\"", row->rule);
	else
		fprintf(out, ",cpu=\"%u\"", row->cpu);
	if (field->scope == SCOPE_QUEUE)
		fprintf(out, ",lane=\"%u\"", row->lane);
	if (row->reason)
		fprintf(out, ",reason=\"%s\"", row->reason);
	fputs("} ", out);
}

static void put_sample(const struct field *field, const struct view *view,
		       const struct view_row *row, FILE *out)
{
	double value = NAN;
	char metric[96];
	uint64_t total;

	if (field->counter ? !field_total(field, view, row, &total)
			   : isnan(value = field_value(field, view, row)))
		return;
	fputs(field_metric(field, metric, sizeof(metric)), out);
	put_labels(field, view, row, out);
	if (!field->counter)
		fprintf(out, "%g\n", value);
	else if (field->unit == UNIT_NS)
		fprintf(out, "%.9f\n", (double)total / 1e9);
	else
		fprintf(out, "%llu\n", (unsigned long long)total);
}

static void put_help(const char *metric, const char *help, const char *type, FILE *out)
{
	fprintf(out, "# HELP %s ", metric);
	for (; *help; help++)
		putc(*help == '\n' ? ' ' : *help, out);
	fprintf(out, "\n# TYPE %s %s\n", metric, type);
}

/* Without rules nobody hears of them. */
static bool is_void(enum scope scope, struct view *const *views, unsigned int count)
{
	unsigned int rows = 0;

	for (unsigned int v = 0; v < count; v++)
		rows += views[v]->scopes[scope].count;
	return scope == SCOPE_RULE && !rows;
}

void render_prometheus(struct view *const *views, unsigned int count, FILE *out)
{
	char metric[96];

	for (const struct field *field = fields; field->name; field++) {
		if (!field->exported || is_void(field->scope, views, count))
			continue;
		put_help(field_metric(field, metric, sizeof(metric)), field->help,
			 field->counter ? "counter" : "gauge", out);
		for (unsigned int v = 0; v < count; v++)
			for (unsigned int i = 0; i < views[v]->scopes[field->scope].count; i++)
				put_sample(field, views[v], &views[v]->scopes[field->scope].rows[i],
					   out);
	}
}
