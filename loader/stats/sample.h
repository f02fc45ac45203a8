/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshots of one interface or of all that are loaded, taken together. */
#ifndef STATS_SAMPLE_H
#define STATS_SAMPLE_H

#include "stats/view.h"

enum { SAMPLE_MAX = 64 }; /* interfaces */

struct sample {
	unsigned int count;
	struct snapshot *at[SAMPLE_MAX];
};

/* iface "": all of this network namespace. Says what failed; none loaded is no failure. */
int sample_take(const char *iface, struct sample *ret);
void sample_done(struct sample *sample);

/* What each interface's program counted since its load. */
int sample_at_load(const struct sample *like, struct sample *ret);

/* The same interface in another sample; NULL: it was not loaded then. */
const struct snapshot *sample_find(const struct sample *sample, const char *iface);

#endif
