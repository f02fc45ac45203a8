// SPDX-License-Identifier: GPL-2.0
/* What a process that was killed left of a namespace which ended with it. */
#include <stddef.h>

#include "apply/apply.h"
#include "dataplane/dataplane.h"
#include "lib/clean.h"
#include "lib/orphan.h"

/* Nothing is left to put back: the values went with the namespace, as did the interface. */
static bool clear(const struct home *home)
{
	/* A load of its that outlived it ends first. */
	cleanup(closep) int lock = home_lock(home);

	if (lock < 0 || dataplane_remove(home) < 0)
		return false;
	home_leave(home);
	return true;
}

void apply_sweep(const char *iface)
{
	orphans_clear(iface, clear);
}
