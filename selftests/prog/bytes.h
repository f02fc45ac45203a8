/* SPDX-License-Identifier: GPL-2.0 */
/* How the layers of frame.c write: at the end of the frame, in network order. */
#ifndef BYTES_H
#define BYTES_H

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog/frame.h"

static inline void put(struct frame *frame, const void *bytes, size_t len)
{
	if (frame->len + len > FRAME_MAX)
		abort();
	memcpy(frame->data + frame->len, bytes, len);
	frame->len += len;
}

static inline void put8(struct frame *frame, uint8_t value)
{
	put(frame, &value, 1);
}

static inline void put16(struct frame *frame, uint16_t value)
{
	put8(frame, value >> 8);
	put8(frame, value);
}

static inline void put32(struct frame *frame, uint32_t value)
{
	put16(frame, value >> 16);
	put16(frame, value);
}

static inline void put_fill(struct frame *frame, size_t len, uint8_t fill)
{
	while (len--)
		put8(frame, fill);
}

static inline void put_mac(struct frame *frame, const char *text)
{
	uint8_t mac[6];

	if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", mac, mac + 1, mac + 2, mac + 3, mac + 4,
		   mac + 5) != 6)
		abort();
	put(frame, mac, sizeof(mac));
}

static inline void put_ip(struct frame *frame, int family, const char *text)
{
	uint8_t address[16];

	if (inet_pton(family, text, address) != 1)
		abort();
	put(frame, address, family == AF_INET ? 4 : 16);
}

static inline void set16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static inline uint16_t checksum(const uint8_t *bytes, size_t len, uint32_t sum)
{
	for (size_t i = 0; i < len; i++)
		sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

#endif
