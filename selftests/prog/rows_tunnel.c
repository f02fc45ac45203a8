/* SPDX-License-Identifier: GPL-2.0 */
/* Tunnels: which of the two flows, the tunnel's or that of what it carries. */
#include "prog/rows.h"

/* The ends of the tunnels. */
#define T4 IPV4("172.16.0.1", "172.16.0.2")
#define T6 IPV6("2001:db8:77::1", "2001:db8:77::2")
#define U4 IPV4("172.17.0.1", "172.17.0.2")
#define OUTER4(protocol, from, to)                                                        \
	{                                                                                 \
		.src = "172.16.0.1", .dst = "172.16.0.2", .sport = (from), .dport = (to), \
		.l4 = (protocol)                                                          \
	}
#define OUTER6(protocol, from, to)                                                                \
	{                                                                                         \
		.src = "2001:db8:77::1", .dst = "2001:db8:77::2", .sport = (from), .dport = (to), \
		.l4 = (protocol)                                                                  \
	}
#define CSUM 0x8000
#define KEY 0x2000
#define SEQ 0x1000

static const struct row tunnel[] = {
	{ "IPIP", FRAME(ETH(), T4, V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "6in4", FRAME(ETH(), T4, V6, UDP(1, 2)), FLOW6(17, 1, 2) },
	{ "4in6", FRAME(ETH(), T6, V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "6in6 behind destination options", FRAME(ETH(), T6, EXT(60), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "segment routing", FRAME(ETH(), T6, EXT(43, .len = 32), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "segment routing with Ethernet",
	  FRAME(ETH(), T6, EXT(43, .len = 32), ETH(), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "IPIP, fragmented inside", FRAME(ETH(), T4, IPV4(A4, B4, .more = 1), UDP(1, 2)),
	  FLOW4(17, 0, 0), FELL_BACK(fragments) },
	{ "IPIP, fragmented outside",
	  FRAME(ETH(), IPV4("172.16.0.1", "172.16.0.2", .more = 1), V4, UDP(1, 2)), OUTER4(4, 0, 0),
	  FELL_BACK(fragments) },
	{ "IPIP with rubbish", FRAME(ETH(), IPV4("172.16.0.1", "172.16.0.2", .next = 4), DATA(40)),
	  OUTER4(4, 0, 0), FELL_BACK(inner_unread) },
	{ "IPIP with nothing",
	  FRAME(ETH(), IPV4("172.16.0.1", "172.16.0.2", .next = 4), TRAILER(26)), OUTER4(4, 0, 0),
	  FELL_BACK(cut_short) },
	{ "an inner packet that outgrows the outer one",
	  FRAME(ETH(), IPV4("172.16.0.1", "172.16.0.2", .total = 40), V4, UDP(1, 2)),
	  FLOW4(17, 0, 0), FELL_BACK(cut_short) },
	{ "two tunnels", FRAME(ETH(), T4, U4, V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "three tunnels are too many", FRAME(ETH(), T6, U4, T4, V4, TCP(1, 2)), OUTER4(4, 0, 0),
	  FELL_BACK(tunnels_too_deep) },
	{ "MPLS in IP",
	  FRAME(ETH(), IPV4("172.16.0.1", "172.16.0.2", .next = 137), MPLS(5), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "PTP in a tunnel is only UDP", FRAME(ETH(), T4, V4, UDP(319, 319)), FLOW4(17, 319, 319) },

	{ "GRE with IPv4", FRAME(ETH(), T4, GRE(0), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "GRE with IPv6 over IPv6", FRAME(ETH(), T6, GRE(0), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "GRE with a checksum", FRAME(ETH(), T4, GRE(CSUM), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "GRE with a key", FRAME(ETH(), T4, GRE(KEY, .id = 5), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "GRE with a sequence number", FRAME(ETH(), T4, GRE(SEQ), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "GRE with all three", FRAME(ETH(), T4, GRE(CSUM | KEY | SEQ), V4, UDP(1, 2)),
	  FLOW4(17, 1, 2) },
	{ "GRE with Ethernet", FRAME(ETH(), T4, GRE(0), ETH(), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "GRE with Ethernet and VLANs (NVGRE)",
	  FRAME(ETH(), T4, GRE(KEY, .id = 9), ETH(), VLAN(1), VLAN(2), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "GRE with a key, and nothing with ports",
	  FRAME(ETH(), T4, GRE(KEY, .id = 9), V4, ICMP(13), DATA(12)), FLOW4(1, 0, 0) },
	{ "IPv6, and IPv4 without ports", FRAME(ETH(), T6, IPV4(A4, B4, .next = 99), DATA(20)),
	  FLOW4(99, 0, 0) },
	{ "GRE with MPLS", FRAME(ETH(), T4, GRE(0), MPLS(3), MPLS(4), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "GRE with ARP", FRAME(ETH(), T4, GRE(0), ETH(), ARP()), OUTER4(47, 0, 0),
	  FELL_BACK(inner_unread) },
	{ "GRE with a key and rubbish",
	  FRAME(ETH(), T4, GRE(KEY, .id = 0x00030005, .next = 0x1234), DATA(40)), OUTER4(47, 6, 6),
	  FELL_BACK(inner_unread) },
	{ "GRE with source routes", FRAME(ETH(), T4, GRE(0x4000), DATA(40)), OUTER4(47, 0, 0) },
	{ "GRE of a version to come", FRAME(ETH(), T4, GRE(2), V4, TCP(1, 2)), OUTER4(47, 0, 0) },
	{ "PPTP goes by its call",
	  FRAME(ETH(), T4, GRE(KEY | SEQ | 1, .next = 0x880b, .id = 0x00280042), DATA(40)),
	  OUTER4(47, 0, 0x42) },
	{ "a PPTP acknowledgement, too",
	  FRAME(ETH(), T4, GRE(KEY | 0x81, .next = 0x880b, .id = 0x00000042), DATA(4)),
	  OUTER4(47, 0, 0x42) },
	{ "ERSPAN I", FRAME(ETH(), T4, GRE(0, .next = 0x88be), ETH(), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "ERSPAN II",
	  FRAME(ETH(), T4, GRE(SEQ, .next = 0x88be), BYTES("1001000100000000"), ETH(), V4,
		TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "ERSPAN III",
	  FRAME(ETH(), T4, GRE(SEQ, .next = 0x22eb), BYTES("200100010000000000000000"), ETH(),
		VLAN(5), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "ERSPAN III with 8 bytes more",
	  FRAME(ETH(), T4, GRE(SEQ, .next = 0x22eb), BYTES("200100010000000000000001"),
		BYTES("0000000000000000"), ETH(), V6, UDP(1, 2)),
	  FLOW6(17, 1, 2) },

	{ "VXLAN goes by its ports",
	  FRAME(ETH(), T4, UDP(50000, 4789), VXLAN(), ETH(), V4, TCP(1, 2)),
	  OUTER4(17, 50000, 4789) },
	{ "Geneve goes by its ports",
	  FRAME(ETH(), T6, UDP(50000, 6081), GENEVE(), ETH(), V4, TCP(1, 2)),
	  OUTER6(17, 50000, 6081) },

	{ "GTP-U", FRAME(ETH(), T4, UDP(2152, 2152), GTPU(7), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "GTP-U with IPv6 over IPv6", FRAME(ETH(), T6, UDP(2152, 2152), GTPU(7), V6, UDP(1, 2)),
	  FLOW6(17, 1, 2) },
	{ "GTP-U with a sequence number",
	  FRAME(ETH(), T4, UDP(2152, 2152), GTPU(7, .type = 2), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "GTP-U with an extension header",
	  FRAME(ETH(), T4, UDP(2152, 2152), GTPU(7, .type = 4), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "GTP-U in a VLAN in MPLS",
	  FRAME(ETH(), VLAN(5), MPLS(6), T4, UDP(2152, 2152), GTPU(7, .type = 4), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "GTP-U with no IP goes by its tunnel",
	  FRAME(ETH(), T4, UDP(2152, 2152), GTPU(0x00010002), DATA(40)), OUTER4(17, 1, 2),
	  FELL_BACK(inner_unread) },
	{ "a GTP-U echo", FRAME(ETH(), T4, UDP(2152, 2152), GTPU(0, .next = 1), DATA(4)),
	  OUTER4(17, 0, 0) },
};

const struct table tunnel_rows = TABLE("tunnel", tunnel);

static const struct row inner_never[] = {
	{ "IPIP", FRAME(ETH(), T4, V4, TCP(1, 2)), OUTER4(4, 0, 0) },
	{ "6in6", FRAME(ETH(), T6, V6, TCP(1, 2)), OUTER6(41, 0, 0) },
	{ "GRE", FRAME(ETH(), T4, GRE(0), V4, TCP(1, 2)), OUTER4(47, 0, 0) },
	{ "GRE with a key", FRAME(ETH(), T4, GRE(KEY, .id = 5), V4, TCP(1, 2)), OUTER4(47, 5, 5) },
	{ "GTP-U goes by its tunnel",
	  FRAME(ETH(), T4, UDP(2152, 2152), GTPU(0x00010002), V4, TCP(1, 2)), OUTER4(17, 1, 2) },
	{ "VXLAN", FRAME(ETH(), T4, UDP(50000, 4789), VXLAN(), ETH(), V4, TCP(1, 2)),
	  OUTER4(17, 50000, 4789) },
};

const struct table inner_never_rows = TABLE("inner never", inner_never, .inner = INNER_never);

static const struct row inner_always[] = {
	{ "IPIP", FRAME(ETH(), T4, V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "VXLAN", FRAME(ETH(), T4, UDP(50000, 4789), VXLAN(), ETH(), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "VXLAN over IPv6, with a VLAN inside",
	  FRAME(ETH(), T6, UDP(50000, 4789), VXLAN(), ETH(), VLAN(5), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "VXLAN on the port of old",
	  FRAME(ETH(), T4, UDP(50000, 8472), VXLAN(), ETH(), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "VXLAN with ARP", FRAME(ETH(), T4, UDP(50000, 4789), VXLAN(), ETH(), ARP()),
	  OUTER4(17, 50000, 4789), FELL_BACK(inner_unread) },
	{ "VXLAN-GPE with IPv4",
	  FRAME(ETH(), T4, UDP(50000, 4790), VXLAN(.next = 1), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "VXLAN-GPE with IPv6",
	  FRAME(ETH(), T4, UDP(50000, 4789), VXLAN(.next = 2), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "VXLAN-GPE with Ethernet",
	  FRAME(ETH(), T4, UDP(50000, 8472), VXLAN(.next = 3), ETH(), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "VXLAN-GPE with what we do not read",
	  FRAME(ETH(), T4, UDP(50000, 4790), VXLAN(.next = 4), DATA(40)), OUTER4(17, 50000, 4790),
	  FELL_BACK(inner_unread) },
	{ "Geneve", FRAME(ETH(), T4, UDP(50000, 6081), GENEVE(), ETH(), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "Geneve with options and IPv6",
	  FRAME(ETH(), T4, UDP(50000, 6081), GENEVE(.options = 12), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "VXLAN in GRE in IPv6",
	  FRAME(ETH(), T6, GRE(0), U4, UDP(50000, 4789), VXLAN(), ETH(), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
};

const struct table inner_always_rows = TABLE("inner always", inner_always, .inner = INNER_always);
