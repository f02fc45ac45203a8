/* SPDX-License-Identifier: GPL-2.0 */
/* What `explain` shows: a line a frame, one JSON document, or the sums alone. */
#ifndef EXPLAIN_SHOW_H
#define EXPLAIN_SHOW_H

#include "explain/capture.h"
#include "explain/flows.h"

/* Any of them may be NULL. */
struct shower {
	void (*begin)(void);
	void (*frame)(const struct capture_frame *frame, const struct explained *record);
	void (*end)(const struct tally *tally, const struct cpuset *targets);
};

/*
 *      1    74  ethernet vlan ipv4 tcp    192.0.2.1:4711 192.0.2.2:80    slot 17, CPU 1
 *      2    60  ethernet                  stays: arp (is ARP or RARP)
 */
extern const struct shower show_text;
extern const struct shower show_summary;
extern const struct shower show_json;

/* "192.0.2.1:4711 192.0.2.2:80". */
void flow_format(const struct flow *flow, char *text, size_t size);

extern const char *const header_names[];

#endif
