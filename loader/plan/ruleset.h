/* SPDX-License-Identifier: GPL-2.0 */
/* Rules to the tables in which the programs look them up. */
#ifndef PLAN_RULESET_H
#define PLAN_RULESET_H

#include "cpumap/rules.h"
#include "policy/rules.h"

/*
 * All but the actions. -ENOSPC: they tell more ranges apart than there is room
 * for.
 */
int rule_set_compile(const struct rule *rules, unsigned int count, struct rule_set *ret);

#endif
