/* SPDX-License-Identifier: GPL-2.0 */
/* See slots move: tell the programs what only user space can see, and wait. */
#ifndef APPLY_MOVES_H
#define APPLY_MOVES_H

#include "apply/steps.h"

/*
 * Want the slots there. While packets flow, stay until all RX CPUs send them
 * there; those that a flow without a gap holds back are forced over (bounded),
 * or left behind: site->behind says how many.
 */
int moves_make(struct site *site, const struct place *places);

/* Stay until no slot moves, so that a transition may begin. */
int moves_rest(struct site *site);

/*
 * Stay until the flows go by their new slots on all RX CPUs. How many slots are
 * left that some flow without a gap still goes by in its old way.
 */
int moves_settle(struct site *site, uint16_t transition);

/* Whether some RX CPU may still send to that place. Waits first, if nobody has. */
int moves_reach(struct site *site, struct place place, bool *ret);

/* Where the slots are wanted now. */
void moves_wanted(const struct site *site, struct place *ret);

#endif
