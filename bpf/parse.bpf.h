/* SPDX-License-Identifier: GPL-2.0 */
/* From a frame to its flow: link, IP, transport, and again for what a tunnel carries. */
#ifndef PARSE_BPF_H
#define PARSE_BPF_H

#include "headers.bpf.h"
#include "cursor.bpf.h"
#include "packet.bpf.h"
#include "dsa.bpf.h"
#include "link.bpf.h"
#include "ip.bpf.h"
#include "tunnel.bpf.h"
#include "transport.bpf.h"

#define TUNNELS_MAX 2

static __always_inline bool is_ip(__u32 next)
{
	return next == bpf_htons(ETH_P_IP) || next == bpf_htons(ETH_P_IPV6);
}

/* From wherever the last header led, up to an IP header. */
static __always_inline enum verdict parse_to_ip(struct packet *packet)
{
	enum verdict verdict = VERDICT_redirected;

	if (packet->next == bpf_htons(ETH_P_TEB))
		verdict = parse_inner_ethernet(packet);
	if (!verdict && !is_ip(packet->next))
		verdict = parse_link(packet);
	/* A pseudowire has led to another Ethernet frame: that is the next level. */
	if (verdict || packet->next == NEXT_NOTHING || packet->next == bpf_htons(ETH_P_TEB))
		return verdict;
	return parse_ip(packet);
}

static __always_inline enum verdict parse_level(struct packet *packet)
{
	enum verdict verdict = VERDICT_redirected;

	if (packet->next != NEXT_TRANSPORT)
		verdict = parse_to_ip(packet);
	if (!verdict && packet->next == NEXT_TRANSPORT)
		verdict = parse_ipv6_exts(packet);
	if (!verdict && packet->next == NEXT_TRANSPORT)
		verdict = parse_transport(packet);
	return verdict;
}

/*
 * Most frames are no more than tags, IP, and TCP or UDP: the loop below, with
 * all its variables, is not for them. Whatever else there is, is left to it.
 */
static __always_inline enum verdict parse_plain(struct packet *packet)
{
	enum verdict verdict = VERDICT_redirected;

	if (!is_ip(packet->next) && is_tag(packet->next))
		verdict = parse_tags(packet);
	if (steer_config.rules)
		packet->key->ethertype = bpf_ntohs(packet->next);
	if (verdict || !is_ip(packet->next))
		return verdict;
	verdict = parse_ip(packet);
	if (verdict || packet->next != NEXT_TRANSPORT)
		return verdict;
	if (packet->flow->l4 == IPPROTO_TCP)
		return parse_ports(packet, HEADER_tcp);
	if (packet->flow->l4 == IPPROTO_UDP)
		return parse_udp_ports(packet);
	return VERDICT_redirected;
}

/* The reason that keeps a frame is a lesser one, once an outer header has placed it. */
static __always_inline enum verdict keep_outer(struct packet *packet, enum verdict verdict)
{
	if (!packet->placed || verdict == VERDICT_ptp)
		return verdict;
	return fall_back(packet,
			 verdict == VERDICT_truncated ? FALLBACK_cut_short : FALLBACK_inner_unread);
}

/* All that is sent to a group goes to one CPU, whoever sends it. */
static __always_inline enum verdict gather(struct flow *flow)
{
	if (steer_config.multicast_stays)
		return VERDICT_multicast;
	__builtin_memset(flow->src, 0, sizeof(flow->src));
	flow->sport = flow->dport = 0;
	flow->l4 = 0;
	return VERDICT_redirected;
}

/* The flow of the frame, whoever it is for. */
static __always_inline enum verdict parse_headers(struct packet *packet)
{
	enum verdict verdict = parse_ethernet(packet);

	if (!verdict)
		verdict = parse_plain(packet);
	for (int level = 0; !verdict && packet->next != NEXT_NOTHING; level++) {
		packet->inner = level > 0;
		if (level > TUNNELS_MAX || settle(&packet->cursor))
			verdict = fall_back(packet, FALLBACK_tunnels_too_deep);
		else
			verdict = parse_level(packet);
	}
	return verdict ? keep_outer(packet, verdict) : verdict;
}

static __always_inline enum verdict parse(struct packet *packet)
{
	enum verdict verdict = parse_headers(packet);

	return verdict || !packet->group ? verdict : gather(packet->flow);
}

#endif
