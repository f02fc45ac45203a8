// SPDX-License-Identifier: GPL-2.0
/* The values of options: text to the members of a policy. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "policy/values.h"

static int take_word(const char *text, const char *const *words, unsigned int *ret,
		     struct reason *why)
{
	int i = text_in(text, words);

	if (i >= 0) {
		*ret = (unsigned int)i;
		return 0;
	}
	because(why, -EINVAL, "'%s' is not one of", text);
	for (i = 0; words[i]; i++)
		text_append(why->text, sizeof(why->text), "%s %s", i ? "," : "", words[i]);
	return -EINVAL;
}

/* The row's member is an enum with an enumerator for each of its words. */
SETTER(set_word)
{
	return take_word(text, row->words, (unsigned int *)((char *)policy + row->at), why);
}

/* The row's member is a bool. */
SETTER(set_flag)
{
	*(bool *)((char *)policy + row->at) = true;
	return 0;
}

/* The row's member is a bool, which the second word sets. */
SETTER(set_second_word)
{
	unsigned int i = 0;
	int r = take_word(text, row->words, &i, why);

	*(bool *)((char *)policy + row->at) = i == 1;
	return r;
}

SETTER(set_cpus)
{
	return cpu_shares_parse(text, &policy->cpus, why);
}

SETTER(set_qsize)
{
	uint32_t qsize = 0;

	if (strcmp(text, "auto") != 0 && (text_to_u32(text, QSIZE_MAX, &qsize) < 0 || qsize == 0))
		return because(why, -EINVAL, "'%s': a queue holds 1 to %u packets, or is auto",
			       text, QSIZE_MAX);
	policy->qsize = qsize;
	return 0;
}

SETTER(set_lanes)
{
	uint32_t lanes = LANES_AUTO;

	if (strcmp(text, "auto") != 0 && (text_to_u32(text, LANES_MAX, &lanes) < 0 || lanes == 0))
		return because(why, -EINVAL, "'%s': a CPU has 1 to %u lanes, or auto", text,
			       LANES_MAX);
	policy->lanes = lanes == 1 ? 0 : lanes;
	return 0;
}

SETTER(set_max_prefixes)
{
	uint32_t max;

	if (text_to_u32(text, PREFIXES_MAX, &max) < 0 || max == 0)
		return because(why, -EINVAL, "'%s': a table holds 1 to %u prefixes", text,
			       PREFIXES_MAX);
	policy->max_prefixes = max == PREFIXES_DEFAULT ? 0 : max;
	return 0;
}

SETTER(set_dsa)
{
	if (strcmp(text, "auto") == 0) {
		policy->dsa[0] = '\0';
		return 0;
	}
	if (!dsa_tag_find(text)) {
		because(why, -EINVAL, "'%s': not a DSA tag we know; known are ", text);
		dsa_tag_names(why->text, sizeof(why->text));
		return -EINVAL;
	}
	snprintf(policy->dsa, sizeof(policy->dsa), "%s", text);
	return 0;
}

SETTER(set_netns)
{
	if (!*text || strlen(text) >= sizeof(policy->netns))
		return because(why, -EINVAL, "'%s' is not the name of a network namespace", text);
	snprintf(policy->netns, sizeof(policy->netns), "%s", text);
	return 0;
}

SETTER(set_config)
{
	if (!*text || strlen(text) >= sizeof(policy->config))
		return because(why, -EINVAL, "'%s' is not the name of a file", text);
	snprintf(policy->config, sizeof(policy->config), "%s", text);
	return 0;
}

SETTER(set_rules)
{
	if (!*text || strlen(text) >= sizeof(policy->rules))
		return because(why, -EINVAL, "'%s' is not the name of a file", text);
	snprintf(policy->rules, sizeof(policy->rules), "%s", strcmp(text, "none") ? text : "");
	return 0;
}

SETTER(set_before)
{
	if (!*text || strlen(text) >= sizeof(policy->before))
		return because(why, -EINVAL, "'%s' is not the name of a rule", text);
	snprintf(policy->before, sizeof(policy->before), "%s", text);
	return 0;
}

SETTER(set_pcap)
{
	if (!*text || strlen(text) >= sizeof(policy->pcap))
		return because(why, -EINVAL, "'%s' is not the name of a file", text);
	snprintf(policy->pcap, sizeof(policy->pcap), "%s", text);
	return 0;
}

SETTER(set_seed)
{
	if (text_to_hex(text, &policy->seed) < 0)
		return because(why, -EINVAL, "'%s': a seed is 1 to 16 hexadecimal digits", text);
	return 0;
}

static int take_list(const char *text, struct cpu_list *ret, struct reason *why)
{
	struct cpuset cpus;

	*ret = (struct cpu_list){ 0 };
	if (strcmp(text, "keep") == 0)
		return 0;
	if (cpuset_parse(text, &cpus) < 0 || !cpuset_count(&cpus) || strchr(text, '\n'))
		return because(why, -EINVAL, "'%s' is no list of CPUs such as 0-1,4, nor keep",
			       text);
	*ret = (struct cpu_list){ .set = true, .cpus = cpus };
	return 0;
}

SETTER(set_napi_cpus)
{
	return take_list(text, &policy->napi_cpus, why);
}

SETTER(set_irq_cpus)
{
	return take_list(text, &policy->irq_cpus, why);
}

static int take_number(const char *text, int32_t min, int32_t max, struct number *ret,
		       struct reason *why)
{
	bool negative = *text == '-';
	uint32_t value;

	*ret = (struct number){ 0 };
	if (strcmp(text, "keep") == 0)
		return 0;
	if (text_to_u32(text + negative, INT32_MAX, &value) < 0 ||
	    (negative ? -(int32_t)value : (int32_t)value) < min ||
	    (negative ? -(int32_t)value : (int32_t)value) > max)
		return because(why, -EINVAL, "'%s' is not a number from %d to %d, nor keep", text,
			       min, max);
	*ret = (struct number){ .set = true, .value = negative ? -(int32_t)value : (int32_t)value };
	return 0;
}

SETTER(set_gro_normal_batch)
{
	return take_number(text, 1, 4096, &policy->gro_normal_batch, why);
}

SETTER(set_gro_flush_timeout)
{
	return take_number(text, 0, 100000, &policy->gro_flush_timeout_us, why);
}

SETTER(set_napi_defer_hard_irqs)
{
	return take_number(text, 0, 1000, &policy->napi_defer_hard_irqs, why);
}

SETTER(set_priority)
{
	return take_number(text, -20, 19, &policy->priority, why);
}

static int take_path(const char *text, char *ret, size_t size, struct reason *why)
{
	if (!*text || strlen(text) >= size)
		return because(why, -EINVAL, "'%s' is not the path of a folder", text);
	snprintf(ret, size, "%s", text);
	return 0;
}

SETTER(set_host)
{
	return take_path(text, policy->host, sizeof(policy->host), why);
}

SETTER(set_capture)
{
	return take_path(text, policy->capture, sizeof(policy->capture), why);
}

SETTER(set_watch)
{
	uint32_t seconds = 1;

	if (text && (text_to_u32(text, 86400, &seconds) < 0 || seconds == 0))
		return because(why, -EINVAL, "'%s': a number of seconds, 1 to 86400", text);
	policy->watch_s = seconds;
	return 0;
}

SETTER(set_output)
{
	/* A name beside it is needed, too: the file is replaced whole. */
	if (!*text || strlen(text) >= sizeof(policy->output) - 8)
		return because(why, -EINVAL, "'%s' is not the name of a file", text);
	snprintf(policy->output, sizeof(policy->output), "%s", text);
	return 0;
}

SETTER(set_rounds)
{
	if (text_to_u32(text, 100, &policy->rounds) < 0 || policy->rounds == 0)
		return because(why, -EINVAL, "'%s': a number of rounds, 1 to 100", text);
	return 0;
}

SETTER(set_svg)
{
	if (!*text || strlen(text) >= sizeof(policy->svg) - 8)
		return because(why, -EINVAL, "'%s' is not the name of a file", text);
	snprintf(policy->svg, sizeof(policy->svg), "%s", text);
	return 0;
}
