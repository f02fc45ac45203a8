// SPDX-License-Identifier: GPL-2.0
/* What the kernel can do: by its types and symbols or by trying, never by its version. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "facts/facts.h"
#include "lib/clean.h"

#ifndef BPF_F_XDP_HAS_FRAGS
#define BPF_F_XDP_HAS_FRAGS (1U << 5)
#endif

static void btf_freep(struct btf **btf)
{
	btf__free(*btf);
}

/* struct bpf_cpu_map_entry has a member `gro` since 4f8ab26a034f (6.15). */
static enum answer gro_by_btf(void)
{
	cleanup(btf_freep) struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *type;
	int id;

	if (libbpf_get_error(btf)) {
		btf = NULL;
		return UNKNOWN;
	}
	id = btf__find_by_name_kind(btf, "bpf_cpu_map_entry", BTF_KIND_STRUCT);
	if (id < 0)
		return UNKNOWN;
	type = btf__type_by_id(btf, (uint32_t)id);
	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, btf_members(type)[i].name_off);

		if (name && strcmp(name, "gro") == 0)
			return YES;
	}
	return NO;
}

/*
 * The same series made gro_receive_skb() of napi_gro_receive(), which is the
 * only trace of it in a kernel without BTF.
 */
static enum answer gro_by_symbols(int root)
{
	int fd = openat(root, "proc/kallsyms", O_RDONLY | O_CLOEXEC);
	cleanup(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	enum answer answer = UNKNOWN;
	char line[256], name[128];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %*c %127s", name) != 1)
			continue;
		if (strcmp(name, "gro_receive_skb") == 0)
			return YES;
		if (strcmp(name, "napi_gro_receive") == 0)
			answer = NO;
	}
	return answer;
}

/* Whether the kernel takes the program: UNKNOWN when it was not for refusal. */
static enum answer probe(const struct bpf_insn *insns, size_t count, uint32_t flags, int refusal)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = flags);
	cleanup(closep) int fd =
		bpf_prog_load(BPF_PROG_TYPE_XDP, "probe", "GPL", insns, count, &opts);

	if (fd >= 0)
		return YES;
	return fd == refusal ? NO : UNKNOWN;
}

#define MOV(dst, src)                                       \
	{                                                   \
		BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0 \
	}
#define MOV_K(dst, number)                                     \
	{                                                      \
		BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, number \
	}
#define ADD_K(dst, number)                                     \
	{                                                      \
		BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, number \
	}
#define LOAD(dst, src, offset)                                 \
	{                                                      \
		BPF_LDX | BPF_MEM | BPF_W, dst, src, offset, 0 \
	}
#define SKIP_IF_ABOVE(dst, src, offset)                        \
	{                                                      \
		BPF_JMP | BPF_JGT | BPF_X, dst, src, offset, 0 \
	}
#define EXIT                                   \
	{                                      \
		BPF_JMP | BPF_EXIT, 0, 0, 0, 0 \
	}

static enum answer probe_frags(void)
{
	static const struct bpf_insn pass[] = { MOV_K(BPF_REG_0, XDP_PASS), EXIT };

	return probe(pass, 2, BPF_F_XDP_HAS_FRAGS, -EINVAL);
}

/* A word at an odd offset of the packet, if it has as many bytes. */
static enum answer probe_unaligned(void)
{
	static const struct bpf_insn load[] = {
		LOAD(BPF_REG_2, BPF_REG_1, offsetof(struct xdp_md, data)),
		LOAD(BPF_REG_3, BPF_REG_1, offsetof(struct xdp_md, data_end)),
		MOV(BPF_REG_4, BPF_REG_2),
		ADD_K(BPF_REG_4, 5),
		SKIP_IF_ABOVE(BPF_REG_4, BPF_REG_3, 1),
		LOAD(BPF_REG_0, BPF_REG_2, 1),
		MOV_K(BPF_REG_0, XDP_PASS),
		EXIT,
	};

	return probe(load, sizeof(load) / sizeof(load[0]), 0, -EACCES);
}

void facts_kernel(int root, struct kernel_facts *ret)
{
	static const char *const found[] = {
		[UNKNOWN] = "neither BTF nor /proc/kallsyms tell",
		[NO] = "needs Linux 6.15",
		[YES] = "",
	};
	enum answer gro = gro_by_btf();
	const char *how = "by BTF";
	struct timespec tick;

	if (gro == UNKNOWN) {
		gro = gro_by_symbols(root);
		how = "by kallsyms, there is no BTF";
	}
	ret->gro = gro;
	snprintf(ret->gro_why, sizeof(ret->gro_why), "%s", gro == YES ? how : found[gro]);
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0)
		ret->tick_ns = (uint32_t)tick.tv_nsec;
	ret->frags = probe_frags();
	ret->unaligned = probe_unaligned();
}
