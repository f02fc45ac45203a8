// SPDX-License-Identifier: GPL-2.0
/* An interface that is called otherwise takes its pins and its journal along. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apply/apply.h"
#include "apply/journal.h"
#include "lib/say.h"

int apply_rename(const struct home *from, const struct home *to, const char *asked)
{
	int r;

	if (access(to->pins, F_OK) == 0 || access(to->journal, F_OK) == 0)
		return fail(-EEXIST,
			    "%s: is called %s now, and there is something of another interface of "
			    "that name; xdp-cpumap unload %s clears up",
			    from->iface, to->iface, to->iface);
	r = journal_rename(from, to);
	if (r < 0)
		return r;
	if (rename(from->pins, to->pins) < 0) {
		r = -errno;
		unlink(to->journal);
		return fail(r, "cannot rename '%s' to '%s': %s", from->pins, to->pins,
			    strerror(-r));
	}
	home_forward(to, asked);
	unlink(from->journal);
	unlink(from->lock);
	return 0;
}
