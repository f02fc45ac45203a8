/* SPDX-License-Identifier: GPL-2.0 */
/* Where a frame would go, and why: written down instead of counted. */
#ifndef EXPLAIN_BPF_H
#define EXPLAIN_BPF_H

/* The record to write to; NULL, and the verifier knows it, if nobody asked. */
static __always_inline struct explained *explanation(void)
{
	struct explained *record;

	if (!steer_config.explain)
		return NULL;
	record = bpf_map_lookup_elem(&explained, &(__u32){ 0 });
	if (record)
		__builtin_memset(record, 0, sizeof(*record));
	return record;
}

/*
 * As redirect() does it, without a trace. The CPU need not be one of this
 * machine, so it is not tried.
 */
static __always_inline enum verdict explain_place(struct explained *record, struct flow *flow,
						  const struct rule_action *rule)
{
	enum decider decider;
	__u32 hash, index = slot_index(flow, rule, &steer_config.now, &decider, &hash);
	struct slot *slot = bpf_map_lookup_elem(&slots, &index);

	record->flow = *flow;
	record->hash = hash;
	record->slot = index;
	record->decider = decider;
	if (!slot || !slot->want.set)
		return VERDICT_no_slot;
	record->place = slot->want;
	return VERDICT_redirected;
}

static __always_inline int explain(struct packet *packet, enum verdict verdict,
				   const struct rule_action *rule)
{
	struct explained *record = packet->record;

	if (steer_config.rules && rule) {
		record->decider = DECIDER_rule;
		record->rule = rule->id;
	}
	if (verdict == VERDICT_redirected)
		verdict = explain_place(record, packet->flow, rule);
	record->verdict = verdict;
	record->fallback = packet->fallback;
	return verdict == VERDICT_redirected ? XDP_REDIRECT : XDP_PASS;
}

#endif
