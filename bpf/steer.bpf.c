/* SPDX-License-Identifier: GPL-2.0 */
/* Redirects received frames to CPUs by their flow; on each CPU, hands them to the stack. */
#define BPF_NO_PRESERVE_ACCESS_INDEX /* packets and xdp_md are ABI: load without kernel BTF */
#include "vmlinux.h"
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include <cpumap/abi.h>
#include <cpumap/flow.h>
#include <cpumap/hash.h>

#include "maps.bpf.h"
#include "compat.bpf.h"
#include "parse.bpf.h"
#include "count.bpf.h"
#include "choose.bpf.h"
#include "explain.bpf.h"

SEC("xdp")
int steer(struct xdp_md *ctx)
{
	struct flow flow = {};
	struct packet packet = {
		.cursor = {
			.ctx = ctx,
			.at = (void *)(long)ctx->data,
			.end = (void *)(long)ctx->data_end,
			.limit = (void *)(long)ctx->data_end,
		},
		.flow = &flow,
		.record = explanation(),
	};
	enum verdict verdict;

	/* Keeps it in memory: in registers, each of its members is carried past every branch. */
	barrier_memory(&flow);
	verdict = parse(&packet);
	if (packet.record)
		return explain(&packet, verdict);
	if (packet.fallback)
		count_fallback(packet.fallback);
	if (verdict == VERDICT_redirected)
		verdict = redirect(ctx, &flow);
	return verdict == VERDICT_redirected ? XDP_REDIRECT : stay(verdict);
}

SEC("xdp/cpumap")
int pass(struct xdp_md *ctx)
{
	struct target *target = bpf_map_lookup_elem(&targets, &(__u32){ 0 });
	void *data = (void *)(long)ctx->data;
	void *meta = (void *)(long)ctx->data_meta;

	if (target) {
		target->packets++;
		target->bytes += frame_len(ctx);
	}
	/*
	 * Metadata that differs from frame to frame would keep GRO from merging
	 * them. A driver without metadata says so by data_meta > data.
	 */
	if (meta < data)
		bpf_xdp_adjust_meta(ctx, data - meta);
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
