// SPDX-License-Identifier: GPL-2.0
/* Be in the network namespace meant, with its sysfs and with the machine's one bpffs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "lib/clean.h"
#include "lib/netns.h"
#include "lib/say.h"

#define BPFFS "/sys/fs/bpf"

static int enter(const char *path, int type)
{
	cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, type) < 0)
		return -errno;
	return 0;
}

static int enter_named(const char *name)
{
	char path[256];
	int r;

	if (strchr(name, '/') || name[0] == '.' || !name[0])
		return fail(-E_USAGE, "--netns '%s': not a name of a network namespace", name);
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	r = enter(path, CLONE_NEWNET);
	if (r == -ENOENT)
		return fail(-ENODEV, "there is no network namespace '%s' (see `ip netns`)", name);
	if (r < 0)
		return fail(r, "cannot enter the network namespace '%s': %s", name, strerror(-r));
	return 0;
}

static bool ns_stat(pid_t pid, const char *what, struct stat *ret)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, what);
	return stat(path, ret) == 0;
}

static pid_t parent_of(pid_t pid)
{
	cleanup(fclosep) FILE *file = NULL;
	char path[32], line[512];
	const char *behind_name;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file))
		return 0;
	/* "17 (a name) S 1 ...", and the name may hold anything. */
	behind_name = strrchr(line, ')');
	return behind_name && sscanf(behind_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

/*
 * Whose namespaces are the machine's: process 1. In a sandbox that hides it
 * (it has capabilities that we lack), the outermost ancestor we may look at.
 */
static pid_t outermost(void)
{
	pid_t outer = getpid();
	struct stat st;

	if (ns_stat(1, "net", &st))
		return 1;
	for (pid_t pid = parent_of(outer); pid > 0 && ns_stat(pid, "net", &st);
	     pid = parent_of(pid))
		outer = pid;
	return outer;
}

/* what: "net" or "mnt". Unknown counts as the machine's. */
static bool is_machines(const char *what, struct stat *ret_own)
{
	struct stat machines;

	return !ns_stat(getpid(), what, ret_own) || !ns_stat(outermost(), what, &machines) ||
	       ret_own->st_ino == machines.st_ino;
}

ino_t netns_inode(void)
{
	struct stat own;

	return is_machines("net", &own) ? 0 : own.st_ino;
}

static int bpffs_mount(void)
{
	struct statfs fs;

	if (statfs(BPFFS, &fs) == 0 && (unsigned long)fs.f_type == BPF_FS_MAGIC)
		return 0;
	if (mount("bpf", BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700") < 0)
		return fail(-errno, "cannot mount the BPF file system on " BPFFS ": %s",
			    strerror(errno));
	return 0;
}

/*
 * The sysfs in sight is of another network namespace, or `ip netns exec` laid
 * one over /sys that hides the bpffs; and pins in a bpffs of our own would end
 * with us. So take the machine's mounts, and lay our own sysfs over a copy.
 */
static int mounts_arrange(void)
{
	cleanup(closep) int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup(closep) int bpffs = -1;
	struct stat own;
	char path[64];
	int r;

	if (!is_machines("mnt", &own)) {
		snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)outermost());
		r = enter(path, CLONE_NEWNS);
		if (r < 0)
			return fail(r, "cannot see the machine's mounts, where the pins are: %s",
				    strerror(-r));
	}
	r = bpffs_mount();
	if (r < 0)
		return r;
	if (unshare(CLONE_NEWNS) < 0 || mount("", "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return fail(-errno, "cannot make a mount namespace: %s", strerror(errno));
	bpffs = open(BPFFS, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (bpffs < 0 || mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "") < 0)
		return fail(-errno, "cannot mount the namespace's sysfs: %s", strerror(errno));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", bpffs);
	if (mount(path, BPFFS, NULL, MS_BIND, NULL) < 0)
		return fail(-errno, "cannot bind " BPFFS ": %s", strerror(errno));
	if (here >= 0 && fchdir(here) < 0)
		return fail(-errno, "cannot go back to the working directory: %s", strerror(errno));
	return 0;
}

int netns_enter(const char *name)
{
	int r;

	if (name) {
		r = enter_named(name);
		if (r < 0)
			return r;
	}
	return netns_inode() ? mounts_arrange() : bpffs_mount();
}
