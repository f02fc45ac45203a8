/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel threads of a cpumap, found by the name the kernel gives them. */
#ifndef LIB_KTHREAD_H
#define LIB_KTHREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct kthread {
	uint32_t cpu; /* the entry it serves */
	pid_t pid;
	char allowed[64]; /* CPUs it may run on, as a list */
};

/* The number found, at most max of them in ret. */
unsigned int kthreads_find(uint32_t map_id, struct kthread *ret, unsigned int max);

/* For kthread_look(); -1 when it has gone. */
int kthread_open(pid_t pid);

/* Whether it sleeps now, and how often it went to sleep. False: it has gone. */
bool kthread_look(int fd, bool *ret_asleep, uint64_t *ret_sleeps);

#endif
