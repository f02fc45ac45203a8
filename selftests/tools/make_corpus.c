/* SPDX-License-Identifier: GPL-2.0 */
/* make_corpus DIRECTORY: the frames of the rows, as parse_fuzz reads them, a file each. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog/rows.h"

#define NAME(name_, ...) name_,

/* What parse_fuzz takes its configuration from. */
static void settings_of(const struct row *row, const struct steer_config *config, uint8_t ret[2])
{
	static const char *const tags[] = { DSA_TAGS(NAME) };

	ret[0] = config->multicast_stays << 1 | config->inner << 2;
	ret[1] = 0;
	for (size_t i = 0; row->dsa && i < sizeof(tags) / sizeof(tags[0]); i++)
		if (strcmp(tags[i], row->dsa) == 0)
			ret[1] = i;
}

/* A file name that says what is in it: one row more is one file more. */
static void path_of(const char *directory, const char *table, const char *row, char *path,
		    size_t size)
{
	snprintf(path, size, "%s/%s-%s", directory, table, row);
	for (char *c = path + strlen(directory) + 1; *c; c++)
		if (!isalnum(*c))
			*c = '-';
}

static int write_row(const char *directory, const char *table, const struct row *row,
		     const struct steer_config *config)
{
	char path[4096];
	uint8_t settings[2];
	struct frame frame;
	FILE *file;

	frame_build(&frame, row->layers);
	settings_of(row, config, settings);
	path_of(directory, table, row->name, path, sizeof(path));
	file = fopen(path, "w");
	if (!file)
		return -1;
	fwrite(settings, 1, sizeof(settings), file);
	fwrite(frame.data, 1, frame.len, file);
	return fclose(file);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: make_corpus DIRECTORY\n");
		return 2;
	}
	for (const struct table *const *table = tables; *table; table++)
		for (size_t i = 0; i < (*table)->count; i++)
			if (write_row(argv[1], (*table)->name, &(*table)->rows[i],
				      &(*table)->config)) {
				perror(argv[1]);
				return 1;
			}
	return 0;
}
