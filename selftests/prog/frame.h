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
	LAYER_TYPE,
	LAYER_HSR,
	LAYER_PPPOE,
	LAYER_MPLS,
	LAYER_MACSEC,
	LAYER_ESP,
	LAYER_GRE,
	LAYER_VXLAN,
	LAYER_GENEVE,
	LAYER_GTPU,
	LAYER_L2TP,
	LAYER_BYTES,
	LAYER_DATA,
	LAYER_TRAILER,
	LAYER_COUNT,
};

struct layer {
	enum layer_kind kind;
	const char *src, *dst; /* addresses, MAC or IP; MAC: by default MAC_A, MAC_B */
	const char *hex;       /* BYTES: what they are */
	uint32_t next;	       /* EtherType or protocol of what follows; 0: found out */
	uint32_t type;	       /* TPID (0: 0x8100), extension header, ICMP type, flags */
	uint32_t id;	       /* TCI, label, SPI, key, TEID, echo identifier */
	uint16_t sport, dport;
	uint16_t len;	  /* DATA, TRAILER: bytes; EXT: bytes after the first 8 (AH: after 12) */
	uint16_t offset;  /* of a fragment, in bytes */
	uint16_t total;	  /* IP: a length that is a lie */
	uint8_t df;	  /* do not fragment */
	uint8_t more;	  /* fragments follow; MPLS: labels follow, though none do */
	uint8_t options;  /* IPv4, Geneve: bytes of options, a multiple of 4 */
	uint8_t ihl;	  /* IPv4: a header length that is a lie */
	uint8_t one_byte; /* PPPoE: the PPP protocol has one byte */
	uint8_t fill;	  /* DATA, TRAILER: the byte they are made of; 0: 0xa5 */
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
/* An EtherType by itself, behind the first two bytes of a tag and BYTES(). */
#define TYPE(...) LAYER(.kind = LAYER_TYPE, __VA_ARGS__)
#define HSR(...) LAYER(.kind = LAYER_HSR, __VA_ARGS__)
#define PPPOE(...) LAYER(.kind = LAYER_PPPOE, __VA_ARGS__)
#define MPLS(label, ...) LAYER(.kind = LAYER_MPLS, .id = (label), __VA_ARGS__)
#define MACSEC(flags, port) LAYER(.kind = LAYER_MACSEC, .type = (flags), .id = (port))
#define ESP(spi) LAYER(.kind = LAYER_ESP, .id = (spi))
#define GRE(flags, ...) LAYER(.kind = LAYER_GRE, .type = (flags), __VA_ARGS__)
#define VXLAN(...) LAYER(.kind = LAYER_VXLAN, __VA_ARGS__)
#define GENEVE(...) LAYER(.kind = LAYER_GENEVE, __VA_ARGS__)
#define GTPU(teid, ...) LAYER(.kind = LAYER_GTPU, .id = (teid), __VA_ARGS__)
#define L2TP(session) LAYER(.kind = LAYER_L2TP, .id = (session))
#define BYTES(text, ...) LAYER(.kind = LAYER_BYTES, .hex = (text), __VA_ARGS__)
#define ARP() LAYER(.kind = LAYER_ARP)
#define DATA(bytes, ...) LAYER(.kind = LAYER_DATA, .len = (bytes), __VA_ARGS__)
/* What comes after the end of the outermost IP packet: padding, tail tags. */
#define TRAILER(bytes, ...) LAYER(.kind = LAYER_TRAILER, .len = (bytes), __VA_ARGS__)
#define FRAME(...) ((const struct layer[LAYERS_MAX]){ __VA_ARGS__ })

/* The list ends with the first layer of kind LAYER_NONE. */
void frame_build(struct frame *frame, const struct layer *layers);

#endif
