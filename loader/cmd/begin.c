// SPDX-License-Identifier: GPL-2.0
/* What every verb begins with. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "apply/apply.h"
#include "bench/bench.h"
#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/home.h"
#include "lib/netns.h"
#include "policy/config.h"
#include "policy/options.h"
#include "policy/rules.h"
#include "verb.h"

enum { CONFIG_SIZE_MAX = 1 << 20 };

/* A bad list of CPUs is told beside a good one, which policy cannot know. */
static int bad_value(const char *where, const struct option_row *row, const struct reason *why)
{
	cleanup(closep) int root = root_open("/");
	struct cpuset online = { 0 };
	char line[4096] = "", list[256];

	if (strcmp(row->name, "cpus") != 0)
		return fail(-E_USAGE, "%s%s %s", where, row->name, why->text);
	file_read_line(root, line, sizeof(line), "sys/devices/system/cpu/online");
	cpuset_parse(line, &online);
	return fail(-E_USAGE, "%s%s %s; online here: %s", where, row->name, why->text,
		    cpuset_format(&online, list, sizeof(list)));
}

/* A file that cannot be read is a mistake in the command line, too. */
static int read_config(const char *path, struct policy *ret)
{
	cleanup(freep) char *text = NULL;
	struct config_fault fault;
	char where[PATH_MAX + 16];
	size_t size;
	int r;

	r = file_read_all(path, CONFIG_SIZE_MAX, &text, &size);
	if (r < 0)
		return fail(-E_USAGE, "cannot read '%s': %s", path, strerror(-r));
	r = config_parse(text, size, ret, &fault);
	if (r == 0)
		return 0;
	snprintf(where, sizeof(where), "%s:%u: ", path, fault.line);
	return fault.about ? bad_value(where, fault.about, &fault.why)
			   : fail(r, "%s%s", where, fault.why.text);
}

/* The words, on top of the config file if they name one. */
static int read_policy(unsigned int verb, bool need_iface, int argc, char **argv,
		       struct policy *ret)
{
	const struct option_row *about;
	struct policy file;
	struct reason why;
	int r;

	r = policy_read_args(verb, need_iface, argc, argv, ret, &about, &why);
	if (r < 0)
		return about ? bad_value("--", about, &why) : fail(r, "%s", why.text);
	if (!ret->config[0])
		return 0;
	r = read_config(ret->config, &file);
	if (r < 0)
		return r;
	/* They were read once, so they are good. */
	policy_add_args(verb, need_iface, argc, argv, &file, &about, &why);
	for (unsigned int i = 0; i < ROWS_MAX; i++)
		if (file.named >> i & 1)
			file.lines[i] = 0;
	*ret = file;
	return 0;
}

/* The policy of one run points to what is read; without a file there are none. */
int verb_rules(struct policy *policy)
{
	static struct rule_list list;
	cleanup(freep) char *text = NULL;
	uint32_t line = 0;
	struct reason why;
	size_t size;
	int r;

	policy->rule_list = &list;
	if (!policy->rules[0])
		return 0;
	r = file_read_all(policy->rules, CONFIG_SIZE_MAX, &text, &size);
	if (r < 0)
		return fail(-E_USAGE, "cannot read '%s': %s", policy->rules, strerror(-r));
	r = rules_parse(text, &list, &line, &why);
	return r < 0 ? fail(-E_USAGE, "%s:%u: %s", policy->rules, line, why.text) : 0;
}

/* Only these clear up what a `bench` that was killed has left: to look changes nothing. */
static bool changes(unsigned int verb)
{
	return verb == VERB_BENCH || verb == VERB_LOAD || verb == VERB_UNLOAD || verb == VERB_SET;
}

/* "FILE:LINE: " of the rule that the sentence begins with. */
static void rule_line(const struct policy *policy, const char *sentence, char *ret, size_t size)
{
	cleanup(freep) char *text = NULL;
	char name[RULE_NAME];
	uint32_t line;
	size_t length;

	if (!policy->rules[0] || sscanf(sentence, "rule '%31[^']'", name) != 1 ||
	    file_read_all(policy->rules, CONFIG_SIZE_MAX, &text, &length) < 0)
		return;
	line = rules_line(text, name);
	if (line)
		snprintf(ret, size, "%s:%u: ", policy->rules, line);
}

const char *verb_where(const struct policy *policy, const char *sentence, char *ret, size_t size)
{
	policy_line(policy, sentence, ret, size);
	if (!*ret)
		rule_line(policy, sentence, ret, size);
	return ret;
}

static int read_all(unsigned int verb, bool need_iface, int argc, char **argv, struct policy *ret)
{
	int r = read_policy(verb, need_iface, argc, argv, ret);

	if (r == 0 && (ret->rules[0] || policy_names(ret, "rules")))
		r = verb_rules(ret);
	return r;
}

int verb_check_words(unsigned int verb, int argc, char **argv)
{
	struct policy policy;

	return read_all(verb, true, argc, argv, &policy);
}

/* By the name it was loaded under, when it is called otherwise since. */
static void find_iface(struct policy *policy)
{
	memcpy(policy->given, policy->iface, sizeof(policy->given));
	if (!policy->iface[0] || if_nametoindex(policy->iface) ||
	    !home_forwarded(policy->given, policy->iface))
		return;
	note("%s is called %s now", policy->given, policy->iface);
}

int verb_begin(unsigned int verb, bool need_iface, int argc, char **argv, struct policy *ret)
{
	int r = read_all(verb, need_iface, argc, argv, ret);

	if (r < 0 || ret->host[0])
		return r; /* a captured host is but files */
	if (geteuid() != 0)
		return fail(-EPERM, "%s needs root: BPF programs and their pins are root's alone",
			    argv[0]);
	r = netns_enter(ret->netns[0] ? ret->netns : NULL);
	if (r == 0 && changes(verb))
		apply_sweep(BENCH_RX);
	if (r == 0)
		find_iface(ret);
	return r;
}

int verb_source(const struct policy *policy, struct source *ret)
{
	int root = root_open(policy->host[0] ? policy->host : "/");

	if (root < 0)
		return fail(-E_USAGE, "--host: cannot open '%s': %s", policy->host,
			    strerror(-root));
	*ret = (struct source){ .root = root, .captured = policy->host[0] };
	return 0;
}
