/* SPDX-License-Identifier: GPL-2.0 */
/* Where the pins, the journal and the lock of an interface are. */
#ifndef LIB_HOME_H
#define LIB_HOME_H

#include <net/if.h>
#include <stdbool.h>
#include <sys/types.h>

struct home {
	char iface[IFNAMSIZ];
	ino_t netns;	  /* 0: the namespace of process 1 */
	char pins[96];	  /* under /sys/fs/bpf; below it "next", a set being built */
	char journal[96]; /* under /run */
	char lock[96];
};

/* The home of an interface of the network namespace we are in. */
void home_of(const char *iface, struct home *ret);
void home_in(ino_t netns, const char *iface, struct home *ret);

/* The path of a pin, or of a pin in the set being built. */
struct pin_path {
	char text[128];
};
struct pin_path home_pin(const struct home *home, const char *name);
struct pin_path home_pin_of(const struct home *home, bool next, const char *name);

/* The directory of the namespace's pins: one directory an interface. */
void home_all(char *ret, size_t size);

/*
 * One at a time may change an interface: waits for another one, saying so.
 * The lock goes with the fd that is returned.
 */
int home_lock(const struct home *home);

/* The same, but -EBUSY, which is not said, when there is another one. */
int home_lock_now(const struct home *home);

/*
 * A name that the interface had before leads to the home under its present one,
 * as long as that is there: for units that know it by the old name.
 */
void home_forward(const struct home *home, const char *from);
bool home_forwarded(const char *iface, char *ret); /* ret: IFNAMSIZ bytes */

/* Remove journal, lock and the directories that are empty then. */
void home_leave(const struct home *home);

/* The same, unless something is pinned: for who locked and then did nothing. */
void home_leave_unused(const struct home *home);

#endif
