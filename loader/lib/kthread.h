/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel threads of a cpumap, found by the name the kernel gives them. */
#ifndef LIB_KTHREAD_H
#define LIB_KTHREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct kthread {
	uint32_t cpu, lane; /* the entry it serves */
	pid_t pid;
};

/* The number found, at most max of them in ret. */
unsigned int kthreads_find(uint32_t map_id, struct kthread *ret, unsigned int max);

/* Of several maps at once, a lane each; an id of 0 is none. */
unsigned int kthreads_scan(const uint32_t *map_ids, unsigned int maps, struct kthread *ret,
			   unsigned int max);

/* Whether the process of that pid is the one of the entry. */
bool kthread_is(pid_t pid, uint32_t map_id, uint32_t cpu);

/* The CPUs it may run on, as a list; "": it has gone. */
void kthread_allowed(pid_t pid, char *ret, size_t size);

/* For kthread_look(); -1 when it has gone. */
int kthread_open(pid_t pid);

/* Whether it sleeps now, and how often it went to sleep. False: it has gone. */
bool kthread_look(int fd, bool *ret_asleep, uint64_t *ret_sleeps);

#endif
