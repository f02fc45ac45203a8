/* SPDX-License-Identifier: GPL-2.0 */
/* Be in the network namespace meant, with its sysfs and with the machine's one bpffs. */
#ifndef LIB_NETNS_H
#define LIB_NETNS_H

#include <sys/types.h>

/*
 * Enter the namespace called name (as in `ip netns`; NULL: stay where we are).
 * Afterwards /sys shows its devices and /sys/fs/bpf is the machine's bpffs, the
 * one that process 1 sees, mounted if it was not. Says what failed.
 */
int netns_enter(const char *name);

/* The inode of the namespace we are in; 0 in the machine's own, that of process 1. */
ino_t netns_inode(void);

#endif
