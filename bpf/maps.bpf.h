/* SPDX-License-Identifier: GPL-2.0 */
/* The maps of the data path; abi.h says what their values mean. */
#ifndef MAPS_BPF_H
#define MAPS_BPF_H

/* Sizes of 1 that say "set by the loader" are replaced before load. */
#define SET_BY_LOADER 1

struct {
	__uint(type, BPF_MAP_TYPE_CPUMAP);
	__uint(max_entries, SET_BY_LOADER); /* possible CPUs */
	__type(key, __u32);
	__type(value, struct bpf_cpumap_val);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct slot_state);
} slot_state SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SET_BY_LOADER); /* possible CPUs */
	__type(key, __u32);
	__type(value, struct sent);
} sent SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counters);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct target);
} targets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct explained);
} explained SEC(".maps");

const volatile struct steer_config steer_config = {
	.abi = ABI_VERSION,
	.slot_mask = SLOTS_MIN - 1,
};

/* A global, so that the hash reads it without a lookup. */
struct flow_key flow_key SEC(".data.key");

#endif
