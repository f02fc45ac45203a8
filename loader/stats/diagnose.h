/* SPDX-License-Identifier: GPL-2.0 */
/* What is wrong between two snapshots, in sentences an admin can act on. */
#ifndef STATS_DIAGNOSE_H
#define STATS_DIAGNOSE_H

#include "stats/view.h"

struct finding {
	const char *kind; /* a word for programs */
	char text[320];
};

enum { FINDINGS_MAX = 16 };

/* Pure. The number of findings, the gravest first. */
unsigned int diagnose(const struct view *view, struct finding ret[FINDINGS_MAX]);

#endif
