/* SPDX-License-Identifier: GPL-2.0 */
/* What was changed and how it was before: a line a step, on disk before the change. */
#ifndef APPLY_JOURNAL_H
#define APPLY_JOURNAL_H

#include "lib/home.h"
#include "plan/plan.h"

/* An fd that journal_note() appends to. Says what failed. */
int journal_open(const struct home *home);
int journal_note(int journal, const struct step *step);

/* The number of steps in *ret, oldest first, to be freed; 0 without a journal. */
int journal_read(const struct home *home, struct step **ret);

#endif
