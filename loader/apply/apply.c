// SPDX-License-Identifier: GPL-2.0
/* The only code that changes anything: does the steps of a plan, and undoes them. */
#include <bpf/bpf.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apply/apply.h"
#include "apply/journal.h"
#include "apply/steps.h"
#include "apply/values.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/kthread.h"
#include "lib/say.h"

static int step_do(struct site *site, int journal, struct step *step)
{
	const struct step_ops *ops = &step_ops[step->kind];

	if (value_ops(step->kind))
		return value_do(site, journal, step);
	if (ops->restore && !journal_has(site->home, step)) {
		int r = journal_note(journal, step);

		if (r < 0)
			return r;
	}
	return ops->write(site, step);
}

static void step_undo(struct site *site, const struct step *step)
{
	char now[STEP_VALUE], text[512];

	if (!value_ops(step->kind)) {
		if (step_ops[step->kind].undo)
			step_ops[step->kind].undo(site, step);
		return;
	}
	undone_format(step, value_undo(site, step, now, sizeof(now)), now, text, sizeof(text));
	if (*text)
		note("%s", text);
}

static void roll_back(struct site *site, const struct step *steps, unsigned int done)
{
	while (done-- > 0)
		step_undo(site, &steps[done]);
	if (site->facts->loaded.state != LOADED)
		home_leave(site->home);
}

static int do_all(struct site *site)
{
	const struct plan *plan = site->plan;
	cleanup(closep) int journal = journal_open(site->home);
	/* A copy: what was there before is read again when it is done. */
	cleanup(freep) struct step *steps = calloc(plan->step_count, sizeof(*steps));

	if (journal < 0)
		return journal;
	if (!steps)
		return fail(-ENOMEM, "out of memory");
	memcpy(steps, plan->steps, plan->step_count * sizeof(*steps));
	for (unsigned int i = 0; i < plan->step_count; i++) {
		int r = step_do(site, journal, &steps[i]);

		if (r < 0) {
			/* The step itself may be half done. */
			roll_back(site, steps, i + 1);
			return r;
		}
		if (r > 0)
			break;
	}
	return 0;
}

int plan_apply(const struct plan *plan, const struct facts *facts, const struct home *home)
{
	cleanup(closep) int root = root_open("/");
	struct site site = {
		.home = home,
		.plan = plan,
		.facts = facts,
		.ifindex = facts->iface.index,
		.behind = -1,
		.transition = facts->loaded.config.transition,
		.lanes = facts->loaded.config.lanes,
		.steer_id = facts->loaded.steer_id,
		.root = root,
	};
	int r = 0;

	dataplane_init(&site.dataplane);

	if (!plan->step_count)
		return 0;
	if (facts->loaded.state == LOADED)
		r = dataplane_open(home, false, &site.dataplane);
	if (r == 0)
		r = do_all(&site);
	if (r == 0)
		entries_note_kthreads(&site.dataplane);
	dataplane_close(&site.dataplane);
	return r;
}

void undone_format(const struct step *step, enum undone undone, const char *now, char *ret,
		   size_t size)
{
	const char *kind = step_kind_names[step->kind];

	*ret = '\0';
	switch (undone) {
	case UNDONE:
		snprintf(ret, size, "restored %s %s: %s", kind, step->target, step->before);
		break;
	case UNDONE_HANDED:
		snprintf(ret, size,
			 "%s %s stays: another interface still needs it; unloading that "
			 "one restores %s",
			 kind, step->target, step->before);
		break;
	case UNDONE_NOT_OURS:
		snprintf(ret, size,
			 "%s %s: changed by someone else to '%s', left alone (we had "
			 "made it '%s' from '%s')",
			 kind, step->target, now, step->after, step->before);
		break;
	case UNDONE_FAILED:
		snprintf(ret, size, "%s %s: cannot be restored to '%s'", kind, step->target,
			 step->before);
		break;
	case UNDONE_ALREADY:
	case UNDONE_GONE:
		break;
	}
}

/* The kernel frees programs and stops kthreads after a grace period. */
static void wait_gone(uint32_t prog_id, uint32_t map_id)
{
	for (int i = 0; i < 100; i++) {
		cleanup(closep) int prog = prog_id ? bpf_prog_get_fd_by_id(prog_id) : -1;
		struct kthread kthread;

		if (prog < 0 && !kthreads_find(map_id, &kthread, 1))
			return;
		poll(NULL, 0, 5);
	}
}

/* What a load does that left pins and no journal (/run was cleared). */
static const struct step from_pins[] = { { .kind = STEP_PROGRAMS }, { .kind = STEP_ATTACH } };

static bool nothing_is_there(const struct home *home)
{
	struct stat st;

	return stat(home->pins, &st) < 0;
}

int apply_undo(const struct home *home, uint32_t ifindex, const struct loaded *loaded,
	       void (*tell)(const struct step *step, enum undone undone, const char *now,
			    void *data),
	       void *data)
{
	cleanup(closep) int root = root_open("/");
	struct site site = {
		.home = home, .ifindex = ifindex, .steer_id = loaded->steer_id, .root = root
	};
	cleanup(freep) struct step *steps = NULL;
	int count = journal_read(home, &steps);
	const struct step *at = steps;

	if (count < 0)
		return count;
	if (!count && nothing_is_there(home)) {
		home_leave(home);
		return 0;
	}
	if (!count) {
		at = from_pins;
		count = 2;
	}
	for (int i = count - 1; i >= 0; i--) {
		char now[STEP_VALUE] = "";
		int r = 0;

		if (value_ops(at[i].kind))
			tell(&at[i], value_undo(&site, &at[i], now, sizeof(now)), now, data);
		else if (step_ops[at[i].kind].restore)
			r = step_ops[at[i].kind].restore(&site, &at[i]);
		if (r < 0)
			return r;
	}
	home_leave(home);
	wait_gone(loaded->steer_id, loaded->cpus_id);
	return 1;
}
