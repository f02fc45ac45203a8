/* SPDX-License-Identifier: GPL-2.0 */
/* A frame builder: headers are written front to back, then finished back to front. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog/bytes.h"
#include "prog/frame.h"

/* How those before it call a layer. */
struct names {
	uint16_t ethertype;
	int protocol; /* of IP; -1: cannot follow IP */
};

static const struct names names[LAYER_COUNT] = {
	[LAYER_NONE] = { 0x88b5, 59 }, /* local experiment; no next header */
	[LAYER_DATA] = { 0x88b5, 253 }, [LAYER_TRAILER] = { 0x88b5, 59 },
	[LAYER_ARP] = { 0x0806, -1 },	[LAYER_IPV4] = { 0x0800, 4 },
	[LAYER_IPV6] = { 0x86dd, 41 },	[LAYER_TCP] = { 0, 6 },
	[LAYER_UDP] = { 0, 17 },	[LAYER_DCCP] = { 0, 33 },
	[LAYER_ICMP] = { 0, 1 },	[LAYER_ICMPV6] = { 0, 58 },
	[LAYER_SCTP] = { 0, 132 },	[LAYER_UDPLITE] = { 0, 136 },
	[LAYER_ETH] = { 0x6558, 143 },	[LAYER_BYTES] = { 0x88b5, 253 },
	[LAYER_HSR] = { 0x892f, -1 },	[LAYER_PPPOE] = { 0x8864, -1 },
	[LAYER_MPLS] = { 0x8847, 137 }, [LAYER_MACSEC] = { 0x88e5, -1 },
	[LAYER_ESP] = { 0, 50 },	[LAYER_GRE] = { 0, 47 },
	[LAYER_L2TP] = { 0, 115 },
};

static uint16_t ethertype_after(const struct layer *layer)
{
	const struct layer *next = layer + 1;

	if (layer->next)
		return layer->next;
	if (next->kind == LAYER_VLAN)
		return next->type ? next->type : 0x8100;
	return names[next->kind].ethertype;
}

static uint8_t protocol_after(const struct layer *layer)
{
	const struct layer *next = layer + 1;

	if (layer->next)
		return layer->next;
	return next->kind == LAYER_EXT ? next->type : (uint8_t)names[next->kind].protocol;
}

static void put_eth(struct frame *frame, const struct layer *layer)
{
	put_mac(frame, layer->dst ? layer->dst : MAC_B);
	put_mac(frame, layer->src ? layer->src : MAC_A);
	put16(frame, ethertype_after(layer));
}

static void put_vlan(struct frame *frame, const struct layer *layer)
{
	put16(frame, layer->id);
	put16(frame, ethertype_after(layer));
}

static void put_ipv4(struct frame *frame, const struct layer *layer)
{
	int ihl = layer->ihl ? layer->ihl : (20 + layer->options) / 4;

	put8(frame, 0x40 | ihl);
	put8(frame, 0);
	put16(frame, layer->total);
	put16(frame, layer->id);
	put16(frame, (layer->df ? 0x4000 : 0) | (layer->more ? 0x2000 : 0) | layer->offset / 8);
	put8(frame, 64);
	put8(frame, protocol_after(layer));
	put16(frame, 0);
	put_ip(frame, AF_INET, layer->src);
	put_ip(frame, AF_INET, layer->dst);
	put_fill(frame, layer->options, 1); /* option 1: no operation */
}

static void finish_ipv4(uint8_t *at, size_t len, const struct layer *layer)
{
	if (!layer->total)
		set16(at + 2, len);
	set16(at + 10, checksum(at, 20 + layer->options, 0));
}

static void put_ipv6(struct frame *frame, const struct layer *layer)
{
	put32(frame, 0x60000000 | layer->id); /* the flow label */
	put16(frame, layer->total);
	put8(frame, protocol_after(layer));
	put8(frame, 64);
	put_ip(frame, AF_INET6, layer->src);
	put_ip(frame, AF_INET6, layer->dst);
}

static void finish_ipv6(uint8_t *at, size_t len, const struct layer *layer)
{
	if (!layer->total)
		set16(at + 4, len - 40);
}

static void put_ext(struct frame *frame, const struct layer *layer)
{
	put8(frame, protocol_after(layer));
	switch (layer->type) {
	case 44: /* fragment */
		put8(frame, 0);
		put16(frame, layer->offset | (layer->more ? 1 : 0));
		put32(frame, layer->id);
		break;
	case 51: /* AH: 12 bytes, then the integrity check value; counted in 4 bytes less 2 */
		put8(frame, (12 + layer->len) / 4 - 2);
		put16(frame, 0);
		put32(frame, layer->id);
		put32(frame, 1);
		put_fill(frame, layer->len, 0x5a);
		break;
	default:
		put8(frame, layer->len / 8);
		put_fill(frame, 6 + layer->len, 1);
	}
}

static void put_tcp(struct frame *frame, const struct layer *layer)
{
	put16(frame, layer->sport);
	put16(frame, layer->dport);
	put32(frame, 1);
	put32(frame, 1);
	put16(frame, 0x5010); /* 20 bytes, ACK */
	put16(frame, 512);
	put32(frame, 0);
}

static void put_udp(struct frame *frame, const struct layer *layer)
{
	put16(frame, layer->sport);
	put16(frame, layer->dport);
	put32(frame, 0);
}

static void finish_udp(uint8_t *at, size_t len, const struct layer *layer)
{
	set16(at + 4, len);
}

static void put_sctp(struct frame *frame, const struct layer *layer)
{
	put16(frame, layer->sport);
	put16(frame, layer->dport);
	put32(frame, 0x5c7b5c7b); /* verification tag */
	put32(frame, 0);
}

static void put_dccp(struct frame *frame, const struct layer *layer)
{
	put16(frame, layer->sport);
	put16(frame, layer->dport);
	put32(frame, 4u << 24); /* data offset */
	put32(frame, 0);
	put32(frame, 0);
}

static void put_icmp(struct frame *frame, const struct layer *layer)
{
	put8(frame, layer->type);
	put8(frame, 0);
	put16(frame, 0);
	put16(frame, layer->id);
	put16(frame, 1);
}

static void finish_icmp(uint8_t *at, size_t len, const struct layer *layer)
{
	set16(at + 2, checksum(at, len, 0));
}

static void put_type(struct frame *frame, const struct layer *layer)
{
	put16(frame, ethertype_after(layer));
}

static void put_hsr(struct frame *frame, const struct layer *layer)
{
	put32(frame, 0x00340001); /* path, size; sequence number */
	put16(frame, ethertype_after(layer));
}

static void put_pppoe(struct frame *frame, const struct layer *layer)
{
	uint16_t protocol = layer->next;

	if (!protocol)
		protocol = layer[1].kind == LAYER_IPV4	 ? 0x0021
			   : layer[1].kind == LAYER_IPV6 ? 0x0057
							 : 0x0281;
	put32(frame, 0x11000000 | layer->id);
	put16(frame, 0);
	if (layer->one_byte)
		put8(frame, protocol);
	else
		put16(frame, protocol);
}

static void finish_pppoe(uint8_t *at, size_t len, const struct layer *layer)
{
	set16(at + 4, len - 6);
}

static void put_mpls(struct frame *frame, const struct layer *layer)
{
	uint32_t bottom = layer[1].kind != LAYER_MPLS && !layer->more;

	put32(frame, layer->id << 12 | bottom << 8 | 64);
}

static void put_macsec(struct frame *frame, const struct layer *layer)
{
	put8(frame, layer->type);
	put8(frame, 0);
	put32(frame, 1); /* packet number */
	if (layer->type & 0x20) {
		put_mac(frame, MAC_A);
		put16(frame, layer->id);
	}
}

static void put_esp(struct frame *frame, const struct layer *layer)
{
	put32(frame, layer->id);
	put32(frame, 1); /* sequence number */
}

static void put_gre(struct frame *frame, const struct layer *layer)
{
	put16(frame, layer->type);
	put16(frame, ethertype_after(layer));
	if (layer->type & 0x8000)
		put32(frame, 0xc5c50000);
	if (layer->type & 0x2000)
		put32(frame, layer->id);
	if (layer->type & 0x1000)
		put32(frame, 1);
}

static void put_vxlan(struct frame *frame, const struct layer *layer)
{
	put32(frame, layer->next ? 0x0c000000 | layer->next : 0x08000000);
	put32(frame, layer->id << 8);
}

static void put_geneve(struct frame *frame, const struct layer *layer)
{
	put8(frame, layer->options / 4);
	put8(frame, 0);
	put16(frame, ethertype_after(layer));
	put32(frame, layer->id << 8);
	put_fill(frame, layer->options, 1);
}

/* type: the flags; with the one for extensions, a PDU session container follows, as on N3. */
static void put_gtpu(struct frame *frame, const struct layer *layer)
{
	put8(frame, 0x30 | layer->type);
	put8(frame, layer->next ? layer->next : 0xff);
	put16(frame, 0);
	put32(frame, layer->id);
	if (layer->type & 7)
		put32(frame, layer->type & 4 ? 0x00010085 : 0x00010000);
	if (layer->type & 4)
		put32(frame, 0x01100900);
}

static void finish_gtpu(uint8_t *at, size_t len, const struct layer *layer)
{
	set16(at + 2, len - 8);
}

static void put_l2tp(struct frame *frame, const struct layer *layer)
{
	put32(frame, layer->id);
}

static void put_bytes(struct frame *frame, const struct layer *layer)
{
	uint8_t byte;

	for (const char *text = layer->hex; *text; text += 2) {
		if (sscanf(text, "%2hhx", &byte) != 1)
			abort();
		put8(frame, byte);
	}
}

static void put_arp(struct frame *frame, const struct layer *layer)
{
	put32(frame, 0x00010800);
	put32(frame, 0x06040001); /* request */
	put_mac(frame, MAC_A);
	put_ip(frame, AF_INET, "10.0.0.1");
	put_fill(frame, 6, 0);
	put_ip(frame, AF_INET, "10.0.0.2");
}

static void put_data(struct frame *frame, const struct layer *layer)
{
	put_fill(frame, layer->len, layer->fill ? layer->fill : 0xa5);
}

/* put() writes the header; finish(), if there is one, knows the length from it to the end. */
static const struct {
	void (*put)(struct frame *frame, const struct layer *layer);
	void (*finish)(uint8_t *at, size_t len, const struct layer *layer);
} ops[LAYER_COUNT] = {
	[LAYER_ETH] = { put_eth },
	[LAYER_VLAN] = { put_vlan },
	[LAYER_IPV4] = { put_ipv4, finish_ipv4 },
	[LAYER_IPV6] = { put_ipv6, finish_ipv6 },
	[LAYER_EXT] = { put_ext },
	[LAYER_TCP] = { put_tcp },
	[LAYER_UDP] = { put_udp, finish_udp },
	[LAYER_UDPLITE] = { put_udp, finish_udp },
	[LAYER_SCTP] = { put_sctp },
	[LAYER_DCCP] = { put_dccp },
	[LAYER_ICMP] = { put_icmp, finish_icmp },
	[LAYER_ICMPV6] = { put_icmp },
	[LAYER_ARP] = { put_arp },
	[LAYER_TYPE] = { put_type },
	[LAYER_HSR] = { put_hsr },
	[LAYER_PPPOE] = { put_pppoe, finish_pppoe },
	[LAYER_MPLS] = { put_mpls },
	[LAYER_MACSEC] = { put_macsec },
	[LAYER_ESP] = { put_esp },
	[LAYER_GRE] = { put_gre },
	[LAYER_VXLAN] = { put_vxlan },
	[LAYER_GENEVE] = { put_geneve },
	[LAYER_GTPU] = { put_gtpu, finish_gtpu },
	[LAYER_L2TP] = { put_l2tp },
	[LAYER_BYTES] = { put_bytes },
	[LAYER_DATA] = { put_data },
	[LAYER_TRAILER] = { put_data },
};

void frame_build(struct frame *frame, const struct layer *layers)
{
	size_t at[LAYERS_MAX], end = 0;
	int count = 0;

	frame->len = 0;
	for (; count < LAYERS_MAX && layers[count].kind != LAYER_NONE; count++) {
		at[count] = frame->len;
		ops[layers[count].kind].put(frame, &layers[count]);
		if (layers[count].kind != LAYER_TRAILER)
			end = frame->len;
	}
	while (count--) {
		if (ops[layers[count].kind].finish)
			ops[layers[count].kind].finish(frame->data + at[count], end - at[count],
						       &layers[count]);
	}
}
