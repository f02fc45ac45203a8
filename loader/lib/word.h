/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 64 bits in a map that the programs read and write meanwhile. Some CPUs move no
 * more than 32 at once (MIPS32, PowerPC): kernel and loader do it in halves there,
 * which libatomic, with locks of its own process, could not mend.
 */
#ifndef WORD_H
#define WORD_H

#include <linux/types.h>

#if __GCC_ATOMIC_LLONG_LOCK_FREE == 2

static inline void word_store(__u64 *at, __u64 word)
{
	__atomic_store_n(at, word, __ATOMIC_RELEASE);
}

static inline __u64 word_load(const __u64 *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

#else

static inline void word_store(__u64 *at, __u64 word)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*(volatile __u64 *)at = word;
}

/* Read twice alike, a counter was not read while its lower half ran over. */
static inline __u64 word_load(const __u64 *at)
{
	const volatile __u64 *now = at;
	__u64 word;

	do
		word = *now;
	while (word != *now);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return word;
}

#endif

#endif
