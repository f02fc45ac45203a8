// SPDX-License-Identifier: GPL-2.0
/* The only code that changes anything: does the steps of a plan, and undoes them. */
#include <bpf/bpf.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "apply/apply.h"
#include "apply/journal.h"
#include "apply/steps.h"
#include "lib/clean.h"
#include "lib/kthread.h"
#include "lib/say.h"

static int step_do(struct site *site, int journal, const struct step *step)
{
	const struct step_ops *ops = &step_ops[step->kind];

	if (ops->restore) {
		int r = journal_note(journal, step);

		if (r < 0)
			return r;
	}
	return ops->write(site, step);
}

static void roll_back(struct site *site, unsigned int done)
{
	while (done-- > 0) {
		const struct step *step = &site->plan->steps[done];

		if (step_ops[step->kind].undo)
			step_ops[step->kind].undo(site, step);
	}
	if (site->facts->loaded.state != LOADED)
		home_leave(site->home);
}

static int do_all(struct site *site)
{
	const struct plan *plan = site->plan;
	cleanup(closep) int journal = journal_open(site->home);

	if (journal < 0)
		return journal;
	for (unsigned int i = 0; i < plan->step_count; i++) {
		int r = step_do(site, journal, &plan->steps[i]);

		if (r < 0) {
			/* The step itself may be half done. */
			roll_back(site, i + 1);
			return r;
		}
	}
	return 0;
}

int plan_apply(const struct plan *plan, const struct facts *facts, const struct home *home)
{
	struct site site = {
		.home = home,
		.plan = plan,
		.facts = facts,
		.ifindex = facts->iface.index,
		.behind = -1,
	};
	int r = 0;

	dataplane_init(&site.dataplane);

	if (!plan->step_count)
		return 0;
	if (facts->loaded.state == LOADED)
		r = dataplane_open(home, false, &site.dataplane);
	if (r == 0)
		r = do_all(&site);
	dataplane_close(&site.dataplane);
	return r;
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

int apply_undo(const struct home *home, uint32_t ifindex, const struct loaded *loaded)
{
	/* What a load does that left pins and no journal (/run was cleared). */
	static const struct step from_pins[] = { { .kind = STEP_PROGRAMS },
						 { .kind = STEP_ATTACH } };
	struct site site = { .home = home, .ifindex = ifindex, .steer_id = loaded->steer_id };
	cleanup(freep) struct step *steps = NULL;
	int count = journal_read(home, &steps);
	const struct step *at = steps;
	struct stat st;

	if (count < 0)
		return count;
	if (!count) {
		if (stat(home->pins, &st) < 0) {
			home_leave(home);
			return 0;
		}
		at = from_pins;
		count = 2;
	}
	for (int i = count - 1; i >= 0; i--) {
		int r = 0;

		if (step_ops[at[i].kind].restore)
			r = step_ops[at[i].kind].restore(&site, &at[i]);
		if (r < 0)
			return r;
	}
	home_leave(home);
	wait_gone(loaded->steer_id, loaded->cpus_id);
	return 1;
}
