// SPDX-License-Identifier: GPL-2.0
/* The kinds of step: how each is done and undone. */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include "apply/moves.h"
#include "apply/steps.h"
#include "dataplane/rules.h"
#include "lib/clean.h"
#include "lib/say.h"
#include "lib/text.h"

/* A prefix has a CPU and the number of one of its slots: they have to mean the same. */
static bool keeps_prefixes(const struct site *site)
{
	const struct loaded *loaded = &site->facts->loaded;

	return loaded->state == LOADED && loaded->config.now.match != MATCH_none &&
	       site->plan->config.now.match != MATCH_none &&
	       loaded->config.cpus == site->plan->config.cpus &&
	       loaded->config.homes == site->plan->config.homes &&
	       loaded->max_prefixes == site->plan->max_prefixes;
}

/* What is to be, or on the way there is to be for a while. */
static struct dataplane_spec spec_of(const struct site *site)
{
	return (struct dataplane_spec){
		.config = site->plan->stages[site->stage],
		.dispatcher = site->plan->attach == ATTACH_DISPATCHER,
		.max_prefixes = site->plan->max_prefixes,
		.keep_prefixes = keeps_prefixes(site),
		.share_lanes = site->plan->share ? site->lanes : 0,
	};
}

/* The key that is to be is not in use; no slot may move while flows change theirs. */
static int prepare_stage(struct site *site, const struct steer_config *config)
{
	int r = 0;

	if (config->in_transition)
		r = moves_rest(site);
	if (r < 0 || !site->plan->replace || site->renewed ||
	    config->now.key == site->facts->loaded.config.now.key)
		return r;
	site->renewed = true;
	return key_renew(site->home, config->now.key);
}

static int programs_write(struct site *site, const struct step *step)
{
	struct dataplane_spec spec = spec_of(site);
	int r = prepare_stage(site, &spec.config);

	if (r == 0)
		r = dataplane_create(site->home, &spec, site->plan->replace);

	if (r < 0)
		return r;
	dataplane_close(&site->dataplane);
	return dataplane_open(site->home, site->plan->replace, &site->dataplane);
}

static int programs_undo(struct site *site, const struct step *step)
{
	return site->plan->replace ? dataplane_remove_next(site->home)
				   : dataplane_remove(site->home);
}

static int programs_restore(struct site *site, const struct step *step)
{
	return dataplane_remove(site->home);
}

static int rules_write(struct site *site, const struct step *step)
{
	const struct plan *plan = site->plan;
	unsigned int set = plan->config.now.rules - 1u;
	unsigned int first = plan->slot_count + plan->home_count + set * RULE_SLOTS;
	int r = rule_set_write(site->home, plan->replace, set + 1, &site->facts->loaded.rule_list,
			       &plan->rule_list, &plan->rule_set);

	if (r == 0)
		table_give(&site->dataplane.table, plan->slots, first, RULE_SLOTS);
	return r;
}

/* A flow without a gap may hold some slot back: then its queue is needed still. */
static int entry_leave(struct site *site, const struct step *step, struct place at)
{
	bool reached = false;
	int r = site->facts->loaded.state == LOADED ? moves_reach(site, at, &reached) : 0;

	if (r < 0 || !reached)
		return r < 0 ? r : entry_delete(&site->dataplane, at);
	note("%s: the queue of CPU %s still takes frames of flows that leave no gap to move in; "
	     "do it again later, or with --reorder bounded",
	     site->home->iface, step->target);
	return 0;
}

/* value: "-" or what entry_format() made. */
static int entry_put(struct site *site, const struct step *step, const char *value)
{
	struct place at = place_parse(step->target);
	uint32_t qsize = 0;

	if (strcmp(value, "-") == 0)
		return entry_leave(site, step, at);
	text_take_u32(&value, QSIZE_MAX, &qsize);
	return entry_set(&site->dataplane, at, qsize, text_starts(value, " pass"));
}

static int entry_write(struct site *site, const struct step *step)
{
	return entry_put(site, step, step->after);
}

static int entry_undo(struct site *site, const struct step *step)
{
	return entry_put(site, step, step->before);
}

static int weights_write(struct site *site)
{
	const struct plan *plan = site->plan;
	struct table *table = &site->dataplane.table;
	uint32_t weights[CPUS_MAX] = { 0 };
	int r = 0;

	for (unsigned int i = 0; i < plan->target_count; i++)
		weights[plan->targets[i].cpu] = plan->targets[i].weight;
	for (uint32_t cpu = 0; r == 0 && cpu < table->cpus; cpu++)
		r = table_set_weight(table, cpu, weights[cpu]);
	return r;
}

static int slots_step_write(struct site *site, const struct step *step)
{
	int r = weights_write(site);

	return r < 0 ? r : moves_make(site, site->plan->slots);
}

static int slots_step_undo(struct site *site, const struct step *step)
{
	if (strcmp(step->before, "-") == 0)
		return 0; /* the table goes, with its map */
	return moves_make(site, site->facts->loaded.slots);
}

static int vacate_write(struct site *site, const struct step *step)
{
	struct place from = place_parse(step->target), places[SLOTS_ALL];
	bool reached;
	int r;

	moves_wanted(site, places);
	if (!slots_vacate(places, site->dataplane.table.slot_count, from, site->plan))
		return fail(-EINVAL, "%s: no other queue can take the slots of CPU %s",
			    site->home->iface, step->target);
	r = moves_make(site, places);
	if (r == 0)
		r = moves_reach(site, from, &reached);
	if (r == 0 && reached)
		return fail(-EAGAIN,
			    "%s: flows without a gap keep the queue of CPU %s busy; try again, or "
			    "with --reorder bounded",
			    site->home->iface, step->target);
	return r;
}

static int vacate_undo(struct site *site, const struct step *step)
{
	return moves_make(site, site->facts->loaded.slots);
}

/* Without it `stats` knows less, and that is all. */
static int watch_write(struct site *site, const struct step *step)
{
	struct dataplane_spec spec = spec_of(site);
	int r = tracepoints_follow(site->home, site->plan->replace && !site->plan->share, &spec);

	if (r < 0) {
		note("%s: cannot count in the kernel's tracepoints: %s", site->home->iface,
		     strerror(-r));
		tracepoints_forget(site->home);
	}
	return 0;
}

static int watch_undo(struct site *site, const struct step *step)
{
	/* What is counted beside that harms nobody. */
	if (strcmp(step->before, "-") == 0)
		tracepoints_forget(site->home);
	return 0;
}

static int attach_link(struct site *site)
{
	if (site->plan->replace)
		return link_replace(site->home, &site->dataplane);
	return link_attach(site->home, &site->dataplane, site->ifindex, site->plan->generic);
}

/* The program of the set that runs; 0: none. */
static uint32_t pinned_id(const struct site *site)
{
	cleanup(closep) int steer = bpf_obj_get(home_pin(site->home, "steer").text);
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	return steer >= 0 && bpf_obj_get_info_by_fd(steer, &info, &size) == 0 ? info.id : 0;
}

/* A dispatcher runs both while the old one leaves; each frame meets the first. */
static int attach_dispatcher(struct site *site)
{
	struct dataplane_spec spec = spec_of(site);
	uint32_t old = pinned_id(site);
	int r;

	r = dispatcher_attach(site->home, &spec, site->plan->replace, site->ifindex,
			      site->plan->generic);
	if (r < 0 || !site->plan->replace)
		return r;
	return dispatcher_detach(site->ifindex, old);
}

static int attach_restore(struct site *site, const struct step *step)
{
	int r = link_detach(site->home);

	if (r < 0 || !site->ifindex || !site->steer_id)
		return r;
	return dispatcher_detach(site->ifindex, site->steer_id);
}

/* After "-": the program steps aside, and its maps stay. */
static int attach_write(struct site *site, const struct step *step)
{
	if (strcmp(step->after, "-") == 0)
		return link_detach(site->home);
	return site->plan->attach == ATTACH_LINK ? attach_link(site) : attach_dispatcher(site);
}

/* Only of a first attach: a replaced program stays, see below. */
static int attach_undo(struct site *site, const struct step *step)
{
	uint32_t id = pinned_id(site);

	if (site->plan->replace)
		return 0;
	if (strcmp(step->after, "-") == 0)
		return attach_link(site);
	/* The pin is what libxdp made of the program, which is what runs. */
	if (id)
		site->steer_id = id;
	return attach_restore(site, step);
}

static int promote_write(struct site *site, const struct step *step)
{
	site->lanes = site->plan->stages[site->stage].lanes;
	site->transition = site->plan->stages[site->stage].transition;
	if (site->stage + 1 < site->plan->stage_count)
		site->stage++;
	return dataplane_promote(site->home);
}

static int settle_write(struct site *site, const struct step *step)
{
	int left = moves_settle(site, site->transition);

	if (left <= 0)
		return left;
	note("%s: the flows of %d slots still go by these, as they leave no gap; the same command "
	     "goes "
	     "on from here, with --reorder bounded to the end",
	     site->home->iface, left);
	return 1;
}

/*
 * Nothing undoes promote, or an attach that replaced: they are the last two
 * then, and a replaced program works with its new pins wherever promote stopped.
 */
const struct step_ops step_ops[STEP_KINDS] = {
	[STEP_PROGRAMS] = { programs_write, programs_undo, programs_restore },
	[STEP_RULES] = { rules_write },
	[STEP_ENTRY] = { entry_write, entry_undo },
	[STEP_SLOTS] = { slots_step_write, slots_step_undo },
	[STEP_VACATE] = { vacate_write, vacate_undo },
	[STEP_WATCH] = { watch_write, watch_undo },
	[STEP_ATTACH] = { attach_write, attach_undo, attach_restore },
	[STEP_PROMOTE] = { promote_write },
	[STEP_SETTLE] = { settle_write },
};
