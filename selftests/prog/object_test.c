/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the object may hold: it has to load without kernel BTF, and to be
 * compiled by the JITs of ARM32 and MIPS, which know no calls and no atomics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <unistd.h>

#include <cpumap/abi.h>
#include <cpumap/rules.h>

#include "bpf/steer.skel.h"

/*
 * Instructions that the verifier may walk; it stops at a million. To explain is
 * not for every frame, and takes verifiers of 2020 more. Those of other kernels
 * prune in other ways: in a guest it is enough that the kernel takes it.
 */
#define VERIFIED_MAX 290000
#define TWO_SETS_MAX 450000
#define EXPLAIN_MAX 240000
#define VERIFIER_LIMIT 1000000

/* The header of section .BTF.ext, which <linux/btf.h> does not have. */
struct btf_ext_hdr {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len;
	uint32_t func_info_off, func_info_len;
	uint32_t line_info_off, line_info_len;
	uint32_t core_relo_off, core_relo_len;
};

static const struct btf_ext_hdr *btf_ext_of(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		assert_non_null(gelf_getshdr(section, &header));
		if (strcmp(elf_strptr(elf, names, header.sh_name), ".BTF.ext") == 0)
			return elf_getdata(section, NULL)->d_buf;
	}
	return NULL;
}

static void test_no_core_relocations(void **state)
{
	const struct btf_ext_hdr *ext;
	size_t size;
	const void *bytes = steer__elf_bytes(&size);
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)bytes, size);
	assert_non_null(elf);
	ext = btf_ext_of(elf);
	assert_non_null(ext);
	assert_int_equal(ext->magic, 0xeb9f);
	if (ext->hdr_len >= sizeof(*ext))
		assert_int_equal(ext->core_relo_len, 0);
	elf_end(elf);
}

static void test_helpers_only(void **state)
{
	struct steer *skel = steer__open();
	struct bpf_program *program;

	assert_non_null(skel);
	bpf_object__for_each_program(program, skel->obj)
	{
		const struct bpf_insn *insn = bpf_program__insns(program);
		size_t count = bpf_program__insn_cnt(program);

		for (size_t i = 0; i < count; i++) {
			int class = BPF_CLASS(insn[i].code);

			if (insn[i].code == (BPF_JMP | BPF_CALL))
				assert_int_equal(insn[i].src_reg, 0); /* a helper */
			if (class == BPF_STX)
				assert_int_equal(BPF_MODE(insn[i].code), BPF_MEM);
		}
	}
	steer__destroy(skel);
}

/* Loads with these settings; says how many instructions the verifier walked through steer. */
static long load(const struct steer_config *config, __u32 flags)
{
	static char log[1 << 16];
	struct steer *skel = steer__open();
	struct bpf_program *program;
	long verified = -1;
	char *said;

	assert_non_null(skel);
	*(struct steer_config *)&skel->rodata->steer_config = *config;
	if (config->rules) {
		bpf_map__set_value_size(skel->maps.rules, sizeof(struct rule_set));
		bpf_map__set_max_entries(skel->maps.rules, RULE_SETS);
	}
	bpf_object__for_each_program(program, skel->obj)
	{
		bpf_program__set_flags(program, flags);
	}
	bpf_program__set_log_buf(skel->progs.steer, log, sizeof(log));
	bpf_program__set_log_level(skel->progs.steer, 4);
	if (!steer__load(skel)) {
		said = strstr(log, "processed ");
		assert_non_null(said);
		verified = strtol(said + strlen("processed "), NULL, 10);
	}
	steer__destroy(skel);
	return verified;
}

/* Whatever `load` can ask for. */
static const struct load {
	const char *name;
	struct steer_config config;
	__u32 flags;
} loads[] = {
	{ "by default", {} },
	{ "frames of more than one buffer", { .frags = 1 }, BPF_F_XDP_HAS_FRAGS },
	{ "lanes", { .lanes = LANES_MAX } },
	{ "prefixes, lanes",
	  { .now.match = MATCH_either, .homes = HOMES_MAX, .lanes = LANES_MAX } },
	{ "rules",
	  { .rules = 1,
	    .now.rules = 1,
	    .dsa = { .len = 4, .port_at = 3, .port_mask = 31, .kind = DSA_PLAIN } } },
	{ "rules, prefixes, lanes, inner flows always",
	  { .rules = 1,
	    .now = { .match = MATCH_either, .rules = 2 },
	    .homes = HOMES_MAX,
	    .lanes = LANES_MAX,
	    .inner = INNER_always } },
	{ "rules, explain", { .rules = 1, .now.rules = 1, .explain = 1 } },
	{ "aligned, rules",
	  { .rules = 1, .now.rules = 1, .strict_align = 1 },
	  BPF_F_STRICT_ALIGNMENT },
	{ "to another hash", { .in_transition = 1, .transition = 1, .before.hash = HASH_l3 } },
	{ "to another key, prefixes, lanes",
	  { .in_transition = 1,
	    .transition = 1,
	    .now = { .match = MATCH_either, .key = 1 },
	    .before.match = MATCH_dst,
	    .homes = HOMES_MAX,
	    .lanes = LANES_MAX } },
	{ "to other rules, prefixes, lanes, inner flows always",
	  { .in_transition = 1,
	    .transition = 1,
	    .rules = 1,
	    .now = { .match = MATCH_either, .rules = 2 },
	    .before = { .match = MATCH_either, .rules = 1 },
	    .homes = HOMES_MAX,
	    .lanes = LANES_MAX,
	    .inner = INNER_always } },
	{ "aligned, to other rules",
	  { .in_transition = 1,
	    .transition = 1,
	    .rules = 1,
	    .now = { .match = MATCH_src, .rules = 2 },
	    .before = { .match = MATCH_src, .rules = 1 },
	    .homes = HOMES_MAX,
	    .strict_align = 1 },
	  BPF_F_STRICT_ALIGNMENT },
	{ "addresses alone", { .now.hash = HASH_l3 } },
	{ "the source address alone", { .now.hash = HASH_src } },
	{ "SipHash", { .now.hash = HASH_siphash } },
	{ "no inner flows", { .inner = INNER_never } },
	{ "inner flows always", { .inner = INNER_always } },
	{ "multicast stays", { .multicast_stays = 1 } },
	{ "explain", { .explain = 1 } },
	{ "explain, inner flows always, SipHash",
	  { .explain = 1, .inner = INNER_always, .now.hash = HASH_siphash } },
	{ "DSA, Marvell", { .dsa = { .marker = 0xdada, .len = 8, .kind = DSA_MARVELL } } },
	{ "DSA, Qualcomm", { .dsa = { .len = 2, .kind = DSA_QCA } } },
	{ "DSA, NXP", { .dsa = { .marker = 0xfd3a, .len = 6, .kind = DSA_NETC } } },
	{ "DSA, in front", { .dsa = { .front = 20, .kind = DSA_PLAIN } } },
	/* As the kernels of MIPS and others would have it. */
	{ "aligned, prefixes",
	  { .strict_align = 1, .now.match = MATCH_either, .homes = HOMES_MAX },
	  BPF_F_STRICT_ALIGNMENT },
	{ "aligned", { .strict_align = 1 }, BPF_F_STRICT_ALIGNMENT },
	{ "aligned, inner flows always",
	  { .strict_align = 1, .inner = INNER_always },
	  BPF_F_STRICT_ALIGNMENT },
	{ "aligned, DSA",
	  { .strict_align = 1, .dsa = { .len = 2, .kind = DSA_QCA } },
	  BPF_F_STRICT_ALIGNMENT },
	{ "aligned, SipHash, explain",
	  { .strict_align = 1, .now.hash = HASH_siphash, .explain = 1 },
	  BPF_F_STRICT_ALIGNMENT },
};

#define LOADS (sizeof(loads) / sizeof(loads[0]))

static bool kernel_has_frags(void)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = XDP_PASS },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_XDP_HAS_FRAGS);
	int fd = bpf_prog_load(BPF_PROG_TYPE_XDP, "frags", "GPL", insns, 2, &opts);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void test_load(void **state)
{
	const struct load *row = *state;
	struct steer_config config = row->config;
	long verified, most = config.explain			     ? EXPLAIN_MAX
			      : config.in_transition && config.rules ? TWO_SETS_MAX
								     : VERIFIED_MAX;

	if (row->flags == BPF_F_XDP_HAS_FRAGS && !kernel_has_frags()) {
		print_message(
			"# skipped: this kernel has no frames of more than one buffer (v5.18)\n");
		skip();
	}
	config.slot_mask = SLOTS_MAX - 1;
	verified = load(&config, row->flags);
	print_message("# %s: the verifier walked %ld instructions\n", row->name, verified);
	assert_in_range(verified, 1, getenv("VM_CELL") ? VERIFIER_LIMIT : most);
}

int main(void)
{
	struct CMUnitTest tests[LOADS + 2] = {
		{ .name = "no CO-RE relocations", .test_func = test_no_core_relocations },
		{ .name = "helpers, and no other calls or atomics",
		  .test_func = test_helpers_only },
	};

	for (size_t i = 0; i < LOADS; i++)
		tests[2 + i] = (struct CMUnitTest){
			.name = loads[i].name,
			.test_func = test_load,
			.initial_state = (void *)&loads[i],
		};
	return cmocka_run_group_tests_name("object", tests, NULL, NULL);
}
