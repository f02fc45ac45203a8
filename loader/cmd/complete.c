// SPDX-License-Identifier: GPL-2.0
/*
 * xdp-cpumap complete [WORD]...: what may follow these words, one a line, a tab
 * before its explanation. The shells' completion asks this, nobody else.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/text.h"
#include "policy/options.h"
#include "verb.h"

static void offer_entries(const char *path)
{
	cleanup(closedirp) DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			puts(entry->d_name);
}

static void offer_verbs(void)
{
	for (const struct verb *verb = verbs; verb->name; verb++)
		if (verb->help)
			printf("%s\t%s\n", verb->name, verb->help);
}

/* "@file" is for the shell to answer, which knows where the user is. */
static void offer_values(const struct option_row *row)
{
	for (int i = 0; row->words && row->words[i]; i++)
		puts(row->words[i]);
	if (strcmp(row->value, "FILE") == 0)
		puts("@file");
	else if (strcmp(row->name, "netns") == 0)
		offer_entries("/run/netns");
	else if (!row->words && strchr(row->value, '|'))
		puts(strrchr(row->value, '|') + 1);
}

static void offer_options(const struct verb *verb)
{
	for (const struct option_row *row = option_rows; row->name; row++)
		if (row->verbs & verb->id)
			printf("--%s\t%s\n", row->name, row->help);
	if (strstr(verb->words, "IFACE"))
		offer_entries("/sys/class/net");
	if (strstr(verb->words, "VERB"))
		offer_verbs();
}

/* The words that stand before the one to be completed. */
int cmd_complete(int argc, char **argv)
{
	const struct verb *verb = argc > 1 ? verb_find(argv[1]) : NULL;
	const struct option_row *row = NULL;

	if (argc == 1) {
		offer_verbs();
		return 0;
	}
	if (!verb)
		return 0;
	if (argc > 2 && text_starts(argv[argc - 1], "--"))
		row = option_find(argv[argc - 1] + 2, verb->id);
	if (row && row->value && row->value[0] != '[')
		offer_values(row);
	else
		offer_options(verb);
	return 0;
}
