// SPDX-License-Identifier: GPL-2.0
/* What every verb begins with. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/netns.h"
#include "policy/options.h"
#include "verb.h"

/* A bad list of CPUs is told beside a good one, which policy cannot know. */
static int bad_value(const struct option_row *row, const struct reason *why)
{
	cleanup(closep) int root = root_open("/");
	struct cpuset online = { 0 };
	char line[4096] = "", list[256];

	if (strcmp(row->name, "cpus") != 0)
		return fail(-E_USAGE, "--%s %s", row->name, why->text);
	file_read_line(root, line, sizeof(line), "sys/devices/system/cpu/online");
	cpuset_parse(line, &online);
	return fail(-E_USAGE, "--cpus %s; online here: %s", why->text,
		    cpuset_format(&online, list, sizeof(list)));
}

int verb_begin(unsigned int verb, bool need_iface, int argc, char **argv, struct policy *ret)
{
	const struct option_row *about;
	struct reason why;
	int r;

	r = policy_read_args(verb, need_iface, argc, argv, ret, &about, &why);
	if (r < 0)
		return about ? bad_value(about, &why) : fail(r, "%s", why.text);
	if (geteuid() != 0)
		return fail(-EPERM, "%s needs root: BPF programs and their pins are root's alone",
			    argv[0]);
	return netns_enter(ret->netns[0] ? ret->netns : NULL);
}
