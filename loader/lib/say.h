/* SPDX-License-Identifier: GPL-2.0 */
/* What the tool says to people (stderr), and the kinds of failure it knows. */
#ifndef LIB_SAY_H
#define LIB_SAY_H

#include <stddef.h>

/*
 * Failures that have an exit status of their own, beside negative errnos:
 * larger than any errno of the kernel.
 */
enum {
	E_USAGE = 5001, /* the command line or the config file is wrong */
	E_CHECK,	/* `check` found an error */
	E_REFUSED,	/* a foreign XDP program, another owner */
};

/* The exit status of a result: 0 done, 1 failed, 2 usage, 3, 4, 5 temporary. */
int exit_status(int result);

/* Print one sentence behind "xdp-cpumap: " and return err, which is negative. */
int fail(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A reason that pure code hands back instead of printing it. */
struct reason {
	char text[512];
};

/* Fill the reason in and return err. */
int because(struct reason *why, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * libbpf and libxdp talk when something fails, often where we expect it to.
 * They are kept silent; what the kernel said (its extack text, the last line
 * of the verifier) is kept for our own sentence. "" when there is nothing.
 */
void libraries_silence(void);
void kernel_said_clear(void);
const char *kernel_said(void);

#endif
