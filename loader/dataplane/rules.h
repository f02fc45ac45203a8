/* SPDX-License-Identifier: GPL-2.0 */
/* The sets of rules of an interface. Functions say what failed. */
#ifndef DATAPLANE_RULES_H
#define DATAPLANE_RULES_H

#include "cpumap/rules.h"
#include "lib/home.h"
#include "policy/policy.h"

/* Write a set, 1 or 2, that no program uses. Rules that old does not have begin to count at 0. */
int rule_set_write(const struct home *home, bool next, unsigned int set,
		   const struct rule_list *old, const struct rule_list *list,
		   const struct rule_set *tables);

/* How often a rule of that id matched, on all RX CPUs. */
int rule_hits_read(const struct home *home, uint32_t id, struct rule_hit *ret);

#endif
