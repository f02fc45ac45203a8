// SPDX-License-Identifier: GPL-2.0
/* What was changed and how it was before: a line a step, on disk before the change. */
#include <dirent.h>
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
	off_t size = lseek(journal, 0, SEEK_END);
	char line[JOURNAL_LINE];
	int n;

	n = snprintf(line, sizeof(line), "%s\t%s\t%s\t%s\n", step_kind_names[step->kind],
		     step->target, step->before, step->after);
	errno = ENOSPC; /* what a short write means */
	if (write(journal, line, (size_t)n) == n && fdatasync(journal) == 0)
		return 0;
	n = -errno;
	/* Half a line would spoil the next one. */
	if (size >= 0 && ftruncate(journal, size) < 0)
		warn("cannot take half a line back out of the journal: %s", strerror(errno));
	return fail(n, "cannot write the journal: %s", strerror(-n));
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

static int read_path(const char *path, struct step **ret)
{
	cleanup(fclosep) FILE *file = fopen(path, "re");
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

int journal_read(const struct home *home, struct step **ret)
{
	return read_path(home->journal, ret);
}

static bool is_same(const struct step *a, const struct step *b)
{
	return a->kind == b->kind && strcmp(a->target, b->target) == 0;
}

bool journal_has(const struct home *home, const struct step *step)
{
	cleanup(freep) struct step *steps = NULL;
	int count = journal_read(home, &steps);

	for (int i = 0; i < count; i++)
		if (is_same(&steps[i], step) && strcmp(steps[i].before, step->before) == 0 &&
		    strcmp(steps[i].after, step->after) == 0)
			return true;
	return false;
}

/* Call visit for each step of each other journal of the namespace, until it says true. */
static bool any_other(const struct home *home, const struct step *step,
		      bool (*visit)(const char *path, struct step *steps, int count, int at,
				    const struct step *step))
{
	cleanup(closedirp) DIR *dir = NULL;
	char directory[sizeof(home->journal)], path[sizeof(home->journal) + 256];
	struct dirent *entry;
	bool done = false;

	snprintf(directory, sizeof(directory), "%s", home->journal);
	*strrchr(directory, '/') = '\0';
	dir = opendir(directory);
	while (!done && dir && (entry = readdir(dir))) {
		cleanup(freep) struct step *steps = NULL;
		const char *end = strrchr(entry->d_name, '.');
		int count;

		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (!end || strcmp(end, ".journal") != 0 || strcmp(path, home->journal) == 0)
			continue;
		count = read_path(path, &steps);
		for (int i = 0; !done && i < count; i++)
			done = is_same(&steps[i], step) && visit(path, steps, count, i, step);
	}
	return done;
}

static bool made_it(const char *path, struct step *steps, int count, int at,
		    const struct step *step)
{
	return strcmp(steps[at].after, step->after) == 0;
}

bool journal_other_holds(const struct home *home, const struct step *step)
{
	return any_other(home, step, made_it);
}

/* The whole journal anew, in the place of the old one at once. */
static bool replace(const char *path, const struct step *steps, int count)
{
	char fresh[sizeof(((struct home *)0)->journal) + 264];
	int r = 0, fd;

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	for (int i = 0; fd >= 0 && r == 0 && i < count; i++)
		r = journal_note(fd, &steps[i]);
	if (fd < 0 || r < 0 || rename(fresh, path) < 0) {
		unlink(fresh);
		r = -1;
	}
	closep(&fd);
	return r == 0;
}

static bool take_over(const char *path, struct step *steps, int count, int at,
		      const struct step *step)
{
	if (strcmp(steps[at].before, step->after) != 0)
		return false;
	snprintf(steps[at].before, sizeof(steps[at].before), "%s", step->before);
	return replace(path, steps, count);
}

bool journal_hand_over(const struct home *home, const struct step *step)
{
	return any_other(home, step, take_over);
}

/* "eth0", "eth0 rx-lro", "eth0/gro_flush_timeout", but not "eth0.5". */
static void rename_target(struct step *step, const char *from, const char *to)
{
	size_t length = strlen(from);
	char rest[sizeof(step->target)];

	if (!text_starts(step->target, from) || !strchr(" /", step->target[length]))
		return;
	snprintf(rest, sizeof(rest), "%s", step->target + length);
	snprintf(step->target, sizeof(step->target), "%.15s%.47s", to, rest);
}

int journal_rename(const struct home *from, const struct home *to)
{
	cleanup(freep) struct step *steps = NULL;
	int count = journal_read(from, &steps);

	if (count <= 0)
		return count;
	for (int i = 0; i < count; i++)
		rename_target(&steps[i], from->iface, to->iface);
	if (replace(to->journal, steps, count))
		return 0;
	return fail(-EIO, "%s: cannot write the journal under its new name '%s'", from->iface,
		    to->iface);
}
