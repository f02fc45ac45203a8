// SPDX-License-Identifier: GPL-2.0
/* What `load --watch` does when something has happened to its interface. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/converge.h"
#include "cmd/follower.h"
#include "lib/clean.h"

static void keep_prefixes(struct follower *follower, const struct loaded *loaded)
{
	struct prefix_tables tables;

	freep(&follower->prefixes);
	follower->prefixes = NULL;
	follower->prefix_count = 0;
	if (loaded->config.now.match == MATCH_none ||
	    prefix_tables_open(&follower->home, loaded->config.homes, &tables) < 0)
		return;
	prefixes_read(&tables, &follower->prefixes, &follower->prefix_count);
	prefix_tables_close(&tables);
}

static int give_prefixes(struct follower *follower, const struct loaded *loaded)
{
	struct prefix_tables tables;
	int r;

	if (!follower->prefix_count || loaded->config.now.match == MATCH_none)
		return 0;
	r = prefix_tables_open(&follower->home, loaded->config.homes, &tables);
	if (r < 0)
		return r;
	r = prefixes_write(&tables, follower->prefixes, follower->prefix_count);
	prefix_tables_close(&tables);
	follower->prefix_count = 0;
	return r;
}

/* The pins outlive the interface: what `set` has changed in them is kept in mind. */
int follower_went(struct follower *follower, struct outcome *ret)
{
	cleanup(freep) struct facts *facts = calloc(1, sizeof(*facts));
	const char *wanted = follower->events.link.wanted;
	cleanup(closep) int lock = home_lock_now(&follower->home);
	int r;

	if (lock < 0)
		return lock;
	if (!facts)
		return fail(-ENOMEM, "out of memory");
	facts_loaded(&follower->home, 0, &facts->iface.xdp, &facts->loaded);
	if (facts->loaded.state == LOADED) {
		follow_loaded(&follower->following, facts);
		keep_prefixes(follower, &facts->loaded);
	}
	r = apply_undo(&follower->home, 0, &facts->loaded, undone_say, NULL);
	if (r < 0)
		return r;
	snprintf(ret->text, sizeof(ret->text), "waiting for %s to come back", wanted);
	snprintf(ret->status, sizeof(ret->status), "waiting for %s", wanted);
	home_of(wanted, &follower->home);
	return 0;
}

int follower_renamed(struct follower *follower, struct outcome *ret)
{
	const struct link *link = &follower->events.link;
	cleanup(closep) int lock = home_lock_now(&follower->home), other = -1;
	struct home now;
	int r = 0;

	if (lock < 0)
		return lock;
	home_of(link->name, &now);
	other = home_lock_now(&now);
	if (other < 0)
		return other;
	if (access(follower->home.pins, F_OK) == 0)
		r = apply_rename(&follower->home, &now, link->wanted);
	if (r < 0)
		home_leave_unused(&now);
	else
		follower->home = now;
	return r;
}

/* "on CPUs 0,2-3; 1 is offline" */
static void describe(const struct follower *follower, const struct facts *facts, char *text,
		     size_t size)
{
	const struct cpu_shares *wanted = &follower->following.wanted.cpus;
	struct cpuset cpus = { 0 }, away = { 0 };
	char list[80];
	int n;

	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (facts->loaded.weights[cpu])
			cpuset_add(&cpus, cpu);
	for (unsigned int i = 0; i < wanted->count; i++)
		if (!cpuset_has(&facts->cpus.online, wanted->at[i].cpu))
			cpuset_add(&away, wanted->at[i].cpu);
	n = snprintf(text, size, "on CPUs %s", cpuset_format(&cpus, list, sizeof(list)));
	if (cpuset_count(&away) && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, "; offline: %s",
			 cpuset_format(&away, list, sizeof(list)));
}

/* As it is now, for the next time. */
static void look_back(struct follower *follower, struct facts *facts)
{
	facts_program(follower->source, follower->home.iface, &facts->iface.xdp);
	facts_loaded(&follower->home, facts->iface.index, &facts->iface.xdp, &facts->loaded);
	follow_left(&follower->following, &facts->loaded);
}

static int load(struct follower *follower, struct facts *facts, struct outcome *ret)
{
	cleanup(freep) struct policy *policy = calloc(1, sizeof(*policy));
	cleanup(freep) struct plan *plan = NULL;
	char on[200];
	int r;

	if (!policy)
		return fail(-ENOMEM, "out of memory");
	if (!follow_policy(&follower->following, facts, policy)) {
		snprintf(ret->text, sizeof(ret->text),
			 "none of its target CPUs is online, left as it is");
		snprintf(ret->status, sizeof(ret->status), "%s: no target CPU is online",
			 follower->home.iface);
		return 0;
	}
	snprintf(policy->iface, sizeof(policy->iface), "%s", follower->home.iface);
	policy->quiet = follower->told;
	policy->yes |= follower->told;
	r = converge(policy, &follower->home, facts, &plan);
	if (r < 0)
		return r;
	for (unsigned int i = 0; !follower->told && i < plan->note_count; i++)
		note("%s", plan->notes[i]);
	look_back(follower, facts);
	r = give_prefixes(follower, &facts->loaded);
	if (r < 0)
		return r;
	follower->owed = false;
	follower->told = true;
	describe(follower, facts, on, sizeof(on));
	if (plan->step_count)
		snprintf(ret->text, sizeof(ret->text), "%u steps, now %s", plan->step_count, on);
	else
		snprintf(ret->text, sizeof(ret->text), "nothing to change, %s", on);
	snprintf(ret->status, sizeof(ret->status), "steering %s %s", follower->home.iface, on);
	return 0;
}

int follower_converge(struct follower *follower, struct outcome *ret)
{
	struct policy *wanted = &follower->following.wanted;
	cleanup(closep) int lock = home_lock_now(&follower->home);
	cleanup(freep) struct facts *facts = NULL;
	int r;

	if (lock < 0)
		return lock;
	snprintf(wanted->iface, sizeof(wanted->iface), "%s", follower->home.iface);
	r = converge_facts(wanted, &follower->home, follower->source, &facts);
	if (r < 0)
		return r;
	/* A part is a load that was killed, or a program that was taken away by force. */
	follower->owed |= r == 1;
	follower->online = facts->cpus.online;
	if (facts->loaded.state == LOADED && !follower->owed)
		follow_loaded(&follower->following, facts);
	if (facts->loaded.state == LOADED_NOT && !follower->owed) {
		home_leave_unused(&follower->home);
		snprintf(ret->text, sizeof(ret->text), "it was unloaded, left alone");
		snprintf(ret->status, sizeof(ret->status), "%s was unloaded, left alone",
			 follower->home.iface);
		return 0;
	}
	r = load(follower, facts, ret);
	if (r < 0)
		home_leave_unused(&follower->home);
	return r;
}
