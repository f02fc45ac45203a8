/* SPDX-License-Identifier: GPL-2.0 */
/* One loop, everything an fd: links, CPUs, signals, the watchdog. It sleeps until one of them. */
#ifndef FOLLOW_EVENTS_H
#define FOLLOW_EVENTS_H

#include "follow/link.h"

/* Beside the LINK_ ones. */
enum {
	SEEN_CPUS = 1 << 16,  /* one came or went */
	SEEN_RETRY = 1 << 17, /* the time that events_retry() set */
	SEEN_LOST = 1 << 18,  /* there were more than the kernel keeps: anything may be */
};

struct events {
	int epoll;
	int links; /* rtnetlink */
	int cpus;  /* uevents */
	int signals;
	int settle;   /* a burst of events is one: they are taken when this is over */
	int retry;    /* what failed and may pass by itself */
	int watchdog; /* of the service manager */
	struct link link;
	unsigned int seen; /* and not yet taken */
};

enum woken { WOKEN_SEEN, WOKEN_STOP, WOKEN_RELOAD };

/* iface: whom to wait for when there is none of that name, or called now. Says what failed. */
int events_open(const char *iface, const char *now, struct events *ret);
void events_close(struct events *events);

/* Sleeps. WOKEN_SEEN: take what was seen from ret_seen; the state is in events->link. */
enum woken events_wait(struct events *events, unsigned int *ret_seen);

/* Read what has come meanwhile, without waiting; 0, or what is to be taken later. */
void events_catch_up(struct events *events);

/* Wake up with SEEN_RETRY then, whatever else happens. */
void events_retry(struct events *events, unsigned int ms);

#endif
