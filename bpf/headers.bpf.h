/* SPDX-License-Identifier: GPL-2.0 */
/* Protocol headers as they are on the wire; no bit fields, so no byte order of the machine. */
#ifndef HEADERS_BPF_H
#define HEADERS_BPF_H

#define ETH_P_802_3_MIN 0x0600
#define ETH_P_IP 0x0800
#define ETH_P_ARP 0x0806
#define ETH_P_TEB 0x6558 /* an Ethernet frame follows */
#define ETH_P_RARP 0x8035
#define ETH_P_8021Q 0x8100
#define ETH_P_IPV6 0x86dd
#define ETH_P_SLOW 0x8809 /* LACP, OAM */
#define ETH_P_MPLS_UC 0x8847
#define ETH_P_MPLS_MC 0x8848
#define ETH_P_PPPOE_DISC 0x8863
#define ETH_P_PPPOE 0x8864
#define ETH_P_PPP 0x880b
#define ETH_P_EAPOL 0x888e
#define ETH_P_8021AD 0x88a8
#define ETH_P_ERSPAN2 0x88be
#define ETH_P_LLDP 0x88cc
#define ETH_P_MRP 0x88e3
#define ETH_P_MACSEC 0x88e5
#define ETH_P_MVRP 0x88f5
#define ETH_P_MMRP 0x88f6
#define ETH_P_1588 0x88f7
#define ETH_P_PRP 0x88fb /* supervision of PRP and HSR */
#define ETH_P_CFM 0x8902
#define ETH_P_HSR 0x892f
#define ETH_P_QINQ1 0x9100
#define ETH_P_ERSPAN3 0x22eb

#define PPP_IP 0x0021
#define PPP_IPV6 0x0057
#define PPP_MPLS 0x0281

#define IPPROTO_HOPOPTS 0
#define IPPROTO_ICMP 1
#define IPPROTO_IPIP 4
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_DCCP 33
#define IPPROTO_IPV6 41
#define IPPROTO_ROUTING 43
#define IPPROTO_FRAGMENT 44
#define IPPROTO_GRE 47
#define IPPROTO_ESP 50
#define IPPROTO_AH 51
#define IPPROTO_ICMPV6 58
#define IPPROTO_NONE 59
#define IPPROTO_DSTOPTS 60
#define IPPROTO_L2TP 115
#define IPPROTO_SCTP 132
#define IPPROTO_MH 135
#define IPPROTO_UDPLITE 136
#define IPPROTO_MPLS 137
#define IPPROTO_HIP 139
#define IPPROTO_SHIM6 140
#define IPPROTO_ETHERNET 143 /* of segment routing */

#define PORT_PTP_EVENT 319
#define PORT_PTP_GENERAL 320
#define PORT_L2TP 1701
#define PORT_GTPU 2152
#define PORT_NAT_T 4500
#define PORT_VXLAN 4789
#define PORT_VXLAN_GPE 4790
#define PORT_GENEVE 6081
#define PORT_VXLAN_LINUX 8472 /* what Linux used before 4789 was assigned */

struct eth_hdr {
	__u8 dst[6];
	__u8 src[6];
	__be16 ethertype;
};

struct vlan_tag {
	__be16 tci;
	__be16 ethertype;
};

struct hsr_tag {
	__be16 path_size;
	__be16 sequence;
	__be16 ethertype;
};

struct pppoe_hdr {
	__u8 version_type;
	__u8 code; /* 0 in a session */
	__be16 session;
	__be16 len;
	__be16 protocol; /* of PPP; one byte, if that is odd */
};

struct macsec_hdr {
	__u8 tci_an;
	__u8 short_len;
	__be16 packet_number[2];
	__u8 sci[8]; /* if tci_an has MACSEC_SC */
};

#define MACSEC_SC 0x20

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

struct udp_hdr {
	struct l4_ports ports;
	__be16 len;
	__u16 check;
};

struct icmp_hdr {
	__u8 type;
	__u8 code;
	__u16 check;
	__be16 id; /* of an echo */
	__be16 sequence;
};

struct ah_hdr {
	__u8 next;
	__u8 len;
	__u16 reserved;
	__u8 spi[4];
};

struct gre_hdr {
	__be16 flags;
	__be16 protocol;
};

#define GRE_CHECKSUM 0x8000
#define GRE_ROUTING 0x4000
#define GRE_KEY 0x2000
#define GRE_SEQUENCE 0x1000
#define GRE_VERSION 0x0007

struct vxlan_hdr {
	__u8 flags;
	__u8 reserved[2];
	__u8 next; /* of VXLAN-GPE */
	__u8 vni[3];
	__u8 reserved2;
};

#define VXLAN_GPE 0x04 /* next means something */

struct geneve_hdr {
	__u8 version_len; /* of the options, in 4 bytes */
	__u8 flags;
	__be16 protocol;
	__u8 vni[3];
	__u8 reserved;
};

struct gtpu_hdr {
	__u8 flags;
	__u8 type;
	__be16 len;
	__u8 teid[4];
};

#define GTPU_TPDU 0xff
#define GTPU_OPTIONS 0x07 /* 4 bytes more: sequence, N-PDU number, next extension */
#define GTPU_EXTENSION 0x04

#endif
