/* SPDX-License-Identifier: GPL-2.0 */
/* What IP carries: ports, identifiers, the packet that an ICMP error is about, or a tunnel. */
#ifndef TRANSPORT_BPF_H
#define TRANSPORT_BPF_H

static __always_inline bool is_ptp(__be16 port)
{
	return port == bpf_htons(PORT_PTP_EVENT) || port == bpf_htons(PORT_PTP_GENERAL);
}

static __always_inline enum verdict parse_ports(struct packet *packet, enum header header)
{
	struct l4_ports *ports = PULL(&packet->cursor, struct l4_ports);

	if (!ports)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, header);
	packet->flow->sport = bpf_ntohs(ports->src);
	packet->flow->dport = bpf_ntohs(ports->dst);
	saw_ports(packet);
	packet->next = NEXT_NOTHING;
	return VERDICT_redirected;
}

/* An identifier of 32 bits that each direction has its own of, at this offset. */
static __always_inline enum verdict parse_id(struct packet *packet, enum header header, int offset)
{
	__u8 *bytes = pull(&packet->cursor, offset + 4);

	if (!bytes)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, header);
	set_id(packet->flow, read_number(bytes + offset));
	packet->next = NEXT_NOTHING;
	return VERDICT_redirected;
}

static __always_inline bool is_nat_t(const struct l4_ports *ports)
{
	return ports->src == bpf_htons(PORT_NAT_T) || ports->dst == bpf_htons(PORT_NAT_T);
}

/*
 * ESP behind a NAT by its SPI, as any ESP. IKE begins with four zero bytes; it
 * and the keepalives (one byte) go by addresses.
 */
static __always_inline enum verdict parse_nat_t(struct packet *packet)
{
	__u8 *spi = peek(&packet->cursor, 4);

	packet->next = NEXT_NOTHING;
	packet->flow->sport = packet->flow->dport = 0;
	saw_no_ports(packet);
	if (!spi || !read_number(spi))
		return VERDICT_redirected;
	packet->flow->l4 = IPPROTO_ESP;
	return parse_id(packet, HEADER_esp, 0);
}

/* The flow, unless there is more to be found: then `next` stays as it was. */
static __always_inline enum verdict parse_udp_ports(struct packet *packet)
{
	struct l4_ports *ports = PEEK(&packet->cursor, struct l4_ports);

	if (!ports)
		return fall_back(packet, FALLBACK_cut_short);
	if (is_ptp(ports->dst) && !packet->inner)
		return VERDICT_ptp;
	packet->flow->sport = bpf_ntohs(ports->src);
	packet->flow->dport = bpf_ntohs(ports->dst);
	saw_ports(packet);
	saw_udp_tunnel(packet, ports->dst);
	if (is_udp_tunnel(ports->dst) || is_nat_t(ports))
		return VERDICT_redirected;
	saw(packet, HEADER_udp);
	packet->next = NEXT_NOTHING;
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_udp(struct packet *packet)
{
	enum verdict verdict = parse_udp_ports(packet);
	struct udp_hdr *udp;

	if (verdict || packet->next == NEXT_NOTHING)
		return verdict;
	saw(packet, HEADER_udp);
	packet->next = NEXT_NOTHING;
	udp = PULL(&packet->cursor, struct udp_hdr);
	if (!udp)
		return fall_back(packet, FALLBACK_cut_short);
	if (is_udp_tunnel(udp->ports.dst))
		return parse_udp_tunnel(packet, udp->ports.dst);
	return parse_nat_t(packet);
}

static __always_inline bool is_icmp_error(bool v6, __u8 type)
{
	if (v6)
		return type >= 1 && type <= 4;
	return type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
}

static __always_inline bool is_icmp_echo(bool v6, __u8 type)
{
	return v6 ? type == 128 || type == 129 : type == 8 || type == 0;
}

/* An error goes where the packet that it is about went. */
static __always_inline enum verdict parse_icmp(struct packet *packet, bool v6)
{
	struct icmp_hdr *icmp = PULL(&packet->cursor, struct icmp_hdr);

	if (!icmp)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, v6 ? HEADER_icmpv6 : HEADER_icmp);
	packet->next = NEXT_NOTHING;
	if (is_icmp_error(v6, icmp->type))
		return enter(packet, bpf_htons(v6 ? ETH_P_IPV6 : ETH_P_IP));
	if (is_icmp_echo(v6, icmp->type))
		set_shared_id(packet->flow, bpf_ntohs(icmp->id));
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_transport(struct packet *packet)
{
	switch (packet->flow->l4) {
	case IPPROTO_TCP:
		return parse_ports(packet, HEADER_tcp);
	case IPPROTO_UDP:
		return parse_udp(packet);
	case IPPROTO_SCTP:
		return parse_ports(packet, HEADER_sctp);
	case IPPROTO_DCCP:
		return parse_ports(packet, HEADER_dccp);
	case IPPROTO_UDPLITE:
		return parse_ports(packet, HEADER_udplite);
	case IPPROTO_ICMP:
		return parse_icmp(packet, false);
	case IPPROTO_ICMPV6:
		return parse_icmp(packet, true);
	case IPPROTO_ESP:
		return parse_id(packet, HEADER_esp, 0);
	case IPPROTO_AH:
		return parse_id(packet, HEADER_ah, offsetof(struct ah_hdr, spi));
	case IPPROTO_L2TP:
		saw_tunnel(packet, RULE_TUNNEL_l2tp);
		return parse_id(packet, HEADER_l2tp, 0);
	default:
		return parse_ip_tunnel(packet);
	}
}

#endif
