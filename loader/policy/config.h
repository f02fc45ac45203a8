/* SPDX-License-Identifier: GPL-2.0 */
/* A config file: lines of `key = value`, where the keys are load's long options. */
#ifndef POLICY_CONFIG_H
#define POLICY_CONFIG_H

#include <stddef.h>
#include <stdio.h>

#include "policy/policy.h"

struct option_row;

/* What is wrong, and where. */
struct config_fault {
	unsigned int line;
	const struct option_row *about; /* NULL: no key's value */
	struct reason why;
};

/*
 * Read text into a policy; cuts text, which has size bytes and a NUL behind
 * them, to pieces. Says why not, -E_USAGE.
 */
int config_parse(char *text, size_t size, struct policy *ret, struct config_fault *ret_fault);

/* A file with every key, explained, and its default, commented out. */
void config_example(FILE *out);

#endif
