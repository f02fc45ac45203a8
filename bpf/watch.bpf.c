/* SPDX-License-Identifier: GPL-2.0 */
/* Counts what the kernel does with redirected frames, by raw tracepoints: they need no kernel BTF.
 */
#define BPF_NO_PRESERVE_ACCESS_INDEX
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include <cpumap/abi.h>

#define SET_BY_LOADER 1

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SET_BY_LOADER); /* lanes * possible CPUs */
	__type(key, __u32);
	__type(value, struct enqueued);
} enqueued SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LANES_MAX);
	__type(key, __u32);
	__type(value, struct dequeued);
} dequeued SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct exceptions);
} exceptions SEC(".maps");

const volatile struct watch_config watch_config;
struct watched watched SEC(".data.watched");

/* The lane of a cpumap of ours, or -1. */
static __always_inline int lane_of(__u32 map_id)
{
	for (int i = 0; i < WATCHED_MAPS_MAX; i++)
		if (watched.maps[i].id == map_id)
			return watched.maps[i].lane;
	return -1;
}

static __always_inline struct enqueued *enqueued_at(int lane, __u32 cpu)
{
	__u32 key = lane * watch_config.cpus + cpu;

	return bpf_map_lookup_elem(&enqueued, &key);
}

/* (int map_id, unsigned int processed, unsigned int drops, int to_cpu) */
SEC("raw_tp/xdp_cpumap_enqueue")
int watch_enqueue(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 processed = ctx->args[1], drops = ctx->args[2];
	int lane = lane_of(ctx->args[0]);
	struct enqueued *count;

	if (lane < 0)
		return 0;
	count = enqueued_at(lane, ctx->args[3]);
	if (!count)
		return 0;
	count->bulks++;
	/* Native XDP counts a dropped frame as processed, generic XDP does not. */
	count->packets += processed > drops ? processed : drops;
	count->drops += drops;
	return 0;
}

/* (int map_id, unsigned int processed, unsigned int drops, int sched, struct xdp_cpumap_stats *) */
SEC("raw_tp/xdp_cpumap_kthread")
int watch_kthread(struct bpf_raw_tracepoint_args *ctx)
{
	struct xdp_cpumap_stats stage = {};
	int lane = lane_of(ctx->args[0]);
	struct dequeued *count;

	if (lane < 0)
		return 0;
	count = bpf_map_lookup_elem(&dequeued, &lane);
	if (!count)
		return 0;
	bpf_probe_read_kernel(&stage, sizeof(stage), (void *)ctx->args[4]);
	count->batches++;
	count->packets += (__u32)ctx->args[1];
	count->drops += (__u32)ctx->args[2];
	count->sleeps += (__u32)ctx->args[3] != 0;
	count->stage_pass += stage.pass;
	count->stage_drop += stage.drop;
	count->stage_redirect += stage.redirect;
	return 0;
}

/*
 * (dev, prog, target, int err, enum bpf_map_type, u32 map_id, u32 index). Before
 * ee75aef23afe (5.13) the map itself, a pointer, came in the place of its type.
 */
SEC("raw_tp/xdp_redirect_err")
int watch_redirect_err(struct bpf_raw_tracepoint_args *ctx)
{
	struct enqueued *count;
	int lane;

	if (ctx->args[4] != BPF_MAP_TYPE_CPUMAP)
		return 0;
	lane = lane_of(ctx->args[5]);
	if (lane < 0)
		return 0;
	count = enqueued_at(lane, ctx->args[6]);
	if (count)
		count->errors++;
	return 0;
}

/* (dev, const struct bpf_prog *, u32 act). Only the programs' ids tell whose frame it was. */
SEC("raw_tp/xdp_exception")
int watch_exception(struct bpf_raw_tracepoint_args *ctx)
{
	struct exceptions *count = bpf_map_lookup_elem(&exceptions, &(__u32){ 0 });
	const char *prog = (const char *)ctx->args[1], *aux = NULL;
	__u32 id = 0;

	if (!count || bpf_probe_read_kernel(&aux, sizeof(aux), prog + watch_config.prog_aux) ||
	    bpf_probe_read_kernel(&id, sizeof(id), aux + watch_config.aux_id) || !id)
		return 0;
	count->steer += id == watched.steer_id;
	for (int lane = 0; lane < LANES_MAX; lane++)
		count->pass += id == watched.pass_ids[lane];
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
