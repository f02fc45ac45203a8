/* SPDX-License-Identifier: GPL-2.0 */
/* From what is wanted and what is there to the steps between. Pure: no fd, no clock, no print. */
#ifndef PLAN_H
#define PLAN_H

#include "facts/facts.h"
#include "policy/policy.h"

enum step_kind {
	STEP_PROGRAMS, /* maps and programs, loaded and pinned */
	STEP_ENTRY,    /* a cpumap entry */
	STEP_SLOTS,    /* the indirection table */
	STEP_ATTACH,   /* the program on the interface */
	STEP_PROMOTE,  /* the new set of pins in the place of the old one */
	STEP_KINDS,
};

extern const char *const step_kind_names[];

/* Values are words for people and for the journal; "-" is nothing. */
struct step {
	enum step_kind kind;
	char target[24];
	char before[64];
	char after[64];
	char why[192];
};

/* A target CPU, with as many slots as its weight says. */
struct plan_target {
	uint32_t cpu;
	uint32_t weight;
	uint32_t slots;
};

enum { NOTES_MAX = 4 };

struct plan {
	/* What the data plane shall be. */
	bool generic;
	enum attach attach;
	bool second_stage;
	struct steer_config config;
	uint32_t qsize; /* packets */
	unsigned int target_count;
	struct plan_target targets[TARGETS_MAX];
	unsigned int slot_count;
	struct place slots[SLOTS_MAX];

	/* New maps and programs take the place of those that run. */
	bool replace;

	unsigned int step_count;
	struct step steps[2 * TARGETS_MAX + STEP_KINDS];

	/* What the admin should know about it. */
	unsigned int note_count;
	char notes[NOTES_MAX][256];
};

/* Says why it cannot be: -E_USAGE, -E_REFUSED, or an errno. */
int plan_make(const struct policy *policy, const struct facts *facts, struct plan **ret,
	      struct reason *why);

/* Its parts. */
int plan_targets(const struct policy *policy, const struct facts *facts, struct plan *plan,
		 struct reason *why);
uint32_t plan_qsize(const struct facts *facts, unsigned int targets);

/* Memory that full queues hold: a page a frame. */
uint64_t plan_queue_bytes(const struct facts *facts, unsigned int targets, uint32_t qsize);

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

/* "512 pass", as an entry step has it. */
void entry_format(char *text, size_t size, uint32_t qsize, bool second_stage);

#endif
