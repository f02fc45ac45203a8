// SPDX-License-Identifier: GPL-2.0
/* A pinned per-CPU map: for each key, as many values as there are possible CPUs. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

#include "lib/clean.h"
#include "lib/percpu.h"

int percpu_open(const struct home *home, const char *name, unsigned int cpus, struct percpu *ret)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	ret->fd = bpf_obj_get(home_pin(home, name).text);
	if (ret->fd < 0 || bpf_obj_get_info_by_fd(ret->fd, &info, &size) < 0)
		return -errno;
	ret->keys = info.max_entries;
	ret->size = (info.value_size + 7) & ~7U;
	ret->values = calloc(cpus, ret->size);
	return ret->values ? 0 : -ENOMEM;
}

void percpu_done(struct percpu *map)
{
	closep(&map->fd);
	free(map->values);
}

int percpu_read(const struct percpu *map, uint32_t key)
{
	return bpf_map_lookup_elem(map->fd, &key, map->values);
}

void *percpu_value(const struct percpu *map, unsigned int cpu)
{
	return (char *)map->values + cpu * map->size;
}

int percpu_write(const struct percpu *map, uint32_t key)
{
	return bpf_map_update_elem(map->fd, &key, map->values, 0);
}
