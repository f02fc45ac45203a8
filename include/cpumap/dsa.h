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
	__u8 port_at; /* the byte that has the port of the switch, and where in it */
	__u8 port_shift;
	__u8 port_mask; /* 0: we do not know */
};

/* X(name in /sys/class/net/<conduit>/dsa/tagging, marker, front, len, kind, port: at, shift, mask)
 */
#define DSA_TAGS(X)                                       \
	X("none", 0, 0, 0, DSA_NONE, 0, 0, 0)             \
	X("dsa", 0, 0, 4, DSA_MARVELL, 1, 3, 0x1f)        \
	X("edsa", 0xdada, 0, 8, DSA_MARVELL, 5, 3, 0x1f)  \
	X("brcm", 0, 0, 4, DSA_PLAIN, 3, 0, 0x1f)         \
	X("brcm-prepend", 0, 4, 0, DSA_PLAIN, 3, 0, 0x1f) \
	X("brcm-legacy", 0, 0, 6, DSA_PLAIN, 0, 0, 0)     \
	X("brcm-legacy-fcs", 0, 0, 6, DSA_PLAIN, 0, 0, 0) \
	X("qca", 0, 0, 2, DSA_QCA, 1, 0, 0x07)            \
	X("ar9331", 0, 2, 0, DSA_PLAIN, 0, 0, 0x0f)       \
	X("mtk", 0, 0, 4, DSA_PLAIN, 1, 0, 0x07)          \
	X("mt7628", 0, 0, 4, DSA_PLAIN, 0, 0, 0)          \
	X("rtl4a", 0x8899, 0, 4, DSA_PLAIN, 3, 0, 0x0f)   \
	X("rtl8_4", 0x8899, 0, 8, DSA_PLAIN, 7, 0, 0x0f)  \
	X("rtl8_4t", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("gswip", 0, 8, 0, DSA_PLAIN, 7, 4, 0x07)        \
	X("gsw1xx", 0x88c3, 0, 8, DSA_PLAIN, 2, 0, 0x1f)  \
	X("mxl862xx", 0x88c3, 0, 8, DSA_PLAIN, 0, 0, 0)   \
	X("ocelot", 0, 20, 0, DSA_PLAIN, 0, 0, 0)         \
	X("seville", 0, 20, 0, DSA_PLAIN, 0, 0, 0)        \
	X("ocelot-8021q", 0, 0, 0, DSA_NONE, 0, 0, 0)     \
	X("vsc73xx-8021q", 0, 0, 0, DSA_NONE, 0, 0, 0)    \
	X("lan9303", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("sja1105", 0xdadb, 0, 4, DSA_PLAIN, 0, 0, 0)    \
	X("sja1110", 0xdadc, 0, 4, DSA_SJA1110, 0, 0, 0)  \
	X("a5psw", 0xe001, 0, 8, DSA_PLAIN, 0, 0, 0)      \
	X("yt921x", 0x9988, 0, 8, DSA_PLAIN, 0, 0, 0)     \
	X("nxp_netc", 0xfd3a, 0, 6, DSA_NETC, 0, 0, 0)    \
	X("ksz8463", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("ksz8795", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("ksz9477", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("ksz9893", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("lan937x", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("hellcreek", 0, 0, 0, DSA_NONE, 0, 0, 0)        \
	X("xrs700x", 0, 0, 0, DSA_NONE, 0, 0, 0)          \
	X("trailer", 0, 0, 0, DSA_NONE, 0, 0, 0)

_Static_assert(sizeof(struct dsa_tag) == 8, "shared with bpf/");

#endif
