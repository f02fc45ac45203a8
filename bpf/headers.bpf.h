/* SPDX-License-Identifier: GPL-2.0 */
/* Protocol headers as they are on the wire; no bit fields, so no byte order of the machine. */
#ifndef HEADERS_BPF_H
#define HEADERS_BPF_H

#define ETH_P_802_3_MIN 0x0600
#define ETH_P_IP 0x0800
#define ETH_P_ARP 0x0806
#define ETH_P_RARP 0x8035
#define ETH_P_8021Q 0x8100
#define ETH_P_IPV6 0x86dd
#define ETH_P_8021AD 0x88a8
#define ETH_P_1588 0x88f7
#define ETH_P_QINQ1 0x9100

#define IPPROTO_HOPOPTS 0
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_DCCP 33
#define IPPROTO_ROUTING 43
#define IPPROTO_FRAGMENT 44
#define IPPROTO_AH 51
#define IPPROTO_NONE 59
#define IPPROTO_DSTOPTS 60
#define IPPROTO_SCTP 132
#define IPPROTO_MH 135
#define IPPROTO_UDPLITE 136
#define IPPROTO_HIP 139
#define IPPROTO_SHIM6 140

#define PORT_PTP_EVENT 319
#define PORT_PTP_GENERAL 320

struct eth_hdr {
	__u8 dst[6];
	__u8 src[6];
	__be16 ethertype;
};

struct vlan_tag {
	__be16 tci;
	__be16 ethertype;
};

struct ipv4_hdr {
	__u8 version_ihl;
	__u8 tos;
	__be16 total_len;
	__be16 id;
	__be16 fragment; /* three flag bits, then the offset */
	__u8 ttl;
	__u8 l4;
	__u16 check;
	__be32 src;
	__be32 dst;
};

#define IPV4_FRAGMENT 0x3fff /* more fragments, or an offset */

struct ipv6_hdr {
	__u8 version_class;
	__u8 class_label[3];
	__be16 payload_len;
	__u8 next;
	__u8 hop_limit;
	__be32 src[4];
	__be32 dst[4];
};

/* What all IPv6 extension headers begin with. */
struct ipv6_ext {
	__u8 next;
	__u8 len;
};

/* What TCP, UDP, SCTP, DCCP and UDP-Lite begin with. */
struct l4_ports {
	__be16 src;
	__be16 dst;
};

#endif
