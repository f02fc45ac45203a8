/* SPDX-License-Identifier: GPL-2.0 */
/* Redirects received frames to CPUs by their flow; on each CPU, hands them to the stack. */
#define BPF_NO_PRESERVE_ACCESS_INDEX /* packets and xdp_md are ABI: load without kernel BTF */
#include "vmlinux.h"
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include <cpumap/abi.h>
#include <cpumap/flow.h>
#include <cpumap/hash.h>
#include <cpumap/rules.h>

#include "maps.bpf.h"
#include "compat.bpf.h"
#include "parse.bpf.h"
#include "count.bpf.h"
#include "rules.bpf.h"
#include "moves.bpf.h"
#include "transition.bpf.h"
#include "choose.bpf.h"
#include "explain.bpf.h"

static __always_inline int finish(enum verdict verdict)
{
	return verdict == VERDICT_redirected ? XDP_REDIRECT : stay(verdict);
}

static __always_inline void note_counts(struct xdp_md *ctx, const struct packet *packet,
					const struct rule_action *rule)
{
	if (steer_config.rules && rule)
		count_rule(ctx, rule);
	if (packet->fallback)
		count_fallback(packet->fallback);
}

/* While flows leave the slots of before for those of now. */
static __always_inline int steer_leaving(struct xdp_md *ctx, struct packet *packet,
					 const bool may_stamp)
{
	const struct rule_action *rule;
	struct flow as_before = *packet->flow;
	enum verdict verdict = decide(packet, packet->flow, &steer_config.now, &rule);
	__u32 slot;

	note_counts(ctx, packet, rule);
	slot = slot_of(packet->flow, verdict, rule, &steer_config.now);
	slot = slot_on_the_way(packet, &as_before, slot, may_stamp);
	return finish(slot == NO_SLOT ? verdict : redirect(ctx, slot, may_stamp));
}

static __always_inline int steer_frame(struct xdp_md *ctx, const bool may_stamp)
{
	struct flow flow = {};
	const struct rule_action *rule = NULL;
	struct packet packet = {
		.cursor = {
			.ctx = ctx,
			.at = (void *)(long)ctx->data,
			.end = (void *)(long)ctx->data_end,
			.limit = (void *)(long)ctx->data_end,
		},
		.flow = &flow,
		.key = new_key(),
		.record = explanation(),
	};
	enum verdict verdict;

	/* Keeps it in memory: in registers, each of its members is carried past every branch. */
	barrier_memory(&flow);
	if (steer_config.rules && !packet.key)
		return XDP_PASS;
	verdict = parse_headers(&packet);
	if (steer_config.in_transition && !verdict && !packet.record)
		return steer_leaving(ctx, &packet, may_stamp);
	if (!verdict)
		verdict = decide(&packet, &flow, &steer_config.now, &rule);
	if (packet.record)
		return explain(&packet, verdict, rule);
	note_counts(ctx, &packet, rule);
	if (verdict == VERDICT_redirected)
		verdict =
			redirect(ctx, slot_of(&flow, verdict, rule, &steer_config.now), may_stamp);
	return finish(verdict);
}

SEC("xdp")
int steer(struct xdp_md *ctx)
{
	return steer_frame(ctx, true);
}

/*
 * For libxdp's dispatcher. From v6.13 on (and in the stable kernels since) an
 * extension may call no helper that changes the packet, unless what it extends
 * does; moving the start of the metadata counts as that.
 */
SEC("?xdp")
int steer_chained(struct xdp_md *ctx)
{
	return steer_frame(ctx, false);
}

static __always_inline int deliver(struct xdp_md *ctx, __u32 lane)
{
	__u32 entry = lane * steer_config.cpus + bpf_get_smp_processor_id();
	struct target *target = bpf_map_lookup_elem(&targets, &entry);
	void *data = (void *)(long)ctx->data;
	void *meta = (void *)(long)ctx->data_meta;

	if (!target)
		return XDP_PASS;
	target->packets++;
	target->bytes += frame_len(ctx);
	/*
	 * Metadata that differs from frame to frame would keep GRO from merging
	 * them. A driver without metadata says so by data_meta > data.
	 */
	if (meta < data) {
		note_stamp(meta, data, target->packets);
		bpf_xdp_adjust_meta(ctx, data - meta);
	}
	return XDP_PASS;
}

/* One a lane, as a program does not learn which cpumap it runs in. */
#define PASS(name, lane)                   \
	SEC("xdp/cpumap")                  \
	int name(struct xdp_md *ctx)       \
	{                                  \
		return deliver(ctx, lane); \
	}

PASS(pass, 0)
PASS(pass_1, 1)
PASS(pass_2, 2)
PASS(pass_3, 3)
PASS(pass_4, 4)
PASS(pass_5, 5)
PASS(pass_6, 6)
PASS(pass_7, 7)

char LICENSE[] SEC("license") = "GPL";
