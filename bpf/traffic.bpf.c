/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the frames that `bench` sends: one template, many flows, a number in each frame. */
#define BPF_NO_PRESERVE_ACCESS_INDEX
#include "vmlinux.h"
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include <cpumap/traffic.h>

const volatile struct traffic_config traffic_config;

/* Frames made: one task makes them, on one CPU. */
__u32 made;

static __always_inline __u16 fold(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

/*
 * GRO writes lengths and checksums into the headers, and the frames are used
 * again: so all is written anew. The three words that differ and `balance` add
 * up to 0xffff, which is 0 to a checksum.
 */
SEC("xdp")
int traffic(struct xdp_md *ctx)
{
	struct traffic_frame *frame = (void *)(long)ctx->data;
	__u32 number = made++, flow;

	if ((void *)(frame + 1) > (void *)(long)ctx->data_end)
		return XDP_ABORTED;
	/* By volatile words: to the compiler, the template is a constant of zeros. */
	for (__u32 i = 0; i < sizeof(*frame) / sizeof(__u32); i++)
		((__u32 *)frame)[i] = ((const volatile __u32 *)&traffic_config.frame)[i];
	/* A burst of a flow, as GRO meets it: `train` frames. */
	flow = number / traffic_config.train % traffic_config.flows;
	frame->sport = bpf_htons(TRAFFIC_PORT + flow);
	frame->number_high = bpf_htons(number >> 16);
	frame->number_low = bpf_htons(number);
	frame->balance = ~fold((__u32)frame->sport + frame->number_high + frame->number_low);
	return bpf_redirect(traffic_config.ifindex, 0);
}

char LICENSE[] SEC("license") = "GPL";
