/* SPDX-License-Identifier: GPL-2.0 */
/* DSA: the tags that switches put on frames for the CPU, by their names in sysfs. */
#ifndef CPUMAP_DSA_H
#define CPUMAP_DSA_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

/* What there is to know about a tag beyond its size. */
enum dsa_kind {
	DSA_NONE,    /* no tag, or one behind the frame: IP lengths keep it out */
	DSA_PLAIN,   /* nothing in it concerns us */
	DSA_MARVELL, /* its last 4 bytes begin with a command: 3 is FORWARD */
	DSA_QCA,     /* version 2; a type other than 0 is management */
	DSA_SJA1110, /* a bit says that it is meta data, no frame */
	DSA_NETC,    /* a subtype other than 0 makes it 8 bytes longer */
};

struct dsa_tag {
	__u16 marker; /* the EtherType of the tag; 0: none, a tag is always there */
	__u8 front;   /* bytes in front of the MAC addresses */
	__u8 len;     /* bytes between them and the EtherType */
	__u8 kind;    /* enum dsa_kind */
	__u8 pad[3];
};

/* X(name in /sys/class/net/<conduit>/dsa/tagging, marker, front, len, kind) */
#define DSA_TAGS(X)                              \
	X("none", 0, 0, 0, DSA_NONE)             \
	X("dsa", 0, 0, 4, DSA_MARVELL)           \
	X("edsa", 0xdada, 0, 8, DSA_MARVELL)     \
	X("brcm", 0, 0, 4, DSA_PLAIN)            \
	X("brcm-prepend", 0, 4, 0, DSA_PLAIN)    \
	X("brcm-legacy", 0, 0, 6, DSA_PLAIN)     \
	X("brcm-legacy-fcs", 0, 0, 6, DSA_PLAIN) \
	X("qca", 0, 0, 2, DSA_QCA)               \
	X("ar9331", 0, 2, 0, DSA_PLAIN)          \
	X("mtk", 0, 0, 4, DSA_PLAIN)             \
	X("mt7628", 0, 0, 4, DSA_PLAIN)          \
	X("rtl4a", 0x8899, 0, 4, DSA_PLAIN)      \
	X("rtl8_4", 0x8899, 0, 8, DSA_PLAIN)     \
	X("rtl8_4t", 0, 0, 0, DSA_NONE)          \
	X("gswip", 0, 8, 0, DSA_PLAIN)           \
	X("gsw1xx", 0x88c3, 0, 8, DSA_PLAIN)     \
	X("mxl862xx", 0x88c3, 0, 8, DSA_PLAIN)   \
	X("ocelot", 0, 20, 0, DSA_PLAIN)         \
	X("seville", 0, 20, 0, DSA_PLAIN)        \
	X("ocelot-8021q", 0, 0, 0, DSA_NONE)     \
	X("vsc73xx-8021q", 0, 0, 0, DSA_NONE)    \
	X("lan9303", 0, 0, 0, DSA_NONE)          \
	X("sja1105", 0xdadb, 0, 4, DSA_PLAIN)    \
	X("sja1110", 0xdadc, 0, 4, DSA_SJA1110)  \
	X("a5psw", 0xe001, 0, 8, DSA_PLAIN)      \
	X("yt921x", 0x9988, 0, 8, DSA_PLAIN)     \
	X("nxp_netc", 0xfd3a, 0, 6, DSA_NETC)    \
	X("ksz8463", 0, 0, 0, DSA_NONE)          \
	X("ksz8795", 0, 0, 0, DSA_NONE)          \
	X("ksz9477", 0, 0, 0, DSA_NONE)          \
	X("ksz9893", 0, 0, 0, DSA_NONE)          \
	X("lan937x", 0, 0, 0, DSA_NONE)          \
	X("hellcreek", 0, 0, 0, DSA_NONE)        \
	X("xrs700x", 0, 0, 0, DSA_NONE)          \
	X("trailer", 0, 0, 0, DSA_NONE)

_Static_assert(sizeof(struct dsa_tag) == 8, "shared with bpf/");

#endif
