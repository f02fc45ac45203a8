/* SPDX-License-Identifier: GPL-2.0 */
/* Network namespaces that end with a process of ours: by their mark, others find what it left. */
#ifndef LIB_ORPHAN_H
#define LIB_ORPHAN_H

#include "lib/home.h"

/* The mark of the home is ours as long as the fd is open. Says what failed. */
int orphan_mark(const struct home *home);
void orphan_unmark(const struct home *home);

/*
 * Clear each home of that interface name that is marked and whose process has
 * died; it keeps its mark when that fails.
 */
void orphans_clear(const char *iface, bool (*clear)(const struct home *home));

#endif
