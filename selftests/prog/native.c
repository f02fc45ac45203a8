/* SPDX-License-Identifier: GPL-2.0 */
/* What bpf/ takes from the kernel and libbpf, and the parser on top of it. */
#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include <cpumap/abi.h>
#include <cpumap/hash.h>
#include <cpumap/rules.h>

#include "prog/native.h"

/* As the kernel and its programs have it: void * counts in bytes. */
#pragma GCC diagnostic ignored "-Wpointer-arith"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define bpf_htons(x) ((__be16)(x))
#else
#define bpf_htons(x) ((__be16)__builtin_bswap16(x))
#endif
#define bpf_ntohs(x) bpf_htons(x)
#define barrier_var(var) asm volatile("" : "+r"(var))

/* Read-only data of the program: settled before it runs. */
static struct steer_config steer_config;

#ifdef __GNUC__ /* and not for cppcheck: the verifier and the sanitizers look at these */
#include "../../bpf/parse.bpf.h"
#endif

struct explained native_explain(const void *frame, size_t len, const struct steer_config *config,
				const struct flow_key *key)
{
	struct explained record = {};
	struct flow flow = {};
	struct packet packet = {
		.cursor = {
			.ctx = (struct xdp_md *)frame,
			.at = (void *)frame,
			.end = (__u8 *)frame + len,
			.limit = (__u8 *)frame + len,
		},
		.flow = &flow,
		.record = &record,
	};

	steer_config = *config;
	record.verdict = parse(&packet);
	record.fallback = packet.fallback;
	if (record.verdict == VERDICT_redirected) {
		record.hash = flow_hash_by(&flow, key, config->now.hash);
		record.slot = record.hash & config->slot_mask;
		record.flow = flow;
	}
	return record;
}

struct flow_key native_key(void)
{
	struct flow_key key;

	for (size_t i = 0; i < sizeof(key) / sizeof(__u32); i++)
		((__u32 *)&key)[i] = 0x9e3779b9u * (i + 1);
	return key;
}
