// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap load IFACE --watch: sleep until something happens, say what, and converge. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/converge.h"
#include "cmd/follower.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/notify.h"
#include "lib/text.h"
#include "policy/options.h"
#include "verb.h"

enum { BUSY_MS = 200, RETRY_MS = 1000, RETRY_MAX_MS = 60000 };

/* "link down and up", in the order that it must have been in to be seen. */
static void say_links(unsigned int seen, const struct link *link, char *text, size_t size)
{
	const unsigned int both = LINK_DOWN | LINK_UP;

	if (seen & LINK_RENAMED)
		text_append(text, size, ", renamed to %s", link->name);
	if ((seen & both) == both)
		text_append(text, size, link->up ? ", link down and up" : ", link up and down");
	else if (seen & both)
		text_append(text, size, seen & LINK_UP ? ", link up" : ", link down");
	if (seen & LINK_MTU)
		text_append(text, size, ", MTU %u", link->mtu);
}

static void say_cpus(const struct cpuset *was, const struct cpuset *now, const char *what,
		     char *text, size_t size)
{
	struct cpuset more = { 0 };
	char list[256];

	cpuset_for_each(now, cpu)
		if (!cpuset_has(was, cpu))
			cpuset_add(&more, cpu);
	if (cpuset_count(&more))
		text_append(text, size, ", CPU %s %s", cpuset_format(&more, list, sizeof(list)),
			    what);
}

/* What has been seen, in words; "" when it is not worth a line by itself. */
static void say_seen(unsigned int seen, const struct follower *follower, const struct cpuset *was,
		     char *text, size_t size)
{
	*text = '\0';
	if (seen & LINK_CAME)
		text_append(text, size, ", it is there");
	say_links(seen & LINK_CAME ? 0 : seen, &follower->events.link, text, size);
	if (seen & SEEN_CPUS) {
		say_cpus(was, &follower->online, "came", text, size);
		say_cpus(&follower->online, was, "went", text, size);
	}
	if (seen & SEEN_LOST)
		text_append(text, size, ", events were lost");
}

/* One line for all that came within a moment. */
static void say(const struct follower *follower, const char *iface, unsigned int seen,
		const struct cpuset *was, const struct outcome *outcome)
{
	bool same = text_starts(outcome->text, "nothing to change");
	char text[256];

	say_seen(seen, follower, was, text, sizeof(text));
	if (!*text && same)
		return;
	note("%s: %s%s%s", iface, *text ? text + 2 : "", *text ? ": " : "", outcome->text);
}

/* When it may pass by itself: later, and less and less often. */
static int put_off(struct follower *follower, int r, unsigned int *wait_ms)
{
	if (exit_status(r) == 5) {
		events_retry(&follower->events, *wait_ms);
		*wait_ms = *wait_ms < RETRY_MAX_MS / 2 ? 2 * *wait_ms : RETRY_MAX_MS;
	}
	notify("STATUS=%s: failed, see the log", follower->home.iface);
	return r;
}

static int take_seen(struct follower *follower, unsigned int seen, struct outcome *ret)
{
	const struct link *link = &follower->events.link;
	char name[IFNAMSIZ];
	int r = 0;

	if (seen & LINK_WENT) {
		memcpy(name, follower->home.iface, sizeof(name));
		r = follower_went(follower, ret);
		if (r == 0)
			note("%s: it has gone: %s", name, ret->text);
		*ret->text = '\0';
	}
	if (r < 0 || !link->index)
		return r;
	if (seen & LINK_CAME) {
		follower->owed = true;
		home_of(link->name, &follower->home);
	}
	if (strcmp(link->name, follower->home.iface) != 0)
		r = follower_renamed(follower, ret);
	return r < 0 ? r : follower_converge(follower, ret);
}

/* All that happened since the last time; what cannot be done now stays in *pending. */
static int handle(struct follower *follower, unsigned int *pending, unsigned int *wait_ms)
{
	struct cpuset was = follower->online;
	struct outcome outcome = { "" };
	char iface[IFNAMSIZ];
	int r;

	memcpy(iface, follower->home.iface, sizeof(iface));
	r = take_seen(follower, *pending, &outcome);
	if (r == -EBUSY) {
		events_retry(&follower->events, BUSY_MS);
		return 0;
	}
	/* It went while we looked: its going is the next event. */
	if (r == -ENODEV)
		return 0;
	if (r == 0) {
		if (*outcome.text)
			say(follower, iface, *pending, &was, &outcome);
		notify("STATUS=%s", outcome.status);
		*wait_ms = RETRY_MS;
	} else
		put_off(follower, r, wait_ms);
	*pending = 0;
	/* Our own program came with a message, too. */
	events_catch_up(&follower->events);
	follower->events.seen &= ~(unsigned int)LINK_PROGRAM;
	return r;
}

/*
 * A new file, and after an upgrade a new binary: begin anew as this process. Not
 * when that would end it.
 */
static void reload(const char *self, int argc, char **argv)
{
	notify_reloading();
	if (verb_check_words(VERB_LOAD, argc, argv) < 0)
		warn("--watch goes on with the settings it had");
	else {
		execv(self, argv - 1); /* with the name of the program in front */
		warn("cannot run '%s': %s; --watch goes on with the settings it had", self,
		     strerror(errno));
	}
	notify("READY=1");
}

static int loop(struct follower *follower, const char *self, int argc, char **argv)
{
	unsigned int pending = 0, seen = 0, wait_ms = RETRY_MS;

	for (;;) {
		switch (events_wait(&follower->events, &seen)) {
		case WOKEN_SEEN:
			pending |= seen;
			handle(follower, &pending, &wait_ms);
			break;
		case WOKEN_RELOAD:
			reload(self, argc, argv);
			break;
		case WOKEN_STOP:
			notify("STOPPING=1");
			if (access(follower->home.pins, F_OK) == 0)
				note("%s: stays loaded; xdp-cpumap unload %s", follower->home.iface,
				     follower->home.iface);
			return 0;
		}
	}
}

/* What is there at the beginning is loaded as `load` does it, or it is waited for. */
static int begin(struct follower *follower)
{
	const struct link *link = &follower->events.link;
	struct outcome outcome = { "" };
	int r = 0;

	follower->owed = true;
	do {
		if (link->index)
			r = follower_converge(follower, &outcome);
		if (r == -EBUSY)
			poll(NULL, 0, BUSY_MS);
	} while (r == -EBUSY);
	if (r < 0 && r != -ENODEV)
		return r;
	if (link->index)
		note("%s: %s", follower->home.iface, outcome.text);
	else {
		note("%s: waiting for it to come", link->wanted);
		snprintf(outcome.status, sizeof(outcome.status), "waiting for %s", link->wanted);
	}
	events_catch_up(&follower->events);
	follower->events.seen &= ~(unsigned int)LINK_PROGRAM;
	notify("READY=1\nSTATUS=%s", outcome.status);
	return 0;
}

static void follower_freep(struct follower **follower)
{
	if (!*follower)
		return;
	events_close(&(*follower)->events);
	free((*follower)->prefixes);
	free(*follower);
}

int follow(const struct policy *policy, const struct source *source, int argc, char **argv)
{
	cleanup(follower_freep) struct follower *follower = calloc(1, sizeof(*follower));
	char self[PATH_MAX] = "/proc/self/exe";
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int r;

	if (!follower)
		return fail(-ENOMEM, "out of memory");
	if (n > 0)
		self[n] = '\0';
	follower->source = source;
	follower->following.wanted = *policy;
	if (policy->rule_list) {
		/* A copy: a later look at the file reads into that list. */
		follower->following.rules = *policy->rule_list;
		follower->following.wanted.rule_list = &follower->following.rules;
	}
	home_of(policy->iface, &follower->home);
	r = events_open(policy->given, policy->iface, &follower->events);
	if (r == 0)
		r = begin(follower);
	return r < 0 ? r : loop(follower, self, argc, argv);
}
