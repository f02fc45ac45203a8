// SPDX-License-Identifier: GPL-2.0
/* A config file: lines of `key = value`, where the keys are load's long options. */
#include <ctype.h>
#include <string.h>

#include "lib/text.h"
#include "policy/config.h"
#include "policy/options.h"

struct reader {
	char *at, *end;
	unsigned int line;	    /* lines read */
	unsigned int set[ROWS_MAX]; /* the line that set an option; 0: none yet */
};

static bool is_key(const struct option_row *row)
{
	return row->verbs & VERB_LOAD && !(row->verbs & ONE_RUN);
}

/* Without the blanks at both ends. */
static char *strip(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* A '#' begins a comment only where a word could begin: it may be part of one. */
static void cut_comment(char *line)
{
	for (char *at = line; (at = strchr(at, '#')); at++) {
		if (at == line || isspace((unsigned char)at[-1])) {
			*at = '\0';
			return;
		}
	}
}

static char *read_line(struct reader *reader)
{
	char *line = reader->at, *end;

	if (line >= reader->end)
		return NULL;
	end = memchr(line, '\n', (size_t)(reader->end - line));
	if (!end)
		end = reader->end;
	*end = '\0';
	reader->at = end + 1;
	reader->line++;
	cut_comment(line);
	return strip(line);
}

/* A backslash at the end of a line joins the next one, for long lists. */
static char *read_joined(struct reader *reader, unsigned int *ret_line)
{
	char *line = read_line(reader), *more;
	size_t length;

	*ret_line = reader->line;
	while (line && (length = strlen(line)) && line[length - 1] == '\\') {
		line[length - 1] = '\0';
		line = strip(line);
		more = read_line(reader);
		if (more)
			memmove(line + strlen(line), more, strlen(more) + 1);
	}
	return line;
}

/* The option with this name, or a sentence. */
static const struct option_row *find_key(const char *key, struct reason *why)
{
	const struct option_row *row = option_find(key, VERB_LOAD);

	if (row && is_key(row))
		return row;
	if (row) {
		because(why, -E_USAGE, "'%s' is for the command line alone", key);
		return NULL;
	}
	row = option_near(key, VERB_LOAD, ONE_RUN);
	because(why, -E_USAGE, "there is no setting '%s'%s%s%s", key, row ? "; did you mean '" : "",
		row ? row->name : "", row ? "'?" : "");
	return NULL;
}

/* An option without a value is yes or no here. */
static int set_flag(const struct option_row *row, struct policy *policy, const char *value,
		    struct reason *why)
{
	if (strcmp(value, "yes") == 0)
		return row->set(row, policy, NULL, why);
	if (strcmp(value, "no") == 0)
		return 0;
	return because(why, -E_USAGE, "'%s' is neither yes nor no", value);
}

static int take_setting(struct reader *reader, char *text, struct policy *policy,
			struct config_fault *fault)
{
	char *equals = strchr(text, '='), *value;
	const struct option_row *row;
	unsigned int *set;
	int r;

	if (!equals || equals == text)
		return because(&fault->why, -E_USAGE, "'%s' is no setting; one is KEY = VALUE",
			       text);
	*equals = '\0';
	value = strip(equals + 1);
	row = find_key(strip(text), &fault->why);
	if (!row)
		return -E_USAGE;
	set = &reader->set[row - option_rows];
	if (*set)
		return because(&fault->why, -E_USAGE, "'%s' was set in line %u already", row->name,
			       *set);
	*set = fault->line;
	policy->lines[row - option_rows] = (uint16_t)fault->line;
	fault->about = row;
	r = row->value ? row->set(row, policy, value, &fault->why)
		       : set_flag(row, policy, value, &fault->why);
	if (r < 0)
		return -E_USAGE;
	fault->about = NULL;
	return 0;
}

static unsigned int lines_before(const char *text, const char *end)
{
	unsigned int lines = 0;

	for (; text < end; text++)
		lines += *text == '\n';
	return lines;
}

int config_parse(char *text, size_t size, struct policy *ret, struct config_fault *ret_fault)
{
	struct reader reader = { .at = text, .end = text + size };
	const char *nul = memchr(text, '\0', size);
	struct policy policy = { 0 };
	char *line;

	*ret_fault = (struct config_fault){ 0 };
	if (nul) {
		ret_fault->line = lines_before(text, nul) + 1;
		return because(&ret_fault->why, -E_USAGE, "this is no text: a byte is zero");
	}
	while ((line = read_joined(&reader, &ret_fault->line))) {
		int r = *line ? take_setting(&reader, line, &policy, ret_fault) : 0;

		if (r < 0)
			return r;
	}
	*ret = policy;
	return 0;
}

/* "LIST|auto" is auto by default, one of several words is the first of them. */
static const char *default_of(const struct option_row *row)
{
	const char *bar = row->value ? strrchr(row->value, '|') : NULL;

	if (!row->value)
		return "no";
	if (row->words)
		return row->words[0];
	return bar ? bar + 1 : row->value;
}

void config_example(FILE *out)
{
	fputs("# /etc/xdp-cpumap/IFACE.conf: how to steer the packets of IFACE\n"
	      "#\n"
	      "# A line is KEY = VALUE; keys are the long options of `xdp-cpumap load`, which win\n"
	      "# over this file. A '#' begins a comment, a backslash at the end of a line joins\n"
	      "# the next one. What stands here, commented out, is the default.\n"
	      "# To see whether a file is right: xdp-cpumap check --config FILE\n",
	      out);
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (!is_key(row))
			continue;
		fprintf(out, "\n# %s\n# %s\n#%s = %s\n", row->help,
			row->value ? row->value : "yes|no", row->name, default_of(row));
	}
}
