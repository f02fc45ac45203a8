/* SPDX-License-Identifier: GPL-2.0 */
/* From the flow hash to a CPU: the slot says which, the redirect sends the frame there. */
#ifndef CHOOSE_BPF_H
#define CHOOSE_BPF_H

static __always_inline __u32 place_word(const struct place *place)
{
	return *(const __u32 *)place;
}

/*
 * The loader has moved the slot: from now on this RX CPU sends it to the new
 * place. What it sent to the old one is kept in `sent`.
 */
static __always_inline void switch_slot(struct slot_state *state, struct place want)
{
	__u32 cpu = state->now.cpu;
	struct sent *old = bpf_map_lookup_elem(&sent, &cpu);

	if (old && state->now.set) {
		old->packets += state->packets;
		old->bytes += state->bytes;
	}
	state->packets = 0;
	state->bytes = 0;
	state->now = want;
}

static __always_inline enum verdict redirect(struct xdp_md *ctx, struct flow *flow)
{
	__u32 index = flow_hash_by(flow, &flow_key, steer_config.hash) & steer_config.slot_mask;
	struct slot *slot = bpf_map_lookup_elem(&slots, &index);
	struct slot_state *state = bpf_map_lookup_elem(&slot_state, &index);
	struct place want;

	if (!slot || !state)
		return VERDICT_no_slot;
	want = slot->want;
	if (!want.set)
		return VERDICT_no_slot;
	if (place_word(&state->now) != place_word(&want))
		switch_slot(state, want);
	if (bpf_redirect_map(&cpus, want.cpu, XDP_PASS) != XDP_REDIRECT)
		return VERDICT_no_entry;
	state->packets++;
	state->bytes += frame_len(ctx);
	return VERDICT_redirected;
}

#endif
