/* SPDX-License-Identifier: GPL-2.0 */
/* What rtnetlink tells of the one interface that is followed. Pure: bytes to state. */
#ifndef FOLLOW_LINK_H
#define FOLLOW_LINK_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

/* What has happened to it since somebody looked. */
enum {
	LINK_CAME = 1 << 0,
	LINK_WENT = 1 << 1, /* it, or what stood in its place before LINK_CAME */
	LINK_RENAMED = 1 << 2,
	LINK_UP = 1 << 3,
	LINK_DOWN = 1 << 4,
	LINK_MTU = 1 << 5,
	LINK_PROGRAM = 1 << 6, /* another XDP program is on it, or none */
};

struct link {
	char wanted[IFNAMSIZ]; /* the name of whom we wait for while there is none */
	uint32_t index;	       /* 0: there is none */
	char name[IFNAMSIZ];   /* as it is called now */
	uint32_t mtu;
	bool up;
	uint32_t program; /* 0: none */
};

struct nlmsghdr;

/* A message of rtnetlink to the state. Returns what happened, 0 if it is about another one. */
unsigned int link_message(struct link *link, const struct nlmsghdr *header);

#endif
