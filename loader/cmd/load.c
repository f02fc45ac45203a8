// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap load and set IFACE: policy and facts to a plan, and the plan applied. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>

#include "cmd/converge.h"
#include "lib/clean.h"
#include "lib/json.h"
#include "policy/options.h"
#include "verb.h"

static struct json_object *step_json(const struct step *step)
{
	struct json_object *json = json_object_new_object();

	json_put_text(json, "kind", step_kind_names[step->kind]);
	json_put_text(json, "target", step->target);
	json_put_text(json, "before", step->before);
	json_put_text(json, "after", step->after);
	json_put_text(json, "why", step->why);
	return json;
}

static void show_json(const struct plan *plan, const struct policy *policy)
{
	struct json_object *json = json_object_new_object();
	struct json_object *steps = json_object_new_array();
	struct json_object *notes = json_object_new_array();

	for (unsigned int i = 0; i < plan->step_count; i++)
		json_object_array_add(steps, step_json(&plan->steps[i]));
	for (unsigned int i = 0; i < plan->note_count; i++)
		json_object_array_add(notes, json_object_new_string(plan->notes[i]));
	json_put_text(json, "interface", policy->iface);
	json_put(json, "changed", json_object_new_boolean(!policy->dry_run && plan->step_count));
	json_put(json, "steps", steps);
	json_put(json, "notes", notes);
	json_print(json);
}

static void show_text(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->step_count; i++) {
		const struct step *step = &plan->steps[i];

		printf("%-9s %-8s %s -> %s\n          %s\n", step_kind_names[step->kind],
		       step->target, step->before, step->after, step->why);
	}
	if (!plan->step_count)
		puts("nothing to do");
}

static void say_notes(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->note_count; i++)
		note("%s", plan->notes[i]);
}

/* What `set` begins with: something is loaded, and is kept where nothing else is said. */
static int keep(struct policy *policy, const struct facts *facts)
{
	if (facts->loaded.state == LOADED) {
		policy_keep(policy, facts);
		return 0;
	}
	return fail(-ENOENT, "%s: not steered, there is nothing to change; xdp-cpumap load %s",
		    policy->iface, policy->iface);
}

int verb_load(struct policy *policy, const struct home *home, const struct source *source,
	      bool change)
{
	cleanup(freep) struct facts *facts = NULL;
	cleanup(freep) struct plan *plan = NULL;
	int r;

	r = converge_facts(policy, home, source, &facts);
	if (r < 0)
		return r;
	r = change ? keep(policy, facts) : 0;
	if (r == 0)
		r = converge(policy, home, facts, &plan);
	if (r < 0)
		return r;
	say_notes(plan);
	if (policy->json)
		show_json(plan, policy);
	else if (policy->dry_run)
		show_text(plan);
	return 0;
}

/* Who goes on has no end to tell of. */
static int check_follow(const struct policy *policy)
{
	if (policy->follow && (policy->json || policy->dry_run || policy->host[0]))
		return fail(-E_USAGE,
			    "--watch goes on and on: not with --json, --dry-run or --host");
	return 0;
}

static int begin(unsigned int verb, int argc, char **argv)
{
	cleanup(closep) int lock = -1;
	cleanup(source_close) struct source source = { .root = -1 };
	struct policy policy;
	struct home home;
	int r;

	r = verb_begin(verb, true, argc, argv, &policy);
	if (r == 0)
		r = check_follow(&policy);
	if (r < 0)
		return r;
	r = verb_source(&policy, &source);
	if (r < 0)
		return r;
	policy.dry_run |= source.captured;
	if (policy.follow)
		return follow(&policy, &source, argc, argv);
	home_of(policy.iface, &home);
	if (!policy.dry_run) {
		lock = home_lock(&home);
		if (lock < 0)
			return lock;
	}
	r = verb_load(&policy, &home, &source, verb == VERB_SET);
	if (r < 0 && lock >= 0)
		home_leave_unused(&home);
	return r;
}

int cmd_load(int argc, char **argv)
{
	return begin(VERB_LOAD, argc, argv);
}

int cmd_set(int argc, char **argv)
{
	return begin(VERB_SET, argc, argv);
}
