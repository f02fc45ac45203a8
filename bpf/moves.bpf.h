/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A slot moves to another CPU when nothing of it is behind it on the way to the
 * old one. Until then its frames go to the old CPU, each with a stamp that the
 * second stage notes as it comes by: the queue between is first in, first out,
 * so once the newest stamp was seen, all before it have come by as well. GRO
 * may hold a frame longer; it lets go of it within a number of further frames,
 * and before the kthread sleeps, which the loader sees and tells in `asleep`.
 *
 * Everything here is of one RX CPU: a flow arrives on one as long as the NIC's
 * own spreading does not change.
 */
#ifndef MOVES_BPF_H
#define MOVES_BPF_H

static __always_inline __u32 place_word(const struct place *place)
{
	return *(const __u32 *)place;
}

/* A slot is one word to the loader, too: what is wanted and its number belong together. */
static __always_inline struct slot slot_read(const struct slot *at)
{
	__u64 word = *(const volatile __u64 *)at;
	struct slot slot;

	__builtin_memcpy(&slot, &word, sizeof(slot));
	return slot;
}

static __always_inline __u32 place_index(const struct place *place)
{
	return place->lane * steer_config.cpus + place->cpu;
}

static __always_inline bool is_delivered(__u32 entry, __u32 mark_index, const struct pending *last)
{
	const struct target *target = bpf_map_lookup_elem(&targets, &entry);
	const struct asleep *slept = bpf_map_lookup_elem(&asleep, &entry);
	const struct mark *mark = bpf_map_lookup_elem(&marks, &mark_index);
	__u64 seen, frames, since_ns;
	__u32 behind;

	if (!target || !slept || !mark)
		return false;
	/* It was in its queue, and the queue was empty since: delivered, or dropped. */
	if (slept->sent_ns > last->sent_ns)
		return true;
	if (!last->stamp)
		return bpf_ktime_get_ns() - last->sent_ns > move_rules.idle_ns;
	seen = *(const volatile __u64 *)&mark->seen;
	if (seen >> 32 != last->stamp)
		return false;
	frames = *(const volatile __u64 *)&target->packets;
	behind = (__u32)frames - (__u32)seen;
	if (slept->packets + behind >= frames)
		return true;
	since_ns = bpf_ktime_get_ns() - mark->at_ns;
	return since_ns > move_rules.idle_ns ||
	       (behind >= move_rules.margin && since_ns >= move_rules.hold_ns);
}

/* Pointers into the packet are void after that. 0: the frame cannot carry one. */
static __always_inline __u32 put_stamp(struct xdp_md *ctx, __u32 mark_index, struct moves *here)
{
	struct stamp *stamp;
	__u32 number;

	if (steer_config.strict_align || !move_rules.stamps)
		return 0;
	if (bpf_xdp_adjust_meta(ctx, -(int)sizeof(*stamp)))
		return 0;
	stamp = (void *)(long)ctx->data_meta;
	if ((void *)(stamp + 1) > (void *)(long)ctx->data)
		return 0;
	/* Marks are shared: no two RX CPUs may give out the same number, nor anyone 0. */
	number = (__u32)++here->stamps << 10 | (bpf_get_smp_processor_id() & 1023);
	if (!number)
		number = 1 << 10;
	*stamp = (struct stamp){ .magic = STAMP_MAGIC, .stamp = number, .mark = mark_index };
	return number;
}

/* This frame is the last one that went to the place of the slot. */
static __always_inline void note_last(struct xdp_md *ctx, __u32 mark_index, struct pending *last,
				      struct moves *here, const bool may_stamp)
{
	last->stamp = may_stamp ? put_stamp(ctx, mark_index, here) : 0;
	last->sent_ns = bpf_ktime_get_ns();
}

static __always_inline __u32 mark_of(__u32 index)
{
	return (bpf_get_smp_processor_id() * (steer_config.slot_mask + 1) + index) &
	       steer_config.mark_mask;
}

/* From now on this RX CPU sends the slot to where it is wanted. */
static __always_inline void switch_slot(const struct slot *slot, struct slot_state *state)
{
	__u32 entry = place_index(&state->now);
	struct sent *old = bpf_map_lookup_elem(&sent, &entry);

	if (old && state->now.set) {
		old->packets += state->packets;
		old->bytes += state->bytes;
	}
	state->packets = 0;
	state->bytes = 0;
	state->move = slot->move;
	state->now = slot->want;
}

/* The slot is wanted elsewhere: go over if it may, else note this frame as its last. */
static __always_inline void move_slot(struct xdp_md *ctx, __u32 index, const struct slot *at,
				      struct slot_state *state, const bool may_stamp)
{
	struct slot slot = slot_read(at);
	struct pending *last = bpf_map_lookup_elem(&pending, &index);
	struct moves *here = bpf_map_lookup_elem(&moves, &(__u32){ 0 });
	__u32 mark_index = mark_of(index);
	bool is_new = state->move != slot.move;

	if (!last || !here)
		return;
	if (!state->now.set) {
		switch_slot(&slot, state);
	} else if (is_new ? slot.flags & SLOT_DELIVERED
			  : is_delivered(place_index(&state->now), mark_index, last)) {
		switch_slot(&slot, state);
		here->committed++;
	} else if (slot.flags & SLOT_FORCE) {
		switch_slot(&slot, state);
		here->forced++;
	} else {
		state->move = slot.move;
		note_last(ctx, mark_index, last, here, may_stamp);
	}
}

/* On the target CPU: the stamp, if the frame has one, came by as the target's nth frame. */
static __always_inline void note_stamp(const void *meta, const void *data, __u64 nth)
{
	const struct stamp *stamp = meta;
	struct mark *mark;
	__u32 index;

	if (steer_config.strict_align || (const void *)(stamp + 1) > data ||
	    stamp->magic != STAMP_MAGIC)
		return;
	index = stamp->mark;
	mark = bpf_map_lookup_elem(&marks, &index);
	if (!mark)
		return;
	mark->at_ns = bpf_ktime_get_ns();
	*(volatile __u64 *)&mark->seen = (__u64)stamp->stamp << 32 | (__u32)nth;
}

#endif
