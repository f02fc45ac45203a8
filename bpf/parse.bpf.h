/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a frame to its flow: one function a header, over one cursor. Each says
 * VERDICT_redirected when the frame has a flow, else why it must stay.
 */
#ifndef PARSE_BPF_H
#define PARSE_BPF_H

#define VLAN_DEPTH_MAX 5
#define IPV6_EXT_MAX 10

struct packet {
	struct cursor cursor;
	struct flow *flow;
	enum fallback fallback;
};

/* Bytes of the wire as a number that is the same on every machine. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define wire32(word) __builtin_bswap32(word)
#define wire16(half) __builtin_bswap16(half)
#else
#define wire32(word) (word)
#define wire16(half) (half)
#endif

static __always_inline __u32 wire_halves(const __u16 *half)
{
	return (__u32)wire16(half[1]) << 16 | wire16(half[0]);
}

/*
 * The source address, then the destination address. Processors without cheap
 * unaligned loads (MIPS, ARMv5) get them in halves: their verifier refuses
 * what it cannot prove to be aligned.
 */
static __always_inline void read_addresses(struct flow *flow, const __be32 *from, int words)
{
	const __u16 *half = (const __u16 *)from;

	if (!steer_config.strict_align) {
		for (int i = 0; i < words; i++) {
			flow->src[i] = wire32(from[i]);
			flow->dst[i] = wire32(from[words + i]);
		}
		return;
	}
	for (int i = 0; i < words; i++) {
		flow->src[i] = wire_halves(half + 2 * i);
		flow->dst[i] = wire_halves(half + 2 * (words + i));
	}
}

/*
 * A length of the wire, to be added to a pointer. Up to v6.12 the verifier
 * forgets the bounds of a register whose bytes it swapped; the mask, which the
 * compiler would drop as superfluous, tells it again.
 */
static __always_inline __u32 wire_len(__be16 len)
{
	__u32 host = bpf_ntohs(len);

	barrier_var(host);
	return host & 0xffff;
}

static __always_inline enum verdict fall_back(struct packet *packet, enum fallback why)
{
	packet->fallback = why;
	return VERDICT_redirected;
}

static __always_inline bool has_ports(__u8 l4)
{
	return l4 == IPPROTO_TCP || l4 == IPPROTO_UDP || l4 == IPPROTO_SCTP || l4 == IPPROTO_DCCP ||
	       l4 == IPPROTO_UDPLITE;
}

static __always_inline bool is_ptp(__u8 l4, __be16 port)
{
	return l4 == IPPROTO_UDP &&
	       (port == bpf_htons(PORT_PTP_EVENT) || port == bpf_htons(PORT_PTP_GENERAL));
}

static __always_inline enum verdict parse_ports(struct packet *packet)
{
	__u8 l4 = packet->flow->l4;
	struct l4_ports *ports;

	if (!has_ports(l4))
		return VERDICT_redirected;
	ports = PULL(&packet->cursor, struct l4_ports);
	if (!ports)
		return fall_back(packet, FALLBACK_cut_short);
	if (is_ptp(l4, ports->dst))
		return VERDICT_ptp;
	packet->flow->sport = bpf_ntohs(ports->src);
	packet->flow->dport = bpf_ntohs(ports->dst);
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_ipv4(struct packet *packet)
{
	struct ipv4_hdr *ip = packet->cursor.at;
	__u32 header_len, total_len;

	if (!PULL(&packet->cursor, struct ipv4_hdr))
		return VERDICT_truncated;
	header_len = (ip->version_ihl & 0xf) * 4;
	total_len = wire_len(ip->total_len);
	if (ip->version_ihl >> 4 != 4 || header_len < sizeof(*ip) || total_len < header_len)
		return VERDICT_malformed;
	read_addresses(packet->flow, &ip->src, 1);
	packet->flow->l4 = ip->l4;
	if (ip->fragment & bpf_htons(IPV4_FRAGMENT))
		return fall_back(packet, FALLBACK_fragments);

	packet->cursor.limit = (void *)ip + total_len;
	packet->cursor.at = (void *)ip + header_len;
	return parse_ports(packet);
}

static __always_inline bool is_ipv6_ext(__u8 header)
{
	switch (header) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_AH:
	case IPPROTO_DSTOPTS:
	case IPPROTO_MH:
	case IPPROTO_HIP:
	case IPPROTO_SHIM6:
		return true;
	}
	return false;
}

/* AH counts its length in 4 bytes less two, all others in 8 bytes less one. */
static __always_inline __u32 ipv6_ext_len(__u8 header, __u8 len)
{
	return header == IPPROTO_AH ? (len + 2) * 4 : (len + 1) * 8;
}

/*
 * The test for the end stays in the loop's head: kernels before 6.8 take a back
 * edge only from a jump, and clang turns a test in the middle into none.
 */
static __always_inline enum verdict parse_ipv6_exts(struct packet *packet)
{
	for (int i = 0; i < IPV6_EXT_MAX; i++) {
		__u8 header = packet->flow->l4;
		struct ipv6_ext *ext;

		if (!is_ipv6_ext(header))
			return parse_ports(packet);
		ext = PULL(&packet->cursor, struct ipv6_ext);
		if (!ext)
			return fall_back(packet, FALLBACK_cut_short);
		packet->flow->l4 = ext->next;
		/* The same in all fragments: the first header of what was cut. */
		if (header == IPPROTO_FRAGMENT)
			return fall_back(packet, FALLBACK_fragments);
		if (skip(&packet->cursor, ipv6_ext_len(header, ext->len) - sizeof(*ext)))
			return fall_back(packet, FALLBACK_cut_short);
	}
	if (is_ipv6_ext(packet->flow->l4))
		return fall_back(packet, FALLBACK_headers_too_deep);
	return parse_ports(packet);
}

static __always_inline enum verdict parse_ipv6(struct packet *packet)
{
	struct ipv6_hdr *ip = PULL(&packet->cursor, struct ipv6_hdr);

	if (!ip)
		return VERDICT_truncated;
	if (ip->version_class >> 4 != 6)
		return VERDICT_malformed;
	packet->flow->v6 = 1;
	read_addresses(packet->flow, ip->src, 4);
	packet->flow->l4 = ip->next;
	/* No length: a jumbogram, or a frame that GRO has made longer than 64 KiB. */
	if (ip->payload_len)
		packet->cursor.limit = (void *)(ip + 1) + wire_len(ip->payload_len);
	if (is_ipv6_ext(ip->next))
		return parse_ipv6_exts(packet);
	return parse_ports(packet);
}

static __always_inline bool is_vlan(__be16 ethertype)
{
	return ethertype == bpf_htons(ETH_P_8021Q) || ethertype == bpf_htons(ETH_P_8021AD) ||
	       ethertype == bpf_htons(ETH_P_QINQ1);
}

static __always_inline enum verdict parse_vlans(struct packet *packet, __be16 *ethertype)
{
	for (int i = 0; i < VLAN_DEPTH_MAX; i++) {
		struct vlan_tag *tag;

		tag = PULL(&packet->cursor, struct vlan_tag);
		if (!tag)
			return VERDICT_truncated;
		*ethertype = tag->ethertype;
		if (!is_vlan(*ethertype))
			return VERDICT_redirected;
	}
	return VERDICT_too_deep;
}

/* 01:80:c2:00:00:00 to :0f, which no bridge forwards: STP, LACP, LLDP, pause frames. */
static __always_inline bool is_link_local(const struct eth_hdr *eth)
{
	return eth->dst[0] == 0x01 && eth->dst[1] == 0x80 && eth->dst[2] == 0xc2 &&
	       eth->dst[3] == 0 && eth->dst[4] == 0 && eth->dst[5] <= 0x0f;
}

static __always_inline enum verdict parse_network(struct packet *packet, __be16 ethertype)
{
	switch (ethertype) {
	case bpf_htons(ETH_P_IP):
		return parse_ipv4(packet);
	case bpf_htons(ETH_P_IPV6):
		return parse_ipv6(packet);
	case bpf_htons(ETH_P_ARP):
	case bpf_htons(ETH_P_RARP):
		return VERDICT_arp;
	case bpf_htons(ETH_P_1588):
		return VERDICT_ptp;
	}
	return bpf_ntohs(ethertype) < ETH_P_802_3_MIN ? VERDICT_llc : VERDICT_not_ip;
}

static __always_inline enum verdict parse(struct packet *packet)
{
	struct eth_hdr *eth = PULL(&packet->cursor, struct eth_hdr);
	enum verdict verdict;
	__be16 ethertype;

	if (!eth)
		return VERDICT_truncated;
	if (eth->dst[0] & 1 && is_link_local(eth))
		return VERDICT_link_local;
	ethertype = eth->ethertype;
	if (ethertype != bpf_htons(ETH_P_IP) && is_vlan(ethertype)) {
		verdict = parse_vlans(packet, &ethertype);
		if (verdict != VERDICT_redirected)
			return verdict;
	}
	return parse_network(packet, ethertype);
}

#endif
