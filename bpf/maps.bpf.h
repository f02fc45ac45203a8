/* SPDX-License-Identifier: GPL-2.0 */
/* The maps of the data path; abi.h says what their values mean. */
#ifndef MAPS_BPF_H
#define MAPS_BPF_H

/* Sizes of 1 that say "set by the loader" are replaced before load. */
#define SET_BY_LOADER 1

#define BPF_F_NO_PREALLOC (1 << 0)
#define BPF_F_MMAPABLE (1 << 10)

/* One a lane; those that no frame can reach are not made. */
#define CPUMAP(name)                                                    \
	struct {                                                        \
		__uint(type, BPF_MAP_TYPE_CPUMAP);                      \
		__uint(max_entries, SET_BY_LOADER); /* possible CPUs */ \
		__type(key, __u32);                                     \
		__type(value, struct bpf_cpumap_val);                   \
	} name SEC(".maps")

CPUMAP(cpus);
CPUMAP(cpus_1);
CPUMAP(cpus_2);
CPUMAP(cpus_3);
CPUMAP(cpus_4);
CPUMAP(cpus_5);
CPUMAP(cpus_6);
CPUMAP(cpus_7);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
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
	__uint(max_entries, SET_BY_LOADER); /* LANES_MAX * possible CPUs */
	__type(key, __u32);
	__type(value, struct sent);
} sent SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct pending);
} pending SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct moves);
} moves SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SET_BY_LOADER); /* mark_mask + 1 */
	__type(key, __u32);
	__type(value, struct mark);
} marks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, SET_BY_LOADER); /* LANES_MAX * possible CPUs */
	__type(key, __u32);
	__type(value, struct asleep);
} asleep SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counters);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, SET_BY_LOADER); /* LANES_MAX * possible CPUs */
	__type(key, __u32);
	__type(value, struct target);
} targets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct explained);
} explained SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, SET_BY_LOADER);
	__type(key, struct prefix_key_4);
	__type(value, struct prefix_home);
} prefixes_4 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, SET_BY_LOADER);
	__type(key, struct prefix_key_6);
	__type(value, struct prefix_home);
} prefixes_6 SEC(".maps");

/* Without rules, a value that takes no room. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, SET_BY_LOADER); /* RULE_SETS */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 8); /* struct rule_set, set by the loader */
} rules SEC(".maps");

/*
 * Of the frame that is being read. On the stack, the verifier would tell apart
 * all that it may hold.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rule_key);
} rule_key SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RULE_IDS);
	__type(key, __u32);
	__type(value, struct rule_hit);
} rule_hits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RULE_SETS *RULES_MAX);
	__type(key, __u32);
	__type(value, struct rule_text);
} rule_texts SEC(".maps");

/* Of no use to the programs: from here the loader knows what it was told, when it is told more. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SET_BY_LOADER); /* possible CPUs */
	__type(key, __u32);
	__type(value, __u32);
} weights SEC(".maps");

const volatile struct steer_config steer_config = {
	.abi = ABI_VERSION,
	.slot_mask = SLOTS_MIN - 1,
	.cpus = SET_BY_LOADER,
	.lanes = 1,
};

/* Globals, so that they are read without a lookup. */
struct move_rules move_rules SEC(".data.rules");

/* Two: while flows go from one to the other, both are in use. */
struct flow_keys flow_keys SEC(".data.key");

#endif
