/* SPDX-License-Identifier: GPL-2.0 */
/* What comes before IP: PPPoE, MPLS, HSR, MACsec, and the tags of DSA switches. */
#include "prog/rows.h"

#define MPLS2 MPLS(100), MPLS(200)
#define MPLS8 MPLS(1), MPLS(2), MPLS(3), MPLS(4), MPLS(5), MPLS(6), MPLS(7), MPLS(8)
/* How parse_mpls() folds them: each turned by 5 bits for every label after it. */
#define LABELS(word)                                            \
	{                                                       \
		.words = (const uint32_t[3]){ word }, .l4 = 137 \
	}
#define SCI(high, low)                                                 \
	{                                                              \
		.words = (const uint32_t[3]){ high, low, 1 }, .l4 = 59 \
	}

static const struct row link[] = {
	{ "PPPoE with IPv4", FRAME(ETH(), PPPOE(.id = 9), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "PPPoE with IPv6", FRAME(ETH(), PPPOE(.id = 9), V6, UDP(1, 2)), FLOW6(17, 1, 2) },
	{ "PPPoE, PPP protocol of one byte", FRAME(ETH(), PPPOE(.one_byte = 1), V4, UDP(1, 2)),
	  FLOW4(17, 1, 2) },
	{ "PPPoE, PPP protocol of one byte, IPv6",
	  FRAME(ETH(), PPPOE(.one_byte = 1), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "PPPoE in a VLAN in a VLAN",
	  FRAME(ETH(), VLAN(7, .type = 0x88a8), VLAN(8), PPPOE(.id = 9), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "PPPoE with MPLS", FRAME(ETH(), PPPOE(), MPLS2, V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "PPPoE, a fragment", FRAME(ETH(), PPPOE(), IPV4(A4, B4, .more = 1), UDP(1, 2)),
	  FLOW4(17, 0, 0), FELL_BACK(fragments) },
	{ "PPPoE with GRE", FRAME(ETH(), PPPOE(), IPV4(B4, "10.9.9.9"), GRE(0), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "PPP link control", FRAME(ETH(), PPPOE(.next = 0xc021), DATA(30)), STAYS(pppoe) },
	{ "PPP IP control", FRAME(ETH(), PPPOE(.next = 0x8021), DATA(30)), STAYS(pppoe) },
	{ "PPPoE discovery", FRAME(ETH(.next = 0x8863), BYTES("11090000000c"), DATA(40)),
	  STAYS(pppoe) },

	{ "one MPLS label", FRAME(ETH(), MPLS(16), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "MPLS with IPv6", FRAME(ETH(), MPLS2, V6, UDP(1, 2)), FLOW6(17, 1, 2) },
	{ "multicast MPLS", FRAME(ETH(.next = 0x8848), MPLS(16), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "eight MPLS labels", FRAME(ETH(), MPLS8, V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "nine MPLS labels are too many", FRAME(ETH(), MPLS8, MPLS(9), V4, TCP(1, 2)),
	  LABELS(0x864298e0), FELL_BACK(labels_too_deep) },
	{ "MPLS in a VLAN", FRAME(ETH(), VLAN(5), MPLS(16), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "a pseudowire with a control word",
	  FRAME(ETH(), MPLS2, BYTES("00000001"), ETH(), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "a pseudowire without one", FRAME(ETH(), MPLS2, ETH(), VLAN(3), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "MPLS with who knows what", FRAME(ETH(), MPLS2, DATA(40)), LABELS(100 << 5 ^ 200) },
	{ "MPLS with broken IPv4", FRAME(ETH(), MPLS2, IPV4(A4, B4, .ihl = 3), DATA(20)),
	  LABELS(100 << 5 ^ 200), FELL_BACK(inner_unread) },
	{ "MPLS without a last label", FRAME(ETH(), MPLS(100), MPLS(200, .more = 1)),
	  LABELS(100 << 5 ^ 200), FELL_BACK(cut_short) },

	{ "HSR is skipped", FRAME(ETH(), HSR(), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "a VLAN in HSR", FRAME(ETH(), HSR(), VLAN(4), V6, UDP(1, 2)), FLOW6(17, 1, 2) },
	{ "HSR in a VLAN", FRAME(ETH(), VLAN(4), HSR(), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "PTP in HSR", FRAME(ETH(), HSR(.next = 0x88f7), DATA(44)), STAYS(ptp) },
	{ "the PRP trailer is no part of the flow",
	  FRAME(ETH(), V4, UDP(1, 2), TRAILER(12), BYTES("0001a03488fb")), FLOW4(17, 1, 2) },
	{ "HSR and PRP supervision", FRAME(ETH(.next = 0x88fb), DATA(46)), STAYS(control) },

	{ "MACsec goes by its channel", FRAME(ETH(), MACSEC(0x2c, 7), DATA(60)),
	  SCI(0x00000002, 0x07000a00) },
	{ "MACsec without one goes by the source MAC", FRAME(ETH(), MACSEC(0x0c, 0), DATA(60)),
	  SCI(0x00000002, 0x01000a00) },
	{ "MACsec to a group stays with its channel",
	  FRAME(ETH(.dst = "ff:ff:ff:ff:ff:ff"), MACSEC(0x2c, 7), DATA(60)),
	  SCI(0x00000002, 0x07000a00) },
	{ "MACsec behind a VLAN tag", FRAME(ETH(), VLAN(5), MACSEC(0x0c, 0), DATA(60)),
	  SCI(0x00000002, 0x01000a00) },
};

const struct table link_rows = TABLE("link", link);

#define TAGGED(first, rest) ETH(.next = (first)), BYTES(rest), TYPE()
#define PLAIN V4, TCP(1, 2)

static const struct row dsa[] = {
	{ "dsa", FRAME(TAGGED(0xc108, "0005"), PLAIN), FLOW4(6, 1, 2), .dsa = "dsa" },
	{ "dsa with a VLAN in it", FRAME(TAGGED(0xe108, "0005"), V6, UDP(1, 2)), FLOW6(17, 1, 2),
	  .dsa = "dsa" },
	{ "dsa to the CPU", FRAME(TAGGED(0x0108, "0005"), PLAIN), STAYS(dsa), .dsa = "dsa" },
	{ "dsa, ARP", FRAME(TAGGED(0xc108, "0005"), ARP()), STAYS(arp), .dsa = "dsa" },
	{ "dsa, link-local",
	  FRAME(ETH(.dst = "01:80:c2:00:00:0e", .next = 0xc108), BYTES("0005"), TYPE(), DATA(50)),
	  STAYS(link_local), .dsa = "dsa" },
	{ "dsa, QinQ, PPPoE",
	  FRAME(TAGGED(0xc108, "0005"), VLAN(1, .type = 0x88a8), VLAN(2), PPPOE(), PLAIN),
	  FLOW4(6, 1, 2), .dsa = "dsa" },
	{ "edsa", FRAME(TAGGED(0xdada, "0000c1080005"), PLAIN), FLOW4(6, 1, 2), .dsa = "edsa" },
	{ "edsa to the CPU", FRAME(TAGGED(0xdada, "000001080005"), PLAIN), STAYS(dsa),
	  .dsa = "edsa" },
	{ "edsa without a tag", FRAME(ETH(), PLAIN), FLOW4(6, 1, 2), .dsa = "edsa" },
	{ "brcm", FRAME(TAGGED(0x0000, "0003"), PLAIN), FLOW4(6, 1, 2), .dsa = "brcm" },
	{ "brcm, a VLAN", FRAME(TAGGED(0x0000, "0003"), VLAN(5), V6, TCP(1, 2)), FLOW6(6, 1, 2),
	  .dsa = "brcm" },
	{ "brcm-prepend", FRAME(BYTES("00000003"), ETH(), PLAIN), FLOW4(6, 1, 2),
	  .dsa = "brcm-prepend" },
	{ "brcm-legacy", FRAME(TAGGED(0x8874, "00000003"), PLAIN), FLOW4(6, 1, 2),
	  .dsa = "brcm-legacy" },
	{ "brcm-legacy, as bcm63xx has it",
	  FRAME(TAGGED(0x8874, "00000003"), VLAN(0), V4, TCP(1, 2)), FLOW4(6, 1, 2),
	  .dsa = "brcm-legacy-fcs" },
	{ "qca", FRAME(TAGGED(0x8002, ""), PLAIN), FLOW4(6, 1, 2), .dsa = "qca" },
	{ "qca, IPv6", FRAME(TAGGED(0x8002, ""), V6, UDP(1, 2)), FLOW6(17, 1, 2), .dsa = "qca" },
	{ "qca, a register read", FRAME(TAGGED(0x8082, ""), DATA(50)), STAYS(dsa), .dsa = "qca" },
	{ "qca of another version", FRAME(TAGGED(0x4002, ""), PLAIN), STAYS(dsa), .dsa = "qca" },
	{ "ar9331", FRAME(BYTES("0140"), ETH(), PLAIN), FLOW4(6, 1, 2), .dsa = "ar9331" },
	{ "mtk", FRAME(TAGGED(0x0002, "0000"), VLAN(5), PLAIN), FLOW4(6, 1, 2), .dsa = "mtk" },
	{ "mt7628", FRAME(TAGGED(0x8103, "0005"), PLAIN), FLOW4(6, 1, 2), .dsa = "mt7628" },
	{ "rtl4a", FRAME(TAGGED(0x8899, "a003"), PLAIN), FLOW4(6, 1, 2), .dsa = "rtl4a" },
	{ "rtl4a without a tag", FRAME(ETH(), PLAIN), FLOW4(6, 1, 2), .dsa = "rtl4a" },
	{ "rtl8_4", FRAME(TAGGED(0x8899, "040000000003"), PLAIN), FLOW4(6, 1, 2), .dsa = "rtl8_4" },
	{ "rtl8_4t", FRAME(ETH(), PLAIN, TRAILER(6), BYTES("8899040000000003")), FLOW4(6, 1, 2),
	  .dsa = "rtl8_4t" },
	{ "ksz9477", FRAME(ETH(), V4, UDP(1, 2), TRAILER(18), BYTES("0000000083")), FLOW4(17, 1, 2),
	  .dsa = "ksz9477" },
	{ "trailer", FRAME(ETH(), V4, UDP(1, 2), TRAILER(18), BYTES("80030000")), FLOW4(17, 1, 2),
	  .dsa = "trailer" },
	{ "gswip", FRAME(BYTES("0000000000000030"), ETH(), PLAIN), FLOW4(6, 1, 2), .dsa = "gswip" },
	{ "gsw1xx", FRAME(TAGGED(0x88c3, "000000000003"), PLAIN), FLOW4(6, 1, 2), .dsa = "gsw1xx" },
	{ "ocelot", FRAME(BYTES("8880000a"), DATA(16), ETH(), VLAN(5), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2), .dsa = "ocelot" },
	{ "seville", FRAME(BYTES("8880000a"), DATA(16), ETH(), PLAIN), FLOW4(6, 1, 2),
	  .dsa = "seville" },
	{ "ocelot-8021q", FRAME(ETH(), VLAN(0x0c03), PLAIN), FLOW4(6, 1, 2),
	  .dsa = "ocelot-8021q" },
	{ "lan9303", FRAME(ETH(), VLAN(3), PLAIN), FLOW4(6, 1, 2), .dsa = "lan9303" },
	{ "sja1105", FRAME(ETH(), VLAN(0x0c03), PLAIN), FLOW4(6, 1, 2), .dsa = "sja1105" },
	{ "sja1105 under a bridge with VLANs",
	  FRAME(ETH(), VLAN(5, .type = 0xdadb), VLAN(3), PLAIN), FLOW4(6, 1, 2), .dsa = "sja1105" },
	{ "sja1105 meta data", FRAME(ETH(.next = 8), DATA(50)), STAYS(llc), .dsa = "sja1105" },
	{ "sja1110", FRAME(TAGGED(0xdadc, "4003"), PLAIN), FLOW4(6, 1, 2), .dsa = "sja1110" },
	{ "sja1110 meta data", FRAME(TAGGED(0xdadc, "8003"), PLAIN), STAYS(dsa), .dsa = "sja1110" },
	{ "a5psw", FRAME(TAGGED(0xe001, "000000000003"), PLAIN), FLOW4(6, 1, 2), .dsa = "a5psw" },
	{ "yt921x", FRAME(TAGGED(0x9988, "000000000003"), PLAIN), FLOW4(6, 1, 2), .dsa = "yt921x" },
	{ "nxp_netc", FRAME(TAGGED(0xfd3a, "10000003"), PLAIN), FLOW4(6, 1, 2), .dsa = "nxp_netc" },
	{ "nxp_netc with a timestamp", FRAME(TAGGED(0xfd3a, "110000031122334455667788"), PLAIN),
	  FLOW4(6, 1, 2), .dsa = "nxp_netc" },
	{ "none", FRAME(ETH(), PLAIN), FLOW4(6, 1, 2), .dsa = "none" },
};

const struct table dsa_rows = TABLE("dsa", dsa, .inner = INNER_never);
