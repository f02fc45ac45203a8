/* SPDX-License-Identifier: GPL-2.0 */
/* Small files, read and written whole. Paths are below a root: a directory fd. */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The root of the machine, or of a captured host. A path is given without a
 * leading slash, as a printf format.
 */
int root_open(const char *path);

/* The file's first line without its newline; negative errno when there is none. */
int file_read_line(int root, char *ret, size_t size, const char *path, ...)
	__attribute__((format(printf, 4, 5)));
int file_read_u32(int root, uint32_t *ret, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* All of the file, to be freed; -EFBIG above a MiB. */
int file_read_text(int root, char **ret, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* Replace what the file says, as sysfs and sysctl files want it: by one write(). */
int file_write(int root, const char *text, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* The last component of what a symbolic link points to. */
int file_link_name(int root, char *ret, size_t size, const char *path, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * All of a file, at most max bytes, with a NUL behind them; to be freed. -EFBIG
 * for a larger one. The path is as for open(2).
 */
int file_read_all(const char *path, size_t max, char **ret, size_t *ret_size);
/* Call visit for each name in the directory that is not hidden, sorted; 0 without it. */
int directory_visit(int root, const char *path, void (*visit)(const char *name, void *data),
		    void *data);

bool file_exists(int root, const char *path, ...) __attribute__((format(printf, 2, 3)));

/* Write a file beside it and give it that name: readers see the old one or the new one, whole. */
int file_replace(const char *path, void (*write)(FILE *out, const void *data), const void *data);

/* Make a directory and those above it, for root's eyes only. */
int directory_make(const char *path);

#endif
