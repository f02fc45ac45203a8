/* SPDX-License-Identifier: GPL-2.0 */
/* What becomes of which frame, with the configuration that `load` uses by default. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "prog/rows.h"

#define A4 "10.0.0.1"
#define B4 "192.0.2.77"
#define A6 "2001:db8::1"
#define B6 "2001:db8:0:ffff:1234:5678:9abc:def0"
#define V4 IPV4(A4, B4)
#define V6 IPV6(A6, B6)
#define QINQ(tci) VLAN(tci, .type = 0x88a8)
#define OLD_QINQ(tci) VLAN(tci, .type = 0x9100)
#define HOP EXT(0)
#define ROUTING EXT(43)
#define FRAGMENT(...) EXT(44, .id = 7, __VA_ARGS__)
#define AH_ EXT(51, .id = 9, .len = 12)
#define DST EXT(60)

#define FLOW4(protocol, from, to)                                                      \
	{                                                                              \
		.src = A4, .dst = B4, .sport = (from), .dport = (to), .l4 = (protocol) \
	}
#define FLOW6(protocol, from, to)                                                      \
	{                                                                              \
		.src = A6, .dst = B6, .sport = (from), .dport = (to), .l4 = (protocol) \
	}
#define STAYS(why) .verdict = VERDICT_##why
#define FELL_BACK(why) .fallback = FALLBACK_##why

static const struct row rows[] = {
	/* The plain ones. */
	{ "TCP over IPv4", FRAME(ETH(), V4, TCP(1000, 80), DATA(6)), FLOW4(6, 1000, 80) },
	{ "UDP over IPv4", FRAME(ETH(), V4, UDP(1000, 53), DATA(18)), FLOW4(17, 1000, 53) },
	{ "TCP over IPv6", FRAME(ETH(), V6, TCP(1000, 80)), FLOW6(6, 1000, 80) },
	{ "UDP over IPv6", FRAME(ETH(), V6, UDP(1000, 53)), FLOW6(17, 1000, 53) },
	{ "SCTP over IPv4", FRAME(ETH(), V4, SCTP(2905, 2906)), FLOW4(132, 2905, 2906) },
	{ "SCTP over IPv6", FRAME(ETH(), V6, SCTP(2905, 2906)), FLOW6(132, 2905, 2906) },
	{ "DCCP over IPv4", FRAME(ETH(), V4, DCCP(5, 6)), FLOW4(33, 5, 6) },
	{ "UDP-Lite over IPv6", FRAME(ETH(), V6, UDPLITE(5, 6)), FLOW6(136, 5, 6) },
	{ "a UDP port 0", FRAME(ETH(), V4, UDP(0, 53)), FLOW4(17, 0, 53) },
	{ "ICMP goes by addresses and protocol", FRAME(ETH(), V4, ICMP(3), DATA(28)),
	  FLOW4(1, 0, 0) },
	{ "a protocol nobody knows", FRAME(ETH(), IPV4(A4, B4, .next = 99), DATA(20)),
	  FLOW4(99, 0, 0) },
	{ "a frame of 1514 bytes", FRAME(ETH(), V4, TCP(1, 2), DATA(1460)), FLOW4(6, 1, 2) },

	/* VLAN tags. */
	{ "a VLAN tag", FRAME(ETH(), VLAN(5), V4, TCP(1, 2)), FLOW4(6, 1, 2) },
	{ "priority bits are no part of the flow", FRAME(ETH(), VLAN(0xf005), V4, TCP(1, 2)),
	  FLOW4(6, 1, 2) },
	{ "a priority tag (VID 0)", FRAME(ETH(), VLAN(0xe000), V6, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "QinQ", FRAME(ETH(), QINQ(9), VLAN(5), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "QinQ with the old TPID", FRAME(ETH(), OLD_QINQ(9), VLAN(5), V6, UDP(1, 2)),
	  FLOW6(17, 1, 2) },
	{ "three tags", FRAME(ETH(), QINQ(9), OLD_QINQ(8), VLAN(5), V4, UDP(1, 2)),
	  FLOW4(17, 1, 2) },
	{ "four tags", FRAME(ETH(), QINQ(9), QINQ(8), VLAN(5), VLAN(4), V4, UDP(1, 2)),
	  FLOW4(17, 1, 2) },
	{ "five tags", FRAME(ETH(), QINQ(9), OLD_QINQ(8), VLAN(5), QINQ(4), VLAN(3), V6, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "six tags are too many",
	  FRAME(ETH(), QINQ(9), VLAN(8), VLAN(5), VLAN(4), VLAN(3), VLAN(2), V4, UDP(1, 2)),
	  STAYS(too_deep) },

	/* IPv4 header lengths. */
	{ "IPv4 options of 4 bytes", FRAME(ETH(), IPV4(A4, B4, .options = 4), UDP(1000, 53)),
	  FLOW4(17, 1000, 53) },
	{ "IPv4 options of 40 bytes", FRAME(ETH(), IPV4(A4, B4, .options = 40), TCP(1000, 80)),
	  FLOW4(6, 1000, 80) },
	{ "an IPv4 header length of 16 bytes", FRAME(ETH(), IPV4(A4, B4, .ihl = 4), UDP(1, 2)),
	  STAYS(malformed) },
	{ "an IPv4 header length of 0", FRAME(ETH(), IPV4(A4, B4, .ihl = 16), UDP(1, 2)),
	  STAYS(malformed) },
	{ "a total length within the IPv4 header",
	  FRAME(ETH(), IPV4(A4, B4, .total = 19), UDP(1, 2), DATA(8)), STAYS(malformed) },
	{ "a total length within the IPv4 options",
	  FRAME(ETH(), IPV4(A4, B4, .options = 8, .total = 24), UDP(1, 2)), STAYS(malformed) },
	{ "IPv6 called IPv4", FRAME(ETH(.next = 0x0800), V6, UDP(1, 2)), STAYS(malformed) },
	{ "IPv4 called IPv6", FRAME(ETH(.next = 0x86dd), V4, UDP(1, 2), DATA(20)),
	  STAYS(malformed) },
	{ "an IPv4 header longer than the frame",
	  FRAME(ETH(), IPV4(A4, B4, .ihl = 15, .total = 100), UDP(1, 2)), FLOW4(17, 0, 0),
	  FELL_BACK(cut_short) },

	/* What IP does not call its own is nobody's port. */
	{ "ports beyond the total length",
	  FRAME(ETH(), IPV4(A4, B4, .total = 20), UDP(1, 2), DATA(18)), FLOW4(17, 0, 0),
	  FELL_BACK(cut_short) },
	{ "half a port within the total length",
	  FRAME(ETH(), IPV4(A4, B4, .total = 23), UDP(1, 2), DATA(18)), FLOW4(17, 0, 0),
	  FELL_BACK(cut_short) },
	{ "ports that end with the total length",
	  FRAME(ETH(), IPV4(A4, B4, .total = 24), UDP(1, 2), DATA(18)), FLOW4(17, 1, 2) },
	{ "ports beyond the payload length",
	  FRAME(ETH(), IPV6(A6, B6, .total = 3), UDP(1, 2), DATA(18)), FLOW6(17, 0, 0),
	  FELL_BACK(cut_short) },
	{ "no payload length: a jumbogram, or GRO's", FRAME(ETH(), IPV6(A6, B6, .next = 6)),
	  FLOW6(6, 0, 0), FELL_BACK(cut_short) },
	{ "padding behind UDP", FRAME(ETH(), V4, UDP(1, 2), TRAILER(18)), FLOW4(17, 1, 2) },
	{ "padding behind an empty protocol", FRAME(ETH(), IPV4(A4, B4, .next = 99), TRAILER(26)),
	  FLOW4(99, 0, 0) },

	/* Fragments: every one of a datagram, the first too, has to land on one CPU. */
	{ "the first fragment", FRAME(ETH(), IPV4(A4, B4, .more = 1), UDP(1, 2), DATA(64)),
	  FLOW4(17, 0, 0), FELL_BACK(fragments) },
	{ "a middle fragment",
	  FRAME(ETH(), IPV4(A4, B4, .more = 1, .offset = 1480, .next = 17), DATA(64)),
	  FLOW4(17, 0, 0), FELL_BACK(fragments) },
	{ "the last fragment", FRAME(ETH(), IPV4(A4, B4, .offset = 8, .next = 17), DATA(9)),
	  FLOW4(17, 0, 0), FELL_BACK(fragments) },
	{ "do-not-fragment makes no fragment", FRAME(ETH(), IPV4(A4, B4, .df = 1), UDP(1, 2)),
	  FLOW4(17, 1, 2) },
	{ "the first IPv6 fragment", FRAME(ETH(), V6, FRAGMENT(.more = 1), UDP(1, 2), DATA(64)),
	  FLOW6(17, 0, 0), FELL_BACK(fragments) },
	{ "a later IPv6 fragment", FRAME(ETH(), V6, FRAGMENT(.offset = 1448, .next = 17), DATA(64)),
	  FLOW6(17, 0, 0), FELL_BACK(fragments) },
	{ "an atomic IPv6 fragment", FRAME(ETH(), V6, FRAGMENT(), UDP(1, 2)), FLOW6(17, 0, 0),
	  FELL_BACK(fragments) },
	{ "an IPv6 fragment behind other headers",
	  FRAME(ETH(), V6, HOP, ROUTING, FRAGMENT(.more = 1), DST, UDP(1, 2)), FLOW6(60, 0, 0),
	  FELL_BACK(fragments) },

	/* IPv6 extension headers. */
	{ "hop-by-hop options", FRAME(ETH(), V6, HOP, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "destination options of 264 bytes", FRAME(ETH(), V6, EXT(60, .len = 256), UDP(1, 2)),
	  FLOW6(17, 1, 2) },
	{ "a segment routing header", FRAME(ETH(), V6, EXT(43, .len = 48), TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "an authentication header counts in 4 bytes", FRAME(ETH(), V6, AH_, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "mobility, HIP and Shim6 headers",
	  FRAME(ETH(), V6, EXT(135), EXT(139), EXT(140), UDP(1, 2)), FLOW6(17, 1, 2) },
	{ "no next header", FRAME(ETH(), V6, DST, TRAILER(20)), FLOW6(59, 0, 0) },
	{ "eight extension headers",
	  FRAME(ETH(), V6, HOP, DST, ROUTING, AH_, DST, DST, DST, DST, TCP(1, 2)), FLOW6(6, 1, 2) },
	{ "ten extension headers",
	  FRAME(ETH(), V6, HOP, DST, DST, DST, DST, DST, DST, DST, DST, DST, TCP(1, 2)),
	  FLOW6(6, 1, 2) },
	{ "eleven extension headers are too many",
	  FRAME(ETH(), V6, HOP, DST, DST, DST, DST, DST, DST, DST, DST, DST, DST, TCP(1, 2)),
	  FLOW6(60, 0, 0), FELL_BACK(headers_too_deep) },
	{ "an extension header longer than the packet",
	  FRAME(ETH(), IPV6(A6, B6, .total = 20), EXT(60, .len = 16), UDP(1, 2)), FLOW6(17, 0, 0),
	  FELL_BACK(cut_short) },
	{ "behind VLAN tags and extension headers",
	  FRAME(ETH(), QINQ(1), VLAN(2), V6, HOP, DST, UDP(1, 2)), FLOW6(17, 1, 2) },

	/* What stays on the RX CPU. */
	{ "ARP", FRAME(ETH(.dst = "ff:ff:ff:ff:ff:ff"), ARP()), STAYS(arp) },
	{ "ARP in a VLAN", FRAME(ETH(), VLAN(5), ARP()), STAYS(arp) },
	{ "RARP", FRAME(ETH(.next = 0x8035), ARP()), STAYS(arp) },
	{ "a length instead of an EtherType (IS-IS)",
	  FRAME(ETH(.next = 46, .dst = "09:00:2b:00:00:05"), DATA(46)), STAYS(llc) },
	{ "the largest length", FRAME(ETH(.next = 0x05ff), DATA(46)), STAYS(llc) },
	{ "the smallest EtherType", FRAME(ETH(.next = 0x0600), DATA(46)), STAYS(not_ip) },
	{ "an EtherType nobody knows", FRAME(ETH(), DATA(46)), STAYS(not_ip) },
	{ "STP", FRAME(ETH(.next = 38, .dst = "01:80:c2:00:00:00"), DATA(46)), STAYS(link_local) },
	{ "LLDP", FRAME(ETH(.next = 0x88cc, .dst = "01:80:c2:00:00:0e"), DATA(46)),
	  STAYS(link_local) },
	{ "LACP", FRAME(ETH(.next = 0x8809, .dst = "01:80:c2:00:00:02"), DATA(46)),
	  STAYS(link_local) },
	{ "IP to a link-local MAC", FRAME(ETH(.dst = "01:80:c2:00:00:0f"), V4, UDP(1, 2)),
	  STAYS(link_local) },
	{ "IP to the MAC after the link-local ones",
	  FRAME(ETH(.dst = "01:80:c2:00:00:10"), V4, UDP(1, 2)), FLOW4(17, 1, 2) },
	{ "PTP over Ethernet", FRAME(ETH(.next = 0x88f7, .dst = "01:1b:19:00:00:00"), DATA(46)),
	  STAYS(ptp) },
	{ "PTP over Ethernet in a VLAN", FRAME(ETH(), VLAN(5, .next = 0x88f7), DATA(46)),
	  STAYS(ptp) },
	{ "PTP event over UDP", FRAME(ETH(), V4, UDP(319, 319), DATA(44)), STAYS(ptp) },
	{ "PTP general over UDP and IPv6", FRAME(ETH(), V6, UDP(4000, 320), DATA(44)), STAYS(ptp) },
	{ "TCP port 319 is not PTP", FRAME(ETH(), V4, TCP(319, 319)), FLOW4(6, 319, 319) },
	{ "UDP port 321 is not PTP", FRAME(ETH(), V4, UDP(321, 321)), FLOW4(17, 321, 321) },
};

const struct table steer_rows = { rows, sizeof(rows) / sizeof(rows[0]) };

/* An address as flow.h wants it: the bytes of the wire, read as little-endian words. */
static void words_of(const char *text, bool v6, uint32_t words[4])
{
	uint8_t bytes[16] = {};

	if (inet_pton(v6 ? AF_INET6 : AF_INET, text, bytes) != 1)
		abort();
	for (int i = 0; i < 4; i++)
		words[i] = bytes[4 * i] | bytes[4 * i + 1] << 8 | bytes[4 * i + 2] << 16 |
			   (uint32_t)bytes[4 * i + 3] << 24;
}

struct flow flow_of(const struct flow_text *text)
{
	struct flow flow = {
		.sport = text->sport,
		.dport = text->dport,
		.l4 = text->l4,
		.v6 = strchr(text->src, ':') != NULL,
	};

	words_of(text->src, flow.v6, flow.src);
	words_of(text->dst, flow.v6, flow.dst);
	return flow;
}
