// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap load and set IFACE: policy and facts to a plan, and the plan applied. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apply/apply.h"
#include "check/show.h"
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

static void tell(const struct step *step, enum undone undone, const char *now, void *data)
{
	char text[512];

	undone_format(step, undone, now, text, sizeof(text));
	if (*text)
		note("%s", text);
}

/* A load that was killed left its parts: away with them first. 1: there were some. */
static int clear_part(const struct home *home, const struct facts *facts)
{
	int r;

	if (facts->loaded.state != LOADED_PART)
		return 0;
	note("%s: the last load did not finish, removing what it left", home->iface);
	r = apply_undo(home, facts->iface.index, &facts->loaded, tell, NULL);
	return r < 0 ? r : 1;
}

/* The facts, without what a load that was killed left. */
static int gather(const struct policy *policy, const struct source *source, const struct home *home,
		  struct facts **ret)
{
	int r = facts_gather(source, policy->iface, ret);

	if (r == 0 && !policy->dry_run)
		r = clear_part(home, *ret);
	if (r <= 0)
		return r;
	freep(ret);
	*ret = NULL;
	return facts_gather(source, policy->iface, ret);
}

/* Stop at what cannot work; tell of what will be worse than it could be. */
static int preflight(const struct policy *policy, const struct facts *facts)
{
	cleanup(freep) struct findings *findings = calloc(1, sizeof(*findings));

	if (!findings)
		return fail(-ENOMEM, "out of memory");
	check_all(policy, facts, findings);
	return findings_say(findings, policy->iface, policy->force, policy->json);
}

/* Ask before a link goes down that somebody at a terminal may be on. */
static int ask(const struct policy *policy, const struct facts *facts)
{
	char answer[8] = "";

	if (policy->yes || policy->dry_run || !isatty(STDIN_FILENO) ||
	    facts->loaded.state == LOADED || !profile_of(&facts->iface)->resets_link ||
	    !(facts->iface.session || facts->iface.default_route))
		return 0;
	fprintf(stderr, "%s: the link goes down for a moment; go on? [y/N] ", policy->iface);
	if (fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y'))
		return 0;
	return fail(-ECANCELED, "%s: not loaded", policy->iface);
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

int verb_load(struct policy *policy, const struct home *home, const struct source *source,
	      bool change)
{
	cleanup(freep) struct facts *facts = NULL;
	cleanup(freep) struct plan *plan = NULL;
	int r;

	r = gather(policy, source, home, &facts);
	if (r == 0 && change)
		r = keep(policy, facts);
	if (r == 0)
		r = plan_say(policy, facts, &plan);
	if (r == 0)
		r = preflight(policy, facts);
	if (r == 0)
		r = ask(policy, facts);
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
	cleanup(closep) int lock = -1;
	cleanup(source_close) struct source source = { .root = -1 };
	struct policy policy;
	struct home home;
	int r;

	r = verb_begin(verb, true, argc, argv, &policy);
	if (r < 0)
		return r;
	r = verb_source(&policy, &source);
	if (r < 0)
		return r;
	policy.dry_run |= source.captured;
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
