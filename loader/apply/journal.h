/* SPDX-License-Identifier: GPL-2.0 */
/* What was changed and how it was before: a line a step, on disk before the change. */
#ifndef APPLY_JOURNAL_H
#define APPLY_JOURNAL_H

#include "lib/home.h"
#include "plan/plan.h"

/* An fd that journal_note() appends to. Says what failed. */
int journal_open(const struct home *home);
int journal_note(int journal, const struct step *step);

/* Whether this very change was noted before: somebody undid it, and it is done again. */
bool journal_has(const struct home *home, const struct step *step);

/*
 * Of values that are not one interface's alone. Whether another interface's
 * journal has a step that made the value what this step wants.
 */
bool journal_other_holds(const struct home *home, const struct step *step);

/*
 * Whether another interface's step was done on top of this one: then it is that
 * one which puts back what was before this one, and its journal says so now.
 */
bool journal_hand_over(const struct home *home, const struct step *step);

/* The journal of an interface that is called otherwise now, beside the old one. Says what failed.
 */
int journal_rename(const struct home *from, const struct home *to);

/* The number of steps in *ret, oldest first, to be freed; 0 without a journal. */
int journal_read(const struct home *home, struct step **ret);

#endif
