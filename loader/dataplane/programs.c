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

#include "cpumap/rules.h"
#include "dataplane/dataplane.h"
#include "dataplane/skeleton.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"

#ifndef BPF_F_XDP_HAS_FRAGS
#define BPF_F_XDP_HAS_FRAGS (1U << 5)
#endif

/* The keys of the set that runs, or new ones. */
static int set_keys(const struct home *home, bool next, struct flow_keys *keys)
{
	uint32_t zero = 0;

	if (next) {
		cleanup(closep) int fd = bpf_obj_get(home_pin(home, "key").text);

		if (fd >= 0 && bpf_map_lookup_elem(fd, &zero, keys) == 0)
			return 0;
		return fail(-errno, "%s: cannot read the hash key: %s", home->iface,
			    strerror(errno));
	}
	if (getrandom(keys, sizeof(*keys), 0) != sizeof(*keys))
		return fail(-EIO, "cannot get random bytes for the hash key");
	return 0;
}

int key_renew(const struct home *home, unsigned int which)
{
	cleanup(closep) int fd = bpf_obj_get(home_pin(home, "key").text);
	struct flow_keys keys;
	uint32_t zero = 0;
	int r = fd < 0 ? fd : bpf_map_lookup_elem(fd, &zero, &keys);

	if (r == 0 && getrandom(&keys.at[which], sizeof(keys.at[0]), 0) != sizeof(keys.at[0]))
		r = -EIO;
	if (r == 0)
		r = bpf_map_update_elem(fd, &zero, &keys, 0);
	return r < 0 ? fail(r, "%s: cannot make a new hash key: %s", home->iface, strerror(-r)) : 0;
}

static void set_sizes(struct steer *skel, const struct dataplane_spec *spec)
{
	uint32_t slots = spec->config.slot_mask + 1 + spec->config.homes * spec->config.cpus +
			 RULE_SETS * RULE_SLOTS;
	uint32_t entries = LANES_MAX * spec->config.cpus;
	struct named_map maps[MAPS_NAMED];

	maps_named(skel, LANES_MAX, maps);
	for (unsigned int lane = 0; lane < LANES_MAX; lane++)
		bpf_map__set_max_entries(maps[MAPS_NAMED - LANES_MAX + lane].map,
					 spec->config.cpus);
	bpf_map__set_max_entries(skel->maps.weights, spec->config.cpus);
	bpf_map__set_max_entries(skel->maps.sent, entries);
	bpf_map__set_max_entries(skel->maps.targets, entries);
	bpf_map__set_max_entries(skel->maps.asleep, entries);
	bpf_map__set_max_entries(skel->maps.marks, spec->config.mark_mask + 1);
	bpf_map__set_max_entries(skel->maps.prefixes_4, spec->max_prefixes);
	bpf_map__set_max_entries(skel->maps.prefixes_6, spec->max_prefixes);
	if (spec->config.rules) {
		bpf_map__set_value_size(skel->maps.rules, sizeof(struct rule_set));
		bpf_map__set_max_entries(skel->maps.rules, RULE_SETS);
	}
	bpf_map__set_max_entries(skel->maps.slots, slots);
	bpf_map__set_max_entries(skel->maps.slot_state, slots);
	bpf_map__set_max_entries(skel->maps.pending, slots);
}

/* Without rules until now, there is no room for them. */
static bool has_room_for_rules(const struct home *home)
{
	cleanup(closep) int fd = bpf_obj_get(home_pin(home, "rules").text);
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	return fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
	       info.value_size == sizeof(struct rule_set);
}

/* The maps of the set that runs, all but the configuration, and the cpumaps it did not have. */
static int share_maps(struct steer *skel, const struct home *home,
		      const struct dataplane_spec *spec)
{
	struct named_map maps[MAPS_NAMED], shared[MAPS_NAMED];
	unsigned int count = maps_named(skel, spec->share_lanes, maps), n = 0;
	bool skip = !has_room_for_rules(home);

	for (unsigned int i = 1; i < count; i++)
		if (!skip || maps[i].map != skel->maps.rules)
			shared[n++] = maps[i];
	return maps_reuse(home, false, shared, n);
}

/* The set that takes over counts on where the one that runs is: both may, they are per CPU. */
static void counts_keep(const struct home *home, struct steer *skel)
{
	struct bpf_map *maps[] = { skel->maps.counters, skel->maps.targets, skel->maps.sent,
				   skel->maps.rule_hits };

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		cleanup(closep) int fd = bpf_obj_get(home_pin(home, bpf_map__name(maps[i])).text);
		struct bpf_map_info info = { 0 };
		uint32_t size = sizeof(info);

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
		    info.value_size == bpf_map__value_size(maps[i]) &&
		    info.max_entries == bpf_map__max_entries(maps[i]))
			bpf_map__reuse_fd(maps[i], fd);
	}
}

static int keep_prefixes(struct steer *skel, const struct home *home)
{
	const struct named_map maps[] = {
		{ "prefixes_4", skel->maps.prefixes_4 },
		{ "prefixes_6", skel->maps.prefixes_6 },
	};

	return maps_reuse(home, false, maps, 2);
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

static int pin_one(int fd, struct pin_path path)
{
	int r = bpf_obj_pin(fd, path.text);

	return r < 0 ? fail(r, "cannot pin '%s': %s", path.text, strerror(-r)) : 0;
}

static int pin_all(const struct steer *skel, const struct home *home, bool next, unsigned int lanes)
{
	const struct bpf_program *passes[LANES_MAX] = PASSES_OF(skel);
	char directory[sizeof(struct pin_path)];
	struct named_map maps[MAPS_NAMED];
	unsigned int count = maps_named(skel, lanes, maps);
	int r;

	snprintf(directory, sizeof(directory), "%s%s", home->pins, next ? "/next" : "");
	r = directory_make(directory);
	if (r < 0)
		return fail(r, "cannot make '%s': %s", directory, strerror(-r));
	for (unsigned int i = 0; r == 0 && i < count; i++)
		/* Without rules, what stands for them is nothing to look at. */
		if (maps[i].map != skel->maps.rules || skel->rodata->steer_config.rules)
			r = pin_one(bpf_map__fd(maps[i].map),
				    home_pin_of(home, next, maps[i].name));
	for (unsigned int lane = 0; r == 0 && lane < lanes; lane++)
		r = pin_one(bpf_program__fd(passes[lane]), lane_pin(home, next, "pass", lane));
	if (r == 0)
		r = pin_one(bpf_program__fd(skel->progs.steer), home_pin_of(home, next, "steer"));
	return r;
}

static void set_frags(struct steer *skel)
{
	struct bpf_program *passes[LANES_MAX] = PASSES_OF(skel);

	bpf_program__set_flags(skel->progs.steer, BPF_F_XDP_HAS_FRAGS);
	for (unsigned int lane = 0; lane < LANES_MAX; lane++)
		bpf_program__set_flags(passes[lane], BPF_F_XDP_HAS_FRAGS);
}

int dataplane_create(const struct home *home, const struct dataplane_spec *spec, bool next)
{
	cleanup(steer_destroyp) struct steer *skel = steer_new();
	unsigned int lanes = spec->config.lanes;
	int r;

	if (!skel)
		return fail(-errno, "cannot open the XDP programs: %s", strerror(errno));
	/* What one that was killed has left there. */
	r = next ? dataplane_remove_next(home) : 0;
	if (r < 0)
		return r;
	memcpy((void *)&skel->rodata->steer_config, &spec->config, sizeof(spec->config));
	r = set_keys(home, next, &skel->data_key->flow_keys);
	if (r < 0)
		return r;
	set_sizes(skel, spec);
	lanes_restrict(skel, lanes);
	if (spec->share_lanes)
		r = share_maps(skel, home, spec);
	else if (next)
		counts_keep(home, skel);
	if (r == 0 && next && spec->keep_prefixes && !spec->share_lanes)
		r = keep_prefixes(skel, home);
	if (r < 0)
		return r;
	if (spec->config.frags && !spec->dispatcher)
		set_frags(skel);
	r = load(skel, home);
	return r < 0 ? r : pin_all(skel, home, next, lanes);
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
	int r;

	counts_carry(home);
	r = each_pin(next.text, move_up);

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
	struct dataplane dataplane = {
		.table = TABLE_CLOSED,
		.steer = bpf_obj_get(home_pin_of(home, next, "steer").text),
	};

	for (unsigned int lane = 0; lane < LANES_MAX; lane++) {
		dataplane.cpus[lane] = bpf_obj_get(lane_pin(home, next, "cpus", lane).text);
		dataplane.pass[lane] = bpf_obj_get(lane_pin(home, next, "pass", lane).text);
	}
	if (dataplane.steer < 0 || dataplane.cpus[0] < 0 || dataplane.pass[0] < 0) {
		dataplane_close(&dataplane);
		return fail(-ENOENT, "%s: the pins under '%s' are not complete; unload it first",
			    home->iface, home->pins);
	}
	*ret = dataplane;
	return table_open(home, next, &ret->table);
}

void dataplane_init(struct dataplane *dataplane)
{
	*dataplane = (struct dataplane){
		.steer = -1,
		.table = TABLE_CLOSED,
	};
	for (unsigned int lane = 0; lane < LANES_MAX; lane++)
		dataplane->cpus[lane] = dataplane->pass[lane] = -1;
}

void dataplane_close(struct dataplane *dataplane)
{
	table_close(&dataplane->table);
	closep(&dataplane->steer);
	for (unsigned int lane = 0; lane < LANES_MAX; lane++) {
		closep(&dataplane->cpus[lane]);
		closep(&dataplane->pass[lane]);
	}
	dataplane_init(dataplane);
}
