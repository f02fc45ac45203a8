/* SPDX-License-Identifier: GPL-2.0 */
/* The tag of a DSA switch, whose layout (dsa.h) is settled when the program is loaded. */
#ifndef DSA_BPF_H
#define DSA_BPF_H

#define MARVELL_FORWARD 3
#define MARVELL_VLAN 0x20

/* Between the port and the network, or between the CPU and the switch? */
static __always_inline enum verdict parse_marvell(struct packet *packet, const __u8 *tag)
{
	if (tag[0] >> 6 != MARVELL_FORWARD)
		return VERDICT_dsa;
	if (tag[0] & MARVELL_VLAN) { /* its VLAN is in the tag, with no 0x8100 to say so */
		saw(packet, HEADER_vlan);
		saw_vlan(packet, tag[2] << 8 | tag[3]);
	}
	return VERDICT_redirected;
}

static __always_inline enum verdict parse_qca(const __be16 *tag)
{
	__u16 header = bpf_ntohs(*tag);

	return header >> 14 == 2 && (header >> 6 & 0x1f) == 0 ? VERDICT_redirected : VERDICT_dsa;
}

static __always_inline enum verdict parse_netc(struct packet *packet, const __u8 *tag)
{
	if ((tag[2] & 0xf) && !pull(&packet->cursor, 8))
		return VERDICT_truncated;
	return VERDICT_redirected;
}

/* For rules; the byte is in the tag, or in front of the MAC addresses. */
static __always_inline void saw_dsa_port(struct packet *packet, const __u8 *tag)
{
	if (!steer_config.rules || !steer_config.dsa.port_mask)
		return;
	if (steer_config.dsa.front)
		tag = frame_start(&packet->cursor);
	if ((void *)(tag + steer_config.dsa.port_at + 1) > packet->cursor.end)
		return;
	packet->key->dsa_port = tag[steer_config.dsa.port_at] >> steer_config.dsa.port_shift &
				steer_config.dsa.port_mask;
}

/* The cursor stands where the EtherType of a frame without a tag ends. */
static __always_inline enum verdict parse_dsa(struct packet *packet, struct eth_hdr *eth)
{
	enum verdict verdict = VERDICT_redirected;
	const __u8 *tag = (__u8 *)&eth->ethertype;

	if (steer_config.dsa.marker && eth->ethertype != bpf_htons(steer_config.dsa.marker))
		return VERDICT_redirected;
	if (!pull(&packet->cursor, steer_config.dsa.len))
		return VERDICT_truncated;
	saw(packet, HEADER_dsa);
	saw_dsa_port(packet, tag);
	switch (steer_config.dsa.kind) {
	case DSA_MARVELL:
		verdict = parse_marvell(packet, tag + steer_config.dsa.len - 4);
		break;
	case DSA_QCA:
		verdict = parse_qca((const __be16 *)tag);
		break;
	case DSA_SJA1110:
		verdict = tag[2] & 0x80 ? VERDICT_dsa : VERDICT_redirected;
		break;
	case DSA_NETC:
		verdict = parse_netc(packet, tag);
		break;
	}
	packet->next = *(__be16 *)(packet->cursor.at - sizeof(__be16));
	return verdict;
}

#endif
