/* SPDX-License-Identifier: GPL-2.0 */
/* From the policy and the machine to what is loaded. Functions say what is wrong. */
#ifndef CMD_CONVERGE_H
#define CMD_CONVERGE_H

#include "apply/apply.h"
#include "plan/plan.h"

/*
 * The facts of an interface whose lock is held, without what a load that was
 * killed left. 1: there was that, and it is gone now.
 */
int converge_facts(const struct policy *policy, const struct home *home,
		   const struct source *source, struct facts **ret);

/* Plan what the policy asks for, stop at what is wrong with it, else do it. */
int converge(struct policy *policy, const struct home *home, struct facts *facts,
	     struct plan **ret);

/* For apply_undo(): say what became of each step. */
void undone_say(const struct step *step, enum undone undone, const char *now, void *data);

/* `load --watch`: load, and follow the interface until a signal says to end. */
int follow(const struct policy *policy, const struct source *source, int argc, char **argv);

#endif
