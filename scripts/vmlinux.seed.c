/* SPDX-License-Identifier: GPL-2.0 */
/* The types that vmlinux.h holds: scripts/vmlinux turns this file into it. */
#include <linux/bpf.h>

#define NAMED(line) keep_##line
#define NAME(line) NAMED(line)
#define KEEP(type) type *NAME(__LINE__)

typedef _Bool bool;
enum truth { false = 0, true = 1 };

KEEP(bool);
KEEP(enum truth);

/* Kernel types that programs read, cut down to the members they read. */
struct xdp_cpumap_stats {
	unsigned int redirect;
	unsigned int pass;
	unsigned int drop;
};

KEEP(struct xdp_cpumap_stats);

/* UAPI: what programs are given, what they create, what they answer. */
KEEP(struct xdp_md);
KEEP(struct bpf_cpumap_val);
KEEP(struct bpf_raw_tracepoint_args);
KEEP(enum bpf_map_type);
KEEP(enum xdp_action);
KEEP(__be16);
KEEP(__be32);
KEEP(__wsum);
KEEP(__u8);
KEEP(__s8);
KEEP(__s16);
KEEP(__s32);
KEEP(__s64);
