// SPDX-License-Identifier: GPL-2.0
/* What the kernel can do: by its types and symbols or by trying, never by its version. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

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

/* Load the smallest program with the flag: EINVAL before 5.18. */
static enum answer probe_frags(void)
{
	const struct bpf_insn pass[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_XDP_HAS_FRAGS);
	cleanup(closep) int fd =
		bpf_prog_load(BPF_PROG_TYPE_XDP, "probe_frags", "GPL", pass, 2, &opts);

	if (fd >= 0)
		return YES;
	return fd == -EINVAL ? NO : UNKNOWN;
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

	if (gro == UNKNOWN) {
		gro = gro_by_symbols(root);
		how = "by kallsyms, there is no BTF";
	}
	ret->gro = gro;
	snprintf(ret->gro_why, sizeof(ret->gro_why), "%s", gro == YES ? how : found[gro]);
	ret->frags = probe_frags();
}
