/* SPDX-License-Identifier: GPL-2.0 */
/* The netdev netlink family: the NAPI instances of an interface, and whether each has a thread. */
#ifndef LIB_NETDEV_H
#define LIB_NETDEV_H

#include "lib/netlink.h"

/* linux/netdev.h, which the headers of Debian 12 do not have yet. */
enum { NETDEV_CMD_DEV_GET = 1, NETDEV_CMD_NAPI_GET = 11, NETDEV_CMD_NAPI_SET = 14 };
enum { NETDEV_A_DEV_IFINDEX = 1, NETDEV_A_DEV_XDP_FEATURES = 3 };
enum {
	NETDEV_A_NAPI_IFINDEX = 1,
	NETDEV_A_NAPI_ID = 2,
	NETDEV_A_NAPI_IRQ = 3,
	NETDEV_A_NAPI_PID = 4,
	NETDEV_A_NAPI_THREADED = 8,
};

enum { NAPIS_MAX = 512 };

struct napi {
	uint32_t id;
	uint32_t irq; /* 0: not told */
	uint32_t pid; /* of its thread; 0: none */
	int threaded; /* as the kernel counts it; -1: it cannot be set for one NAPI alone */
};

/* -ENOENT: the kernel does not have the family. */
int netdev_napis(uint32_t ifindex, struct napi *ret, unsigned int *ret_count);
int netdev_napi_set_threaded(uint32_t id, int threaded);

#endif
