/* SPDX-License-Identifier: GPL-2.0 */
/* IPv4 with options, IPv6 with extension headers: addresses, and which protocol they lead to. */
#ifndef IP_BPF_H
#define IP_BPF_H

#define IPV6_EXT_MAX 10

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

/* A valid IP header: from here on, the flow is its. */
static __always_inline void place(struct packet *packet, const __be32 *addresses, bool v6, __u8 l4)
{
	struct flow *flow = packet->flow;

	if (packet->inner)
		*flow = (struct flow){};
	flow->v6 = v6;
	flow->l4 = l4;
	read_addresses(flow, addresses, v6 ? 4 : 1);
	saw_flow(packet, v6 ? 6 : 4, false);
	packet->placed = true;
	packet->next = NEXT_TRANSPORT;
}

static __always_inline enum verdict parse_ipv4(struct packet *packet)
{
	struct ipv4_hdr *ip = PULL(&packet->cursor, struct ipv4_hdr);
	__u32 header_len, total_len;

	if (!ip)
		return VERDICT_truncated;
	header_len = (ip->version_ihl & 0xf) * 4;
	total_len = wire_len(ip->total_len);
	if (ip->version_ihl >> 4 != 4 || header_len < sizeof(*ip) || total_len < header_len)
		return VERDICT_malformed;
	saw(packet, HEADER_ipv4);
	saw_dscp(packet, ip->tos);
	place(packet, &ip->src, false, ip->l4);
	if (ip->fragment & bpf_htons(IPV4_FRAGMENT)) {
		saw(packet, HEADER_fragment);
		return fall_back(packet, FALLBACK_fragments);
	}
	narrow(&packet->cursor, (void *)ip + total_len);
	packet->cursor.at = (void *)ip + header_len;
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_ipv6(struct packet *packet)
{
	struct ipv6_hdr *ip = PULL(&packet->cursor, struct ipv6_hdr);

	if (!ip)
		return VERDICT_truncated;
	if (ip->version_class >> 4 != 6)
		return VERDICT_malformed;
	saw(packet, HEADER_ipv6);
	saw_dscp(packet, ip->version_class << 4 | ip->class_label[0] >> 4);
	place(packet, ip->src, true, ip->next);
	/* No length: a jumbogram, or a frame that GRO has made longer than 64 KiB. */
	if (ip->payload_len)
		narrow(&packet->cursor, (void *)(ip + 1) + wire_len(ip->payload_len));
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_ip(struct packet *packet)
{
	if (packet->next == bpf_htons(ETH_P_IP))
		return parse_ipv4(packet);
	if (packet->next == bpf_htons(ETH_P_IPV6))
		return parse_ipv6(packet);
	return stays(packet->next);
}

/* Those that lead on: AH does not, it is a flow of its own. */
static __always_inline bool is_ipv6_ext(__u8 header)
{
	switch (header) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_DSTOPTS:
	case IPPROTO_MH:
	case IPPROTO_HIP:
	case IPPROTO_SHIM6:
		return true;
	}
	return false;
}

static __always_inline enum verdict parse_ipv6_exts(struct packet *packet)
{
	if (!packet->flow->v6)
		return VERDICT_redirected;
	for (int left = IPV6_EXT_MAX;; left--) {
		__u8 header = packet->flow->l4;
		struct ipv6_ext *ext;

		if (!is_ipv6_ext(header))
			return VERDICT_redirected;
		if (!left)
			return fall_back(packet, FALLBACK_headers_too_deep);
		ext = PULL(&packet->cursor, struct ipv6_ext);
		if (!ext)
			return fall_back(packet, FALLBACK_cut_short);
		packet->flow->l4 = ext->next;
		/* The same in all fragments: the first header of what was cut. */
		if (header == IPPROTO_FRAGMENT) {
			saw(packet, HEADER_fragment);
			return fall_back(packet, FALLBACK_fragments);
		}
		saw(packet, HEADER_ipv6_ext);
		if (skip(&packet->cursor, (ext->len + 1) * 8 - sizeof(*ext)))
			return fall_back(packet, FALLBACK_cut_short);
	}
}

#endif
