// SPDX-License-Identifier: GPL-2.0
/* What the machine is: gathered once, then read only. */
#include <errno.h>
#include <stdlib.h>

#include "bpf/steer.id.h"
#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/say.h"

const char *const answer_names[] = { "unknown", "no", "yes", NULL };

int facts_gather(const struct source *source, const char *iface, struct facts **ret)
{
	cleanup(freep) struct facts *facts = calloc(1, sizeof(*facts));
	struct home home;
	int r;

	if (!facts)
		return fail(-ENOMEM, "out of memory");
	r = facts_iface(source, iface, &facts->iface);
	if (r < 0)
		return r;
	facts_cpus(source, &facts->cpus);
	facts_kernel(source, &facts->kernel);
	facts_host(source, &facts->host);
	if (!source->captured) {
		home_of(iface, &home);
		facts_loaded(&home, facts->iface.index, &facts->iface.xdp, &facts->loaded);
	}
	facts->programs = PROGRAMS_ID;
	*ret = take(facts);
	return 0;
}
