// SPDX-License-Identifier: GPL-2.0
/* `stats` for people: what has a label in fields.c, in columns. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "stats/diagnose.h"
#include "stats/fields.h"
#include "stats/render.h"

#define BAR 20 /* characters */

/* Four digits and a letter are read at a glance. */
static void scaled(double value, char *text, size_t size)
{
	static const char letters[] = " kMGT";
	size_t i = 0;

	for (; value >= 10000 && i < strlen(letters) - 1; i++)
		value /= 1000;
	if (i)
		snprintf(text, size, "%.*f%c", value < 100 ? 1 : 0, value, letters[i]);
	else
		snprintf(text, size, "%.*f", value < 10 && value > 0 ? 1 : 0, value);
}

static const char *format(const struct field *field, double value, char *text, size_t size)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else if (field->unit == UNIT_PCT)
		snprintf(text, size, "%.*f%%", value < 10 ? 1 : 0, value);
	else if (field->unit == UNIT_RATIO)
		snprintf(text, size, "%.1f", value);
	else
		scaled(value, text, size);
	return text;
}

/* The share in '#', and '|' where the weight says it should end. */
static void put_bar(const struct target_gauges *target, FILE *out)
{
	char bar[BAR + 1];
	int mark = (int)(target->weight_pct * BAR / 100);

	memset(bar, ' ', BAR);
	bar[BAR] = '\0';
	for (int i = 0; i < BAR; i++)
		if (target->share_pct > 0 && i < (int)(target->share_pct * BAR / 100 + 0.5))
			bar[i] = '#';
	if (mark < BAR)
		bar[mark] = '|';
	fprintf(out, " [%s]", bar);
}

static int width_of(const struct field *field)
{
	int width = (int)strlen(field->label);

	return width < 7 ? 7 : width;
}

static bool is_share(const struct field *field)
{
	return field->scope == SCOPE_TARGET && strcmp(field->name, "share_pct") == 0;
}

static void put_heads(enum scope scope, FILE *out)
{
	for (const struct field *field = fields; field->name; field++) {
		if (field->scope != scope || !field->label)
			continue;
		fprintf(out, "  %*s", width_of(field), field->label);
		if (is_share(field))
			fprintf(out, " %*s", BAR + 2, "");
	}
}

static void put_values(const struct view *view, enum scope scope, const struct view_row *row,
		       FILE *out)
{
	char text[32];

	for (const struct field *field = fields; field->name; field++) {
		if (field->scope != scope || !field->label)
			continue;
		fprintf(out, "  %*s", width_of(field),
			format(field, field_value(field, view, row), text, sizeof(text)));
		if (is_share(field))
			put_bar(&row->target, out);
	}
}

/* The numbers of a target CPU stand on the line of its first lane. */
static void put_blanks(enum scope scope, FILE *out)
{
	for (const struct field *field = fields; field->name; field++)
		if (field->scope == scope && field->label)
			fprintf(out, "  %*s", width_of(field) + (is_share(field) ? BAR + 3 : 0),
				"");
}

static void put_head(const struct view *view, FILE *out)
{
	const struct view_row *row = view->scopes[SCOPE_IFACE].rows;
	char redirected[24], stayed[24];

	scaled((double)view_growth(view->totals[0].redirected_packets,
				   view->totals[1].redirected_packets) /
		       view->seconds,
	       redirected, sizeof(redirected));
	scaled((double)view_growth(view->totals[0].stay_packets, view->totals[1].stay_packets) /
		       view->seconds,
	       stayed, sizeof(stayed));
	fprintf(out, "%s: %s redirected/s, %s stayed/s, over %.1f s", view->now->iface, redirected,
		stayed, view->seconds);
	if (!isnan(row->iface.evenness) && row->iface.targets > 1)
		fprintf(out, "; evenness %.2f (at best %.2f)", row->iface.evenness,
			row->iface.evenness_floor);
	fputs("\n\n", out);
}

static void put_rx(const struct view *view, FILE *out)
{
	fputs("  RX CPU", out);
	put_heads(SCOPE_RX, out);
	putc('\n', out);
	for (unsigned int i = 0; i < view->scopes[SCOPE_RX].count; i++) {
		fprintf(out, "  %6u", view->scopes[SCOPE_RX].rows[i].cpu);
		put_values(view, SCOPE_RX, &view->scopes[SCOPE_RX].rows[i], out);
		putc('\n', out);
	}
	putc('\n', out);
}

static void put_targets(const struct view *view, FILE *out)
{
	bool lanes = view->now->lane_count > 1;

	fprintf(out, "  CPU%s", lanes ? "  LANE" : "");
	put_heads(SCOPE_TARGET, out);
	put_heads(SCOPE_QUEUE, out);
	putc('\n', out);
	for (unsigned int i = 0; i < view->scopes[SCOPE_QUEUE].count; i++) {
		const struct view_row *queue = &view->scopes[SCOPE_QUEUE].rows[i];

		fprintf(out, "  %3u", queue->cpu);
		if (lanes)
			fprintf(out, "  %4u", queue->lane);
		if (queue->lane == 0)
			put_values(view, SCOPE_TARGET, view_find(view, SCOPE_TARGET, queue->cpu, 0),
				   out);
		else
			put_blanks(SCOPE_TARGET, out);
		put_values(view, SCOPE_QUEUE, queue, out);
		putc('\n', out);
	}
}

static void put_rules(const struct view *view, FILE *out)
{
	int width = (int)strlen("RULE");

	if (!view->scopes[SCOPE_RULE].count)
		return;
	for (unsigned int i = 0; i < view->scopes[SCOPE_RULE].count; i++) {
		int length = (int)strlen(view->scopes[SCOPE_RULE].rows[i].rule);

		width = length > width ? length : width;
	}
	fprintf(out, "  %-*s", width, "RULE");
	put_heads(SCOPE_RULE, out);
	putc('\n', out);
	for (unsigned int i = 0; i < view->scopes[SCOPE_RULE].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_RULE].rows[i];

		fprintf(out, "  %-*s", width, row->rule);
		put_values(view, SCOPE_RULE, row, out);
		putc('\n', out);
	}
	putc('\n', out);
}

static void put_reasons(const struct view *view, enum scope scope, const char *head,
			const char *const *names, const char *const *helps, FILE *out)
{
	for (int reason = 0; names[reason]; reason++) {
		double sum = 0;
		char text[24];

		for (unsigned int i = 0; i < view->scopes[scope].count; i++) {
			const struct view_row *row = &view->scopes[scope].rows[i];

			if (row->reason == names[reason])
				sum += (double)view_growth(*(const uint64_t *)row->before,
							   *(const uint64_t *)row->now);
		}
		if (sum <= 0)
			continue;
		scaled(sum / view->seconds, text, sizeof(text));
		fprintf(out, "  %8s/s %s: %s (a frame that %s)\n", text, head, names[reason],
			helps[reason]);
	}
}

static void put_findings(const struct view *view, FILE *out)
{
	struct finding findings[FINDINGS_MAX];
	unsigned int count = diagnose(view, findings);

	if (count)
		putc('\n', out);
	for (unsigned int i = 0; i < count; i++)
		fprintf(out, "  %s\n", findings[i].text);
}

void render_table(const struct view *view, FILE *out)
{
	put_head(view, out);
	put_rx(view, out);
	put_targets(view, out);
	putc('\n', out);
	put_rules(view, out);
	put_reasons(view, SCOPE_STAY, "stayed", verdict_names, verdict_helps, out);
	put_reasons(view, SCOPE_FALLBACK, "placed by fewer headers", fallback_names, fallback_helps,
		    out);
	put_findings(view, out);
}

static void put_words(const struct view *view, enum scope scope, const struct view_row *row,
		      FILE *out)
{
	for (const struct field *field = fields; field->name; field++) {
		char text[32];

		if (field->scope != scope || !field->label)
			continue;
		putc(' ', out);
		for (const char *c = field->label; *c; c++)
			putc(tolower((unsigned char)*c), out);
		fprintf(out, "=%s",
			format(field, field_value(field, view, row), text, sizeof(text)));
	}
}

void render_lines(const struct view *view, const char *time, FILE *out)
{
	struct finding findings[FINDINGS_MAX];
	unsigned int count = diagnose(view, findings);

	for (unsigned int i = 0; i < view->scopes[SCOPE_TARGET].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_TARGET].rows[i];

		fprintf(out, "%s %s cpu=%u", time, view->now->iface, row->cpu);
		put_words(view, SCOPE_TARGET, row, out);
		if (view->now->lane_count == 1)
			put_words(view, SCOPE_QUEUE, view_find(view, SCOPE_QUEUE, row->cpu, 0),
				  out);
		putc('\n', out);
	}
	for (unsigned int i = 0; i < view->scopes[SCOPE_RULE].count; i++) {
		const struct view_row *row = &view->scopes[SCOPE_RULE].rows[i];

		fprintf(out, "%s %s rule=%s", time, view->now->iface, row->rule);
		put_words(view, SCOPE_RULE, row, out);
		putc('\n', out);
	}
	for (unsigned int i = 0; i < count; i++)
		fprintf(out, "%s %s %s\n", time, view->now->iface, findings[i].text);
}
