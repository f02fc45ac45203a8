/* SPDX-License-Identifier: GPL-2.0 */
/* What bpf/ and loader/ agree on: map keys and values, counters, limits. */
#ifndef CPUMAP_ABI_H
#define CPUMAP_ABI_H

#ifndef __VMLINUX_H__ /* a BPF object has its fixed-width types from vmlinux.h */
#include <linux/types.h>
#endif

#include "dsa.h"
#include "flow.h"

/*
 * The layout of the pins and of everything in this file. A loader that finds
 * pins of another layout does not read them.
 */
#define ABI_VERSION 3

#define QSIZE_MAX 16384 /* packets; kernel/bpf/cpumap.c refuses more (EOVERFLOW) */
#define SLOTS_MIN 256
#define SLOTS_MAX 4096
#define LANES_MAX 8			 /* cpumaps with an entry for the same CPU */
#define MARKS_MAX 16384			 /* a power of two */
#define WATCHED_MAPS_MAX (2 * LANES_MAX) /* a set that runs and one that takes over */
#define PREFIXES_MAX 1000000
#define HOMES_MAX 16 /* slots of each CPU for prefixes */
#define RULES_MAX 64
#define RULE_SETS 2    /* one that runs and one that takes over */
#define RULE_SLOTS 256 /* of all rules of a set; a power of two */
#define SLOTS_ALL (SLOTS_MAX + RULE_SETS * RULE_SLOTS)
#define RULE_IDS 128 /* more than rules, so that a new one does not count on an old one's */
#define RULE_NAME 32 /* with the NUL, as its text */
#define RULE_TEXT 472

/*
 * Why a frame stays on the RX CPU (XDP_PASS); each has a counter of that name.
 * X(name, help): help completes the sentence "a frame that ...".
 */
#define STAY_REASONS(X)                                                         \
	X(arp, "is ARP or RARP")                                                \
	X(llc, "is 802.3 with a length field (STP, IS-IS)")                     \
	X(link_local, "has a link-local multicast MAC (LLDP, LACP, ...)")       \
	X(control, "is a control protocol of the link (EAPOL, LLDP, CFM, MRP)") \
	X(ptp, "is PTP, whose hardware timestamp a redirect would lose")        \
	X(pppoe, "is PPPoE discovery, or PPP control (LCP, IPCP)")              \
	X(dsa, "is between the CPU and the switch (DSA management)")            \
	X(multicast, "is multicast or broadcast, and these are to stay")        \
	X(rule, "matches a rule whose action is pass")                          \
	X(not_ip, "carries no protocol we read")                                \
	X(truncated, "ends before the first header that could place it")        \
	X(malformed, "has an IP header that contradicts itself")                \
	X(too_deep, "has more VLAN tags than we read")                          \
	X(no_slot, "fell on a slot without a CPU")                              \
	X(no_entry, "fell on a CPU without a cpumap entry")

/* Every frame ends at one of these. */
#define VERDICTS(X) X(redirected, "was redirected to a target CPU") STAY_REASONS(X)

/*
 * Frames that were placed, but not by all their headers: the parser went back
 * to the last header it understood. Counted beside the verdict;
 * FALLBACK_none has no counter.
 */
#define FALLBACKS(X)                                                        \
	X(cut_short, "ends within a header")                                \
	X(fragments, "is a fragment: addresses and protocol only")          \
	X(headers_too_deep, "has more IPv6 extension headers than we read") \
	X(labels_too_deep, "has more MPLS labels than we read")             \
	X(tunnels_too_deep, "has more tunnels within tunnels than we read") \
	X(inner_unread, "carries in a tunnel what we do not read")

/* What a frame is made of, as `explain` shows it. */
#define LAYERS(X)     \
	X(ethernet)   \
	X(dsa)        \
	X(vlan)       \
	X(hsr)        \
	X(pppoe)      \
	X(mpls)       \
	X(pseudowire) \
	X(macsec)     \
	X(ipv4)       \
	X(ipv6)       \
	X(ipv6_ext)   \
	X(fragment)   \
	X(tcp)        \
	X(udp)        \
	X(sctp)       \
	X(dccp)       \
	X(udplite)    \
	X(icmp)       \
	X(icmpv6)     \
	X(esp)        \
	X(ah)         \
	X(gre)        \
	X(pptp)       \
	X(erspan)     \
	X(vxlan)      \
	X(geneve)     \
	X(gtpu)       \
	X(l2tp)

/* Which parts of the flow decide. */
#define HASHES(X)                               \
	X(l4, "addresses and ports")            \
	X(l3, "addresses alone")                \
	X(src, "the source address alone")      \
	X(dst, "the destination address alone") \
	X(siphash, "addresses and ports, by SipHash with 128 bits")

/* Whose addresses and ports: those of a tunnel, or of what it carries. */
#define INNERS(X)                                                                  \
	X(auto, "inner where the outer header hides the flows (GRE, IPIP, GTP-U)") \
	X(never, "always the outer header")                                        \
	X(always, "inner for VXLAN and Geneve too")

/* Whose longest prefix decides, before the flow hash does. */
#define MATCHES(X)                       \
	X(none, "there are no prefixes") \
	X(dst, "the destination's")      \
	X(src, "the source's")           \
	X(either, "the longer one of the two")

#define MATCH_ENUM(name, help) MATCH_##name,
#define COUNTER_MEMBER(name, help) __u64 name;
#define VERDICT_ENUM(name, help) VERDICT_##name,
#define FALLBACK_ENUM(name, help) FALLBACK_##name,
#define LAYER_ENUM(name) HEADER_##name,
#define HASH_ENUM(name, help) HASH_##name,
#define INNER_ENUM(name, help) INNER_##name,

enum verdict { VERDICTS(VERDICT_ENUM) VERDICT_COUNT };
enum header { LAYERS(LAYER_ENUM) HEADER_COUNT };
enum hash { HASHES(HASH_ENUM) HASH_COUNT };
enum match { MATCHES(MATCH_ENUM) MATCH_COUNT };
enum inner { INNERS(INNER_ENUM) INNER_COUNT };
enum fallback { FALLBACK_none, FALLBACKS(FALLBACK_ENUM) FALLBACK_COUNT };

/*
 * Map `counters`, one copy an RX CPU. Redirects are not here: they are counted
 * by slot, which saves each of them a lookup.
 */
struct counters {
	STAY_REASONS(COUNTER_MEMBER)
	FALLBACKS(COUNTER_MEMBER)
};

/* Where the frames of a slot go. All zero: nowhere, they stay on the RX CPU. */
struct place {
	__u16 cpu;
	__u8 lane; /* which of the cpumaps, 0 is `cpus` */
	__u8 set;  /* 1: cpu and lane mean something */
};

/*
 * Map `slots`, one entry a slot: written by the loader, read on every frame. An
 * RX CPU goes over to what is wanted when nothing of the slot is behind it.
 */
struct slot {
	struct place want;
	__u16 move; /* counts the moves: an RX CPU that has another number did not see this one */
	__u8 flags; /* enum slot_flags */
	__u8 pad;
};

enum slot_flags {
	SLOT_DELIVERED = 1 << 0, /* all that was sent before the move was wanted */
	SLOT_FORCE = 1 << 1,	 /* go over at once, even if frames change places */
	SLOT_SETTLED = 1 << 2,	 /* all that was sent before the transition began */
	SLOT_DISSOLVE = 1 << 3,	 /* the transition is over at once, even if ... */
};

/*
 * Map `slot_state`, one entry a slot, one copy an RX CPU: where this RX CPU
 * sends the slot now, and what it sent there since it does so.
 */
struct slot_state {
	struct place now;
	__u16 move;	  /* the last one that this RX CPU has seen */
	__u16 transition; /* the last one in which its flows have left it for their new slots */
	__u64 packets;
	__u64 bytes;
};

/*
 * Map `pending`, likewise: the last frame that this RX CPU sent to the old place
 * of a slot that is to move, or by a slot that its flows are to leave.
 */
struct pending {
	__u32 stamp;	  /* 0: the frame could not carry one */
	__u32 transition; /* in which it was */
	__u64 sent_ns;
};

/* What such a frame carries in front of it (data_meta) from steer to pass. */
struct stamp {
	__u32 magic; /* STAMP_MAGIC: others put metadata there, too */
	__u32 stamp;
	__u32 mark; /* where pass shall note that it came by */
};

#define STAMP_MAGIC 0x7e57a3b1

/*
 * Map `marks`: stamps that the second stage has seen. The stamp and the number
 * of frames are one word, so that no reader sees the one without the other.
 */
struct mark {
	__u64 seen; /* stamp << 32 | frames of the target with this one */
	__u64 at_ns;
};

/*
 * Map `asleep`, at lane * CPUs + CPU, written by the loader while slots move:
 * the entry's kthread has slept since it took that many frames, and since all
 * that was sent until then was in its queue. It sleeps when the queue is empty
 * and all it held has been delivered.
 */
struct asleep {
	__u64 packets;
	__u64 sent_ns;
};

/* What the loader knows about delays (a global of the programs, pinned as `rules`). */
struct move_rules {
	__u32 stamps;  /* frames can carry a stamp to the second stage */
	__u32 margin;  /* so many frames later, GRO has let go of a frame ... */
	__u64 hold_ns; /* ... if it was as long ago */
	__u64 idle_ns; /* after as long, everything has been delivered */
};

/* Map `moves`, one copy an RX CPU. */
struct moves {
	__u64 committed; /* slots that went over when nothing was behind them */
	__u64 forced;	 /* slots that went over all the same */
	__u64 stamps;	 /* given out */
};

/*
 * Map `sent`, at lane * CPUs + CPU, one copy an RX CPU: what slots that have
 * left the place had sent to it. Sent to a place in all = this + the slot_state
 * of the slots that are there now.
 */
struct sent {
	__u64 packets;
	__u64 bytes;
};

/*
 * Map `targets`, at lane * CPUs + CPU: what the second-stage program saw there.
 * Written on that CPU alone; a cache line each, as RX CPUs may read it.
 */
struct target {
	__u64 packets;
	__u64 bytes;
	__u64 kthread; /* its pid, noted by the loader; a hint, others may have the pid since */
	__u64 pad[5];
};

/* What of the kernel's tracepoints is ours: the pin `watched`, written by the loader. */
struct watched {
	struct watched_map {
		__u32 id; /* of a cpumap; 0: a free place */
		__u32 lane;
	} maps[WATCHED_MAPS_MAX];
	__u32 steer_id; /* programs */
	__u32 pass_ids[LANES_MAX];
};

/* Map `enqueued`, at lane * CPUs + CPU, one copy an RX CPU: into a cpumap entry's queue. */
struct enqueued {
	__u64 bulks;
	__u64 packets; /* offered to the queue, dropped or not */
	__u64 drops;   /* because it was full */
	__u64 errors;  /* redirects that failed; in generic mode, drops count here as well */
};

/* Map `dequeued`, at the lane, one copy a target CPU: what the entry's kthread did. */
struct dequeued {
	__u64 batches;
	__u64 packets; /* taken from the queue */
	__u64 drops;   /* for want of memory */
	__u64 sleeps;  /* the queue was empty, or the scheduler had others to run */
	__u64 stage_pass;
	__u64 stage_drop;
	__u64 stage_redirect;
};

/* Map `exceptions`, one copy a CPU: frames lost because a program or a driver failed. */
struct exceptions {
	__u64 steer;
	__u64 pass;
};

/*
 * Settled when `watch` is loaded: where the kernel keeps a program's id, in
 * bytes, as its BTF says. 0: it does not say, and nothing reads there.
 */
struct watch_config {
	__u32 cpus; /* possible CPUs */
	__u32 prog_aux;
	__u32 aux_id;
};

/* Maps `prefixes_4` and `prefixes_6`: keys in network order, as LPM tries have them. */
struct prefix_key_4 {
	__u32 len;
	__u32 addr;
};

struct prefix_key_6 {
	__u32 len;
	__u32 addr[4];
};

/* The slot of a prefix: behind those of the hash, each CPU has some for prefixes. */
struct prefix_home {
	__u16 cpu;
	__u8 home; /* below steer_config.homes */
	__u8 len;
};

/* Map `rule_hits`, by the id of a rule, one copy an RX CPU. */
struct rule_hit {
	__u64 packets;
	__u64 bytes;
};

/*
 * Map `rule_texts`, at (set - 1) * RULES_MAX + position: the rules as they were
 * given, of no use to the programs. No name: the end.
 */
struct rule_text {
	char name[RULE_NAME];
	char text[RULE_TEXT];
	__u32 id;
	__u32 pad;
};

/* Rules in their order. */
struct rule_list {
	unsigned int count;
	struct rule_text at[RULES_MAX];
};

/* What decided on the slot. */
#define DECIDERS(X) X(hash) X(prefix) X(rule)
#define DECIDER_ENUM(name) DECIDER_##name,

enum decider { DECIDERS(DECIDER_ENUM) DECIDER_COUNT };

/*
 * Map `explained`: all about the last frame, if steer_config.explain is set.
 * Nothing is counted then, and nothing of `slot_state` is read or written.
 */
#define HEADERS_MAX 44

struct explained {
	struct flow flow; /* of a frame with VERDICT_redirected, as it was hashed */
	__u32 hash;
	__u32 slot;
	struct place place;
	__u8 verdict;	    /* enum verdict */
	__u8 fallback;	    /* enum fallback */
	__u16 header_count; /* may be more than HEADERS_MAX, which then are the first */
	__u8 decider;	    /* enum decider; of a frame that stays: none but a rule's */
	__u8 rule;	    /* its id */
	__u8 pad[2];
	__u8 headers[HEADERS_MAX]; /* enum header */
};

/* How a frame comes to its slot. */
struct mapping {
	__u8 hash;  /* enum hash */
	__u8 match; /* enum match */
	__u8 key;   /* which of the two */
	__u8 rules; /* 0: none, else which set of them */
};

/*
 * What is settled at load time (read-only data of `steer` and `pass`, pinned
 * as `config`): the verifier removes the code of what is off.
 */
struct steer_config {
	__u32 abi;	      /* ABI_VERSION */
	__u32 slot_mask;      /* slots - 1; slots is a power of two */
	__u32 programs;	      /* a checksum of them: other ones take over */
	__u8 frags;	      /* frames may have more than one buffer */
	__u8 strict_align;    /* unaligned loads are refused or slow (MIPS) */
	__u8 inner;	      /* enum inner */
	__u8 multicast_stays; /* multicast and broadcast are passed */
	__u8 explain;	      /* explain each frame instead of counting it */
	__u8 lanes;	      /* that frames can be sent to: 1 or LANES_MAX */
	__u8 in_transition;   /* flows go from the slots of `before` to those of `now` */
	__u16 transition;     /* the number of the last one */
	__u8 rules;	      /* `now` or `before` has some */
	__u8 pad;
	struct mapping now;
	struct mapping before;
	__u32 mark_mask; /* marks - 1; a power of two */
	__u16 cpus;	 /* possible CPUs */
	__u16 homes;	 /* slots of each CPU for prefixes */
	struct dsa_tag dsa;
};

_Static_assert(sizeof(struct place) == 4, "compared as one word");
_Static_assert(sizeof(struct slot) == 8, "shared with bpf/");
_Static_assert(sizeof(struct slot_state) == 24, "shared with bpf/");
_Static_assert(sizeof(struct pending) == 16, "shared with bpf/");
_Static_assert(sizeof(struct stamp) == 12, "a multiple of 4, as data_meta has to be");
_Static_assert(sizeof(struct mark) == 16, "shared with bpf/");
_Static_assert(sizeof(struct move_rules) == 24, "shared with bpf/");
_Static_assert(sizeof(struct target) == 64, "a cache line");
_Static_assert(sizeof(struct prefix_home) == 4, "shared with bpf/");
_Static_assert(sizeof(struct explained) == 104, "shared with bpf/");
_Static_assert(sizeof(struct steer_config) == 48, "shared with bpf/");
_Static_assert(sizeof(struct rule_text) == 512, "no holes");
_Static_assert(sizeof(struct counters) == 8 * (VERDICT_COUNT - 1 + FALLBACK_COUNT - 1), "no holes");

#endif
