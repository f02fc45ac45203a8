/* SPDX-License-Identifier: GPL-2.0 */
/* The values of options: text to the members of a policy. */
#ifndef POLICY_VALUES_H
#define POLICY_VALUES_H

#include "policy/options.h"

/* Copies what it keeps of text; says why not, -EINVAL. */
#define SETTER(name)                                                                    \
	int name(const struct option_row *row, struct policy *policy, const char *text, \
		 struct reason *why)

/* The row says which member: an enum with an enumerator for each of its words, or a bool. */
SETTER(set_word);
SETTER(set_flag);
SETTER(set_second_word); /* a bool, which the second word sets */

SETTER(set_cpus);
SETTER(set_qsize);
SETTER(set_lanes);
SETTER(set_max_prefixes);
SETTER(set_dsa);
SETTER(set_netns);
SETTER(set_config);
SETTER(set_rules);
SETTER(set_before);
SETTER(set_pcap);
SETTER(set_seed);
SETTER(set_napi_cpus);
SETTER(set_irq_cpus);
SETTER(set_gro_normal_batch);
SETTER(set_gro_flush_timeout);
SETTER(set_napi_defer_hard_irqs);
SETTER(set_priority);
SETTER(set_host);
SETTER(set_capture);
SETTER(set_watch);
SETTER(set_output);
SETTER(set_rounds);
SETTER(set_svg);

#endif
