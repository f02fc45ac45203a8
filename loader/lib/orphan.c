// SPDX-License-Identifier: GPL-2.0
/* The mark is a locked file: the kernel unlocks it when the process dies, whatever it dies of. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/orphan.h"
#include "lib/say.h"
#include "lib/text.h"

struct mark {
	char path[112];
};

static struct mark mark_of(const struct home *home)
{
	struct mark mark;

	snprintf(mark.path, sizeof(mark.path), "%.*s.process",
		 (int)(strlen(home->lock) - strlen(".lock")), home->lock);
	return mark;
}

/* The directory that those of all namespaces are in. */
static void top(const struct home *home, char *ret, size_t size)
{
	snprintf(ret, size, "%s", home->lock);
	for (int levels = home->netns ? 2 : 1; levels > 0; levels--)
		*strrchr(ret, '/') = '\0';
}

int orphan_mark(const struct home *home)
{
	struct mark mark = mark_of(home);
	char directory[sizeof(mark.path)];
	int r, fd;

	snprintf(directory, sizeof(directory), "%s", mark.path);
	*strrchr(directory, '/') = '\0';
	r = directory_make(directory);
	if (r < 0)
		return fail(r, "cannot make '%s': %s", directory, strerror(-r));
	fd = open(mark.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || flock(fd, LOCK_EX) < 0) {
		r = -errno;
		closep(&fd);
		return fail(r, "cannot lock '%s': %s", mark.path, strerror(-r));
	}
	return fd;
}

void orphan_unmark(const struct home *home)
{
	unlink(mark_of(home).path);
	home_leave_unused(home);
}

/* Ours, if its process has died and nobody else clears up: then the file still has its name. */
static int take_mark(const char *path)
{
	cleanup(closep) int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct stat open_file, named;
	int kept;

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &open_file) < 0 ||
	    stat(path, &named) < 0 || open_file.st_ino != named.st_ino)
		return -1;
	kept = fd;
	fd = -1;
	return kept;
}

void orphans_clear(const char *iface, bool (*clear)(const struct home *home))
{
	cleanup(closedirp) DIR *dir = NULL;
	struct dirent *entry;
	struct home home;
	char path[sizeof(home.lock)];

	home_in(1, iface, &home);
	top(&home, path, sizeof(path));
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		cleanup(closep) int mark = -1;
		const char *at = entry->d_name + strlen("netns-");
		uint64_t netns;

		if (!text_starts(entry->d_name, "netns-") || text_take_u64(&at, &netns) < 0)
			continue;
		home_in((ino_t)netns, iface, &home);
		mark = take_mark(mark_of(&home).path);
		if (mark >= 0 && clear(&home))
			orphan_unmark(&home);
	}
}
