// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap status [IFACE]: what is steered, where to, and how much. */
#include <dirent.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/json.h"
#include "policy/options.h"
#include "stats/report.h"
#include "verb.h"

struct listing {
	struct source source;
	struct json_object *json; /* NULL: text to stdout */
	unsigned int shown;
};

static int show_loaded(struct listing *listing, const struct home *home, struct facts *facts)
{
	cleanup(report_done) struct report report = { 0 };
	int r = report_make(home, facts, &report);

	if (r < 0)
		return r;
	if (listing->json)
		json_object_array_add(listing->json, report_json(&report));
	else {
		if (listing->shown)
			putchar('\n');
		report_text(&report, stdout);
	}
	listing->shown++;
	return 0;
}

static int show(struct listing *listing, const char *iface)
{
	cleanup(freep) struct facts *facts = NULL;
	struct home home;
	int r = facts_gather(&listing->source, iface, &facts);

	if (r < 0)
		return r;
	home_of(iface, &home);
	switch (facts->loaded.state) {
	case LOADED:
		return show_loaded(listing, &home, facts);
	case LOADED_PART:
		warn("%s: a load did not finish, or its program was taken away; "
		     "`xdp-cpumap unload %s` clears up",
		     iface, iface);
		return 0;
	case LOADED_OTHER_ABI:
		warn("%s: steered by another version of xdp-cpumap, whose maps we cannot read",
		     iface);
		return 0;
	default:
		return 0;
	}
}

/* Every interface with pins in this network namespace. */
static int show_all(struct listing *listing)
{
	cleanup(closedirp) DIR *dir = NULL;
	struct dirent *entry;
	char path[96];

	home_all(path, sizeof(path));
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		/* The directory of another namespace has a longer name than any interface. */
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= IFNAMSIZ)
			continue;
		if (!if_nametoindex(entry->d_name))
			warn("%s: the interface is gone; `xdp-cpumap unload %s` clears up",
			     entry->d_name, entry->d_name);
		else
			show(listing, entry->d_name);
	}
	return 0;
}

int cmd_status(int argc, char **argv)
{
	struct listing listing = { .source.root = -1 };
	struct policy policy;
	int r;

	r = verb_begin(VERB_STATUS, false, argc, argv, &policy);
	if (r < 0)
		return r;
	listing.source.root = root_open("/");
	if (policy.json)
		listing.json = json_object_new_array();
	r = policy.iface[0] ? show(&listing, policy.iface) : show_all(&listing);
	if (r == 0 && !listing.shown)
		note(policy.iface[0] ? "%s: not steered" : "nothing is steered here", policy.iface);
	if (policy.json) {
		struct json_object *json = json_object_new_object();

		json_put(json, "interfaces", listing.json);
		if (r == 0)
			json_print(json);
		else
			json_object_put(json);
	}
	closep(&listing.source.root);
	return r;
}
