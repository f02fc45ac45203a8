/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A frame on its way to a flow. Each header has one function, which reads it
 * over the cursor and says in `next` what follows. It answers
 * VERDICT_redirected to go on, else why the frame has to stay.
 */
#ifndef PACKET_BPF_H
#define PACKET_BPF_H

/* What follows: an EtherType in network order (ETH_P_TEB: an Ethernet frame), or */
#define NEXT_NOTHING 0x10000   /* the flow is complete */
#define NEXT_TRANSPORT 0x20000 /* what flow->l4 says */

struct packet {
	struct cursor cursor;
	struct flow *flow;	  /* always that of the last header understood */
	struct rule_key *key;	  /* written to only if there are rules */
	struct explained *record; /* NULL: nobody wants an explanation */
	__u32 next;
	enum fallback fallback;
	bool placed; /* flow holds one */
	bool inner;  /* within a tunnel */
	__u8 group;  /* to a multicast or broadcast MAC */
};

static __always_inline void saw(struct packet *packet, enum header header)
{
	struct explained *record = packet->record;

	if (!record)
		return;
	if (record->header_count < HEADERS_MAX)
		record->headers[record->header_count] = header;
	record->header_count++;
}

/* For rules. */
static __always_inline void saw_tunnel(struct packet *packet, enum rule_tunnel tunnel)
{
	if (steer_config.rules)
		packet->key->tunnels |= 1 << tunnel;
}

static __always_inline void saw_vlan(struct packet *packet, __u16 tci)
{
	if (steer_config.rules && packet->key->vlan == RULE_NO_VLAN && !packet->inner)
		packet->key->vlan = tci & 0xfff;
}

static __always_inline void saw_dscp(struct packet *packet, __u8 tos)
{
	if (steer_config.rules && packet->key->dscp == RULE_NO_DSCP)
		packet->key->dscp = tos >> 2;
}

static __always_inline void saw_ports(struct packet *packet)
{
	if (steer_config.rules)
		packet->key->ports = true;
}

static __always_inline void saw_no_ports(struct packet *packet)
{
	if (steer_config.rules)
		packet->key->ports = false;
}

/* Whether what the flow has as addresses and ports are such. */
static __always_inline void saw_flow(struct packet *packet, __u8 ip, bool ports)
{
	if (!steer_config.rules)
		return;
	packet->key->ip = ip;
	packet->key->ports = ports;
}

/* The flow is complete, though not all headers were read. */
static __always_inline enum verdict fall_back(struct packet *packet, enum fallback why)
{
	packet->fallback = why;
	packet->next = NEXT_NOTHING;
	return VERDICT_redirected;
}

/*
 * An identifier that each direction has its own of (SPI, TEID, call): the flow
 * is one way, as the identifier is.
 */
static __always_inline void set_id(struct flow *flow, __u32 id)
{
	flow->sport = id >> 16;
	flow->dport = id;
}

/* An identifier that both directions share (echo, GRE key). */
static __always_inline void set_shared_id(struct flow *flow, __u32 id)
{
	flow->sport = flow->dport = id >> 16 ^ id;
}

/* IP, whichever the next byte says. */
static __always_inline __u32 ip_version(struct packet *packet)
{
	__u8 *first = PEEK(&packet->cursor, __u8);

	if (!first)
		return NEXT_NOTHING;
	switch (*first >> 4) {
	case 4:
		return bpf_htons(ETH_P_IP);
	case 6:
		return bpf_htons(ETH_P_IPV6);
	}
	return NEXT_NOTHING;
}

/* A tunnel's payload, if we may look into it and know what it is. */
static __always_inline enum verdict enter(struct packet *packet, __u32 next)
{
	if (next == NEXT_NOTHING)
		return fall_back(packet, FALLBACK_inner_unread);
	packet->next = next;
	return VERDICT_redirected;
}

#endif
