// SPDX-License-Identifier: GPL-2.0
/* Where the pins, the journal and the lock of an interface are. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* wait: for whom else is at work; else -EBUSY. */
static int lock(const struct home *home, bool wait)
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
			if (!wait)
				return -EBUSY;
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

int home_lock(const struct home *home)
{
	return lock(home, true);
}

int home_lock_now(const struct home *home)
{
	return lock(home, false);
}

/* eth0.is -> wan0 */
static void forward_path(char *ret, size_t size, const struct home *home, const char *name)
{
	int length = (int)(strrchr(home->lock, '/') - home->lock);

	snprintf(ret, size, "%.*s/%s.is", length, home->lock, name);
}

static bool read_forward(const char *path, char *ret)
{
	ssize_t n = readlink(path, ret, IFNAMSIZ);

	if (n <= 0 || n >= IFNAMSIZ)
		return false;
	ret[n] = '\0';
	return true;
}

void home_forward(const struct home *home, const char *from)
{
	char path[PATH_MAX];

	forward_path(path, sizeof(path), home, from);
	unlink(path);
	if (strcmp(from, home->iface) != 0 && symlink(home->iface, path) < 0)
		warn("cannot note in '%s' that %s is called %s now: %s", path, from, home->iface,
		     strerror(errno));
}

bool home_forwarded(const char *iface, char *ret)
{
	char path[PATH_MAX], name[IFNAMSIZ];
	struct home home;

	home_of(iface, &home);
	forward_path(path, sizeof(path), &home, iface);
	if (!read_forward(path, name))
		return false;
	home_of(name, &home);
	if (access(home.pins, F_OK) < 0)
		return false;
	memcpy(ret, name, IFNAMSIZ);
	return true;
}

/* The names that led here. */
static void forget_forwards(const struct home *home)
{
	char directory[sizeof(home->lock)], path[PATH_MAX], name[IFNAMSIZ];
	cleanup(closedirp) DIR *dir = NULL;
	struct dirent *entry;

	snprintf(directory, sizeof(directory), "%s", home->lock);
	*strrchr(directory, '/') = '\0';
	dir = opendir(directory);
	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (read_forward(path, name) && strcmp(name, home->iface) == 0)
			unlink(path);
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

	forget_forwards(home);
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
