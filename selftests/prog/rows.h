/* SPDX-License-Identifier: GPL-2.0 */
/* The rows: a sentence, a frame, and what is to become of it. */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <cpumap/abi.h>

#include "prog/frame.h"

/* The flow that the frame belongs to, as a reader of the frame would write it. */
struct flow_text {
	const char *src, *dst; /* NULL: no part of the flow */
	uint16_t sport, dport;
	uint8_t l4;
	const uint32_t *words; /* instead of addresses: src[0], src[1], v6 */
};

struct row {
	const char *name;
	const struct layer *layers;
	struct flow_text flow;	/* of a frame that is redirected */
	enum verdict verdict;	/* 0 is VERDICT_redirected */
	enum fallback fallback; /* beside the verdict */
	const char *dsa;	/* the tag, by its name in sysfs */
};

/* Rows for one configuration (but for their DSA tags). */
struct table {
	const char *name;
	struct steer_config config;
	const struct row *rows;
	size_t count;
};

#define TABLE(name_, rows_, ...)                                             \
	{                                                                    \
		.name = (name_), .config = { __VA_ARGS__ }, .rows = (rows_), \
		.count = sizeof(rows_) / sizeof((rows_)[0])                  \
	}

#define A4 "10.0.0.1"
#define B4 "192.0.2.77"
#define A6 "2001:db8::1"
#define B6 "2001:db8:0:ffff:1234:5678:9abc:def0"
#define V4 IPV4(A4, B4)
#define V6 IPV6(A6, B6)
#define FLOW4(protocol, from, to)                                                      \
	{                                                                              \
		.src = A4, .dst = B4, .sport = (from), .dport = (to), .l4 = (protocol) \
	}
#define FLOW6(protocol, from, to)                                                      \
	{                                                                              \
		.src = A6, .dst = B6, .sport = (from), .dport = (to), .l4 = (protocol) \
	}
#define STAYS(why) .verdict = VERDICT_##why
#define FELL_BACK(why) .fallback = FALLBACK_##why

extern const struct table ip_rows, link_rows, dsa_rows, tunnel_rows;
extern const struct table inner_never_rows, inner_always_rows, multicast_stays_rows;

/* All of them, NULL at the end. */
extern const struct table *const tables[];

/* The tag of this name; DSA_NONE for no name. */
struct dsa_tag dsa_tag_of(const char *name);
struct flow flow_of(const struct flow_text *text);

#endif
