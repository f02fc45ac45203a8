/* SPDX-License-Identifier: GPL-2.0 */
/* A capture file: frame after frame, in constant memory. */
#ifndef EXPLAIN_CAPTURE_H
#define EXPLAIN_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;

struct capture_frame {
	uint64_t number; /* from 1 */
	uint32_t length; /* on the wire */
	uint32_t caplen; /* of data */
	const uint8_t *data;
};

/*
 * pcap or pcapng. Ethernet and what a DSA conduit shows: *ret_dsa is then the
 * name of the tag, else NULL. Says what is wrong.
 */
int capture_open(const char *path, struct capture **ret, const char **ret_dsa);
void capture_close(struct capture **capture);

/* 1: a frame, 0: the end, negative: said what is wrong. */
int capture_next(struct capture *capture, struct capture_frame *ret);

/* Show on a terminal's stderr how far we are, now and then; last: take it away. */
void capture_progress(struct capture *capture, bool last);

#endif
