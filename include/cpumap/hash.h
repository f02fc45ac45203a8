/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flow hash: symmetric (both directions of a flow give the same number),
 * keyed, and the same in bpf/ and loader/ on machines of either byte order.
 */
#ifndef CPUMAP_HASH_H
#define CPUMAP_HASH_H

#include "abi.h"
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
	/*
	 * 48-bit numbers: the sign of their difference is all ones or all zeros.
	 * Seen through, it would become a branch that half of all frames mispredict.
	 */
	low = src - dst;
	asm("" : "+r"(low));
	low = (__u64)((__s64)low >> 63);
	high = dst ^ ((src ^ dst) & ~low);
	low = src ^ dst ^ high;

	return hash_final((__u32)(low >> 16) + key->mix[0], (__u32)(high >> 16) + key->mix[1],
			  ((__u32)(low & 0xffff) << 16 | (__u32)(high & 0xffff)) + key->mix[2] +
				  flow->l4);
}

/* SipHash-1-3 (Aumasson and Bernstein, 2012), over words of 64 bits. */
struct siphash {
	__u64 v0, v1, v2, v3;
};

static __always_inline __u64 siphash_rol(__u64 word, int bits)
{
	return word << bits | word >> (64 - bits);
}

static __always_inline void siphash_round(struct siphash *s)
{
	s->v0 += s->v1;
	s->v1 = siphash_rol(s->v1, 13) ^ s->v0;
	s->v0 = siphash_rol(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = siphash_rol(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = siphash_rol(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = siphash_rol(s->v1, 17) ^ s->v2;
	s->v2 = siphash_rol(s->v2, 32);
}

static __always_inline void siphash_word(struct siphash *s, __u64 word)
{
	s->v3 ^= word;
	siphash_round(s);
	s->v0 ^= word;
}

static __always_inline __u64 siphash_end(struct siphash *s, __u64 len)
{
	siphash_word(s, len << 56);
	s->v2 ^= 0xff;
	siphash_round(s);
	siphash_round(s);
	siphash_round(s);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static __always_inline __u64 hash_pair(const __u32 words[2])
{
	return (__u64)words[1] << 32 | words[0];
}

/*
 * For edges that somebody wants to aim at one CPU of: the whole addresses, and
 * a key of 128 bits. The smaller end first, as above.
 */
static __always_inline __u32 flow_siphash(const struct flow *flow, const struct flow_key *key)
{
	__u64 k0 = hash_pair(key->fold), k1 = hash_pair(key->fold + 2);
	__u64 src0 = hash_pair(flow->src), src1 = hash_pair(flow->src + 2);
	__u64 dst0 = hash_pair(flow->dst), dst1 = hash_pair(flow->dst + 2);
	__u64 sport = flow->sport, dport = flow->dport, hash;
	_Bool swap = src0 != dst0 ? src0 > dst0 : src1 != dst1 ? src1 > dst1 : sport > dport;
	struct siphash s = {
		k0 ^ 0x736f6d6570736575ULL,
		k1 ^ 0x646f72616e646f6dULL,
		k0 ^ 0x6c7967656e657261ULL,
		k1 ^ 0x7465646279746573ULL,
	};

	siphash_word(&s, swap ? dst0 : src0);
	siphash_word(&s, swap ? dst1 : src1);
	siphash_word(&s, swap ? src0 : dst0);
	siphash_word(&s, swap ? src1 : dst1);
	siphash_word(&s,
		     (__u64)flow->l4 << 32 | (swap ? dport << 16 | sport : sport << 16 | dport));
	hash = siphash_end(&s, 40);
	return (__u32)hash ^ (__u32)(hash >> 32);
}

/* The parts of the flow that a --hash of less than all of it leaves. */
static __always_inline void flow_reduce(struct flow *flow, __u8 by)
{
	flow->sport = flow->dport = 0;
	flow->l4 = 0;
	for (int i = 0; i < 4; i++) {
		if (by == HASH_src)
			flow->dst[i] = 0;
		if (by == HASH_dst)
			flow->src[i] = 0;
	}
}

static __always_inline __u32 flow_hash_by(struct flow *flow, const struct flow_key *key, __u8 by)
{
	if (by == HASH_siphash)
		return flow_siphash(flow, key);
	if (by != HASH_l4)
		flow_reduce(flow, by);
	return flow_hash(flow, key);
}

#endif
