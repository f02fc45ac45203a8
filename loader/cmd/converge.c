// SPDX-License-Identifier: GPL-2.0
/* From the policy and the machine to what is loaded: plan it, look for what is wrong, do it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check/show.h"
#include "cmd/converge.h"
#include "lib/clean.h"
#include "verb.h"

void undone_say(const struct step *step, enum undone undone, const char *now, void *data)
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
	r = apply_undo(home, facts->iface.index, &facts->loaded, undone_say, NULL);
	return r < 0 ? r : 1;
}

int converge_facts(const struct policy *policy, const struct home *home,
		   const struct source *source, struct facts **ret)
{
	int r = facts_gather(source, policy->iface, ret);

	if (r == 0 && !policy->dry_run)
		r = clear_part(home, *ret);
	if (r <= 0)
		return r;
	freep(ret);
	*ret = NULL;
	r = facts_gather(source, policy->iface, ret);
	return r < 0 ? r : 1;
}

/* Stop at what cannot work; tell of what will be worse than it could be. */
static int preflight(const struct policy *policy, const struct facts *facts)
{
	cleanup(freep) struct findings *findings = calloc(1, sizeof(*findings));

	if (!findings)
		return fail(-ENOMEM, "out of memory");
	check_all(policy, facts, findings);
	return findings_say(findings, policy->iface, policy->force, policy->json || policy->quiet);
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
	char where[PATH_MAX + 16];

	return r < 0 ? fail(r, "%s%s", verb_where(policy, why.text, where, sizeof(where)), why.text)
		     : 0;
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

int converge(struct policy *policy, const struct home *home, struct facts *facts, struct plan **ret)
{
	cleanup(freep) struct plan *plan = NULL;
	int r = plan_say(policy, facts, &plan);

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
	if (r == 0)
		*ret = take(plan);
	return r;
}
