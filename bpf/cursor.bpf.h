/* SPDX-License-Identifier: GPL-2.0 */
/* The one way to read a frame: pull a header, get NULL where the bytes end. */
#ifndef CURSOR_BPF_H
#define CURSOR_BPF_H

/* What p points to may be read here: it has to be in memory. */
#define barrier_memory(p) asm volatile("" : : "r"(p) : "memory")

struct cursor {
	struct xdp_md *ctx;
	void *at;
	void *end;   /* of the bytes in memory: what the verifier wants to see checked */
	void *limit; /* of what the last IP header says is its own: padding lies beyond */
};

/* Headers are read in the first 4 KiB of a frame; a page is all that a driver maps anyway. */
#define CURSOR_MAX 4095
#define LIMIT_MAX 0x1ffff

/* The next len bytes, without going on. */
static __always_inline void *peek(struct cursor *c, __u32 len)
{
	void *here = c->at;

	if (here + len > c->end || here + len > c->limit)
		return NULL;
	if (!here)
		__builtin_unreachable(); /* saves the caller's check a second compare */
	return here;
}

static __always_inline void *pull(struct cursor *c, __u32 len)
{
	void *here = peek(c, len);

	if (here)
		c->at = here + len;
	return here;
}

#define PEEK(c, type) ((type *)peek((c), sizeof(type)))
#define PULL(c, type) ((type *)pull((c), sizeof(type)))

#ifdef __bpf__
/* Read anew each time: a pointer that the verifier knows nothing about. */
static __always_inline void *frame_start(const struct cursor *c)
{
	return (void *)(long)*(volatile __u32 *)&c->ctx->data;
}
#else
/* In user space (selftests/fuzz) there is no xdp_md: ctx is the frame itself. */
static __always_inline void *frame_start(const struct cursor *c)
{
	return c->ctx;
}
#endif

/*
 * The verifier knows how far behind a pointer bytes have been checked, and two
 * paths with pointers that differ in this are not the same to it. Of this one
 * it knows a bound and no more: what follows is verified once, whichever
 * headers led there.
 */
static __always_inline void *forget(struct cursor *c, void *p, __u32 add, __u32 max)
{
	void *start = frame_start(c);
	__u64 offset = p - start;

	barrier_var(offset);
	offset += add;
	/* Where loads have to be aligned, it must still see that they are even. */
	if (steer_config.strict_align)
		offset &= ~1ULL;
	return offset > max ? NULL : start + offset;
}

/* Go len bytes on, a length that came from the frame. */
static __always_inline int skip(struct cursor *c, __u32 len)
{
	void *at = forget(c, c->at, len, CURSOR_MAX);

	if (!at)
		return -1;
	c->at = at;
	return 0;
}

/* Stay, but forget all that differs from path to path. */
static __always_inline int settle(struct cursor *c)
{
	void *limit = forget(c, c->limit, 0, LIMIT_MAX);

	if (!limit)
		return -1;
	c->limit = limit;
	return skip(c, 0);
}

/* An IP header says where its packet ends: no further than that of the one around it. */
static __always_inline void narrow(struct cursor *c, void *end)
{
	if (end < c->limit)
		c->limit = end;
}

/* Bytes of the wire as a number that is the same on every machine. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define wire32(word) __builtin_bswap32(word)
#define wire16(half) __builtin_bswap16(half)
#else
#define wire32(word) (word)
#define wire16(half) (half)
#endif

static __always_inline __u32 wire_halves(const __u16 *half)
{
	return (__u32)wire16(half[1]) << 16 | wire16(half[0]);
}

/*
 * Four bytes anywhere, as flow.h wants them. Processors without cheap
 * unaligned loads (MIPS, ARMv5) get them in halves: their verifier refuses
 * what it cannot prove to be aligned.
 */
static __always_inline __u32 read_wire(const void *from)
{
	if (steer_config.strict_align)
		return wire_halves(from);
	return wire32(*(const __u32 *)from);
}

/* The same as a number. */
static __always_inline __u32 read_number(const void *from)
{
	return __builtin_bswap32(read_wire(from));
}

#endif
