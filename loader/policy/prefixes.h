/* SPDX-License-Identifier: GPL-2.0 */
/* A list of prefixes and the CPUs they go to: "192.0.2.0/24,3" a line. */
#ifndef POLICY_PREFIXES_H
#define POLICY_PREFIXES_H

#include "lib/prefix.h"
#include "lib/say.h"

#define CPU_UNNAMED UINT32_MAX

struct prefix_rows {
	unsigned int count;
	struct prefix_row {
		struct prefix prefix;
		uint32_t cpu; /* or CPU_UNNAMED */
		uint32_t line;
	} * at;
};

void prefix_rows_done(struct prefix_rows *rows);

/* "192.0.2.0/24" and "3"; cpu: NULL for none. */
int prefix_row_parse(const char *prefix, const char *cpu, struct prefix_row *ret,
		     struct reason *why);

/*
 * One row a line; '#' begins a comment, blanks do not count. No prefix stands
 * there twice. Sorted in the end. Says why not, and in which line.
 */
int prefix_rows_parse(char *text, struct prefix_rows *ret, uint32_t *ret_line, struct reason *why);

#endif
