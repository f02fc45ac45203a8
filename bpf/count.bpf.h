/* SPDX-License-Identifier: GPL-2.0 */
/* Every way out has a counter: per-CPU, so a plain add will do. */
#ifndef COUNT_BPF_H
#define COUNT_BPF_H

static __always_inline void count(__u32 which)
{
	struct counters *here = bpf_map_lookup_elem(&counters, &(__u32){ 0 });
	__u64 *counter = (__u64 *)here;

	if (here && which < sizeof(*here) / sizeof(*counter))
		counter[which]++;
}

/* The counters of the fallbacks come after those of the frames that stay. */
static __always_inline void count_fallback(enum fallback fallback)
{
	count(VERDICT_COUNT - 1 + fallback - 1);
}

/* Count the frame under why it stays, and let it. */
static __always_inline int stay(enum verdict why)
{
	count(why - 1);
	return XDP_PASS;
}

#endif
