/* SPDX-License-Identifier: GPL-2.0 */
/* What lies between the start of a frame and IP: Ethernet, tags, PPPoE, MPLS, MACsec. */
#ifndef LINK_BPF_H
#define LINK_BPF_H

#define VLAN_DEPTH_MAX 5
#define MPLS_DEPTH_MAX 8

/* 01:80:c2:00:00:00 to :0f, which no bridge forwards: STP, LACP, LLDP, pause frames. */
static __always_inline bool is_link_local(const struct eth_hdr *eth)
{
	return eth->dst[0] == 0x01 && eth->dst[1] == 0x80 && eth->dst[2] == 0xc2 &&
	       eth->dst[3] == 0 && eth->dst[4] == 0 && eth->dst[5] <= 0x0f;
}

static __always_inline enum verdict parse_ethernet(struct packet *packet)
{
	__u8 dsa = steer_config.dsa.kind;
	struct eth_hdr *eth;

	if (dsa != DSA_NONE)
		packet->cursor.at += steer_config.dsa.front;
	eth = PULL(&packet->cursor, struct eth_hdr);
	if (!eth)
		return VERDICT_truncated;
	saw(packet, HEADER_ethernet);
	packet->group = eth->dst[0] & 1;
	if (packet->group && is_link_local(eth))
		return VERDICT_link_local;
	barrier_var(packet->group);
	packet->next = eth->ethertype;
	if (dsa != DSA_NONE)
		return parse_dsa(packet, eth);
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_inner_ethernet(struct packet *packet)
{
	struct eth_hdr *eth = PULL(&packet->cursor, struct eth_hdr);

	if (!eth)
		return VERDICT_truncated;
	saw(packet, HEADER_ethernet);
	packet->next = eth->ethertype;
	return VERDICT_redirected;
}

static __always_inline bool is_vlan(__u32 ethertype)
{
	return ethertype == bpf_htons(ETH_P_8021Q) || ethertype == bpf_htons(ETH_P_8021AD) ||
	       ethertype == bpf_htons(ETH_P_QINQ1);
}

static __always_inline enum verdict parse_vlans(struct packet *packet)
{
	for (int i = 0; i < VLAN_DEPTH_MAX; i++) {
		struct vlan_tag *tag = PULL(&packet->cursor, struct vlan_tag);

		if (!tag)
			return VERDICT_truncated;
		saw(packet, HEADER_vlan);
		saw_vlan(packet, bpf_ntohs(tag->tci));
		packet->next = tag->ethertype;
		if (!is_vlan(packet->next))
			return VERDICT_redirected;
	}
	return VERDICT_too_deep;
}

static __always_inline enum verdict parse_hsr(struct packet *packet)
{
	struct hsr_tag *tag = PULL(&packet->cursor, struct hsr_tag);

	if (!tag)
		return VERDICT_truncated;
	saw(packet, HEADER_hsr);
	packet->next = tag->ethertype;
	return VERDICT_redirected;
}

static __always_inline bool is_mpls(__u32 ethertype)
{
	return ethertype == bpf_htons(ETH_P_MPLS_UC) || ethertype == bpf_htons(ETH_P_MPLS_MC);
}

/* PPP protocols are even in their first byte and odd in their last, which may be the only one. */
static __always_inline enum verdict parse_pppoe(struct packet *packet)
{
	struct pppoe_hdr *pppoe = PULL(&packet->cursor, struct pppoe_hdr);
	__u16 protocol;

	if (!pppoe)
		return VERDICT_truncated;
	saw(packet, HEADER_pppoe);
	saw_tunnel(packet, RULE_TUNNEL_pppoe);
	protocol = bpf_ntohs(pppoe->protocol);
	if (protocol & 0x0100 && !steer_config.strict_align) {
		protocol >>= 8;
		packet->cursor.at--;
	}
	switch (protocol) {
	case PPP_IP:
		packet->next = bpf_htons(ETH_P_IP);
		break;
	case PPP_IPV6:
		packet->next = bpf_htons(ETH_P_IPV6);
		break;
	case PPP_MPLS:
		packet->next = bpf_htons(ETH_P_MPLS_UC);
		break;
	default:
		return VERDICT_pppoe;
	}
	return skip(&packet->cursor, 0) ? VERDICT_too_deep : VERDICT_redirected;
}

static __always_inline bool is_known(__be16 ethertype)
{
	return ethertype == bpf_htons(ETH_P_IP) || ethertype == bpf_htons(ETH_P_IPV6) ||
	       ethertype == bpf_htons(ETH_P_ARP) || is_vlan(ethertype) ||
	       ethertype == bpf_htons(ETH_P_PPPOE) || ethertype == bpf_htons(ETH_P_MPLS_UC);
}

/*
 * Nothing says what lies below the last label. IP shows by its version; a
 * pseudowire's Ethernet frame by an EtherType in its place, with or without a
 * control word (whose first four bits are 0) in front.
 */
static __always_inline enum verdict below_mpls(struct packet *packet)
{
	struct pw {
		__u8 control[4];
		struct eth_hdr eth;
	} *pw = PEEK(&packet->cursor, struct pw);
	struct eth_hdr *eth;

	packet->next = ip_version(packet);
	if (packet->next != NEXT_NOTHING || !pw)
		return VERDICT_redirected;
	eth = packet->cursor.at;
	if (pw->control[0] >> 4 == 0 && is_known(pw->eth.ethertype))
		packet->cursor.at = &pw->eth;
	else if (!is_known(eth->ethertype))
		return VERDICT_redirected;
	saw(packet, HEADER_pseudowire);
	packet->next = bpf_htons(ETH_P_TEB);
	return VERDICT_redirected;
}

/* Without anything better below, the labels are the flow: one way, as they are. */
static __always_inline enum verdict parse_mpls(struct packet *packet)
{
	__u32 labels = 0, bottom = 0;
	int depth = 0;

	for (; depth < MPLS_DEPTH_MAX && !bottom; depth++) {
		__u8 *entry = peek(&packet->cursor, 4);

		if (!entry || skip(&packet->cursor, 4))
			break;
		saw(packet, HEADER_mpls);
		labels = (labels << 5 | labels >> 27) ^ read_number(entry) >> 12;
		bottom = entry[2] & 1;
	}
	if (depth) {
		*packet->flow = (struct flow){ .src = { labels }, .l4 = IPPROTO_MPLS };
		saw_tunnel(packet, RULE_TUNNEL_mpls);
		saw_flow(packet, 0, false);
		packet->placed = true;
	}
	if (bottom)
		return below_mpls(packet);
	return depth == MPLS_DEPTH_MAX ? fall_back(packet, FALLBACK_labels_too_deep)
				       : VERDICT_truncated;
}

/* By its channel, as the receiver keeps a window of packet numbers for each. */
static __always_inline enum verdict parse_macsec(struct packet *packet)
{
	struct macsec_hdr *macsec = PULL(&packet->cursor, struct macsec_hdr);
	struct eth_hdr *eth = frame_start(&packet->cursor) + steer_config.dsa.front;
	struct flow flow = { .l4 = IPPROTO_NONE, .v6 = 1 };

	if (!macsec || (void *)(eth + 1) > packet->cursor.end)
		return VERDICT_truncated;
	saw(packet, HEADER_macsec);
	if (macsec->tci_an & MACSEC_SC) {
		flow.src[0] = read_wire(macsec->sci);
		flow.src[1] = read_wire(macsec->sci + 4);
	} else { /* the source MAC, port 1 */
		flow.src[0] = read_wire(eth->src);
		flow.src[1] = 0x01000000 | eth->src[5] << 8 | eth->src[4];
	}
	*packet->flow = flow;
	saw_flow(packet, 0, false);
	packet->placed = true;
	packet->group = false; /* the channel is the same, whoever it is for */
	packet->next = NEXT_NOTHING;
	return VERDICT_redirected;
}

static __always_inline bool is_control(__u32 ethertype)
{
	switch (ethertype) {
	case bpf_htons(ETH_P_SLOW):
	case bpf_htons(ETH_P_EAPOL):
	case bpf_htons(ETH_P_LLDP):
	case bpf_htons(ETH_P_MRP):
	case bpf_htons(ETH_P_MVRP):
	case bpf_htons(ETH_P_MMRP):
	case bpf_htons(ETH_P_PRP):
	case bpf_htons(ETH_P_CFM):
		return true;
	}
	return false;
}

/* Why a frame that leads to nothing we can place has to stay. */
static __always_inline enum verdict stays(__u32 ethertype)
{
	switch (ethertype) {
	case bpf_htons(ETH_P_ARP):
	case bpf_htons(ETH_P_RARP):
		return VERDICT_arp;
	case bpf_htons(ETH_P_1588):
		return VERDICT_ptp;
	case bpf_htons(ETH_P_PPPOE_DISC):
		return VERDICT_pppoe;
	}
	if (bpf_ntohs(ethertype) < ETH_P_802_3_MIN)
		return VERDICT_llc;
	return is_control(ethertype) ? VERDICT_control : VERDICT_not_ip;
}

static __always_inline bool is_tag(__u32 ethertype)
{
	return is_vlan(ethertype) || ethertype == bpf_htons(ETH_P_HSR);
}

static __always_inline enum verdict parse_tags(struct packet *packet)
{
	enum verdict verdict = VERDICT_redirected;

	if (is_vlan(packet->next))
		verdict = parse_vlans(packet);
	if (!verdict && packet->next == bpf_htons(ETH_P_HSR)) {
		verdict = parse_hsr(packet);
		if (!verdict && is_vlan(packet->next))
			verdict = parse_vlans(packet);
	}
	if (!verdict && skip(&packet->cursor, 0))
		verdict = VERDICT_too_deep;
	return verdict;
}

/* Whatever stands between Ethernet and IP, in the order that networks build it. */
static __always_inline enum verdict parse_link(struct packet *packet)
{
	enum verdict verdict = VERDICT_redirected;

	if (is_tag(packet->next))
		verdict = parse_tags(packet);
	if (!verdict && packet->next == bpf_htons(ETH_P_PPPOE))
		verdict = parse_pppoe(packet);
	if (!verdict && is_mpls(packet->next))
		verdict = parse_mpls(packet);
	if (!verdict && packet->next == bpf_htons(ETH_P_MACSEC))
		verdict = parse_macsec(packet);
	return verdict;
}

#endif
