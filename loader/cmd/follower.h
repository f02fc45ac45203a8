/* SPDX-License-Identifier: GPL-2.0 */
/* What `load --watch` does when something has happened to its interface. */
#ifndef CMD_FOLLOWER_H
#define CMD_FOLLOWER_H

#include "dataplane/prefixes.h"
#include "follow/events.h"
#include "plan/plan.h"

struct follower {
	const struct source *source;
	struct following following;
	struct events events;
	struct home home;     /* of the interface as it is called now */
	struct cpuset online; /* when it was looked at last */
	bool owed;	      /* to be loaded: it is new here */
	bool told;	      /* warnings were given once */

	/* Of an interface that has gone: they come back with it. */
	struct prefix_entry *prefixes;
	unsigned int prefix_count;
};

/* What became of it, in words, for the line about an event. */
struct outcome {
	char text[512]; /* "": nothing to tell */
	char status[256];
};

/* 0, or a negative error that was said; -EBUSY: somebody else is at work, try again soon. */
int follower_went(struct follower *follower, struct outcome *ret);
int follower_renamed(struct follower *follower, struct outcome *ret);
int follower_converge(struct follower *follower, struct outcome *ret);

#endif
