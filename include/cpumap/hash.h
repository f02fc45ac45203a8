/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flow hash: symmetric (both directions of a flow give the same number),
 * keyed, and the same in bpf/ and loader/ on machines of either byte order.
 */
#ifndef CPUMAP_HASH_H
#define CPUMAP_HASH_H

#include "flow.h"

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

static __always_inline __u32 hash_rol(__u32 word, int bits)
{
	return word << bits | word >> (32 - bits);
}

/* Bob Jenkins, lookup3.c (2006, public domain): final(a, b, c). */
static __always_inline __u32 hash_final(__u32 a, __u32 b, __u32 c)
{
	c = (c ^ b) - hash_rol(b, 14);
	a = (a ^ c) - hash_rol(c, 11);
	b = (b ^ a) - hash_rol(a, 25);
	c = (c ^ b) - hash_rol(b, 16);
	a = (a ^ c) - hash_rol(c, 4);
	b = (b ^ a) - hash_rol(a, 14);
	c = (c ^ b) - hash_rol(b, 24);
	return c;
}

/*
 * NH, the inner hash of UMAC (RFC 4418, section 5.2.2): under a random key two
 * addresses meet in 64 bits with probability 2^-32. The halves are then added.
 */
static __always_inline __u32 hash_fold(const __u32 addr[4], const __u32 key[4])
{
	__u64 sum;

	sum = (__u64)(__u32)(addr[0] + key[0]) * (__u32)(addr[1] + key[1]);
	sum += (__u64)(__u32)(addr[2] + key[2]) * (__u32)(addr[3] + key[3]);
	return (__u32)sum + (__u32)(sum >> 32);
}

/*
 * The two ends enter in sorted order, address before port: adding or xoring
 * them would let different pairs meet (10.0.0.1-10.0.0.4 and .2-.3).
 */
static __always_inline __u32 flow_hash(const struct flow *flow, const struct flow_key *key)
{
	__u64 src, dst, low, high;

	if (flow->v6) {
		src = hash_fold(flow->src, key->fold);
		dst = hash_fold(flow->dst, key->fold);
	} else {
		src = flow->src[0];
		dst = flow->dst[0];
	}
	src = src << 16 | flow->sport;
	dst = dst << 16 | flow->dport;
	/* 48-bit numbers: the sign of the difference is all ones or all zeros. */
	low = (__u64)((__s64)(src - dst) >> 63);
	/* Seen through, it would become a branch that half of all frames mispredict. */
	asm("" : "+r"(low));
	high = dst ^ ((src ^ dst) & ~low);
	low = src ^ dst ^ high;

	return hash_final((__u32)(low >> 16) + key->mix[0], (__u32)(high >> 16) + key->mix[1],
			  ((__u32)(low & 0xffff) << 16 | (__u32)(high & 0xffff)) + key->mix[2] +
				  flow->l4);
}

#endif
