/* SPDX-License-Identifier: GPL-2.0 */
/* `bench`: does it help here? Arms in turn, in namespaces of its own, and what they cost. */
#ifndef BENCH_H
#define BENCH_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "lib/cpuset.h"

struct json_object;

enum arm { ARM_PLAIN, ARM_RPS, ARM_PASS, ARM_CPUMAP, ARM_GRO, ARM_LANES, ARMS };
enum kind { KIND_DROP, KIND_GRO, KIND_TCP, KIND_TCPS, KIND_LIVE, KINDS };
enum { ROUNDS_MAX = 100 };

/* The interfaces of the namespaces of our own: no other has such a name. */
#define BENCH_TX "bench-tx"
#define BENCH_RX "bench-rx"

extern const char *const arm_names[];
extern const char *const arm_helps[];
extern const char *const live_arm_helps[];
extern const char *const kind_names[];
extern const char *const kind_helps[];

/* What one arm did with one kind of traffic in one round. NAN: not known. */
struct bench_sample {
	double packets_per_s; /* delivered */
	double rx_ns;	      /* of CPU time a delivered packet, where they are sent and received */
	double target_ns;     /* on the other CPUs */
	double frames_per_skb;
	double drops_pct;
	double reorders;
	double rtt_p50_us; /* of a ping beside the load */
	double rtt_p99_us;
};

struct bench_result {
	char iface[IFNAMSIZ]; /* whose traffic it was; "": our own, in namespaces of our own */
	unsigned int rounds;
	bool forced; /* although the machine was busy */
	bool have[ARMS];
	unsigned int rx_cpu;
	struct cpuset targets;
	char kernel[65];
	char when[24];
	struct bench_sample samples[ARMS][KINDS][ROUNDS_MAX];
};

/* ---- numbers, pure --------------------------------------------------------------------- */

struct spread {
	unsigned int count; /* of known ones */
	double least, median, most;
};

/* The ratio of an arm to another, of the same rounds, and a 95 % interval by bootstrap. */
struct ratio {
	double median, low, high;
	enum verdict_of { RATIO_UNKNOWN, RATIO_SAME, RATIO_BETTER, RATIO_WORSE } verdict;
};

/* member: the offset of a double in struct bench_sample. */
struct spread bench_spread(const struct bench_result *result, enum arm arm, enum kind kind,
			   size_t member);
struct ratio bench_ratio(const struct bench_result *result, enum arm arm, enum arm base,
			 enum kind kind, size_t member);

/* Whether that kind of traffic was measured: that of an interface, or ours. */
bool bench_has(const struct bench_result *result, enum kind kind);

/* What to do, in words; ret is large enough for three sentences. */
void bench_advise(const struct bench_result *result, char *ret, size_t size);

void bench_table(const struct bench_result *result, FILE *out);
struct json_object *bench_json(const struct bench_result *result);
void bench_svg(FILE *out, const void *result);

/* ---- the doing, each says what failed -------------------------------------------------- */

/* Two namespaces and a veth pair between; we are in the receiver's. */
struct bench_net {
	int sender; /* the namespaces */
	int receiver;
	uint32_t tx_index;
	uint32_t rx_index;
};

int bench_net_make(struct bench_net *ret);
int bench_features(const char *iface, bool gro, bool offload);

int bench_arm_begin(enum arm arm, const struct bench_result *result, uint32_t rx_index);
int bench_arm_end(enum arm arm, uint32_t rx_index);

/* One arm, already begun, with one kind of traffic. */
int bench_measure(enum arm arm, enum kind kind, const struct bench_net *net,
		  const struct bench_result *result, struct bench_sample *ret);

/* -EINTR: Ctrl-C or a signal says to end; then nothing may stay behind. */
int bench_wait(unsigned int ms);

int bench_run(unsigned int rounds, bool force, struct bench_result *ret);

/* What runs share: an order drawn anew, the place and time, the signals that bench_wait() sees. */
void bench_shuffle(enum arm *arms, unsigned int count);
void bench_note_where(struct bench_result *result);
void bench_watch_signals(void);

/*
 * The same on the traffic of an interface, whose arms the caller begins and
 * ends; result has them, the targets and the interface's name.
 */
struct live {
	int (*begin)(enum arm arm, void *data);
	int (*end)(enum arm arm, void *data);
	void *data;
};

int bench_live(const struct live *live, unsigned int rounds, bool force,
	       struct bench_result *result);

/* The arms that an interface can have, and their targets. Says why not, and what failed. */
struct policy;
struct facts;
struct plan;
int bench_choose(const struct policy *policy, const struct facts *was, struct bench_result *result);

/* An arm that steers, from what is now; was: before the first arm. */
int bench_plan(const struct policy *wanted, const struct facts *was, const struct facts *facts,
	       enum arm arm, struct plan **ret);

/* The processes that send and receive; what they counted is in memory we share. */
enum { PINGS_MAX = 4096, WORKERS_MAX = 6 };

struct tally {
	uint64_t packets; /* delivered */
	uint64_t bytes;
	uint64_t reorders;
	uint32_t pings;
	uint32_t rtt_us[PINGS_MAX];
};

struct crew {
	enum kind kind;
	const struct bench_net *net;
	unsigned int rx_cpu;
	const struct cpuset *targets;
	struct tally *tally;
	unsigned int count;
	pid_t pids[WORKERS_MAX];
	pid_t sender; /* one of them */
};

int crew_start(struct crew *crew);
void crew_stop(struct crew *crew);

/* What the workers run, each in a process of its own; they end by a signal. */
void work_frames(const struct crew *crew);
void work_udp_sink(const struct crew *crew);
void work_tcp_send(const struct crew *crew);
void work_tcp_sink(const struct crew *crew);
void work_ping(const struct crew *crew);
void work_echo(const struct crew *crew);

#define BENCH_SENDER_IP 0xc6120001u   /* 198.18.0.1, of the benchmarks' network (RFC 2544) */
#define BENCH_RECEIVER_IP 0xc6120002u /* 198.18.0.2 */
enum { PORT_SINK = 9000, PORT_TCP, PORT_ECHO, PORT_NOBODY };

#endif
