/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of step: how each is done and undone. */
#ifndef APPLY_STEPS_H
#define APPLY_STEPS_H

#include "dataplane/dataplane.h"
#include "plan/plan.h"

/* Where the steps are done. */
struct site {
	const struct home *home;
	const struct plan *plan;   /* NULL when a journal is played back */
	const struct facts *facts; /* likewise */
	uint32_t ifindex;	   /* 0: gone */
	uint32_t steer_id;	   /* the program in the dispatcher, when played back */
	struct dataplane dataplane;
	unsigned int stage;  /* of the plan, that the next programs are for */
	unsigned int lanes;  /* that there are maps for */
	uint16_t transition; /* the last one */
	bool renewed;	     /* the hash key is */
	int behind;	     /* slots that have not moved; -1: nobody has looked */
	int root;	     /* of the machine */
	char said[160];	     /* the kernel's words about the last value it refused, or "" */
};

struct step_ops {
	/* Mandatory. 1: done, but what comes behind it has to wait for another time. */
	int (*write)(struct site *site, const struct step *step);
	/* Back to what was before, when a later step of the same plan fails. */
	int (*undo)(struct site *site, const struct step *step);
	/*
	 * For `unload`, from the journal. Kinds without it leave nothing once
	 * the pins are gone, and are not in the journal.
	 */
	int (*restore)(struct site *site, const struct step *step);
};

/* Of the kinds that are no value of the host (see values.h). */
extern const struct step_ops step_ops[STEP_KINDS];

#endif
