/* SPDX-License-Identifier: GPL-2.0 */
/* The values of the host that steps change: each is read, written, and put back. */
#ifndef APPLY_VALUES_H
#define APPLY_VALUES_H

#include "apply/steps.h"

struct value_ops {
	/* Mandatory. -ENODEV or -ENOENT: what it belongs to is gone. Neither prints. */
	int (*read)(const struct site *site, const char *target, char *ret, size_t size);
	int (*write)(struct site *site, const char *target, const char *value);
	bool shared; /* not this interface's alone: others of ours may want it, too */
	bool mortal; /* goes with the maps: not in the journal */
};

/* NULL: the kind is no value. */
const struct value_ops *value_ops(enum step_kind kind);

/*
 * Look, skip, note, write, read back. Fills in what was there before. Says what
 * failed.
 */
int value_do(struct site *site, int journal, struct step *step);

enum undone { UNDONE, UNDONE_ALREADY, UNDONE_HANDED, UNDONE_NOT_OURS, UNDONE_GONE, UNDONE_FAILED };

/* Put back what was there before, if what is there is what we wrote; ret_now: what is. */
enum undone value_undo(struct site *site, const struct step *step, char *ret_now, size_t size);

/* The kinds that are more than a file, each in the file of its kernel object. */
int feature_read(const struct site *site, const char *target, char *ret, size_t size);
int feature_write(struct site *site, const char *target, const char *value);
int napi_read(const struct site *site, const char *target, char *ret, size_t size);
int napi_write(struct site *site, const char *target, const char *value);
int threads_read(const struct site *site, const char *target, char *ret, size_t size);
int threads_write(struct site *site, const char *target, const char *value);

#endif
