/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Another hash, another key, or other rules: a flow has another slot then, and
 * may have to go to another CPU, or to none. In a program that is there for the transition alone,
 * each frame has two slots, that of before and that of now. The flows of one slot of before go by
 * it until nothing of it is on the way, as with a slot that moves; from then on each goes by its
 * slot of now. No slot moves in the meantime.
 */
#ifndef TRANSITION_BPF_H
#define TRANSITION_BPF_H

#define NO_SLOT (~0u)

/* It sends where it is wanted, and does so until the transition is over. */
static __always_inline bool is_at(const struct slot *slot, const struct slot_state *state)
{
	return !state->now.set || place_word(&state->now) == place_word(&slot->want);
}

/* Whichever slot it goes by, the frame goes to the same place. */
static __always_inline bool is_same(__u32 before, const struct slot *from,
				    const struct slot_state *state, __u32 now)
{
	const struct slot *to = bpf_map_lookup_elem(&slots, &now);
	const struct slot_state *there = bpf_map_lookup_elem(&slot_state, &now);

	if (!to || !there)
		return false;
	return before == now || (place_word(&from->want) == place_word(&to->want) &&
				 is_at(from, state) && is_at(to, there));
}

/*
 * The slot of before, or that of now as soon as nothing is left behind by that.
 * Without one, the frame was to stay, or is to. One that stayed is in the stack
 * at once, or held by GRO until the poll is over: its flow does not wait.
 */
static __always_inline __u32 leave_slot(struct xdp_md *ctx, __u32 before, __u32 now,
					const bool may_stamp)
{
	const struct slot *slot = bpf_map_lookup_elem(&slots, &before);
	struct slot_state *state = bpf_map_lookup_elem(&slot_state, &before);
	struct pending *last = bpf_map_lookup_elem(&pending, &before);
	struct moves *here = bpf_map_lookup_elem(&moves, &(__u32){ 0 });
	__u32 mark_index = mark_of(before);
	bool is_new;

	if (!slot || !state || !last || !here || state->transition == steer_config.transition ||
	    is_same(before, slot, state, now))
		return now;
	is_new = last->transition != steer_config.transition;
	if (!state->now.set) {
		/* This RX CPU has sent nothing by it. */
	} else if (is_new ? slot->flags & SLOT_SETTLED
			  : is_delivered(place_index(&state->now), mark_index, last)) {
		here->committed++;
	} else if (slot->flags & SLOT_DISSOLVE) {
		here->forced++;
	} else {
		last->transition = steer_config.transition;
		note_last(ctx, mark_index, last, here, may_stamp);
		return before;
	}
	state->transition = steer_config.transition;
	return now;
}

#endif
