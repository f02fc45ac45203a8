// SPDX-License-Identifier: GPL-2.0
/* Load and pin the programs that count in the kernel's tracepoints; each may be missing. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dataplane/dataplane.h"
#include "lib/clean.h"
#include "lib/say.h"
#include "cpumap/abi.h"

#include "bpf/watch.skel.h"

static void watch_destroyp(struct watch **skel)
{
	watch__destroy(*skel);
}

static void btf_freep(struct btf **btf)
{
	btf__free(*btf);
}

/* The programs, the dearest first, and what `stats` lacks without them. */
static const struct part {
	const char *name; /* of the program and of its link's pin */
	const char *tracepoint;
	const char *lack;
} parts[] = {
	{ "watch_enqueue", "xdp_cpumap_enqueue", "drops and bulks at enqueue" },
	{ "watch_kthread", "xdp_cpumap_kthread", "the kthreads' batches and sleeps" },
	{ "watch_redirect_err", "xdp_redirect_err", "redirect errors" },
	{ "watch_exception", "xdp_exception", "XDP exceptions" },
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))
#define EXCEPTION (PARTS - 1)

/* Bytes from the start of the structure to the member; 0: unknown. */
static uint32_t member_offset(const struct btf *btf, const char *structure, const char *member)
{
	const struct btf_type *type;
	int id = btf__find_by_name_kind(btf, structure, BTF_KIND_STRUCT);

	if (id < 0)
		return 0;
	type = btf__type_by_id(btf, (uint32_t)id);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, btf_members(type)[i].name_off);

		if (name && strcmp(name, member) == 0)
			return btf_member_bit_offset(type, i) / 8;
	}
	return 0;
}

/* The program reads a pointer as 8 bytes. */
static void find_offsets(struct watch_config *config)
{
	cleanup(btf_freep) struct btf *btf = sizeof(long) == 8 ? btf__load_vmlinux_btf() : NULL;

	if (libbpf_get_error(btf)) {
		btf = NULL;
		return;
	}
	config->prog_aux = member_offset(btf, "bpf_prog", "aux");
	config->aux_id = member_offset(btf, "bpf_prog_aux", "id");
}

static struct watch *open_with(const struct watched *ours, const struct watch_config *config,
			       unsigned int wanted)
{
	struct watch *skel = watch__open();

	if (!skel)
		return NULL;
	memcpy((void *)&skel->rodata->watch_config, config, sizeof(*config));
	skel->data_watched->watched = *ours;
	bpf_map__set_max_entries(skel->maps.enqueued, LANES_MAX * config->cpus);
	for (size_t i = 0; i < PARTS; i++)
		bpf_program__set_autoload(
			bpf_object__find_program_by_name(skel->obj, parts[i].name),
			wanted >> i & 1);
	return skel;
}

/* Load what the kernel takes: without the last of those wanted, until it is content. */
static struct watch *load_most(const struct watched *ours, const struct watch_config *config,
			       unsigned int *wanted)
{
	for (;;) {
		struct watch *skel = open_with(ours, config, *wanted);

		if (!skel || watch__load(skel) == 0)
			return skel;
		watch__destroy(skel);
		if (!*wanted)
			return NULL;
		*wanted &= ~(1U << (31 - __builtin_clz(*wanted)));
	}
}

/* The link is the pin's alone: it lasts until `unload`. */
static bool attach_part(struct watch *skel, const struct home *home, const struct part *part)
{
	struct bpf_program *program = bpf_object__find_program_by_name(skel->obj, part->name);
	struct bpf_link *link = bpf_program__attach_raw_tracepoint(program, part->tracepoint);
	int r;

	if (libbpf_get_error(link))
		return false;
	r = bpf_link__pin(link, home_pin(home, part->name).text);
	bpf_link__destroy(link);
	return r == 0;
}

static int pin_maps(const struct watch *skel, const struct home *home)
{
	const struct {
		const char *name;
		const struct bpf_map *map;
	} pins[] = {
		{ "enqueued", skel->maps.enqueued },
		{ "dequeued", skel->maps.dequeued },
		{ "exceptions", skel->maps.exceptions },
		{ "watched", skel->maps.data_watched },
	};

	for (size_t i = 0; i < sizeof(pins) / sizeof(pins[0]); i++) {
		int r = bpf_obj_pin(bpf_map__fd(pins[i].map), home_pin(home, pins[i].name).text);

		if (r < 0)
			return r;
	}
	return 0;
}

static void say_lack(const struct home *home, unsigned int have)
{
	char lack[256] = "";

	for (size_t i = 0; i < PARTS; i++)
		if (!(have >> i & 1))
			snprintf(lack + strlen(lack), sizeof(lack) - strlen(lack), "%s%s",
				 *lack ? ", " : "", parts[i].lack);
	if (*lack)
		note("%s: the kernel lets us count without these: %s", home->iface, lack);
}

static int watch_create(const struct home *home, const struct watched *ours, uint32_t cpus)
{
	struct watch_config config = { .cpus = cpus };
	unsigned int wanted = (1U << PARTS) - 1, have = 0;
	cleanup(watch_destroyp) struct watch *skel = NULL;

	find_offsets(&config);
	if (!config.prog_aux || !config.aux_id)
		wanted &= ~(1U << EXCEPTION);
	skel = load_most(ours, &config, &wanted);
	if (!skel)
		return -errno;
	for (size_t i = 0; i < PARTS; i++)
		if (wanted >> i & 1 && attach_part(skel, home, &parts[i]))
			have |= 1U << i;
	say_lack(home, have);
	return pin_maps(skel, home);
}

static bool has_map(const struct watched *watched, uint32_t map_id)
{
	for (int i = 0; i < WATCHED_MAPS_MAX; i++)
		if (watched->maps[i].id == map_id)
			return true;
	return false;
}

/* Those that ran before are still counted: their queues hold frames. */
static void keep_old(struct watched *ours, const struct watched *old)
{
	unsigned int at = 0;

	while (at < WATCHED_MAPS_MAX && ours->maps[at].id)
		at++;
	for (int i = 0; i < WATCHED_MAPS_MAX && at < WATCHED_MAPS_MAX; i++)
		if (old->maps[i].id && !has_map(ours, old->maps[i].id))
			ours->maps[at++] = old->maps[i];
}

static uint32_t pinned_id(struct pin_path pin, bool is_map)
{
	cleanup(closep) int fd = bpf_obj_get(pin.text);
	struct bpf_map_info map = { 0 };
	struct bpf_prog_info prog = { 0 };
	uint32_t size = is_map ? sizeof(map) : sizeof(prog);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, is_map ? (void *)&map : &prog, &size) < 0)
		return 0;
	return is_map ? map.id : prog.id;
}

static void find_ours(const struct home *home, bool next, bool dispatcher, struct watched *ret)
{
	*ret = (struct watched){
		/* Behind a dispatcher, exceptions are the dispatcher's. */
		.steer_id = dispatcher ? 0 : pinned_id(home_pin_of(home, next, "steer"), false),
	};
	for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
		uint32_t id = pinned_id(lane_pin(home, next, "cpus", lane), true);

		if (!id)
			return;
		ret->maps[lane] = (struct watched_map){ .id = id, .lane = lane };
		ret->pass_ids[lane] = pinned_id(lane_pin(home, next, "pass", lane), false);
	}
}

int tracepoints_follow(const struct home *home, bool next, const struct dataplane_spec *spec)
{
	cleanup(closep) int fd = bpf_obj_get(home_pin(home, "watched").text);
	struct watched old, ours;
	uint32_t zero = 0;

	find_ours(home, next, spec->dispatcher, &ours);
	if (fd < 0)
		return watch_create(home, &ours, spec->config.cpus);
	if (bpf_map_lookup_elem(fd, &zero, &old) < 0)
		return -errno;
	keep_old(&ours, &old);
	return bpf_map_update_elem(fd, &zero, &ours, 0);
}

void tracepoints_forget(const struct home *home)
{
	static const char *const maps[] = { "enqueued", "dequeued", "exceptions", "watched" };

	for (size_t i = 0; i < PARTS; i++)
		unlink(home_pin(home, parts[i].name).text);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		unlink(home_pin(home, maps[i]).text);
}
