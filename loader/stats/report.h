/* SPDX-License-Identifier: GPL-2.0 */
/* What `status` says of one interface, as text and as JSON. */
#ifndef STATS_REPORT_H
#define STATS_REPORT_H

#include <stdio.h>
#include <time.h>

#include "stats/snapshot.h"

struct json_object;

/* One target CPU, or one lane of it. */
struct report_row {
	struct entry entry;
	unsigned int slots;
	double share_pct; /* of all that was sent; 0 when nothing was */
	struct target_count count;
	char allowed[64]; /* CPUs its kthread may run on, as a list */
};

struct report {
	struct facts *facts;
	struct snapshot *snapshot;
	ino_t netns;
	time_t since;
	time_t now;
	char steer_tag[17];
	bool jited;
	enum answer gro; /* frames are merged on the target CPUs */
	char gro_why[128];
	unsigned int row_count;
	struct report_row *rows;
};

/* For an interface that is LOADED. Says what failed. */
int report_make(const struct home *home, struct facts *facts, struct report *ret);
void report_done(struct report *report);

/*
 * eth0: native XDP, bpf_link 7, since 2026-11-30 11:15:19 (2 h 5 min)
 *   steer        program 31, tag 0a1b2c3d4e5f6071, jited; 256 slots
 *   second stage pass, program 32
 *   GRO          yes (by BTF)
 *
 *     CPU  SLOTS  QSIZE         SENT      ARRIVED   SHARE  KTHREAD
 *       1    128    512       121034       121034   50.2%  4711 on 1
 *       2     64    512        60010        60010   24.9%  4712 on 2
 *     2/1     64    512        60000        60000   24.9%  4713 on 2
 *
 *   moves        0 pending, 64 committed, 0 forced
 *
 *      MATCHED  RULE
 *        60010  dns dport 53 cpu 2
 *
 *   241044 redirected
 *       12 stayed: arp (is ARP or RARP)
 */
void report_text(const struct report *report, FILE *out);

/* The same, as the object described in the manual page. */
struct json_object *report_json(const struct report *report);

#endif
