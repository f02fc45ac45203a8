/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of prefixes of an interface. Functions say what failed, unless noted. */
#ifndef DATAPLANE_PREFIXES_H
#define DATAPLANE_PREFIXES_H

#include "cpumap/abi.h"
#include "lib/home.h"
#include "lib/prefix.h"

struct prefix_tables {
	int fds[2]; /* IPv4, IPv6 */
	uint32_t max;
	uint32_t homes;
};

int prefix_tables_open(const struct home *home, uint32_t homes, struct prefix_tables *ret);
void prefix_tables_close(struct prefix_tables *tables);

/* A prefix in a table. */
struct prefix_entry {
	struct prefix prefix;
	uint32_t cpu;
};

/*
 * Write them all, or none: sorted by IP version. What stood there is replaced.
 * -ENOSPC: there is no room for so many.
 */
int prefixes_write(const struct prefix_tables *tables, const struct prefix_entry *entries,
		   unsigned int count);

/* 0: it was not there. */
int prefix_delete(const struct prefix_tables *tables, const struct prefix *prefix);

/* All there are; free() them. */
int prefixes_read(const struct prefix_tables *tables, struct prefix_entry **ret,
		  unsigned int *ret_count);

#endif
