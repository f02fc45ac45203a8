// SPDX-License-Identifier: GPL-2.0
/* Load the maps and programs, pin them, and take the pins away again. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "dataplane/dataplane.h"
#include "dataplane/skeleton.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"

#ifndef BPF_F_XDP_HAS_FRAGS
#define BPF_F_XDP_HAS_FRAGS (1U << 5)
#endif

/* The key of the set that runs, or a new one. */
static int set_key(const struct home *home, bool next, struct flow_key *key)
{
	uint32_t zero = 0;

	if (next) {
		cleanup(closep) int fd = bpf_obj_get(home_pin(home, "key").text);

		if (fd >= 0 && bpf_map_lookup_elem(fd, &zero, key) == 0)
			return 0;
		return fail(-errno, "%s: cannot read the hash key: %s", home->iface,
			    strerror(errno));
	}
	if (getrandom(key, sizeof(*key), 0) != sizeof(*key))
		return fail(-EIO, "cannot get random bytes for the hash key");
	return 0;
}

static void set_sizes(struct steer *skel, const struct dataplane_spec *spec)
{
	uint32_t slots = spec->config.slot_mask + 1;

	bpf_map__set_max_entries(skel->maps.cpus, spec->possible_cpus);
	bpf_map__set_max_entries(skel->maps.sent, spec->possible_cpus);
	bpf_map__set_max_entries(skel->maps.slots, slots);
	bpf_map__set_max_entries(skel->maps.slot_state, slots);
}

static bool is_jited(const struct bpf_program *program)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	return bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) == 0 &&
	       info.jited_prog_len;
}

static int load(struct steer *skel, const struct home *home)
{
	int r = steer__load(skel);

	if (r == -EPERM)
		return fail(r,
			    "%s: the kernel lets us load no BPF program: are you root, with "
			    "CAP_BPF and CAP_NET_ADMIN?",
			    home->iface);
	if (r < 0)
		return fail(r,
			    "%s: the kernel refuses the XDP programs: %s (its words: "
			    "XDP_CPUMAP_DEBUG=1)",
			    home->iface, strerror(-r));
	/* The kernel puts a program into a cpumap only beside its equals. */
	if (is_jited(skel->progs.steer) != is_jited(skel->progs.pass))
		return fail(-ENOTSUP,
			    "%s: the kernel could compile only one of the two programs "
			    "(JIT); set net.core.bpf_jit_enable to 0 or 1",
			    home->iface);
	return 0;
}

static int pin_all(const struct steer *skel, const struct home *home, bool next)
{
	const struct {
		const char *name;
		int fd;
	} pins[] = {
		{ "cpus", bpf_map__fd(skel->maps.cpus) },
		{ "slots", bpf_map__fd(skel->maps.slots) },
		{ "slot_state", bpf_map__fd(skel->maps.slot_state) },
		{ "sent", bpf_map__fd(skel->maps.sent) },
		{ "counters", bpf_map__fd(skel->maps.counters) },
		{ "targets", bpf_map__fd(skel->maps.targets) },
		{ "config", bpf_map__fd(skel->maps.rodata) },
		{ "key", bpf_map__fd(skel->maps.data_key) },
		{ "pass", bpf_program__fd(skel->progs.pass) },
		{ "steer", bpf_program__fd(skel->progs.steer) },
	};
	char directory[sizeof(struct pin_path)];
	int r;

	snprintf(directory, sizeof(directory), "%s%s", home->pins, next ? "/next" : "");
	r = directory_make(directory);
	if (r < 0)
		return fail(r, "cannot make '%s': %s", directory, strerror(-r));
	for (size_t i = 0; i < sizeof(pins) / sizeof(pins[0]); i++) {
		struct pin_path path = home_pin_of(home, next, pins[i].name);

		r = bpf_obj_pin(pins[i].fd, path.text);
		if (r < 0)
			return fail(r, "cannot pin '%s': %s", path.text, strerror(-r));
	}
	return 0;
}

int dataplane_create(const struct home *home, const struct dataplane_spec *spec, bool next)
{
	cleanup(steer_destroyp) struct steer *skel = steer__open();
	int r;

	if (!skel)
		return fail(-errno, "cannot open the XDP programs: %s", strerror(errno));
	memcpy((void *)&skel->rodata->steer_config, &spec->config, sizeof(spec->config));
	r = set_key(home, next, &skel->data_key->flow_key);
	if (r < 0)
		return r;
	set_sizes(skel, spec);
	if (spec->config.frags && !spec->dispatcher) {
		bpf_program__set_flags(skel->progs.steer, BPF_F_XDP_HAS_FRAGS);
		bpf_program__set_flags(skel->progs.pass, BPF_F_XDP_HAS_FRAGS);
	}
	r = load(skel, home);
	return r < 0 ? r : pin_all(skel, home, next);
}

/* Call visit for each file of the pins' directory but "next". */
static int each_pin(const char *directory, int (*visit)(int from, const char *name))
{
	cleanup(closedirp) DIR *dir = opendir(directory);
	struct dirent *entry;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "next") == 0)
			continue;
		if (visit(dirfd(dir), entry->d_name) < 0)
			return -errno;
	}
	return 0;
}

static int unlink_one(int from, const char *name)
{
	return unlinkat(from, name, 0);
}

static int move_up(int from, const char *name)
{
	char above[64];

	snprintf(above, sizeof(above), "../%s", name);
	return renameat(from, name, from, above);
}

static int remove_directory(const char *directory)
{
	int r = each_pin(directory, unlink_one);

	if (r == 0 && rmdir(directory) < 0 && errno != ENOENT)
		r = -errno;
	return r < 0 ? fail(r, "cannot remove '%s': %s", directory, strerror(-r)) : 0;
}

int dataplane_promote(const struct home *home)
{
	struct pin_path next = home_pin(home, "next");
	int r = each_pin(next.text, move_up);

	if (r < 0)
		return fail(r, "cannot move the pins from '%s': %s", next.text, strerror(-r));
	return remove_directory(next.text);
}

int dataplane_remove_next(const struct home *home)
{
	return remove_directory(home_pin(home, "next").text);
}

int dataplane_remove(const struct home *home)
{
	int r = dataplane_remove_next(home);

	return r < 0 ? r : remove_directory(home->pins);
}

int dataplane_open(const struct home *home, bool next, struct dataplane *ret)
{
	*ret = (struct dataplane){
		.cpus = bpf_obj_get(home_pin_of(home, next, "cpus").text),
		.slots = bpf_obj_get(home_pin_of(home, next, "slots").text),
		.steer = bpf_obj_get(home_pin_of(home, next, "steer").text),
		.pass = bpf_obj_get(home_pin_of(home, next, "pass").text),
	};
	if (ret->cpus < 0 || ret->slots < 0 || ret->steer < 0 || ret->pass < 0) {
		dataplane_close(ret);
		return fail(-ENOENT, "%s: the pins under '%s' are not complete; unload it first",
			    home->iface, home->pins);
	}
	return 0;
}

void dataplane_close(struct dataplane *dataplane)
{
	closep(&dataplane->cpus);
	closep(&dataplane->slots);
	closep(&dataplane->steer);
	closep(&dataplane->pass);
}
