// SPDX-License-Identifier: GPL-2.0
/* The values of the host that steps change: each is read, written, and put back. */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "apply/journal.h"
#include "apply/values.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/kthread.h"
#include "lib/say.h"
#include "lib/text.h"

#define NET "sys/class/net"

/* A file of one line, whose value fits: what was cut off could not be put back. */
static int read_value(const struct site *site, char *ret, size_t size, const char *path)
{
	char line[4096];
	int r = file_read_line(site->root, line, sizeof(line), "%s", path);

	if (r < 0)
		return r;
	return snprintf(ret, size, "%s", line) < (int)size ? 0 : -E2BIG;
}

static int attribute_read(const struct site *site, const char *target, char *ret, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), NET "/%s", target);
	return read_value(site, ret, size, path);
}

static int attribute_write(struct site *site, const char *target, const char *value)
{
	return file_write(site->root, value, NET "/%s", target);
}

/* "net.core.gro_normal_batch" */
static void sysctl_path(const char *target, char *ret, size_t size)
{
	snprintf(ret, size, "proc/sys/%s", target);
	for (char *dot = strchr(ret, '.'); dot; dot = strchr(dot, '.'))
		*dot = '/';
}

static int sysctl_read(const struct site *site, const char *target, char *ret, size_t size)
{
	char path[128];

	sysctl_path(target, path, sizeof(path));
	return read_value(site, ret, size, path);
}

static int sysctl_write(struct site *site, const char *target, const char *value)
{
	char path[128];

	sysctl_path(target, path, sizeof(path));
	return file_write(site->root, value, "%s", path);
}

static int irq_read(const struct site *site, const char *target, char *ret, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/irq/%s/smp_affinity_list", target);
	return read_value(site, ret, size, path);
}

static int irq_write(struct site *site, const char *target, const char *value)
{
	return file_write(site->root, value, "proc/irq/%s/smp_affinity_list", target);
}

static int rps_read(const struct site *site, const char *target, char *ret, size_t size)
{
	struct cpuset cpus;
	char line[4096];
	int r = file_read_line(site->root, line, sizeof(line), NET "/%s/queues/rx-0/rps_cpus",
			       target);

	if (r == 0)
		r = cpuset_parse_mask(line, &cpus);
	if (r == 0)
		cpuset_format(&cpus, ret, size);
	return r < 0 || strlen(ret) < size - 1 ? r : -E2BIG;
}

static int rps_write(struct site *site, const char *target, const char *value)
{
	struct cpuset cpus = { 0 };
	char mask[4096];
	int r = strcmp(value, "none") == 0 ? 0 : cpuset_parse(value, &cpus);

	return r < 0 ? r
		     : file_write(site->root, cpuset_format_mask(&cpus, mask, sizeof(mask)),
				  NET "/%s/queues/rx-0/rps_cpus", target);
}

/* The kthreads of all lanes; more than fit are as those that do. */
static unsigned int find_kthreads(const struct site *site, struct kthread *ret)
{
	unsigned int count = 0;

	for (unsigned int lane = 0; lane < LANES_MAX; lane++) {
		struct bpf_map_info info = { 0 };
		uint32_t size = sizeof(info);

		if (bpf_obj_get_info_by_fd(site->dataplane.cpus[lane], &info, &size) == 0)
			count += kthreads_find(info.id, ret + count, TARGETS_MAX - count);
	}
	return count;
}

static int priority_read(const struct site *site, const char *target, char *ret, size_t size)
{
	struct kthread threads[TARGETS_MAX];
	unsigned int count = find_kthreads(site, threads);
	int nice = count ? getpriority(PRIO_PROCESS, (id_t)threads[0].pid) : 0;

	for (unsigned int i = 1; i < count; i++)
		if (getpriority(PRIO_PROCESS, (id_t)threads[i].pid) != nice)
			nice = NICE_MIXED;
	snprintf(ret, size, "%d", nice);
	return count ? 0 : -ENOENT;
}

static int priority_write(struct site *site, const char *target, const char *value)
{
	struct kthread threads[TARGETS_MAX];
	unsigned int count = find_kthreads(site, threads);
	bool negative = *value == '-';
	uint32_t nice;

	if (text_to_u32(value + negative, 20, &nice) < 0)
		return 0; /* they differed before; they go with the maps */
	for (unsigned int i = 0; i < count; i++)
		if (setpriority(PRIO_PROCESS, (id_t)threads[i].pid,
				negative ? -(int)nice : (int)nice) < 0)
			return -errno;
	return 0;
}

const struct value_ops *value_ops(enum step_kind kind)
{
	static const struct value_ops all[STEP_KINDS] = {
		[STEP_FEATURE] = { feature_read, feature_write },
		[STEP_RPS] = { rps_read, rps_write },
		[STEP_ATTRIBUTE] = { attribute_read, attribute_write },
		[STEP_SYSCTL] = { sysctl_read, sysctl_write, .shared = true },
		[STEP_IRQ] = { irq_read, irq_write, .shared = true },
		[STEP_NAPI] = { napi_read, napi_write },
		[STEP_THREADS] = { threads_read, threads_write },
		[STEP_PRIORITY] = { priority_read, priority_write, .mortal = true },
	};

	return all[kind].read ? &all[kind] : NULL;
}

static int cannot(const struct step *step, int r, const char *what)
{
	return fail(r, "%s %s: cannot %s: %s", step_kind_names[step->kind], step->target, what,
		    strerror(-r));
}

/* What several of our interfaces want is changed by one at a time. */
static int shared_lock(const struct site *site, const struct value_ops *ops)
{
	char directory[sizeof(site->home->journal)];
	int fd;

	if (!ops->shared)
		return -1;
	snprintf(directory, sizeof(directory), "%s", site->home->journal);
	*strrchr(directory, '/') = '\0';
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) < 0) {
		int r = -errno;

		closep(&fd);
		return r;
	}
	return fd;
}

/* Write, and see whether the kernel means it. */
static int write_checked(struct site *site, const struct value_ops *ops, const struct step *step)
{
	char now[STEP_VALUE];
	int r;

	site->said[0] = '\0';
	r = ops->write(site, step->target, step->after);
	if (r < 0)
		return fail(r, "%s %s: the kernel refuses '%s': %s", step_kind_names[step->kind],
			    step->target, step->after, site->said[0] ? site->said : strerror(-r));
	r = ops->read(site, step->target, now, sizeof(now));
	if (r < 0)
		return cannot(step, r, "read it back");
	if (strcmp(now, step->after) != 0)
		return fail(-EIO, "%s %s: the kernel took '%s', and yet it is '%s'",
			    step_kind_names[step->kind], step->target, step->after, now);
	return 0;
}

int value_do(struct site *site, int journal, struct step *step)
{
	const struct value_ops *ops = value_ops(step->kind);
	cleanup(closep) int lock = shared_lock(site, ops);
	bool same;
	int r;

	if (ops->shared && lock < 0)
		return cannot(step, lock, "lock it");
	r = ops->read(site, step->target, step->before, sizeof(step->before));
	if (r < 0)
		return cannot(step, r, "read it");
	same = strcmp(step->before, step->after) == 0;
	/* Another interface of ours may have made it so, and will leave before us. */
	if (same && !(ops->shared && journal_other_holds(site->home, step)))
		return 0;
	if (!ops->mortal && !journal_has(site->home, step)) {
		r = journal_note(journal, step);
		if (r < 0)
			return r;
	}
	return same ? 0 : write_checked(site, ops, step);
}

enum undone value_undo(struct site *site, const struct step *step, char *ret_now, size_t size)
{
	const struct value_ops *ops = value_ops(step->kind);
	cleanup(closep) int lock = shared_lock(site, ops);
	int r;

	if (ops->shared && lock < 0)
		return UNDONE_FAILED;
	r = ops->read(site, step->target, ret_now, size);
	if (r < 0)
		return r == -ENODEV || r == -ENOENT ? UNDONE_GONE : UNDONE_FAILED;
	if (ops->shared && journal_hand_over(site->home, step))
		return UNDONE_HANDED;
	if (strcmp(ret_now, step->before) == 0)
		return UNDONE_ALREADY;
	if (strcmp(ret_now, step->after) != 0)
		return UNDONE_NOT_OURS;
	if (ops->write(site, step->target, step->before) < 0)
		return UNDONE_FAILED;
	if (ops->read(site, step->target, ret_now, size) < 0 || strcmp(ret_now, step->before) != 0)
		return UNDONE_FAILED;
	return UNDONE;
}
