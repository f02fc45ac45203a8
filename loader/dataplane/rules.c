// SPDX-License-Identifier: GPL-2.0
/* The sets of rules of an interface. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dataplane/rules.h"
#include "lib/clean.h"
#include "lib/say.h"

static int open_map(const struct home *home, bool next, const char *name)
{
	struct pin_path path = home_pin_of(home, next, name);
	int fd = bpf_obj_get(path.text);

	return fd < 0 ? fail(fd, "cannot open '%s': %s", path.text, strerror(-fd)) : fd;
}

/* As memory: one system call would want all of it in one piece, in the kernel. */
static int write_tables(const struct home *home, bool next, unsigned int set,
			const struct rule_set *tables)
{
	cleanup(closep) int fd = open_map(home, next, "rules");
	struct rule_set *sets;

	if (fd < 0)
		return fd;
	sets = mmap(NULL, RULE_SETS * sizeof(*sets), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (sets == MAP_FAILED)
		return fail(-errno, "%s: cannot map the rules: %s", home->iface, strerror(errno));
	memcpy(&sets[set - 1], tables, sizeof(*tables));
	munmap(sets, RULE_SETS * sizeof(*sets));
	return 0;
}

static int write_texts(const struct home *home, bool next, unsigned int set,
		       const struct rule_list *list)
{
	cleanup(closep) int fd = open_map(home, next, "rule_texts");
	static const struct rule_text none;
	int r = fd < 0 ? fd : 0;

	for (uint32_t i = 0; r == 0 && i < RULES_MAX; i++) {
		uint32_t key = (set - 1) * RULES_MAX + i;

		r = bpf_map_update_elem(fd, &key, i < list->count ? &list->at[i] : &none, 0);
		if (r < 0)
			return fail(r, "%s: cannot write the rules: %s", home->iface, strerror(-r));
	}
	return r;
}

static bool has_id(const struct rule_list *list, uint32_t id)
{
	for (unsigned int i = 0; i < list->count; i++)
		if (list->at[i].id == id)
			return true;
	return false;
}

static int reset_hits(const struct home *home, bool next, const struct rule_list *old,
		      const struct rule_list *list)
{
	cleanup(closep) int fd = open_map(home, next, "rule_hits");
	int cpus = libbpf_num_possible_cpus(), r = 0;
	cleanup(freep) struct rule_hit *zero = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof(*zero));

	if (fd < 0)
		return fd;
	if (!zero || cpus < 0)
		return fail(-ENOMEM, "out of memory");
	for (unsigned int i = 0; r == 0 && i < list->count; i++)
		if (!has_id(old, list->at[i].id))
			r = bpf_map_update_elem(fd, &list->at[i].id, zero, 0);
	return r < 0 ? fail(r, "%s: cannot write the rules: %s", home->iface, strerror(-r)) : 0;
}

int rule_set_write(const struct home *home, bool next, unsigned int set,
		   const struct rule_list *old, const struct rule_list *list,
		   const struct rule_set *tables)
{
	int r = write_tables(home, next, set, tables);

	if (r == 0)
		r = write_texts(home, next, set, list);
	return r < 0 ? r : reset_hits(home, next, old, list);
}

int rule_hits_read(const struct home *home, uint32_t id, struct rule_hit *ret)
{
	cleanup(closep) int fd = open_map(home, false, "rule_hits");
	int cpus = libbpf_num_possible_cpus();
	cleanup(freep) struct rule_hit *hits = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof(*hits));

	if (fd < 0)
		return fd;
	if (!hits || cpus < 0)
		return fail(-ENOMEM, "out of memory");
	if (bpf_map_lookup_elem(fd, &id, hits) < 0)
		return fail(-errno, "%s: cannot read what rules have counted: %s", home->iface,
			    strerror(errno));
	*ret = (struct rule_hit){ 0 };
	for (int cpu = 0; cpu < cpus; cpu++) {
		ret->packets += hits[cpu].packets;
		ret->bytes += hits[cpu].bytes;
	}
	return 0;
}
