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
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/text.h"

#ifndef BPF_F_XDP_HAS_FRAGS
#define BPF_F_XDP_HAS_FRAGS (1U << 5)
#endif

static void btf_freep(struct btf **btf)
{
	btf__free(*btf);
}

/* What betrays itself by a member of a struct, or by a function that is not static. */
struct traces {
	enum answer gro, generic, link;
	const char *by;
};

static enum answer has_member(const struct btf *btf, const char *name, const char *member)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	const struct btf_type *type;

	if (id < 0)
		return UNKNOWN;
	type = btf__type_by_id(btf, (uint32_t)id);
	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *found = btf__name_by_offset(btf, btf_members(type)[i].name_off);

		if (found && strcmp(found, member) == 0)
			return YES;
	}
	return NO;
}

static enum answer has_function(const struct btf *btf, const char *name)
{
	return btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) >= 0 ? YES : NO;
}

/* struct bpf_cpu_map_entry has a member `gro` since 4f8ab26a034f (6.15). */
static bool traces_by_btf(struct traces *ret)
{
	cleanup(btf_freep) struct btf *btf = btf__load_vmlinux_btf();

	if (libbpf_get_error(btf)) {
		btf = NULL;
		return false;
	}
	*ret = (struct traces){ .gro = has_member(btf, "bpf_cpu_map_entry", "gro"),
				.generic = has_function(btf, "cpu_map_generic_redirect"),
				.link = has_function(btf, "bpf_xdp_link_attach"),
				.by = "by BTF" };
	return ret->gro != UNKNOWN;
}

/*
 * The same series made gro_receive_skb() of napi_gro_receive(), which is the
 * only trace of it in a kernel without BTF.
 */
static void traces_by_symbols(int root, struct traces *ret)
{
	int fd = openat(root, "proc/kallsyms", O_RDONLY | O_CLOEXEC);
	cleanup(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char line[512];

	*ret = (struct traces){ .by = "by kallsyms, there is no BTF" };
	while (file && fgets(line, sizeof(line), file)) {
		char *rest = line, *name;

		text_next_word(&rest);
		text_next_word(&rest);
		name = rest ? text_next_word(&rest) : NULL;
		if (!name)
			continue;
		name[strcspn(name, "\n")] = '\0';
		if (strcmp(name, "gro_receive_skb") == 0)
			ret->gro = YES;
		else if (strcmp(name, "napi_gro_receive") == 0 && ret->gro == UNKNOWN)
			ret->gro = NO;
		else if (strcmp(name, "cpu_map_generic_redirect") == 0)
			ret->generic = YES;
		else if (strcmp(name, "bpf_xdp_link_attach") == 0)
			ret->link = YES;
	}
	/* Any symbol seen means that all are shown, so what is not there is not there. */
	if (ret->gro != UNKNOWN && ret->generic == UNKNOWN)
		ret->generic = NO;
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

static const struct bpf_insn pass[] = { MOV_K(BPF_REG_0, XDP_PASS), EXIT };

static enum answer probe_pass(uint32_t flags, int refusal)
{
	return probe(pass, 2, flags, refusal);
}

/* Whether a program is compiled, and not interpreted. */
static enum answer probe_jit(void)
{
	cleanup(closep) int fd = bpf_prog_load(BPF_PROG_TYPE_XDP, "probe", "GPL", pass, 2, NULL);
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return UNKNOWN;
	return info.jited_prog_len ? YES : NO;
}

/* Before 5.11, maps are charged to RLIMIT_MEMLOCK: with a limit of 0, none can be made. */
static enum answer probe_memlock(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	cleanup(closep) int fd = -1;
	struct rlimit now;
	enum answer answer = NO;

	if (getrlimit(RLIMIT_MEMLOCK, &now) < 0 ||
	    setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){ 0, now.rlim_max }) < 0)
		return UNKNOWN;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "probe", 4, 8, 1, NULL);
	if (fd == -EPERM && setrlimit(RLIMIT_MEMLOCK, &all) < 0)
		answer = YES;
	setrlimit(RLIMIT_MEMLOCK, &now);
	return answer;
}

/* The map with room for a program in each entry. */
static enum answer probe_second_stage(void)
{
	cleanup(closep) int fd = bpf_map_create(BPF_MAP_TYPE_CPUMAP, "probe", 4, 8, 1, NULL);

	return fd >= 0 ? YES : fd == -EINVAL ? NO : UNKNOWN;
}

/* Without a trampoline for the architecture no program can replace another. */
static enum answer probe_extensions(const char *machine)
{
	if (text_starts(machine, "arm") || text_starts(machine, "mips"))
		return NO;
	return libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_EXT, NULL) == 1 ? YES : NO;
}

static void print_answer(FILE *out, const char *name, enum answer answer)
{
	fprintf(out, "%s: %s\n", name, answer_names[answer]);
}

/*
 * release: 6.18.44
 * gro: yes
 */
void ask_kernel(const struct source *source, const char *iface, FILE *out)
{
	struct traces traces;
	struct timespec tick;
	struct utsname uts;

	uname(&uts);
	if (!traces_by_btf(&traces))
		traces_by_symbols(source->root, &traces);
	fprintf(out, "release: %s\ngro-by: %s\n", uts.release, traces.by);
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0)
		fprintf(out, "tick-ns: %ld\n", tick.tv_nsec);
	print_answer(out, "gro", traces.gro);
	print_answer(out, "generic", traces.generic);
	print_answer(out, "link", traces.link);
	print_answer(out, "bpf", probe_pass(0, -EPERM));
	print_answer(out, "jit", probe_jit());
	print_answer(out, "memlock", probe_memlock());
	print_answer(out, "frags", probe_pass(BPF_F_XDP_HAS_FRAGS, -EINVAL));
	print_answer(out, "second-stage", probe_second_stage());
	print_answer(out, "extensions", probe_extensions(uts.machine));
	print_answer(out, "unaligned", probe_unaligned());
}

static void take_answer(struct kernel_facts *kernel, const char *key, const char *value, char *by,
			size_t size)
{
	const struct {
		const char *key;
		enum answer *answer;
	} rows[] = {
		{ "gro", &kernel->gro },
		{ "generic", &kernel->generic },
		{ "link", &kernel->link },
		{ "bpf", &kernel->bpf },
		{ "jit", &kernel->jit },
		{ "memlock", &kernel->memlock },
		{ "frags", &kernel->frags },
		{ "second-stage", &kernel->second_stage },
		{ "extensions", &kernel->extensions },
		{ "unaligned", &kernel->unaligned },
	};
	int answer = text_in(value, answer_names);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(key, rows[i].key) == 0 && answer >= 0)
			*rows[i].answer = (enum answer)answer;
	if (strcmp(key, "release") == 0)
		snprintf(kernel->release, sizeof(kernel->release), "%s", value);
	if (strcmp(key, "tick-ns") == 0)
		text_to_u32(value, UINT32_MAX, &kernel->tick_ns);
	if (strcmp(key, "gro-by") == 0)
		snprintf(by, size, "%s", value);
}

/* The word in brackets: "none [integrity] confidentiality". */
static void read_lockdown(int root, char *ret, size_t size)
{
	char line[64] = "", *open;

	file_read_line(root, line, sizeof(line), "sys/kernel/security/lockdown");
	open = strchr(line, '[');
	snprintf(ret, size, "%.*s", open ? (int)strcspn(open + 1, "]") : 0, open ? open + 1 : "");
}

static void read_files(int root, struct kernel_facts *ret)
{
	cleanup(freep) char *mounts = NULL;

	ret->btf = file_exists(root, "sys/kernel/btf/vmlinux") ? YES : NO;
	if (file_read_text(root, &mounts, "proc/mounts") == 0)
		ret->bpffs = strstr(mounts, " /sys/fs/bpf bpf ") ? YES : NO;
	file_read_line(root, ret->jit_enable, sizeof(ret->jit_enable),
		       "proc/sys/net/core/bpf_jit_enable");
	read_lockdown(root, ret->lockdown, sizeof(ret->lockdown));
}

void facts_kernel(const struct source *source, struct kernel_facts *ret)
{
	static const char *const found[] = {
		[UNKNOWN] = "neither BTF nor /proc/kallsyms tell",
		[NO] = "needs Linux 6.15",
		[YES] = "",
	};
	cleanup(freep) char *text = source_ask(source, "kernel", NULL);
	char *rest = text, *line, by[64] = "";

	*ret = (struct kernel_facts){ 0 };
	while ((line = text_next_line(&rest))) {
		char *key = strsep(&line, ":");

		if (line)
			take_answer(ret, key, line + strspn(line, " "), by, sizeof(by));
	}
	snprintf(ret->gro_why, sizeof(ret->gro_why), "%s", ret->gro == YES ? by : found[ret->gro]);
	read_files(source->root, ret);
}
