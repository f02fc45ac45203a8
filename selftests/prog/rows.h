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
	const char *src, *dst;
	uint16_t sport, dport;
	uint8_t l4;
};

struct row {
	const char *name;
	const struct layer *layers;
	struct flow_text flow;	/* of a frame that is redirected */
	enum verdict verdict;	/* 0 is VERDICT_redirected */
	enum fallback fallback; /* beside the verdict */
};

struct table {
	const struct row *rows;
	size_t count;
};

extern const struct table steer_rows;

struct flow flow_of(const struct flow_text *text);

#endif
