// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap load and set IFACE: policy and facts to a plan, and the plan applied. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "apply/apply.h"
#include "lib/clean.h"
#include "lib/file.h"
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

/* A load that was killed left its parts: away with them first. */
static int clear_part(const struct home *home, struct facts *facts)
{
	int r;

	if (facts->loaded.state != LOADED_PART)
		return 0;
	note("%s: the last load did not finish, removing what it left", home->iface);
	r = apply_undo(home, facts->iface.index, &facts->loaded);
	if (r < 0)
		return r;
	facts_xdp(facts->iface.index, &facts->iface.xdp);
	memset(&facts->loaded, 0, sizeof(facts->loaded));
	return 0;
}

static int plan_say(const struct policy *policy, const struct facts *facts, struct plan **ret)
{
	struct reason why;
	int r = plan_make(policy, facts, ret, &why);

	return r < 0 ? fail(r, "%s", why.text) : 0;
}

/* A kernel before 6.3 does not tell what the driver can do: it was tried. */
static int plan_again(const struct policy *policy, struct facts *facts, const struct home *home,
		      struct plan **plan)
{
	if (policy->mode != MODE_AUTO || facts->iface.native != UNKNOWN)
		return fail(-EOPNOTSUPP,
			    "%s: the kernel refuses native XDP: %s; --mode skb works with every "
			    "driver, but builds the skb first and cannot do GRO",
			    home->iface, *kernel_said() ? kernel_said() : "not supported");
	facts->iface.native = NO;
	freep(plan);
	*plan = NULL;
	return plan_say(policy, facts, plan);
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

static int load(struct policy *policy, const struct home *home, int root, bool change)
{
	cleanup(freep) struct facts *facts = NULL;
	cleanup(freep) struct plan *plan = NULL;
	int r;

	r = facts_gather(root, policy->iface, &facts);
	if (r == 0 && change)
		r = keep(policy, facts);
	if (r < 0)
		return r;
	if (!policy->dry_run)
		r = clear_part(home, facts);
	if (r < 0)
		return r;
	r = plan_say(policy, facts, &plan);
	if (r < 0)
		return r;
	if (!policy->dry_run)
		r = plan_apply(plan, facts, home);
	if (r == -EOPNOTSUPP) {
		r = plan_again(policy, facts, home, &plan);
		if (r == 0)
			r = plan_apply(plan, facts, home);
	}
	if (r < 0)
		return r;
	say_notes(plan);
	if (policy->json)
		show_json(plan, policy);
	else if (policy->dry_run)
		show_text(plan);
	return 0;
}

static int begin(unsigned int verb, int argc, char **argv)
{
	cleanup(closep) int root = -1, lock = -1;
	struct policy policy;
	struct home home;
	int r;

	r = verb_begin(verb, true, argc, argv, &policy);
	if (r < 0)
		return r;
	root = root_open("/");
	home_of(policy.iface, &home);
	if (!policy.dry_run) {
		lock = home_lock(&home);
		if (lock < 0)
			return lock;
	}
	r = load(&policy, &home, root, verb == VERB_SET);
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
