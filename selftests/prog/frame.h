/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds frames from a list of layers, with the lengths and checksums of IP and ICMP right:
 *
 *	FRAME(ETH(), VLAN(5), IPV4("10.0.0.1", "10.0.0.2", .options = 4), UDP(1000, 53), DATA(18))
 *
 * Every layer names the one after it (EtherType, protocol, port), unless .next
 * says otherwise. Shares nothing with the parser that is tested with it.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX 4096
#define LAYERS_MAX 24

enum layer_kind {
	LAYER_NONE,
	LAYER_ETH,
	LAYER_VLAN,
	LAYER_IPV4,
	LAYER_IPV6,
	LAYER_EXT,
	LAYER_TCP,
	LAYER_UDP,
	LAYER_UDPLITE,
	LAYER_SCTP,
	LAYER_DCCP,
	LAYER_ICMP,
	LAYER_ICMPV6,
	LAYER_ARP,
	LAYER_DATA,
	LAYER_TRAILER,
	LAYER_COUNT,
};

struct layer {
	enum layer_kind kind;
	const char *src, *dst; /* addresses, MAC or IP; MAC: by default MAC_A, MAC_B */
	uint32_t next;	       /* EtherType or protocol of what follows; 0: found out */
	uint32_t type;	       /* TPID (0: 0x8100), extension header, ICMP type */
	uint32_t id;	       /* TCI, IP identification, SPI, echo identifier */
	uint16_t sport, dport;
	uint16_t len;	 /* DATA, TRAILER: bytes; EXT: bytes after the first 8 (AH: after 12) */
	uint16_t offset; /* of a fragment, in bytes */
	uint8_t df;	 /* do not fragment */
	uint8_t more;	 /* fragments follow */
	uint8_t options; /* IPv4: bytes of options, a multiple of 4 */
	uint8_t ihl;	 /* IPv4: a header length that is a lie */
	uint8_t fill;	 /* DATA, TRAILER: the byte they are made of; 0: 0xa5 */
	uint16_t total;	 /* IP: a length that is a lie */
};

struct frame {
	size_t len;
	uint8_t data[FRAME_MAX];
};

#define MAC_A "02:00:00:00:00:0a"
#define MAC_B "02:00:00:00:00:0b"

#define LAYER(...)          \
	{                   \
		__VA_ARGS__ \
	}
#define ETH(...) LAYER(.kind = LAYER_ETH, __VA_ARGS__)
#define VLAN(tci, ...) LAYER(.kind = LAYER_VLAN, .id = (tci), __VA_ARGS__)
#define IPV4(from, to, ...) LAYER(.kind = LAYER_IPV4, .src = (from), .dst = (to), __VA_ARGS__)
#define IPV6(from, to, ...) LAYER(.kind = LAYER_IPV6, .src = (from), .dst = (to), __VA_ARGS__)
#define EXT(header, ...) LAYER(.kind = LAYER_EXT, .type = (header), __VA_ARGS__)
#define TCP(from, to, ...) LAYER(.kind = LAYER_TCP, .sport = (from), .dport = (to), __VA_ARGS__)
#define UDP(from, to, ...) LAYER(.kind = LAYER_UDP, .sport = (from), .dport = (to), __VA_ARGS__)
#define UDPLITE(from, to) LAYER(.kind = LAYER_UDPLITE, .sport = (from), .dport = (to))
#define SCTP(from, to) LAYER(.kind = LAYER_SCTP, .sport = (from), .dport = (to))
#define DCCP(from, to) LAYER(.kind = LAYER_DCCP, .sport = (from), .dport = (to))
#define ICMP(kind_, ...) LAYER(.kind = LAYER_ICMP, .type = (kind_), __VA_ARGS__)
#define ICMPV6(kind_, ...) LAYER(.kind = LAYER_ICMPV6, .type = (kind_), __VA_ARGS__)
#define ARP() LAYER(.kind = LAYER_ARP)
#define DATA(bytes, ...) LAYER(.kind = LAYER_DATA, .len = (bytes), __VA_ARGS__)
/* What comes after the end of the outermost IP packet: padding, tail tags. */
#define TRAILER(bytes, ...) LAYER(.kind = LAYER_TRAILER, .len = (bytes), __VA_ARGS__)
#define FRAME(...) ((const struct layer[LAYERS_MAX]){ __VA_ARGS__ })

/* The list ends with the first layer of kind LAYER_NONE. */
void frame_build(struct frame *frame, const struct layer *layers);

#endif
