// SPDX-License-Identifier: GPL-2.0
/* A pinned per-CPU map: for each key, as many values as there are possible CPUs. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

#include "lib/clean.h"
#include "lib/percpu.h"

enum { READ_AHEAD = 128 << 10, READ_AHEAD_KEYS = 256 };

int percpu_open(const struct home *home, const char *name, unsigned int cpus, struct percpu *ret)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	ret->fd = bpf_obj_get(home_pin(home, name).text);
	if (ret->fd < 0 || bpf_obj_get_info_by_fd(ret->fd, &info, &size) < 0)
		return -errno;
	ret->keys = info.max_entries;
	ret->size = (info.value_size + 7) & ~7U;
	ret->cpus = cpus;
	ret->values = ret->many = calloc(cpus, ret->size);
	ret->room = 1;
	return ret->values ? 0 : -ENOMEM;
}

void percpu_done(struct percpu *map)
{
	closep(&map->fd);
	free(map->many);
}

int percpu_read(struct percpu *map, uint32_t key)
{
	map->ahead = 0;
	map->values = map->many;
	return bpf_map_lookup_elem(map->fd, &key, map->values);
}

static void make_room(struct percpu *map)
{
	uint32_t room = (uint32_t)(READ_AHEAD / (map->cpus * map->size));
	void *many;

	room = room < map->keys ? room : map->keys;
	many = room > map->room ? calloc(room, map->cpus * map->size) : NULL;
	if (!many)
		return;
	free(map->many);
	map->many = many;
	map->room = room;
}

/* Kernels before 5.13 have no batches for these maps: a key at a time. */
static int read_ahead(struct percpu *map, uint32_t key)
{
	uint32_t keys[READ_AHEAD_KEYS], before = key - 1, last, count;

	make_room(map);
	count = map->room < READ_AHEAD_KEYS ? map->room : READ_AHEAD_KEYS;
	if (count > 1 &&
	    (bpf_map_lookup_batch(map->fd, key ? &before : NULL, &last, keys, map->many, &count,
				  NULL) == 0 ||
	     errno == ENOENT) &&
	    count && keys[0] == key) {
		map->first = key;
		map->ahead = count;
		return 0;
	}
	return percpu_read(map, key);
}

int percpu_walk(struct percpu *map, uint32_t key)
{
	if (key - map->first >= map->ahead) {
		int r = read_ahead(map, key);

		if (r < 0 || !map->ahead)
			return r;
	}
	map->values = (char *)map->many + (key - map->first) * map->cpus * map->size;
	return 0;
}

void *percpu_value(const struct percpu *map, unsigned int cpu)
{
	return (char *)map->values + cpu * map->size;
}

int percpu_write(const struct percpu *map, uint32_t key)
{
	return bpf_map_update_elem(map->fd, &key, map->values, 0);
}
