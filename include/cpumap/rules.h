/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules, as the programs look them up: each field of a frame leads to a bitmap
 * of the rules that it satisfies, the lowest bit of all that they have in
 * common is the rule that matches. The cost is by field, not by rule.
 */
#ifndef CPUMAP_RULES_H
#define CPUMAP_RULES_H

#include "abi.h"
#include "flow.h"

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

#define RULE_NODES_MAX 1024   /* a power of two */
#define RULE_CLASSES_MAX 2048 /* likewise */
#define RULE_LEAF 0x8000

/* Headers that `tunnel` names; a bit each. X(name) */
#define RULE_TUNNELS(X) X(pppoe) X(mpls) X(gre) X(ipip) X(vxlan) X(geneve) X(gtpu) X(l2tp)

#define RULE_TUNNEL_ENUM(name) RULE_TUNNEL_##name,

enum rule_tunnel { RULE_TUNNELS(RULE_TUNNEL_ENUM) RULE_TUNNEL_COUNT };
enum rule_flag { RULE_MULTICAST = 1 << 0, RULE_FRAGMENT = 1 << 1 };

/* Where the lookup of a field begins. NONE: the frame has no such thing. */
enum rule_root {
	ROOT_SRC_4,
	ROOT_SRC_6,
	ROOT_SRC_NONE,
	ROOT_DST_4,
	ROOT_DST_6,
	ROOT_DST_NONE,
	ROOT_SPORT,
	ROOT_SPORT_NONE,
	ROOT_DPORT,
	ROOT_DPORT_NONE,
	ROOT_PROTO,
	ROOT_VLAN,
	ROOT_DSCP,
	ROOT_ETHERTYPE,
	ROOT_TUNNEL,
	ROOT_DSA_PORT,
	ROOT_FLAGS,
	ROOT_COUNT
};

/* Fields that rules of a set name: the others cost no more than a look at this. */
enum rule_named {
	NAMED_ADDRESS = 1 << 0,
	NAMED_PORT = 1 << 1,
	NAMED_PROTO = 1 << 2,
	NAMED_VLAN = 1 << 3,
	NAMED_DSCP = 1 << 4,
	NAMED_ETHERTYPE = 1 << 5,
	NAMED_TUNNEL = 1 << 6,
	NAMED_DSA_PORT = 1 << 7,
	NAMED_FLAGS = 1 << 8,
};

/* Values beyond what a field can have say that the frame has none. */
#define RULE_NO_VLAN 4096
#define RULE_NO_DSCP 64
#define RULE_NO_DSA_PORT 255

/* What rules ask about a frame, beside its flow. */
struct rule_key {
	__u16 vlan;	 /* of the outermost tag */
	__u16 ethertype; /* of what follows the outermost tags */
	__u8 dscp;	 /* of the outermost IP header */
	__u8 dsa_port;
	__u8 tunnels; /* bits of enum rule_tunnel */
	__u8 flags;   /* enum rule_flag */
	__u8 ip;      /* the flow has IP addresses: 4 or 6; else 0 */
	__u8 ports;   /* the flow's ports are such, and no identifiers */
	__u8 pad[6];
};

/*
 * The rules that a value of a field satisfies: by what they say of the field
 * (own), and by what they say of it or its opposite (either: host, port).
 */
struct rule_class {
	__u64 own;
	__u64 either;
};

struct rule_action {
	__u16 base; /* of its slots among those of the set */
	__u16 mask; /* their number - 1, a power of two */
	__u8 id;    /* in `rule_hits` */
	__u8 pass;  /* it stays on the RX CPU */
	__u8 pad[2];
};

/*
 * One of the two sets of the map `rules`. A node has an entry for each value
 * of a byte: the next node, or a class with RULE_LEAF.
 */
struct rule_set {
	__u64 all;	    /* a bit each rule */
	__u64 host_negate;  /* rules that say `not host` */
	__u64 host_unnamed; /* rules that do not say host */
	__u64 port_negate;
	__u64 port_unnamed;
	__u32 named; /* enum rule_named */
	__u32 pad;
	__u16 roots[24];		       /* by enum rule_root */
	struct rule_action actions[RULES_MAX]; /* at rule_place() */
	struct rule_class classes[RULE_CLASSES_MAX];
	__u16 nodes[RULE_NODES_MAX][256];
};

_Static_assert(sizeof(struct rule_key) == 16, "shared with bpf/");
_Static_assert(ROOT_COUNT <= 24, "they have room");
_Static_assert(RULE_TUNNEL_COUNT == 8, "bits of a byte");

/* Where the rule of a single bit stands in a table of 64: de Bruijn's numbering. */
static __always_inline __u32 rule_place(__u64 bit)
{
	return (__u32)(bit * 0x03f79d71b4cb0a89ULL >> 58) & (RULES_MAX - 1);
}

static __always_inline __u32 rule_step(const struct rule_set *set, __u32 node, __u32 byte)
{
	return set->nodes[node & (RULE_NODES_MAX - 1)][byte & 0xff];
}

static __always_inline const struct rule_class *rule_class_of(const struct rule_set *set,
							      __u32 node)
{
	return &set->classes[node & (RULE_CLASSES_MAX - 1)];
}

static __always_inline __u64 rule_byte(const struct rule_set *set, enum rule_root root, __u32 value)
{
	__u32 node = set->roots[root];

	if (!(node & RULE_LEAF))
		node = rule_step(set, node, value);
	return rule_class_of(set, node)->own;
}

static __always_inline const struct rule_class *rule_half(const struct rule_set *set,
							  enum rule_root root, __u32 value)
{
	__u32 node = set->roots[root];

	if (!(node & RULE_LEAF))
		node = rule_step(set, node, value >> 8);
	if (!(node & RULE_LEAF))
		node = rule_step(set, node, value);
	return rule_class_of(set, node);
}

/* Words as flow.h has them: the first byte of the wire is the lowest. */
static __always_inline __u32 rule_word(const struct rule_set *set, __u32 node, __u32 word)
{
	if (!(node & RULE_LEAF))
		node = rule_step(set, node, word);
	if (!(node & RULE_LEAF))
		node = rule_step(set, node, word >> 8);
	if (!(node & RULE_LEAF))
		node = rule_step(set, node, word >> 16);
	if (!(node & RULE_LEAF))
		node = rule_step(set, node, word >> 24);
	return node;
}

static __always_inline const struct rule_class *
rule_address(const struct rule_set *set, enum rule_root root_4, const __u32 *addr, __u8 ip)
{
	__u32 node;

	if (ip == 4) {
		node = rule_word(set, set->roots[root_4], addr[0]);
	} else if (ip == 6) {
		node = rule_word(set, set->roots[root_4 + 1], addr[0]);
		node = rule_word(set, node, addr[1]);
		node = rule_word(set, node, addr[2]);
		node = rule_word(set, node, addr[3]);
	} else {
		node = set->roots[root_4 + 2];
	}
	return rule_class_of(set, node);
}

static __always_inline __u64 rule_addresses(const struct rule_set *set, const struct flow *flow,
					    __u8 ip)
{
	const struct rule_class *src = rule_address(set, ROOT_SRC_4, flow->src, ip);
	const struct rule_class *dst = rule_address(set, ROOT_DST_4, flow->dst, ip);

	return src->own & dst->own &
	       (((src->either | dst->either) ^ set->host_negate) | set->host_unnamed);
}

static __always_inline __u64 rule_ports(const struct rule_set *set, const struct flow *flow,
					__u8 ports)
{
	const struct rule_class *src, *dst;

	if (ports) {
		src = rule_half(set, ROOT_SPORT, flow->sport);
		dst = rule_half(set, ROOT_DPORT, flow->dport);
	} else {
		src = rule_class_of(set, set->roots[ROOT_SPORT_NONE]);
		dst = rule_class_of(set, set->roots[ROOT_DPORT_NONE]);
	}
	return src->own & dst->own &
	       (((src->either | dst->either) ^ set->port_negate) | set->port_unnamed);
}

/* The first rule that the frame matches; NULL: none. */
static __always_inline const struct rule_action *
rule_find(const struct rule_set *set, const struct flow *flow, const struct rule_key *key)
{
	__u64 bits = set->all;
	__u32 named = set->named;

	if (named & NAMED_ADDRESS)
		bits &= rule_addresses(set, flow, key->ip);
	if (named & NAMED_PORT)
		bits &= rule_ports(set, flow, key->ports);
	if (named & NAMED_PROTO)
		bits &= rule_byte(set, ROOT_PROTO, flow->l4);
	if (named & NAMED_VLAN)
		bits &= rule_half(set, ROOT_VLAN, key->vlan)->own;
	if (named & NAMED_DSCP)
		bits &= rule_byte(set, ROOT_DSCP, key->dscp);
	if (named & NAMED_ETHERTYPE)
		bits &= rule_half(set, ROOT_ETHERTYPE, key->ethertype)->own;
	if (named & NAMED_TUNNEL)
		bits &= rule_byte(set, ROOT_TUNNEL, key->tunnels);
	if (named & NAMED_DSA_PORT)
		bits &= rule_byte(set, ROOT_DSA_PORT, key->dsa_port);
	if (named & NAMED_FLAGS)
		bits &= rule_byte(set, ROOT_FLAGS, key->flags);
	return bits ? &set->actions[rule_place(bits & -bits)] : NULL;
}

#endif
