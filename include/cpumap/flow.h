/* SPDX-License-Identifier: GPL-2.0 */
/* What tells one flow from another: filled by the parser, read by hash.h. */
#ifndef CPUMAP_FLOW_H
#define CPUMAP_FLOW_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

/*
 * A word of an address or a label is the four bytes on the wire read as a
 * little-endian number, on every machine, so that all byte orders agree on
 * the hash. Ports are numbers.
 */
struct flow {
	__u32 src[4]; /* IPv4: [0] alone, the others 0 */
	__u32 dst[4];
	__u16 sport; /* 0 where the flow has no ports, or is a fragment */
	__u16 dport;
	__u8 l4; /* IPPROTO_*, the last one understood */
	__u8 v6; /* src and dst are 16 bytes */
	__u8 pad[2];
};

/* The secret of one load: 96 bits for the mix, 128 to fold IPv6 addresses. */
struct flow_key {
	__u32 mix[3];
	__u32 fold[4];
};

struct flow_keys {
	struct flow_key at[2];
};

_Static_assert(sizeof(struct flow) == 40, "shared with bpf/");
_Static_assert(sizeof(struct flow_key) == 28, "shared with bpf/");

#endif
