/* SPDX-License-Identifier: GPL-2.0 */
/* What the machine is: gathered once, then read only. */
#ifndef FACTS_H
#define FACTS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "cpumap/abi.h"
#include "facts/source.h"
#include "lib/cpuset.h"
#include "lib/home.h"

/* A fact may be unknown, and unknown is never taken for no. */
enum answer { UNKNOWN, NO, YES };
extern const char *const answer_names[];

struct cpu_facts {
	struct cpuset possible;
	struct cpuset online;
	struct cpuset allowed;	/* online, and this process may run there */
	struct cpuset isolated; /* from the scheduler: isolcpus */
	struct cpuset nohz_full;
	uint16_t capacity[CPUS_MAX]; /* 1024 is the fastest; 0: unknown */
	uint16_t core[CPUS_MAX];     /* the first of its SMT siblings */
	uint16_t node[CPUS_MAX];     /* NUMA */
	unsigned int nodes;
	uint32_t idle_exit_us; /* of the deepest idle state; 0: unknown */
	uint32_t cache_kib;    /* the last level's, of one CPU; 0: unknown */
	uint64_t memory;       /* bytes; 0: unknown */
	uint32_t page_size;    /* bytes */
};

struct kernel_facts {
	char release[64]; /* to show, never to decide by */
	enum answer bpf;  /* we may load programs */
	enum answer gro;  /* cpumap does GRO (6.15) */
	char gro_why[96];
	enum answer second_stage; /* a cpumap entry may have a program (5.9) */
	enum answer generic;	  /* cpumap behind generic XDP (5.15) */
	enum answer link;	  /* a bpf_link holds XDP (5.9) */
	enum answer extensions;	  /* programs that replace others: libxdp's dispatcher */
	enum answer frags;	  /* XDP programs with frags (5.18) */
	enum answer unaligned;	  /* programs may load from unaligned addresses */
	uint32_t tick_ns;	  /* the time between two ticks (1 / HZ); 0: unknown */
	enum answer btf;
	enum answer bpffs;
	enum answer jit;     /* programs are compiled, not interpreted */
	char jit_enable[8];  /* net.core.bpf_jit_enable; "": there is no such setting */
	enum answer memlock; /* maps are charged to a limit that we may not raise (before 5.11) */
	char lockdown[24];
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

/* Offload features that matter here, under the names of the kernel (`ethtool -k`). */
enum feature {
	FEATURE_RXCSUM,
	FEATURE_RXVLAN,
	FEATURE_RXVLAN_STAG,
	FEATURE_LRO,
	FEATURE_GRO,
	FEATURE_GRO_HW,
	FEATURE_GRO_LIST,
	FEATURE_UDP_GRO,
	FEATURE_HW_TC,
	FEATURES,
};
extern const char *const feature_names[];

struct feature_fact {
	enum answer on;
	bool fixed; /* the driver does not let it be changed */
};

enum { NEIGHBOURS_MAX = 32, FACT_NAPIS_MAX = 512, FACT_IRQS_MAX = 512 };

/* Names of interfaces above or below one, or of the ports of a switch. */
struct iface_names {
	unsigned int count;
	char at[NEIGHBOURS_MAX][IFNAMSIZ];
};

struct napi_fact {
	uint32_t id;
	uint32_t irq;	      /* 0: not told */
	uint32_t pid;	      /* of its thread, 0: none */
	enum answer threaded; /* UNKNOWN: it cannot be set for one NAPI alone */
	char cpus[64];	      /* where the thread may run */
};

struct irq_fact {
	uint32_t irq;
	struct cpuset cpus; /* where it goes */
	char allowed[192];  /* where it may go: smp_affinity_list */
	bool fixed;	    /* the kernel does not let us move it */
	bool idle;	    /* it has never come, while others of the device have */
};

/* What steers received packets already, of rx-0: what cpumap hands on counts as received there. */
struct rps_fact {
	char cpus[192]; /* a list, "none": off; "": no such file */
	char flows[16]; /* rps_flow_cnt */
};

/* A user port of the switch behind a DSA conduit. */
struct port_fact {
	char name[IFNAMSIZ];
	struct feature_fact features[FEATURES];
	struct rps_fact rps;
	char gro_flush_timeout[24]; /* ns */
};

struct iface_facts {
	char name[IFNAMSIZ];
	uint32_t index;
	char kind[16]; /* "ethernet", or what the kernel says it is: vlan, bridge, dsa, ... */
	char driver[32];
	char bus[16];
	char bus_info[32]; /* what the bus calls the device: 0000:03:00.0 */
	uint32_t mtu;
	uint32_t speed_mbps; /* 0: unknown */
	enum answer carrier;
	enum answer native;   /* the driver runs XDP itself, and redirects */
	enum answer rx_frags; /* it passes frames of several buffers */
	uint32_t rx_queues;
	uint32_t tx_queues;
	uint32_t channels_max; /* 0: unknown */
	uint32_t ring_rx, ring_rx_max;
	uint32_t rx_usecs; /* interrupt coalescing; 0: none or unknown */
	char rss_udp4[8]; /* what RSS hashes of UDP over IPv4, as ethtool -N: "sdfn"; "": unknown */
	uint16_t node;	  /* NUMA */
	struct feature_fact features[FEATURES];
	struct rps_fact rps;
	char xps[192]; /* of tx-0, a list */
	char threaded[8];
	char gro_flush_timeout[24]; /* ns */
	char napi_defer_hard_irqs[16];
	struct iface_names lowers;
	struct iface_names uppers;
	bool has_vlans;	 /* among the uppers */
	bool hw_buffers; /* mvneta's buffer manager */
	bool default_route;
	bool session; /* the caller's SSH comes in here */
	unsigned int port_count;
	struct port_fact ports[NEIGHBOURS_MAX];
	unsigned int napi_count;
	struct napi_fact napis[FACT_NAPIS_MAX];
	unsigned int irq_count;
	struct irq_fact irqs[FACT_IRQS_MAX];
	char irqs_by[24];	/* how they were found */
	struct cpuset irq_cpus; /* CPUs that its interrupts go to */
	bool bridge_port;
	char dsa_tagging[24]; /* the tag a switch puts on its frames; "": none */
	struct xdp_facts xdp;
};

enum { SHAPERS_MAX = 32 };

/* A queueing discipline that limits the rate. */
struct shaper {
	char iface[IFNAMSIZ];
	char kind[8];
	uint64_t bytes_per_s;
	bool splits; /* a merged packet is cut up again (cake) */
};

/* What else on the machine has a say in where packets go. */
struct host_facts {
	enum answer irqbalance;
	char services[192]; /* others that steer, a list of names; "": none seen */
	char pins[192];	    /* paths in the bpffs, of others that steer */
	char rps_sock_flow_entries[16];
	char gro_normal_batch[16];
	bool fragments; /* some came in, to be put together here */
	unsigned int shaper_count;
	struct shaper shapers[SHAPERS_MAX];
};

/* A cpumap entry. */
struct entry {
	uint32_t cpu;
	uint32_t lane;
	uint32_t qsize;	  /* packets */
	uint32_t prog_id; /* second stage, 0: none */
	uint32_t pid;	  /* of its kthread; 0: not found */
	bool adrift;	  /* its kthread may run elsewhere: the CPU was offline */
};

enum { NICE_MIXED = 99 };
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
	int nice;		      /* of its kthreads; NICE_MIXED when they differ */
	bool watched;		      /* its redirects are counted in the tracepoints */
	uint32_t max_prefixes;
	unsigned int slot_count;       /* that the hash chooses from */
	unsigned int home_count;       /* behind them, for prefixes */
	struct place slots[SLOTS_ALL]; /* all of them; the last ones are for rules */
	struct rule_list rule_list;
	unsigned int entry_count;
	struct entry entries[CPUS_MAX];
	uint16_t weights[CPUS_MAX]; /* 0: no target CPU */
};

struct facts {
	struct cpu_facts cpus;
	struct kernel_facts kernel;
	struct iface_facts iface;
	struct host_facts host;
	struct loaded loaded;
	uint32_t programs; /* a checksum of those we bring */
};

/*
 * All that matters for one interface. Says what is wrong; -ENODEV without such
 * an interface.
 */
int facts_gather(const struct source *source, const char *iface, struct facts **ret);

/* As text, a fact a line: for people, and for tests of captured hosts. */
void facts_show(const struct facts *facts, FILE *out);

/* Copy what facts are made of to a folder that is a root then. Says what fails. */
int facts_capture(const struct source *source, const char *directory);

/* Its parts. */
void facts_cpus(const struct source *source, struct cpu_facts *ret);
int facts_iface(const struct source *source, const char *name, struct iface_facts *ret);
void facts_irqs(const struct source *source, struct iface_facts *iface);
void facts_features(const struct source *source, const char *iface, struct feature_fact *ret);
void facts_rps(const struct source *source, const char *iface, struct rps_fact *ret);
void facts_stack(const struct source *source, struct iface_facts *iface);
void facts_ports(const struct source *source, struct iface_facts *iface);
void facts_routes(const struct source *source, struct iface_facts *iface);
void facts_napis(const struct source *source, struct iface_facts *iface);
void facts_kernel(const struct source *source, struct kernel_facts *ret);
void facts_host(const struct source *source, struct host_facts *ret);
/* Note a process of that name if it moves interrupts or steers packets. */
void facts_competitor(const char *comm, struct host_facts *host);
void facts_program(const struct source *source, const char *iface, struct xdp_facts *ret);
void facts_loaded(const struct home *home, uint32_t ifindex, const struct xdp_facts *xdp,
		  struct loaded *ret);

#endif
