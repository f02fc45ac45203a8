// SPDX-License-Identifier: GPL-2.0
/* Snapshots of one interface or of all that are loaded, taken together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/say.h"
#include "stats/sample.h"

static int add(const char *iface, struct sample *sample)
{
	cleanup(freep) struct loaded *loaded = calloc(1, sizeof(*loaded));
	uint32_t ifindex = if_nametoindex(iface);
	const struct source source = { .root = -1 }; /* no file of it is read */
	struct xdp_facts xdp = { 0 };
	struct home home;
	int r;

	if (!loaded)
		return fail(-ENOMEM, "out of memory");
	if (!ifindex)
		return fail(-ENODEV, "%s: there is no such interface", iface);
	home_of(iface, &home);
	facts_program(&source, iface, &xdp);
	facts_loaded(&home, ifindex, &xdp, loaded);
	if (loaded->state != LOADED || sample->count == SAMPLE_MAX)
		return 0;
	r = snapshot_take(&home, loaded, &sample->at[sample->count]);
	if (r == 0)
		sample->count++;
	return r;
}

static int by_name(const void *a, const void *b)
{
	const struct snapshot *const *left = a, *const *right = b;

	return strcmp((*left)->iface, (*right)->iface);
}

int sample_take(const char *iface, struct sample *ret)
{
	cleanup(closedirp) DIR *dir = NULL;
	struct dirent *entry;
	char path[96];
	int r = 0;

	ret->count = 0;
	if (*iface)
		return add(iface, ret);
	home_all(path, sizeof(path));
	dir = opendir(path);
	while (r == 0 && dir && (entry = readdir(dir)))
		/* The directory of another namespace has a longer name than any interface. */
		if (entry->d_name[0] != '.' && strlen(entry->d_name) < IFNAMSIZ &&
		    if_nametoindex(entry->d_name))
			r = add(entry->d_name, ret);
	qsort(ret->at, ret->count, sizeof(ret->at[0]), by_name);
	if (r < 0)
		sample_done(ret);
	return r;
}

void sample_done(struct sample *sample)
{
	for (unsigned int i = 0; i < sample->count; i++)
		snapshot_free(sample->at[i]);
	sample->count = 0;
}

int sample_at_load(const struct sample *like, struct sample *ret)
{
	ret->count = 0;
	for (unsigned int i = 0; i < like->count; i++) {
		ret->at[i] = snapshot_at_load(like->at[i]);
		if (!ret->at[i]) {
			sample_done(ret);
			return fail(-ENOMEM, "out of memory");
		}
		ret->count++;
	}
	return 0;
}

const struct snapshot *sample_find(const struct sample *sample, const char *iface)
{
	for (unsigned int i = 0; i < sample->count; i++)
		if (strcmp(sample->at[i]->iface, iface) == 0)
			return sample->at[i];
	return NULL;
}
