/* SPDX-License-Identifier: GPL-2.0 */
/* What `stats` says: the rows of fields.h for people, for programs and for Prometheus. */
#ifndef STATS_RENDER_H
#define STATS_RENDER_H

#include <stdio.h>

#include "stats/view.h"

struct json_object;

/*
 * eth0: 812031 redirected/s, 12 stayed/s, over 1.0 s; evenness 1.03 (at best 1.00)
 *
 *   RX CPU  REDIRECTED/s  BYTES/s  STAYED/s  EXCEPTIONS/s  SOFTIRQ
 *        0        812031   52.0 M        12             0      71%
 *
 *   CPU  SENT/s  BYTES/s  SHARE                 DROPS/s  SOFTIRQ  FRAMES/SKB  SLEEPS/s  BULK ...
 *     1  406010   26.0 M  50% [##########|        ]   0     0.4%         6.1      2130   7.9
 *
 *   RULE   HITS/s  BYTES/s    SHARE
 *   dns     12040    0.9 M     1.5%
 *
 *   CPU 3 drops 1.2 % at enqueue: raise --qsize or add a CPU
 */
void render_table(const struct view *view, FILE *out);

/* One line a target CPU, for a pipe: "12:30:01 eth0 cpu=1 sent/s=406010 ...". */
void render_lines(const struct view *view, const char *time, FILE *out);

struct json_object *render_json(const struct view *view);

/* The text format of Prometheus, of all interfaces together: it wants the lines of a metric in a
 * row. */
void render_prometheus(struct view *const *views, unsigned int count, FILE *out);

/* docs/metrics.md. */
void render_metrics(FILE *out);

#endif
