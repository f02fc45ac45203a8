/* SPDX-License-Identifier: GPL-2.0 */
/* Every number of `stats`, described once: the table, JSON, Prometheus and docs/metrics.md read
 * this. */
#ifndef STATS_FIELDS_H
#define STATS_FIELDS_H

#include "stats/view.h"

enum unit { UNIT_COUNT, UNIT_PACKETS, UNIT_BYTES, UNIT_NS, UNIT_PCT, UNIT_RATIO };

struct field {
	enum scope scope;
	bool counter;	   /* a count since load, and its growth a second; else a gauge */
	bool exported;	   /* to Prometheus, which works the rest out by itself */
	const char *name;  /* the JSON key */
	const char *label; /* the head of its column, NULL: not in the table */
	size_t offset;	   /* in the structure of its scope */
	enum unit unit;
	unsigned int needs; /* HAVE_...: unknown without */
	const char *help;
	const char *where; /* it comes from */
	const char *act;   /* what to do when it grows */
};

/* By scope; ends with a row without a name. */
extern const struct field fields[];

/* As they stand in JSON, and what they are to a reader. */
extern const char *const scope_names[];
extern const char *const scope_helps[];

/* A counter's total. False: not known. */
bool field_total(const struct field *field, const struct view *view, const struct view_row *row,
		 uint64_t *ret);

/* A gauge's value, a counter's growth a second; NAN: not known. */
double field_value(const struct field *field, const struct view *view, const struct view_row *row);

/* The JSON key of a counter's growth a second, for good. */
const char *field_rate(const struct field *field);

/* The name in Prometheus. */
const char *field_metric(const struct field *field, char *text, size_t size);

#endif
