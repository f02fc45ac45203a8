/* SPDX-License-Identifier: GPL-2.0 */
/* Tunnels: which header their payload begins with. The flow is then that of the payload. */
#ifndef TUNNEL_BPF_H
#define TUNNEL_BPF_H

#define GTPU_EXTENSIONS_MAX 4

/* Call identifiers: each side has given the other one. */
static __always_inline enum verdict parse_pptp(struct packet *packet)
{
	__be16 *key = pull(&packet->cursor, 4); /* length of the payload, call */

	if (!key)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, HEADER_pptp);
	set_id(packet->flow, bpf_ntohs(key[1]));
	packet->next = NEXT_NOTHING;
	return VERDICT_redirected;
}

/* Type I has no header of its own, and no sequence number in that of GRE. */
static __always_inline enum verdict parse_erspan(struct packet *packet, __u16 protocol, __u16 flags)
{
	__u32 len = 8;
	__u8 *erspan;

	saw(packet, HEADER_erspan);
	if (protocol == ETH_P_ERSPAN2 && !(flags & GRE_SEQUENCE))
		return enter(packet, bpf_htons(ETH_P_TEB));
	erspan = peek(&packet->cursor, 12);
	if (!erspan)
		return fall_back(packet, FALLBACK_cut_short);
	if (protocol == ETH_P_ERSPAN3) /* 8 bytes more, or not */
		len = 12 + (erspan[11] & 1) * 8;
	if (skip(&packet->cursor, len))
		return fall_back(packet, FALLBACK_cut_short);
	return enter(packet, bpf_htons(ETH_P_TEB));
}

static __always_inline enum verdict parse_gre(struct packet *packet)
{
	struct gre_hdr *gre = PULL(&packet->cursor, struct gre_hdr);
	__u16 flags, protocol;
	__u8 *key;

	if (!gre)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, HEADER_gre);
	saw_tunnel(packet, RULE_TUNNEL_gre);
	flags = bpf_ntohs(gre->flags);
	protocol = bpf_ntohs(gre->protocol);
	if ((flags & GRE_VERSION) == 1 && protocol == ETH_P_PPP && flags & GRE_KEY)
		return parse_pptp(packet);
	packet->next = NEXT_NOTHING;
	if (flags & (GRE_VERSION | GRE_ROUTING))
		return VERDICT_redirected;
	/* Three fields of 4 bytes, each there or not: checksum, key, sequence number. */
	if (skip(&packet->cursor, flags >> 15 << 2))
		return fall_back(packet, FALLBACK_cut_short);
	if (flags & GRE_KEY) {
		key = peek(&packet->cursor, 4);
		if (!key)
			return fall_back(packet, FALLBACK_cut_short);
		set_shared_id(packet->flow, read_number(key));
	}
	if (skip(&packet->cursor, (flags >> 13 & 1) * 4 + (flags >> 12 & 1) * 4))
		return fall_back(packet, FALLBACK_cut_short);
	if (steer_config.inner == INNER_never)
		return VERDICT_redirected;
	if (protocol == ETH_P_ERSPAN2 || protocol == ETH_P_ERSPAN3)
		return parse_erspan(packet, protocol, flags);
	return enter(packet, bpf_htons(protocol));
}

static __always_inline enum verdict parse_ip_tunnel(struct packet *packet)
{
	__u8 l4 = packet->flow->l4;

	packet->next = NEXT_NOTHING;
	if (l4 == IPPROTO_GRE)
		return parse_gre(packet);
	if (l4 == IPPROTO_IPIP || l4 == IPPROTO_IPV6)
		saw_tunnel(packet, RULE_TUNNEL_ipip);
	if (steer_config.inner == INNER_never)
		return VERDICT_redirected;
	if (l4 == IPPROTO_IPIP)
		return enter(packet, bpf_htons(ETH_P_IP));
	if (l4 == IPPROTO_IPV6)
		return enter(packet, bpf_htons(ETH_P_IPV6));
	if (l4 == IPPROTO_MPLS)
		return enter(packet, bpf_htons(ETH_P_MPLS_UC));
	if (l4 == IPPROTO_ETHERNET)
		return enter(packet, bpf_htons(ETH_P_TEB));
	return VERDICT_redirected;
}

/* Those of VXLAN and Geneve carry a port that differs from flow to flow: no need to look inside. */
static __always_inline bool is_udp_tunnel(__be16 port)
{
	if (port == bpf_htons(PORT_GTPU))
		return true;
	return steer_config.inner == INNER_always &&
	       (port == bpf_htons(PORT_VXLAN) || port == bpf_htons(PORT_VXLAN_LINUX) ||
		port == bpf_htons(PORT_VXLAN_GPE) || port == bpf_htons(PORT_GENEVE));
}

/* For rules, by the port, as not all of them are looked into. */
static __always_inline void saw_udp_tunnel(struct packet *packet, __be16 port)
{
	if (!steer_config.rules)
		return;
	switch (port) {
	case bpf_htons(PORT_GTPU):
		saw_tunnel(packet, RULE_TUNNEL_gtpu);
		break;
	case bpf_htons(PORT_VXLAN):
	case bpf_htons(PORT_VXLAN_LINUX):
	case bpf_htons(PORT_VXLAN_GPE):
		saw_tunnel(packet, RULE_TUNNEL_vxlan);
		break;
	case bpf_htons(PORT_GENEVE):
		saw_tunnel(packet, RULE_TUNNEL_geneve);
		break;
	case bpf_htons(PORT_L2TP):
		saw_tunnel(packet, RULE_TUNNEL_l2tp);
		break;
	}
}

static __always_inline enum verdict parse_vxlan(struct packet *packet)
{
	struct vxlan_hdr *vxlan = PULL(&packet->cursor, struct vxlan_hdr);

	if (!vxlan)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, HEADER_vxlan);
	if (!(vxlan->flags & VXLAN_GPE))
		return enter(packet, bpf_htons(ETH_P_TEB));
	switch (vxlan->next) {
	case 1:
		return enter(packet, bpf_htons(ETH_P_IP));
	case 2:
		return enter(packet, bpf_htons(ETH_P_IPV6));
	case 3:
		return enter(packet, bpf_htons(ETH_P_TEB));
	case 5:
		return enter(packet, bpf_htons(ETH_P_MPLS_UC));
	}
	return enter(packet, NEXT_NOTHING);
}

static __always_inline enum verdict parse_geneve(struct packet *packet)
{
	struct geneve_hdr *geneve = PULL(&packet->cursor, struct geneve_hdr);

	if (!geneve)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, HEADER_geneve);
	if (skip(&packet->cursor, (geneve->version_len & 0x3f) * 4))
		return fall_back(packet, FALLBACK_cut_short);
	return enter(packet, geneve->protocol);
}

/* Each extension: its length in 4 bytes, contents, and as its last byte the type of the next. */
static __always_inline int skip_gtpu_extensions(struct packet *packet)
{
	for (int i = 0; i < GTPU_EXTENSIONS_MAX; i++) {
		__u8 *len = PEEK(&packet->cursor, __u8);
		__u8 *next;

		if (!len || !*len || skip(&packet->cursor, *len * 4 - 1))
			return -1;
		next = PULL(&packet->cursor, __u8);
		if (!next)
			return -1;
		if (!*next)
			return 0;
	}
	return -1;
}

/* By the tunnel's identifier, unless what it carries can be read. */
static __always_inline enum verdict parse_gtpu(struct packet *packet)
{
	struct gtpu_hdr *gtpu = PULL(&packet->cursor, struct gtpu_hdr);
	__u8 *options;

	if (!gtpu)
		return fall_back(packet, FALLBACK_cut_short);
	saw(packet, HEADER_gtpu);
	set_id(packet->flow, read_number(gtpu->teid));
	saw_no_ports(packet);
	if (steer_config.inner == INNER_never || gtpu->type != GTPU_TPDU)
		return VERDICT_redirected;
	if (gtpu->flags & GTPU_OPTIONS) {
		options = pull(&packet->cursor, 4);
		if (!options)
			return fall_back(packet, FALLBACK_cut_short);
		if (gtpu->flags & GTPU_EXTENSION && options[3] && skip_gtpu_extensions(packet))
			return fall_back(packet, FALLBACK_inner_unread);
	}
	return enter(packet, ip_version(packet));
}

/* The cursor stands behind the UDP header. */
static __always_inline enum verdict parse_udp_tunnel(struct packet *packet, __be16 port)
{
	if (port == bpf_htons(PORT_GTPU))
		return parse_gtpu(packet);
	if (port == bpf_htons(PORT_GENEVE))
		return parse_geneve(packet);
	return parse_vxlan(packet);
}

#endif
