/* SPDX-License-Identifier: GPL-2.0 */
/* What the admin wants: text to struct, without a look at the machine. */
#ifndef POLICY_H
#define POLICY_H

#include <limits.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "cpumap/abi.h"
#include "lib/cpuset.h"
#include "lib/say.h"

#define TARGETS_MAX 1024 /* target CPUs of one interface */
#define WEIGHT_MAX 1000

/* Target CPUs and the weight of each: its part of the slots over the sum. */
struct cpu_shares {
	unsigned int count; /* 0: choose for me */
	struct cpu_share {
		uint16_t cpu;
		uint16_t weight;
	} at[TARGETS_MAX];
};

/*
 * "0-3,8" or "1-2:1,3:2", in any order, no CPU twice. Says why not, -EINVAL or
 * -ERANGE.
 */
int cpu_shares_parse(const char *list, struct cpu_shares *ret, struct reason *why);

enum mode { MODE_AUTO, MODE_NATIVE, MODE_SKB };
enum ask { ASK_AUTO, ASK_YES, ASK_NO };
enum multicast { MULTICAST_AUTO, MULTICAST_STEER, MULTICAST_PASS };

/* The tag of a DSA switch by its name in sysfs; NULL: not one we know. */
const struct dsa_tag *dsa_tag_find(const char *name);
/* A name of the tag; "" for one that no switch has. */
const char *dsa_tag_name(const struct dsa_tag *tag);
/* All names, for a sentence. */
void dsa_tag_names(char *text, size_t size);

#define LANES_AUTO 255
#define PREFIXES_DEFAULT 65536

/* Of the host: what is not asked for is not touched, unless steering is wrong with it. */
enum keep { KEEP, KEEP_ON, KEEP_OFF };
enum napi_mode { NAPI_KEEP, NAPI_THREADED, NAPI_SOFTIRQ };
enum role { ROLE_NONE, ROLE_HOST, ROLE_ROUTER };

struct number {
	bool set; /* else: keep what it is */
	int32_t value;
};

struct cpu_list {
	bool set;
	struct cpuset cpus;
};

enum { ROWS_MAX = 64 }; /* of the table of options */

struct policy {
	char iface[IFNAMSIZ]; /* "" for all of them, where a verb takes that */
	struct cpu_shares cpus;
	uint32_t qsize; /* packets; 0: choose for me */
	uint32_t lanes; /* 0: one, LANES_AUTO: choose for me */
	enum mode mode;
	enum ask dispatcher;
	bool no_second_stage;
	bool bounded; /* after a second, move slots even if it reorders */
	enum hash hash;
	bool rekey; /* another key for the hash */
	enum inner inner;
	enum multicast multicast;
	enum match match;		   /* prefixes before the hash */
	uint32_t max_prefixes;		   /* of each IP version; 0: PREFIXES_DEFAULT */
	char rules[PATH_MAX];		   /* a file of them; "": none */
	char before[RULE_NAME];		   /* of `rule add`; "": behind all others */
	const struct rule_list *rule_list; /* its contents; NULL: none */
	char dsa[24];			   /* the tag's name; "": as the interface says */
	bool force;			   /* do what we advise against */

	/* Tuning of the host. */
	enum role role;
	bool keep_rps;
	enum keep gro;
	enum keep udp_gro;
	enum napi_mode napi;
	struct cpu_list napi_cpus;
	struct cpu_list irq_cpus;
	struct number gro_normal_batch; /* packets */
	struct number gro_flush_timeout_us;
	struct number napi_defer_hard_irqs; /* polls */
	struct number priority;		    /* nice value of the kthreads */

	/* How to go about it. */
	char given[IFNAMSIZ]; /* the interface as it was given; it may be called otherwise now */
	bool follow;	      /* go on, and follow what happens to it */
	bool quiet;	      /* warn of nothing; it was said before */
	char netns[256];      /* "": the one we are in */
	char config[4096];    /* "": no file */
	char pcap[4096];
	uint64_t seed;
	bool summary;
	bool dry_run;
	bool yes;	   /* do not ask before the link goes down */
	bool facts;	   /* `check` shows what it looked at */
	char host[256];	   /* a captured host instead of this one; "": this one */
	char capture[256]; /* `check` writes what it looked at there */
	bool json;
	uint16_t lines[ROWS_MAX]; /* of the config file that set an option; 0: none did */
	uint64_t named;		  /* options on the command line: `set` keeps what the others set */
	uint32_t rounds;	  /* of bench; 0: choose for me */
	char svg[PATH_MAX];
	bool balance;
	bool prometheus;
	char output[PATH_MAX]; /* "": stdout */
	uint32_t watch_s;      /* seconds between two looks; 0: one look */
};

/*
 * "FILE:LINE: " when the sentence names an option, as "--cpus", that a line of the
 * config file has set; else "".
 */
void policy_line(const struct policy *policy, const char *sentence, char *text, size_t size);

/* Whether the option stood on the command line. */
bool policy_names(const struct policy *policy, const char *option);

extern const char *const mode_names[];
extern const char *const ask_names[];
extern const char *const hash_names[];
extern const char *const inner_names[];
extern const char *const keep_names[];
extern const char *const napi_names[];
extern const char *const role_names[];
extern const char *const match_names[];

#endif
