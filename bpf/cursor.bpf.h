/* SPDX-License-Identifier: GPL-2.0 */
/* The one way to read a frame: pull a header, get NULL where the bytes end. */
#ifndef CURSOR_BPF_H
#define CURSOR_BPF_H

/* What p points to may be read here: it has to be in memory. */
#define barrier_memory(p) asm volatile("" : : "r"(p) : "memory")

struct cursor {
	void *at;
	void *start;
	void *end;   /* of the bytes in memory: what the verifier wants to see checked */
	void *limit; /* of what the last IP header says is its own: padding lies beyond */
};

/* Headers are read in the first 4 KiB of a frame; a page is all that a driver maps anyway. */
#define CURSOR_MAX 4095

static __always_inline void *pull(struct cursor *c, __u32 len)
{
	void *here = c->at;

	if (here + len > c->end || here + len > c->limit)
		return NULL;
	if (!here)
		__builtin_unreachable(); /* saves the caller's check a second compare */
	c->at = here + len;
	return here;
}

#define PULL(c, type) ((type *)pull((c), sizeof(type)))

/*
 * Go len bytes on, a length that came from the frame. The verifier is made to
 * forget all but the bound of the new position: the paths that lead here then
 * look the same to it, and what follows is verified once.
 *
 * Where loads have to be aligned, it must still see that the position is even.
 */
static __always_inline int skip(struct cursor *c, __u32 len)
{
	__u64 offset = c->at - c->start;

	barrier_var(offset);
	offset += len;
	if (steer_config.strict_align)
		offset &= ~1ULL;
	if (offset > CURSOR_MAX)
		return -1;
	c->at = c->start + offset;
	return 0;
}

#endif
