// SPDX-License-Identifier: GPL-2.0
/* The tables of prefixes of an interface. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "dataplane/prefixes.h"
#include "lib/clean.h"
#include "lib/say.h"

static const char *const names[] = { "prefixes_4", "prefixes_6" };

int prefix_tables_open(const struct home *home, uint32_t homes, struct prefix_tables *ret)
{
	struct prefix_tables tables = { { -1, -1 }, .homes = homes };
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	for (int v6 = 0; v6 < 2; v6++)
		tables.fds[v6] = bpf_obj_get(home_pin(home, names[v6]).text);
	if (tables.fds[0] < 0 || tables.fds[1] < 0 ||
	    bpf_obj_get_info_by_fd(tables.fds[0], &info, &size) < 0) {
		prefix_tables_close(&tables);
		return fail(-ENOENT, "%s: the pins under '%s' are not complete; unload it first",
			    home->iface, home->pins);
	}
	tables.max = info.max_entries;
	*ret = tables;
	return 0;
}

void prefix_tables_close(struct prefix_tables *tables)
{
	closep(&tables->fds[0]);
	closep(&tables->fds[1]);
}

/* Both kinds of key begin with the length; the address is in network order in both. */
static size_t key_size(bool v6)
{
	return v6 ? sizeof(struct prefix_key_6) : sizeof(struct prefix_key_4);
}

static void key_make(const struct prefix *prefix, void *ret)
{
	uint32_t len = prefix->len;

	memcpy(ret, &len, sizeof(len));
	memcpy((char *)ret + sizeof(len), prefix->addr, key_size(prefix->v6) - sizeof(len));
}

/* Any of the CPU's slots, the same for a prefix at all times. */
static struct prefix_home home_of_prefix(const struct prefix *prefix, uint32_t cpu, uint32_t homes)
{
	uint32_t mix = prefix->len;

	for (int i = 0; i < 16; i++)
		mix = (mix ^ prefix->addr[i]) * 16777619; /* FNV-1 */
	return (struct prefix_home){ .cpu = (uint16_t)cpu,
				     .home = (uint8_t)((mix >> 16) % homes),
				     .len = prefix->len };
}

/* A lookup finds the longest match, which is the prefix itself if it is as long. */
static bool find(const struct prefix_tables *tables, const struct prefix *prefix,
		 struct prefix_home *ret)
{
	struct prefix_key_6 key;

	key_make(prefix, &key);
	return bpf_map_lookup_elem(tables->fds[prefix->v6], &key, ret) == 0 &&
	       ret->len == prefix->len;
}

static int put(const struct prefix_tables *tables, const struct prefix *prefix,
	       const struct prefix_home *home)
{
	struct prefix_key_6 key;

	key_make(prefix, &key);
	return bpf_map_update_elem(tables->fds[prefix->v6], &key, home, 0);
}

/* One by one, as kernels before 5.14 want it. The number done. */
static unsigned int put_each(const struct prefix_tables *tables, const struct prefix_entry *entries,
			     const struct prefix_home *homes, unsigned int count, int *ret_error)
{
	for (unsigned int i = 0; i < count; i++) {
		*ret_error = put(tables, &entries[i].prefix, &homes[i]);
		if (*ret_error < 0)
			return i;
	}
	return count;
}

/* Prefixes of one IP version. The number done. */
static unsigned int put_batch(const struct prefix_tables *tables,
			      const struct prefix_entry *entries, const struct prefix_home *homes,
			      unsigned int count, int *ret_error)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);
	bool v6 = entries[0].prefix.v6;
	cleanup(freep) char *keys = malloc(count * key_size(v6));
	uint32_t done = count;

	*ret_error = -ENOMEM;
	if (!keys)
		return 0;
	for (unsigned int i = 0; i < count; i++)
		key_make(&entries[i].prefix, keys + i * key_size(v6));
	*ret_error = bpf_map_update_batch(tables->fds[v6], keys, homes, &done, &opts);
	if (*ret_error == 0)
		return count;
	if (*ret_error == -ENOSPC)
		return done < count ? done : 0;
	return put_each(tables, entries, homes, count, ret_error);
}

static void put_back(const struct prefix_tables *tables, const struct prefix_entry *entries,
		     const struct prefix_home *before, const bool *was, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		if (was[i])
			put(tables, &entries[i].prefix, &before[i]);
		else
			prefix_delete(tables, &entries[i].prefix);
	}
}

static unsigned int first_v6(const struct prefix_entry *entries, unsigned int count)
{
	unsigned int i = 0;

	while (i < count && !entries[i].prefix.v6)
		i++;
	return i;
}

int prefixes_write(const struct prefix_tables *tables, const struct prefix_entry *entries,
		   unsigned int count)
{
	cleanup(freep) struct prefix_home *before = calloc(count + 1, sizeof(*before));
	cleanup(freep) struct prefix_home *homes = calloc(count + 1, sizeof(*homes));
	cleanup(freep) bool *was = calloc(count + 1, sizeof(*was));
	unsigned int split = first_v6(entries, count), done = 0;
	int r = 0;

	if (!before || !homes || !was)
		return fail(-ENOMEM, "out of memory");
	for (unsigned int i = 0; i < count; i++) {
		was[i] = find(tables, &entries[i].prefix, &before[i]);
		homes[i] = home_of_prefix(&entries[i].prefix, entries[i].cpu, tables->homes);
	}
	if (split)
		done = put_batch(tables, entries, homes, split, &r);
	if (r == 0 && split < count)
		done += put_batch(tables, entries + split, homes + split, count - split, &r);
	if (r == 0)
		return 0;
	/* A batch may have done more than it says. */
	put_back(tables, entries, before, was, done < split ? split : count);
	return r == -ENOSPC ? fail(r,
				   "there is room for %u prefixes of each IP version; load with "
				   "--max-prefixes",
				   tables->max)
			    : fail(r, "the kernel refuses prefixes: %s", strerror(-r));
}

int prefix_delete(const struct prefix_tables *tables, const struct prefix *prefix)
{
	struct prefix_key_6 key;
	int r;

	key_make(prefix, &key);
	r = bpf_map_delete_elem(tables->fds[prefix->v6], &key);
	if (r == -ENOENT)
		return 0;
	return r < 0 ? fail(r, "the kernel does not delete a prefix: %s", strerror(-r)) : 1;
}

static int read_table(const struct prefix_tables *tables, bool v6, struct prefix_entry *ret,
		      unsigned int *count)
{
	struct prefix_key_6 key, *last = NULL;
	struct prefix_home home;

	while (*count < 2 * tables->max && bpf_map_get_next_key(tables->fds[v6], last, &key) == 0) {
		struct prefix_entry *entry = &ret[*count];

		last = &key;
		if (bpf_map_lookup_elem(tables->fds[v6], &key, &home) < 0 || home.len != key.len)
			continue;
		*entry = (struct prefix_entry){ .prefix = { .len = home.len, .v6 = v6 },
						.cpu = home.cpu };
		memcpy(entry->prefix.addr, key.addr, v6 ? 16 : 4);
		(*count)++;
	}
	return 0;
}

static int by_prefix(const void *a, const void *b)
{
	return prefix_compare(&((const struct prefix_entry *)a)->prefix,
			      &((const struct prefix_entry *)b)->prefix);
}

int prefixes_read(const struct prefix_tables *tables, struct prefix_entry **ret,
		  unsigned int *ret_count)
{
	struct prefix_entry *entries = calloc(2 * (size_t)tables->max, sizeof(*entries));
	unsigned int count = 0;

	if (!entries)
		return fail(-ENOMEM, "out of memory");
	read_table(tables, false, entries, &count);
	read_table(tables, true, entries, &count);
	qsort(entries, count, sizeof(*entries), by_prefix);
	*ret = entries;
	*ret_count = count;
	return 0;
}
