// SPDX-License-Identifier: GPL-2.0
/* What was changed and how it was before: a line a step, on disk before the change. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply/journal.h"
#include "lib/clean.h"
#include "lib/say.h"
#include "lib/text.h"

enum { JOURNAL_LINE = 1024 };

/*
 * attach	eth0	-	native link
 */
int journal_open(const struct home *home)
{
	int fd = open(home->journal, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return fail(-errno, "cannot open the journal '%s': %s", home->journal,
			    strerror(errno));
	return fd;
}

int journal_note(int journal, const struct step *step)
{
	char line[JOURNAL_LINE];
	int n;

	n = snprintf(line, sizeof(line), "%s\t%s\t%s\t%s\n", step_kind_names[step->kind],
		     step->target, step->before, step->after);
	if (write(journal, line, (size_t)n) != n || fdatasync(journal) < 0)
		return fail(-errno, "cannot write the journal: %s", strerror(errno));
	return 0;
}

static bool take_field(char **line, char *ret, size_t size)
{
	char *field = strsep(line, "\t");

	if (!field)
		return false;
	snprintf(ret, size, "%s", field);
	return true;
}

/* A line that was cut off by a crash tells of a step that was not done. */
static bool parse(char *line, struct step *ret)
{
	char kind[32];
	int k;

	if (!strchr(line, '\n'))
		return false;
	line[strcspn(line, "\n")] = '\0';
	*ret = (struct step){ 0 };
	if (!take_field(&line, kind, sizeof(kind)) ||
	    !take_field(&line, ret->target, sizeof(ret->target)) ||
	    !take_field(&line, ret->before, sizeof(ret->before)) ||
	    !take_field(&line, ret->after, sizeof(ret->after)))
		return false;
	k = text_in(kind, step_kind_names);
	if (k < 0)
		return false;
	ret->kind = (enum step_kind)k;
	return true;
}

/* Room for one step more, behind those that are there. */
static bool grow(struct step **steps, int count)
{
	struct step *more;

	if (count & (count - 1) || (count && count < 16))
		return true;
	more = realloc(*steps, (count ? 2 * (size_t)count : 16) * sizeof(**steps));
	if (more)
		*steps = more;
	return more;
}

int journal_read(const struct home *home, struct step **ret)
{
	cleanup(fclosep) FILE *file = fopen(home->journal, "re");
	cleanup(freep) struct step *steps = NULL;
	char line[JOURNAL_LINE];
	int count = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (!grow(&steps, count))
			return fail(-ENOMEM, "out of memory");
		count += parse(line, &steps[count]);
	}
	*ret = take(steps);
	return count;
}
