// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap: spread received packets over CPUs, by XDP and cpumap. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/say.h"
#include "lib/text.h"
#include "policy/options.h"
#include "verb.h"

const struct verb verbs[] = {
	{ "load", cmd_load, VERB_LOAD, "IFACE [OPTION]...", "steer the packets of IFACE to CPUs" },
	{ "set", cmd_set, VERB_SET, "IFACE [OPTION]...",
	  "change settings while packets flow; what is not named stays" },
	{ "rule", cmd_rule, VERB_RULE, "add|del|list|load IFACE ...",
	  "which CPUs the packets go to that match a rule" },
	{ "prefix", cmd_prefix, VERB_PREFIX, "add|del|list|import IFACE ...",
	  "which CPU the packets of an IP prefix go to" },
	{ "unload", cmd_unload, VERB_UNLOAD, "IFACE [OPTION]...",
	  "stop steering and put everything back" },
	{ "status", cmd_status, VERB_STATUS, "[IFACE] [OPTION]...",
	  "show what is steered, where to, and how much" },
	{ "check", cmd_check, VERB_CHECK, "[IFACE] [OPTION]...",
	  "say what stands in the way of steering, and what cures it" },
	{ "explain", cmd_explain, VERB_EXPLAIN, "[IFACE] --pcap FILE [OPTION]...",
	  "tell where the frames of a capture would go, and why" },
	{ "stats", cmd_stats, VERB_STATS, "[IFACE] [OPTION]...",
	  "show how fast, what is lost, and what is wrong" },
	{ "bench", cmd_bench, VERB_BENCH, "[IFACE] [OPTION]...",
	  "measure whether it helps on this machine, in namespaces of its own" },
	{ "help", cmd_help, VERB_HELP, "[VERB|config|metrics]",
	  "explain a verb, the config file, or the metrics" },
	{ "complete", cmd_complete, 0, "[WORD]...", NULL },
	{ 0 },
};

const struct verb *verb_find(const char *name)
{
	for (const struct verb *verb = verbs; verb->name; verb++)
		if (strcmp(verb->name, name) == 0)
			return verb;
	return NULL;
}

static int unknown(const char *word)
{
	const struct verb *near = NULL;
	unsigned int least = 3;

	for (const struct verb *verb = verbs; verb->name; verb++) {
		unsigned int distance = text_distance(verb->name, word);

		if (distance >= least || !verb->help)
			continue;
		least = distance;
		near = verb;
	}
	if (near)
		return fail(-E_USAGE, "there is no verb '%s'; did you mean '%s'?", word,
			    near->name);
	return fail(-E_USAGE, "there is no verb '%s' (see xdp-cpumap help)", word);
}

static bool wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static int run(int argc, char **argv)
{
	char *words[] = { "status", NULL };
	const struct verb *verb;

	if (argc > 1 && strcmp(argv[1], "--version") == 0)
		return printf("xdp-cpumap %s\n", VERSION) < 0;
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return cmd_help(1, argv);
	/* No verb is `status`, with its options. */
	if (argc == 1)
		return cmd_status(1, words);
	if (argv[1][0] == '-') {
		argv[0] = words[0];
		return cmd_status(argc, argv);
	}
	verb = verb_find(argv[1]);
	if (!verb)
		return unknown(argv[1]);
	if (verb->help && wants_help(argc - 1, argv + 1)) {
		char *help[] = { "help", argv[1], NULL };

		return cmd_help(2, help);
	}
	return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int r;

	libraries_silence();
	r = run(argc, argv);
	if (fflush(stdout) != 0 && r == 0)
		r = fail(-EIO, "cannot write to stdout");
	return exit_status(r);
}
