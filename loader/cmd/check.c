// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap check [IFACE]: what stands in the way, and what cures it. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/show.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/json.h"
#include "policy/options.h"
#include "verb.h"

struct listing {
	const struct source *source;
	const struct policy *policy;
	struct json_object *json; /* NULL: text to stdout */
	unsigned int errors;
};

static struct json_object *iface_json(const char *iface, const struct findings *findings,
				      const char *verdict)
{
	struct json_object *json = json_object_new_object();

	json_put_text(json, "interface", iface);
	json_put_text(json, "verdict", verdict);
	json_put(json, "findings", findings_json(findings));
	return json;
}

static void show(struct listing *listing, const struct facts *facts, bool line)
{
	cleanup(freep) struct findings *findings = calloc(1, sizeof(*findings));
	char verdict[320];

	if (!findings)
		return;
	check_all(listing->policy, facts, findings);
	check_verdict(findings, verdict, sizeof(verdict));
	listing->errors += findings->errors;
	if (listing->json) {
		json_object_array_add(listing->json,
				      iface_json(facts->iface.name, findings, verdict));
		return;
	}
	if (listing->policy->facts)
		facts_show(facts, stdout);
	if (!line)
		findings_text(findings, stdout);
	printf("%s: %s\n", facts->iface.name, verdict);
}

static int check_one(struct listing *listing, const char *iface, bool line)
{
	cleanup(freep) struct facts *facts = NULL;
	int r = facts_gather(listing->source, iface, &facts);

	if (r == 0)
		show(listing, facts, line);
	return r;
}

static void on_iface(const char *name, void *data)
{
	struct listing *listing = data;

	if (strcmp(name, "lo") != 0 &&
	    file_exists(listing->source->root, "sys/class/net/%s/ifindex", name))
		check_one(listing, name, true);
}

/* Of all of them a line each; what is wrong with one is no failure of this. */
static int check_all_ifaces(struct listing *listing)
{
	int r = directory_visit(listing->source->root, "sys/class/net", on_iface, listing);

	listing->errors = 0;
	return r;
}

static void print_json(struct json_object *interfaces)
{
	struct json_object *json = json_object_new_object();

	json_put(json, "interfaces", interfaces);
	json_print(json);
}

int cmd_check(int argc, char **argv)
{
	cleanup(source_close) struct source source = { .root = -1 };
	struct listing listing = { .source = &source };
	struct policy policy;
	int r;

	r = verb_begin(VERB_CHECK, false, argc, argv, &policy);
	if (r == 0)
		r = verb_source(&policy, &source);
	if (r < 0)
		return r;
	if (policy.config[0] && !policy.iface[0] && !policy.capture[0]) {
		note("%s: no mistake; with an interface, `check` says whether it suits that",
		     policy.config);
		return 0;
	}
	listing.policy = &policy;
	listing.json = policy.json ? json_object_new_array() : NULL;
	if (policy.capture[0])
		r = facts_capture(&source, policy.capture);
	else
		r = policy.iface[0] ? check_one(&listing, policy.iface, false)
				    : check_all_ifaces(&listing);
	if (r < 0)
		return r;
	if (policy.json && !policy.capture[0])
		print_json(listing.json);
	return listing.errors ? -E_CHECK : 0;
}
