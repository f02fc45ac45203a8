// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap help [VERB|config]: from the tables of verbs and options. */
#include <stdio.h>
#include <string.h>

#include "policy/config.h"
#include "policy/options.h"
#include "stats/render.h"
#include "verb.h"

static void show_verb(const struct verb *verb)
{
	char left[64];

	printf("xdp-cpumap %s %s\n    %s\n", verb->name, verb->words, verb->help);
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (!(row->verbs & verb->id))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", row->name,
			 row->value && row->value[0] == '[' ? "" : " ",
			 row->value ? row->value : "");
		printf("      %-29s %s\n", left, row->help);
	}
}

static void show_all(void)
{
	char left[64];

	puts("xdp-cpumap: spread received packets over CPUs, by XDP and cpumap\n");
	for (const struct verb *verb = verbs; verb->name; verb++) {
		if (!verb->help)
			continue;
		snprintf(left, sizeof(left), "%s %s", verb->name, verb->words);
		printf("  xdp-cpumap %-28s %s\n", left, verb->help);
	}
	puts("\nNo verb is `status`. Options of a verb: xdp-cpumap help VERB.\n"
	     "Exit status: 0 done, 1 failed, 2 wrong usage, 3 check found an error,\n"
	     "4 refused (another program's interface), 5 not now (no such interface, busy).");
}

int cmd_help(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2) {
		show_all();
		return 0;
	}
	if (strcmp(argv[1], "config") == 0) {
		config_example(stdout);
		return 0;
	}
	if (strcmp(argv[1], "metrics") == 0) {
		render_metrics(stdout);
		return 0;
	}
	verb = verb_find(argv[1]);
	if (!verb || !verb->help)
		return fail(-E_USAGE, "there is no verb '%s' (see xdp-cpumap help)", argv[1]);
	show_verb(verb);
	return 0;
}
