/* SPDX-License-Identifier: GPL-2.0 */
/* What the machine is: gathered once, then read only. */
#ifndef FACTS_H
#define FACTS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "cpumap/abi.h"
#include "lib/cpuset.h"
#include "lib/home.h"

/* A fact may be unknown, and unknown is never taken for no. */
enum answer { UNKNOWN, NO, YES };
extern const char *const answer_names[];

struct cpu_facts {
	struct cpuset possible;
	struct cpuset online;
	struct cpuset allowed;	     /* online, and this process may run there */
	uint16_t capacity[CPUS_MAX]; /* 1024 is the fastest; 0: unknown */
	uint32_t idle_exit_us;	     /* of the deepest idle state; 0: unknown */
	uint64_t memory;	     /* bytes; 0: unknown */
	uint32_t page_size;	     /* bytes */
};

struct kernel_facts {
	enum answer gro; /* cpumap does GRO (6.15) */
	char gro_why[96];
	enum answer frags;     /* XDP programs with frags (5.18) */
	enum answer unaligned; /* programs may load from unaligned addresses */
	uint32_t tick_ns;      /* the time between two ticks (1 / HZ); 0: unknown */
};

/* The XDP program on the interface. */
struct xdp_facts {
	uint32_t prog_id; /* 0: none */
	char prog_name[16];
	char prog_tag[17];
	bool generic;
	bool dispatcher;  /* it is libxdp's */
	uint32_t link_id; /* 0: no bpf_link holds it */
};

struct iface_facts {
	char name[IFNAMSIZ];
	uint32_t index;
	char driver[32];
	uint32_t mtu;
	uint32_t speed_mbps;	/* 0: unknown */
	enum answer native;	/* the driver runs XDP itself, and redirects */
	enum answer rx_frags;	/* it passes frames of several buffers */
	enum answer gro;	/* the feature of that name is on */
	struct cpuset irq_cpus; /* CPUs that its interrupts go to */
	bool bridge_port;
	char dsa_tagging[24]; /* the tag a switch puts on its frames; "": none */
	struct xdp_facts xdp;
};

/* A cpumap entry. */
struct entry {
	uint32_t cpu;
	uint32_t lane;
	uint32_t qsize;	  /* packets */
	uint32_t prog_id; /* second stage, 0: none */
};

enum attach { ATTACH_NONE, ATTACH_LINK, ATTACH_DISPATCHER };

/*
 * What of ours is on the interface, as the pins tell. A part: pins without a
 * program that runs, as a load that was killed leaves them.
 */
struct loaded {
	enum { LOADED_NOT, LOADED_PART, LOADED_OTHER_ABI, LOADED } state;
	enum attach attach;
	bool generic;
	struct steer_config config;
	uint32_t steer_id;
	uint32_t pass_id;
	uint32_t link_id;
	uint32_t cpus_id;	      /* the cpumap */
	uint32_t lane_ids[LANES_MAX]; /* and those of all lanes */
	unsigned int slot_count;
	struct place slots[SLOTS_MAX];
	unsigned int entry_count;
	struct entry entries[CPUS_MAX];
	uint16_t weights[CPUS_MAX]; /* 0: no target CPU */
};

struct facts {
	struct cpu_facts cpus;
	struct kernel_facts kernel;
	struct iface_facts iface;
	struct loaded loaded;
	uint32_t programs; /* a checksum of those we bring */
};

/*
 * All that matters for one interface. root: of the machine or of a captured
 * host. Says what is wrong; -ENODEV without such an interface.
 */
int facts_gather(int root, const char *iface, struct facts **ret);

/* Its parts. */
void facts_cpus(int root, struct cpu_facts *ret);
int facts_iface(int root, const char *name, struct iface_facts *ret);
void facts_irq_cpus(int root, const char *iface, struct cpuset *ret);
void facts_kernel(int root, struct kernel_facts *ret);
void facts_xdp(uint32_t ifindex, struct xdp_facts *ret);
void facts_netdev(uint32_t ifindex, enum answer *ret_native, enum answer *ret_rx_frags);
void facts_loaded(const struct home *home, uint32_t ifindex, const struct xdp_facts *xdp,
		  struct loaded *ret);

#endif
