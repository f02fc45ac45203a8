/* SPDX-License-Identifier: GPL-2.0 */
/* The rule that a frame matches, looked up when all its headers were read. */
#ifndef RULES_BPF_H
#define RULES_BPF_H

/* What rules ask about a frame that has nothing yet; NULL without rules. */
static __always_inline struct rule_key *new_key(void)
{
	struct rule_key *key;

	if (!steer_config.rules)
		return NULL;
	key = bpf_map_lookup_elem(&rule_key, &(__u32){ 0 });
	if (key)
		*key = (struct rule_key){ .vlan = RULE_NO_VLAN,
					  .dscp = RULE_NO_DSCP,
					  .dsa_port = RULE_NO_DSA_PORT };
	return key;
}

static __always_inline const struct rule_action *find_rule(const struct packet *packet, __u32 which)
{
	__u32 index = which - 1;
	const struct rule_set *set = bpf_map_lookup_elem(&rules, &index);

	if (!set)
		return NULL;
	if (packet->group)
		packet->key->flags |= RULE_MULTICAST;
	if (packet->fallback == FALLBACK_fragments)
		packet->key->flags |= RULE_FRAGMENT;
	return rule_find(set, packet->flow, packet->key);
}

static __always_inline void count_rule(struct xdp_md *ctx, const struct rule_action *rule)
{
	__u32 id = rule->id;
	struct rule_hit *hit = bpf_map_lookup_elem(&rule_hits, &id);

	if (!hit)
		return;
	hit->packets++;
	hit->bytes += frame_len(ctx);
}

/* Behind the slots of the hash and those of prefixes, each set has some. */
static __always_inline __u32 rule_slot(const struct rule_action *rule, __u32 which, __u32 hash)
{
	__u32 first = steer_config.slot_mask + 1 + steer_config.cpus * steer_config.homes +
		      (which - 1) * RULE_SLOTS;

	return first + ((rule->base + (hash & rule->mask)) & (RULE_SLOTS - 1));
}

/*
 * A rule decides first; what goes to a group and matches none is gathered. That
 * is written to `flow`, which is the packet's own or a copy of it.
 */
static __always_inline enum verdict decide(const struct packet *packet, struct flow *flow,
					   const volatile struct mapping *by,
					   const struct rule_action **ret)
{
	__u32 which = by->rules;

	*ret = NULL;
	if (steer_config.rules && which) {
		*ret = find_rule(packet, which);
		if (*ret)
			return (*ret)->pass ? VERDICT_rule : VERDICT_redirected;
	}
	return packet->group ? gather(flow) : VERDICT_redirected;
}

#endif
