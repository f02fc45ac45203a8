/* SPDX-License-Identifier: GPL-2.0 */
/* The only code that changes anything: does the steps of a plan, and undoes them. */
#ifndef APPLY_H
#define APPLY_H

#include "apply/values.h"
#include "plan/plan.h"

/*
 * Do the steps in their order. When one fails, those before it are undone and
 * nothing has changed; says what failed. -EOPNOTSUPP, not said: the driver has
 * no native XDP.
 */
int plan_apply(const struct plan *plan, const struct facts *facts, const struct home *home);

/*
 * Play the journal backwards: detach, restore, remove the pins. Works from the
 * journal and the pins alone, whatever was killed when. ifindex 0: the
 * interface is gone. tell: what became of each value, and what it is now.
 * 1: something was undone, 0: there was nothing.
 */
int apply_undo(const struct home *home, uint32_t ifindex, const struct loaded *loaded,
	       void (*tell)(const struct step *step, enum undone undone, const char *now,
			    void *data),
	       void *data);

/* Remove what is left of interfaces of that name in namespaces that ended with their process. */
void apply_sweep(const char *iface);

/*
 * The interface got another name: its pins and its journal get it, too, and the
 * name that it was asked for by leads there. Both homes are locked. Says what
 * failed; then all is as it was.
 */
int apply_rename(const struct home *from, const struct home *to, const char *asked);

/* What the tellings are for people: "restored feature eth0 rx-lro: on". "": nothing to say. */
void undone_format(const struct step *step, enum undone undone, const char *now, char *ret,
		   size_t size);

#endif
