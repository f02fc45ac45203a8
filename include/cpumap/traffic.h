/* SPDX-License-Identifier: GPL-2.0 */
/* What bpf/traffic.bpf.c and `bench` agree on. */
#ifndef CPUMAP_TRAFFIC_H
#define CPUMAP_TRAFFIC_H

#ifndef __VMLINUX_H__ /* a BPF object has its fixed-width types from vmlinux.h */
#include <linux/types.h>
#endif

#define TRAFFIC_PORT 20000 /* of the first flow */

/* Ethernet, IPv4, UDP and the first bytes of the payload; no word crosses a member. */
struct traffic_frame {
	__u8 ethernet[14];
	__u8 ip[20];
	__u16 sport;
	__u16 dport;
	__u16 length;
	__u16 check;
	__u16 number_high; /* of the frame, among all */
	__u16 number_low;
	__u16 balance;
};

struct traffic_config {
	struct traffic_frame frame;
	__u32 ifindex;
	__u32 flows;
	__u32 train; /* frames of one flow in a row */
};

_Static_assert(sizeof(struct traffic_frame) == 48, "no holes");

#endif
