/* SPDX-License-Identifier: GPL-2.0 */
/* From the flow to a slot, by prefix or by hash; the slot says which CPU, the redirect sends. */
#ifndef CHOOSE_BPF_H
#define CHOOSE_BPF_H

/*
 * Each map needs a call of its own: the kernel knows then at load time which
 * map it is. The empty asm keeps the compiler from making one call of them.
 */
#define REDIRECT_TO(map, cpu)                                         \
	({                                                            \
		long action_ = bpf_redirect_map(&map, cpu, XDP_PASS); \
		asm volatile("" : "+r"(action_));                     \
		action_;                                              \
	})

static __always_inline long redirect_to(struct place to)
{
	if (steer_config.lanes <= 1)
		return bpf_redirect_map(&cpus, to.cpu, XDP_PASS);
	switch (to.lane) {
	case 0:
		return REDIRECT_TO(cpus, to.cpu);
	case 1:
		return REDIRECT_TO(cpus_1, to.cpu);
	case 2:
		return REDIRECT_TO(cpus_2, to.cpu);
	case 3:
		return REDIRECT_TO(cpus_3, to.cpu);
	case 4:
		return REDIRECT_TO(cpus_4, to.cpu);
	case 5:
		return REDIRECT_TO(cpus_5, to.cpu);
	case 6:
		return REDIRECT_TO(cpus_6, to.cpu);
	case 7:
		return REDIRECT_TO(cpus_7, to.cpu);
	}
	return XDP_PASS;
}

static __always_inline const struct prefix_home *find_prefix(const struct flow *flow,
							     const __u32 *addr)
{
	struct prefix_key_4 key_4 = { .len = 32, .addr = wire32(addr[0]) };
	struct prefix_key_6 key_6 = { .len = 128 };

	if (!flow->v6)
		return bpf_map_lookup_elem(&prefixes_4, &key_4);
	for (int i = 0; i < 4; i++)
		key_6.addr[i] = wire32(addr[i]);
	return bpf_map_lookup_elem(&prefixes_6, &key_6);
}

static __always_inline const struct prefix_home *prefix_of(const struct flow *flow, __u8 match)
{
	const struct prefix_home *src = NULL, *dst = NULL;

	if (match == MATCH_src || match == MATCH_either)
		src = find_prefix(flow, flow->src);
	if (match == MATCH_dst || match == MATCH_either)
		dst = find_prefix(flow, flow->dst);
	if (!src || !dst)
		return src ? src : dst;
	return src->len > dst->len ? src : dst;
}

static __always_inline __u32 mapped_hash(struct flow *flow, const volatile struct mapping *by)
{
	return flow_hash_by(flow, by->key ? &flow_keys.at[1] : &flow_keys.at[0], by->hash);
}

/*
 * The slot of the rule, else of the prefix that matches best, else of the flow
 * hash. The prefix first: some hashes leave only a part of the flow.
 */
static __always_inline __u32 slot_index(struct flow *flow, const struct rule_action *rule,
					const volatile struct mapping *by,
					enum decider *ret_decider, __u32 *ret_hash)
{
	const struct prefix_home *prefix = NULL;

	*ret_hash = 0;
	*ret_decider = DECIDER_hash;
	if (steer_config.rules && rule) {
		*ret_decider = DECIDER_rule;
		*ret_hash = mapped_hash(flow, by);
		return rule_slot(rule, by->rules, *ret_hash);
	}
	if (by->match != MATCH_none)
		prefix = prefix_of(flow, by->match);
	if (prefix)
		*ret_decider = DECIDER_prefix;
	if (prefix)
		return steer_config.slot_mask + 1 + prefix->cpu * steer_config.homes + prefix->home;
	*ret_hash = mapped_hash(flow, by);
	return *ret_hash & steer_config.slot_mask;
}

/* NO_SLOT: the frame stays. */
static __always_inline __u32 slot_of(struct flow *flow, enum verdict verdict,
				     const struct rule_action *rule,
				     const volatile struct mapping *by)
{
	enum decider decider;
	__u32 hash;

	return verdict == VERDICT_redirected ? slot_index(flow, rule, by, &decider, &hash)
					     : NO_SLOT;
}

/* The slot that a frame goes by while flows leave those of before. */
static __always_inline __u32 slot_on_the_way(const struct packet *packet, struct flow *as_before,
					     __u32 now, const bool may_stamp)
{
	const struct rule_action *rule;
	enum verdict verdict = decide(packet, as_before, &steer_config.before, &rule);
	__u32 before = slot_of(as_before, verdict, rule, &steer_config.before);

	return leave_slot(packet->cursor.ctx, before, now, may_stamp);
}

static __always_inline enum verdict redirect(struct xdp_md *ctx, __u32 index, const bool may_stamp)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &index);
	struct slot_state *state = bpf_map_lookup_elem(&slot_state, &index);

	if (!slot || !state || !slot->want.set)
		return VERDICT_no_slot;
	if (__builtin_expect(place_word(&state->now) != place_word(&slot->want), 0))
		move_slot(ctx, index, slot, state, may_stamp);
	if (redirect_to(state->now) != XDP_REDIRECT)
		return VERDICT_no_entry;
	state->packets++;
	state->bytes += frame_len(ctx);
	return VERDICT_redirected;
}

#endif
