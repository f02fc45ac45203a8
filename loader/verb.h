/* SPDX-License-Identifier: GPL-2.0 */
/* The verbs: one file each under cmd/, all they share is this. */
#ifndef VERB_H
#define VERB_H

#include <stdbool.h>

#include "policy/policy.h"

struct verb {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the name; 0 or a negative error */
	unsigned int id;		   /* enum verb_id, for its options */
	const char *words;		   /* what follows it, for the help */
	const char *help;		   /* NULL: not for people */
};

extern const struct verb verbs[]; /* ends with a row without a name */
const struct verb *verb_find(const char *name);

int cmd_load(int argc, char **argv);
int cmd_set(int argc, char **argv);
int cmd_prefix(int argc, char **argv);
int cmd_rule(int argc, char **argv);
int cmd_unload(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_complete(int argc, char **argv);

/*
 * Read the words of the verb, enter the network namespace they name, with the
 * bpffs mounted. Says what is wrong.
 */
int verb_begin(unsigned int verb, bool need_iface, int argc, char **argv, struct policy *ret);

/* `bench` on the interface that the policy names. Says what is wrong. */
struct bench_result;
int bench_interface(const struct policy *policy, struct bench_result *result);

/* Read the file of rules that the policy names into its list. Says what is wrong. */
int verb_rules(struct policy *policy);

/*
 * Plan and do what the policy says of an interface whose lock is held; change:
 * the settings that it does not name stay as they are. Says what is wrong.
 */
struct home;
struct source;
int verb_load(struct policy *policy, const struct home *home, const struct source *source,
	      bool change);

/*
 * "FILE:LINE: " of what the machine refuses and a file asked for: the option that
 * the sentence names, as "--cpus", or its rule; "" when it was no file.
 */
const char *verb_where(const struct policy *policy, const char *sentence, char *ret, size_t size);

/* What is written down is right: the words, and the files they name. Says what is wrong. */
int verb_check_words(unsigned int verb, int argc, char **argv);

/* Where facts come from: this machine, or the captured host that is named. Says what is wrong. */
int verb_source(const struct policy *policy, struct source *ret);

#endif
