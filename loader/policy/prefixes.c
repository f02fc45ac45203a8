// SPDX-License-Identifier: GPL-2.0
/* A list of prefixes and the CPUs they go to: "192.0.2.0/24,3" a line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/cpuset.h"
#include "lib/text.h"
#include "policy/prefixes.h"

static const char blanks[] = " \t\r";

void prefix_rows_done(struct prefix_rows *rows)
{
	free(rows->at);
}

int prefix_row_parse(const char *prefix, const char *cpu, struct prefix_row *ret,
		     struct reason *why)
{
	struct prefix_row row = { .cpu = CPU_UNNAMED };
	int r = prefix_parse(prefix, &row.prefix);

	if (r == -EDOM)
		return because(why, r, "'%s' has bits behind its length", prefix);
	if (r == -ERANGE)
		return because(why, r, "'%s' is longer than an address", prefix);
	if (r < 0)
		return because(why, r, "'%s' is no prefix, as 192.0.2.0/24 or 2001:db8::/32 are",
			       prefix);
	if (cpu && text_to_u32(cpu, CPUS_MAX - 1, &row.cpu) < 0)
		return because(why, -EINVAL, "'%s' is no CPU number", cpu);
	*ret = row;
	return 0;
}

static char *trim(char *text)
{
	char *end;

	text += strspn(text, blanks);
	end = text + strlen(text);
	while (end > text && strchr(blanks, end[-1]))
		*--end = '\0';
	return text;
}

static int parse_line(char *line, struct prefix_row *ret, struct reason *why)
{
	char *cpu;

	cpu = strchr(line, ',');
	if (cpu)
		*cpu++ = '\0';
	return prefix_row_parse(trim(line), cpu ? trim(cpu) : NULL, ret, why);
}

static int by_prefix(const void *a, const void *b)
{
	const struct prefix_row *left = a, *right = b;
	int r = prefix_compare(&left->prefix, &right->prefix);

	return r ? r : (int)left->line - (int)right->line;
}

static int find_twice(const struct prefix_rows *rows, uint32_t *ret_line, struct reason *why)
{
	char text[64];

	for (unsigned int i = 1; i < rows->count; i++) {
		const struct prefix_row *row = &rows->at[i];

		if (prefix_compare(&row[-1].prefix, &row->prefix) != 0)
			continue;
		*ret_line = row->line;
		return because(why, -EINVAL, "%s was in line %u already",
			       prefix_format(&row->prefix, text, sizeof(text)), row[-1].line);
	}
	return 0;
}

int prefix_rows_parse(char *text, struct prefix_rows *ret, uint32_t *ret_line, struct reason *why)
{
	cleanup(prefix_rows_done) struct prefix_rows rows = { 0 };
	unsigned int room = 1;
	char *line;
	int r;

	for (const char *at = text; *at; at++)
		room += *at == '\n';
	rows.at = calloc(room, sizeof(*rows.at));
	if (!rows.at)
		return because(why, -ENOMEM, "out of memory");
	for (*ret_line = 1; (line = strsep(&text, "\n")); (*ret_line)++) {
		line[strcspn(line, "#")] = '\0';
		line = trim(line);
		if (!*line)
			continue;
		r = parse_line(line, &rows.at[rows.count], why);
		if (r < 0)
			return r;
		rows.at[rows.count++].line = *ret_line;
	}
	qsort(rows.at, rows.count, sizeof(*rows.at), by_prefix);
	r = find_twice(&rows, ret_line, why);
	if (r < 0)
		return r;
	*ret = rows;
	rows.at = NULL;
	return 0;
}
