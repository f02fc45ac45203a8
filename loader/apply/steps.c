// SPDX-License-Identifier: GPL-2.0
/* The kinds of step: how each is done and undone. */
#include <string.h>

#include "apply/steps.h"
#include "lib/text.h"

static struct dataplane_spec spec_of(const struct site *site)
{
	const struct cpuset *possible = &site->facts->cpus.possible;
	uint32_t highest = 0;

	cpuset_for_each(possible, cpu)
		highest = cpu;
	return (struct dataplane_spec){
		.config = site->plan->config,
		.possible_cpus = highest + 1,
		.dispatcher = site->plan->attach == ATTACH_DISPATCHER,
	};
}

static int programs_write(struct site *site, const struct step *step)
{
	struct dataplane_spec spec = spec_of(site);
	int r = dataplane_create(site->home, &spec, site->plan->replace);

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

/* value: "-" or what entry_format() made. */
static int entry_put(struct site *site, const struct step *step, const char *value)
{
	uint32_t cpu = 0, qsize = 0;

	text_to_u32(step->target, CPUS_MAX - 1, &cpu);
	if (strcmp(value, "-") == 0)
		return entry_delete(&site->dataplane, cpu);
	text_take_u32(&value, QSIZE_MAX, &qsize);
	return entry_set(&site->dataplane, cpu, qsize, strcmp(value, " pass") == 0);
}

static int entry_write(struct site *site, const struct step *step)
{
	return entry_put(site, step, step->after);
}

static int entry_undo(struct site *site, const struct step *step)
{
	return entry_put(site, step, step->before);
}

static int slots_step_write(struct site *site, const struct step *step)
{
	return slots_write(&site->dataplane, site->plan->slots, site->plan->slot_count);
}

static int slots_step_undo(struct site *site, const struct step *step)
{
	const struct loaded *loaded = &site->facts->loaded;

	if (strcmp(step->before, "-") == 0)
		return 0; /* the table goes, with its map */
	return slots_write(&site->dataplane, loaded->slots, loaded->slot_count);
}

static int attach_link(struct site *site)
{
	if (site->plan->replace)
		return link_replace(site->home, &site->dataplane);
	return link_attach(site->home, &site->dataplane, site->ifindex, site->plan->generic);
}

/* A dispatcher runs both while the old one leaves; each frame meets the first. */
static int attach_dispatcher(struct site *site)
{
	struct dataplane_spec spec = spec_of(site);
	int r;

	r = dispatcher_attach(site->home, &spec, site->plan->replace, site->ifindex,
			      site->plan->generic);
	if (r < 0 || !site->plan->replace)
		return r;
	return dispatcher_detach(site->ifindex, site->facts->loaded.steer_id);
}

static int attach_write(struct site *site, const struct step *step)
{
	return site->plan->attach == ATTACH_LINK ? attach_link(site) : attach_dispatcher(site);
}

static int attach_restore(struct site *site, const struct step *step)
{
	int r = link_detach(site->home);

	if (r < 0 || !site->ifindex || !site->steer_id)
		return r;
	return dispatcher_detach(site->ifindex, site->steer_id);
}

static int promote_write(struct site *site, const struct step *step)
{
	return dataplane_promote(site->home);
}

/*
 * Nothing undoes attach and promote: they are the last two, and a replaced
 * program works with its new pins wherever promote stopped.
 */
const struct step_ops step_ops[STEP_KINDS] = {
	[STEP_PROGRAMS] = { programs_write, programs_undo, programs_restore },
	[STEP_ENTRY] = { entry_write, entry_undo },
	[STEP_SLOTS] = { slots_step_write, slots_step_undo },
	[STEP_ATTACH] = { attach_write, NULL, attach_restore },
	[STEP_PROMOTE] = { promote_write },
};
