/* SPDX-License-Identifier: GPL-2.0 */
/* Locals that clean up after themselves: `cleanup(freep) char *text = NULL;`. */
#ifndef LIB_CLEAN_H
#define LIB_CLEAN_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup(function) __attribute__((cleanup(function)))

/* Give a pointer away: the cleanup of the local then finds NULL. */
#define take(pointer)                                   \
	({                                              \
		__typeof__(pointer) taken_ = (pointer); \
		(pointer) = NULL;                       \
		taken_;                                 \
	})

static inline void freep(void *pointer)
{
	free(*(void **)pointer);
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void fclosep(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#endif
