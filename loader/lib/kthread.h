/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel threads of a cpumap, found by the name the kernel gives them. */
#ifndef LIB_KTHREAD_H
#define LIB_KTHREAD_H

#include <stdint.h>
#include <sys/types.h>

struct kthread {
	uint32_t cpu; /* the entry it serves */
	pid_t pid;
	char allowed[64]; /* CPUs it may run on, as a list */
};

/* The number found, at most max of them in ret. */
unsigned int kthreads_find(uint32_t map_id, struct kthread *ret, unsigned int max);

#endif
