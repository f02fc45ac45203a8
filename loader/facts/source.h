/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where facts come from: the files of a root, and the kernel's answers to what
 * is no file (netlink, ioctl, bpf). Of a captured host both are files: the
 * answer to the question "features" about eth0 is in asked/eth0/features.
 */
#ifndef FACTS_SOURCE_H
#define FACTS_SOURCE_H

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

struct source {
	int root; /* a directory fd, for lib/file.h */
	bool captured;
};

static inline void source_close(struct source *source)
{
	if (source->root >= 0)
		close(source->root);
}

/* A row answers one question, in lines of text; what fails answers nothing. */
struct question {
	const char *name;
	bool of_iface; /* asked of each interface, else once */
	void (*ask)(const struct source *source, const char *iface, FILE *out);
};

extern const struct question questions[]; /* ends with a row without a name */

/*
 * "": no answer. iface: NULL for what is asked of the machine. Free it; NULL
 * only without memory.
 */
char *source_ask(const struct source *source, const char *question, const char *iface);

/* What answers, each in the file of its kernel object. */
void ask_driver(const struct source *source, const char *iface, FILE *out);
void ask_features(const struct source *source, const char *iface, FILE *out);
void ask_channels(const struct source *source, const char *iface, FILE *out);
void ask_rings(const struct source *source, const char *iface, FILE *out);
void ask_coalesce(const struct source *source, const char *iface, FILE *out);
void ask_flow_hash(const struct source *source, const char *iface, FILE *out);
void ask_xdp_features(const struct source *source, const char *iface, FILE *out);
void ask_napis(const struct source *source, const char *iface, FILE *out);
void ask_program(const struct source *source, const char *iface, FILE *out);
void ask_shapers(const struct source *source, const char *iface, FILE *out);
void ask_session(const struct source *source, const char *iface, FILE *out);
void ask_process(const struct source *source, const char *iface, FILE *out);
void ask_kernel(const struct source *source, const char *iface, FILE *out);
void ask_fixed_irqs(const struct source *source, const char *iface, FILE *out);

#endif
