/* SPDX-License-Identifier: GPL-2.0 */
/* From what is wanted and what is there to the steps between. Pure: no fd, no clock, no print. */
#ifndef PLAN_H
#define PLAN_H

#include "cpumap/rules.h"
#include "facts/facts.h"
#include "policy/policy.h"

enum step_kind {
	STEP_PROGRAMS, /* maps and programs, loaded and pinned */
	STEP_RULES,    /* a set of rules, which the program then changes over to */
	STEP_ENTRY,    /* a cpumap entry */
	STEP_SLOTS,    /* the indirection table */
	STEP_VACATE,   /* the slots of one entry to the others, while it is replaced */
	STEP_WATCH,    /* what the kernel's tracepoints tell of them is counted */
	STEP_ATTACH,   /* the program on the interface */
	STEP_SETTLE,   /* until all flows go by their new slots */
	STEP_PROMOTE,  /* the new set of pins in the place of the old one */

	/* Tuning of the host: each is a value that is read, written, and put back. */
	STEP_FEATURE,	/* an offload feature, "eth0 rx-lro" */
	STEP_RPS,	/* the CPUs that rx-0 steers to, "eth0" */
	STEP_ATTRIBUTE, /* a file of the interface in sysfs, "eth0/gro_flush_timeout" */
	STEP_SYSCTL,	/* "net.core.gro_normal_batch" */
	STEP_IRQ,	/* the CPUs of an interrupt */
	STEP_NAPI,	/* whether the NAPI instances of an interface have threads */
	STEP_THREADS,	/* the CPUs of these threads */
	STEP_PRIORITY,	/* the nice value of the cpumap's kthreads; goes with them */
	STEP_KINDS,
};

extern const char *const step_kind_names[];

enum { STEP_VALUE = 192 };

/* Values are words for people and for the journal; "-" is nothing. */
struct step {
	enum step_kind kind;
	char target[64];
	char before[STEP_VALUE];
	char after[STEP_VALUE];
	char why[192];
};

/* A target CPU, with as many slots as its weight says. */
struct plan_target {
	uint32_t cpu;
	uint32_t lane;
	uint32_t weight;
	uint32_t slots;
};

enum {
	NOTES_MAX = 16,
	STAGES_MAX = 3,
	HOST_STEPS_MAX = 1024,
	STEPS_MAX = 3 * SLOTS_MAX + HOST_STEPS_MAX
};

struct plan {
	/* What the data plane shall be. */
	bool generic;
	enum attach attach;
	bool second_stage;
	struct steer_config config;
	uint32_t qsize;	    /* packets */
	uint32_t gro_batch; /* net.core.gro_normal_batch, now or then, whichever is larger */
	uint32_t lanes;	    /* of each target CPU */
	bool bounded;	    /* move slots after a while, even if it reorders */
	struct move_rules rules;
	unsigned int target_count;
	struct plan_target targets[TARGETS_MAX];
	unsigned int slot_count;       /* that the hash chooses from */
	unsigned int home_count;       /* behind them, for prefixes */
	struct place slots[SLOTS_ALL]; /* and behind them, for rules */
	uint32_t max_prefixes;
	struct rule_list rule_list;
	struct rule_set rule_set;
	unsigned int extra_count; /* CPUs that only rules send to */
	uint16_t extra[RULE_SLOTS];

	/* New programs take the place of those that run; share: with the same maps. */
	bool replace;
	bool share;

	/*
	 * What the steps of new programs make, in their order; the last is config.
	 * Another hash goes by a transition, so that no flow reorders.
	 */
	unsigned int stage_count;
	struct steer_config stages[STAGES_MAX];

	unsigned int step_count;
	struct step steps[STEPS_MAX];

	/* What the admin should know about it. */
	unsigned int note_count;
	char notes[NOTES_MAX][384];
};

/* The CPUs that have queues: the targets, then those of rules. */
static inline uint32_t plan_queue_cpu(const struct plan *plan, unsigned int i)
{
	return i < plan->target_count ? plan->targets[i].cpu : plan->extra[i - plan->target_count];
}

/* Says why it cannot be: -E_USAGE, -E_REFUSED, or an errno. */
int plan_make(const struct policy *policy, const struct facts *facts, struct plan **ret,
	      struct reason *why);

/* The steps of the data plane, as far as there is something to do. */
void plan_programs(const struct facts *facts, struct plan *plan);
void plan_stage(const struct facts *facts, struct plan *plan, const struct steer_config *stage);

/* The same, with what is between. Whether the new entries are made on the way. */
bool plan_transition(const struct facts *facts, struct plan *plan);
void plan_rule_step(const struct facts *facts, struct plan *plan);
void plan_table(const struct facts *facts, struct plan *plan);
void plan_watch(const struct facts *facts, struct plan *plan);
void plan_attach(const struct facts *facts, struct plan *plan);

/*
 * For `bench`: what runs steps aside while the interface is measured without
 * it, with RPS to these CPUs or as it was; and then all is as it was, if back.
 */
void plan_aside(const struct facts *facts, const struct iface_facts *was, const struct cpuset *rps,
		struct plan *plan);
void plan_back(const struct facts *facts, const struct iface_facts *was, bool attach,
	       struct plan *plan);
void plan_priority(const struct policy *policy, const struct facts *facts, struct plan *plan);

extern const char *const attach_names[];

/* Its parts. */
void plan_note(struct plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));
int plan_targets(const struct policy *policy, const struct facts *facts, struct plan *plan,
		 struct reason *why);
int plan_classifier(const struct policy *policy, const struct facts *facts, struct plan *plan,
		    struct reason *why);
int plan_rule_sets(const struct policy *policy, const struct facts *facts, struct plan *plan,
		   struct reason *why);
unsigned int plan_slot_count(unsigned int targets);
uint32_t plan_qsize(const struct facts *facts, unsigned int queues);
uint32_t plan_lanes(const struct facts *facts, bool generic, unsigned int targets);
struct move_rules plan_rules(const struct facts *facts, const struct plan *plan);

/* The settings that were not named are those that are in force. */
void policy_keep(struct policy *policy, const struct facts *facts);

/*
 * What `load --watch` goes by: what the admin wants, CPUs that are offline at the
 * moment included, and what it left behind the last time.
 */
struct following {
	struct policy wanted;
	struct rule_list rules; /* those of wanted */
	struct cpu_shares left;
};

/* What is loaded is wanted, as far as somebody changed it since follow_left(). */
void follow_loaded(struct following *following, const struct facts *facts);
void follow_left(struct following *following, const struct loaded *loaded);

/* What can be had of it now. False: none of the target CPUs is online. */
bool follow_policy(const struct following *following, const struct facts *facts,
		   struct policy *ret);

/*
 * The entries that the plan wants and that are not there, those that shall be
 * otherwise, and those that go.
 */
void plan_entries_new(const struct facts *facts, struct plan *plan);
void plan_entries_change(const struct facts *facts, struct plan *plan);
void plan_entries_leave(const struct facts *facts, struct plan *plan);

/* The host steps before the attach and those behind it: NAPI is new after it. */
int plan_host(const struct policy *policy, const struct facts *facts, struct plan *plan,
	      struct reason *why);
void plan_threads(const struct policy *policy, const struct facts *facts, struct plan *plan);

/* A step to be filled in further, a note for the admin. */
struct step *plan_step(struct plan *plan, enum step_kind kind, const char *target, const char *why);
void plan_note(struct plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is known of a driver, where facts do not tell. */
struct profile {
	const char *driver;  /* as `ethtool -i` has it */
	uint32_t native_mtu; /* more is refused in native mode; 0: no limit of its own */
	bool resets_link;    /* attach or detach takes the link down */
	bool no_help;	     /* steering costs more than it gains here */
	const char *attach;  /* what an attach does, for people; NULL: nothing to notice */
	const char *loses;   /* what a redirected frame loses here beyond the usual; NULL */
	const char *instead; /* what else to do, when it is of no help, or what to watch */
};

const struct profile *profile_of(const struct iface_facts *iface); /* never NULL */

/* The largest MTU for native mode, 0 for none known; facts win over the profile. */
uint32_t plan_native_mtu(const struct facts *facts);

/* The CPUs that serve the interface's interrupts, when they are where --irq-cpus wants them. */
struct cpuset plan_irq_cpus(const struct policy *policy, const struct facts *facts);

/* What --gro and --role come to, and why. */
enum keep plan_gro(const struct policy *policy, const struct facts *facts, const char **ret_why);

/* Memory that full queues hold: a page a frame. */
uint64_t plan_queue_bytes(const struct facts *facts, unsigned int queues, uint32_t qsize);

/*
 * Give each target its part of the slots by the largest remainder, so that the
 * parts add up, and deal the slots out. Slots that have an owner in old (NULL:
 * none have) keep it as far as its part allows. -ERANGE: a target gets none,
 * it is *ret_empty.
 */
int slots_share(struct plan_target *targets, unsigned int target_count, unsigned int slot_count,
		unsigned int *ret_empty);
void slots_deal(const struct plan_target *targets, unsigned int target_count,
		const struct place *old, struct place *slots, unsigned int slot_count);

/* One target a lane of each target, with its part of the slots. Returns how many. */
unsigned int slots_split(const struct plan_target *targets, unsigned int target_count,
			 unsigned int lanes, struct plan_target *ret, unsigned int max);

/*
 * The slots for prefixes: so many of each CPU, on its lanes in turn; those of
 * a CPU that is no target go to the targets in turn.
 */
void slots_homes(const struct plan_target *targets, unsigned int target_count, unsigned int lanes,
		 unsigned int cpus, unsigned int homes, struct place *ret);

/*
 * Deal the slots of one place out to the others that the plan's table has, also
 * to those that own none at this moment. False: there are no others.
 */
bool slots_vacate(struct place *slots, unsigned int slot_count, struct place from,
		  const struct plan *plan);

/* "3", or "3/1" for lane 1 of CPU 3, as the target of a step. */
void place_format(char *text, size_t size, uint32_t cpu, uint32_t lane);
struct place place_parse(const char *text);

/* "512 pass", as an entry step has it. */
void entry_format(char *text, size_t size, uint32_t qsize, bool second_stage);

#endif
