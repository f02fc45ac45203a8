// SPDX-License-Identifier: GPL-2.0
/* Where the pins, the journal and the lock of an interface are. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/home.h"
#include "lib/netns.h"
#include "lib/say.h"

#define PINS "/sys/fs/bpf/xdp-cpumap"
#define STATE "/run/xdp-cpumap"

static void below(char *ret, size_t size, const char *base, ino_t netns)
{
	if (netns)
		snprintf(ret, size, "%s/netns-%ju", base, (uintmax_t)netns);
	else
		snprintf(ret, size, "%s", base);
}

void home_of(const char *iface, struct home *ret)
{
	home_in(netns_inode(), iface, ret);
}

void home_in(ino_t netns, const char *iface, struct home *ret)
{
	char state[64], pins[64];

	*ret = (struct home){ .netns = netns };
	snprintf(ret->iface, sizeof(ret->iface), "%s", iface);
	below(pins, sizeof(pins), PINS, ret->netns);
	below(state, sizeof(state), STATE, ret->netns);
	snprintf(ret->pins, sizeof(ret->pins), "%s/%s", pins, ret->iface);
	snprintf(ret->journal, sizeof(ret->journal), "%s/%s.journal", state, ret->iface);
	snprintf(ret->lock, sizeof(ret->lock), "%s/%s.lock", state, ret->iface);
}

struct pin_path home_pin_of(const struct home *home, bool next, const char *name)
{
	struct pin_path path;

	snprintf(path.text, sizeof(path.text), "%s/%s%s", home->pins, next ? "next/" : "", name);
	return path;
}

struct pin_path home_pin(const struct home *home, const char *name)
{
	return home_pin_of(home, false, name);
}

void home_all(char *ret, size_t size)
{
	below(ret, size, PINS, netns_inode());
}

/* Whether the path still is the file that was opened: `unload` removes it. */
static bool still_there(int fd, const char *path)
{
	struct stat open_file, named;

	return fstat(fd, &open_file) == 0 && stat(path, &named) == 0 &&
	       open_file.st_ino == named.st_ino;
}

int home_lock(const struct home *home)
{
	char directory[sizeof(home->lock)];

	snprintf(directory, sizeof(directory), "%s", home->lock);
	*strrchr(directory, '/') = '\0';
	for (;;) {
		cleanup(closep) int fd = -1;
		int r = directory_make(directory);

		if (r < 0)
			return fail(r, "cannot make '%s': %s", directory, strerror(-r));
		fd = open(home->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0 && errno == ENOENT)
			continue; /* the directory went while we made it */
		if (fd < 0)
			return fail(-errno, "cannot open '%s': %s", home->lock, strerror(errno));
		if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			note("%s: another xdp-cpumap is at work, waiting for it", home->iface);
			if (flock(fd, LOCK_EX) < 0)
				return fail(-errno, "cannot lock '%s': %s", home->lock,
					    strerror(errno));
		}
		if (still_there(fd, home->lock)) {
			int kept = fd;

			fd = -1;
			return kept;
		}
	}
}

/* Remove the directory of path if it is empty, and then the one above. */
static void prune(const char *path, int levels)
{
	char directory[sizeof(((struct home *)0)->pins)];

	snprintf(directory, sizeof(directory), "%s", path);
	for (; levels > 0; levels--) {
		*strrchr(directory, '/') = '\0';
		if (rmdir(directory) < 0)
			return;
	}
}

void home_leave(const struct home *home)
{
	int levels = home->netns ? 2 : 1;

	unlink(home->journal);
	unlink(home->lock);
	prune(home->lock, levels);
	prune(home->pins, levels);
}

void home_leave_unused(const struct home *home)
{
	if (access(home->pins, F_OK) < 0 && access(home->journal, F_OK) < 0)
		home_leave(home);
}
