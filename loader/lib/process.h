/* SPDX-License-Identifier: GPL-2.0 */
/* Processes, as /proc below a root shows them. */
#ifndef LIB_PROCESS_H
#define LIB_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* 0: it has none, or it is gone. */
uint32_t process_parent(int root, uint32_t pid);

/* The value of a line such as "Cpus_allowed_list:" of its status; "" without one. */
void process_status(int root, uint32_t pid, const char *key, char *ret, size_t size);

#endif
