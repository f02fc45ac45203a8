// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap prefix add|del|list|import IFACE ...: which CPU the packets of a prefix go to. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataplane/prefixes.h"
#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/json.h"
#include "plan/balance.h"
#include "policy/options.h"
#include "policy/prefixes.h"
#include "verb.h"

enum { FILE_MAX = 256 << 20, WORDS_MAX = 3 };

/* What a subverb works on. */
struct work {
	const char *words[WORDS_MAX]; /* behind IFACE */
	unsigned int word_count;
	struct policy policy;
	struct facts *facts;
	struct prefix_tables tables;
};

/* CPUs for rows that name none, and no CPU that frames cannot go to. */
static int settle(const struct work *work, struct prefix_rows *rows, struct reason *why,
		  uint32_t *ret_line)
{
	const uint16_t *weights = work->facts->loaded.weights;
	uint32_t cpus = work->facts->loaded.config.cpus;
	cleanup(freep) uint32_t *counts = calloc(cpus, sizeof(*counts));
	cleanup(freep) struct prefix_entry *there = NULL;
	unsigned int there_count = 0;
	int r = prefixes_read(&work->tables, &there, &there_count);

	if (r < 0 || !counts)
		return because(why, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < there_count; i++)
		if (there[i].cpu < cpus)
			counts[there[i].cpu]++;
	for (unsigned int i = 0; i < rows->count; i++) {
		struct prefix_row *row = &rows->at[i];

		*ret_line = row->line;
		if (row->cpu != CPU_UNNAMED && (row->cpu >= cpus || !weights[row->cpu]))
			return because(why, -EINVAL, "CPU %u is no target CPU of %s", row->cpu,
				       work->policy.iface);
		if (row->cpu == CPU_UNNAMED && !work->policy.balance)
			return because(why, -EINVAL,
				       "which CPU? name one, or let --balance choose");
	}
	for (unsigned int i = 0; i < rows->count; i++) {
		if (rows->at[i].cpu == CPU_UNNAMED)
			rows->at[i].cpu = balance_next(weights, counts, cpus);
		else
			counts[rows->at[i].cpu]++;
	}
	return 0;
}

static int write_rows(const struct work *work, const struct prefix_rows *rows)
{
	cleanup(freep) struct prefix_entry *entries = calloc(rows->count + 1, sizeof(*entries));

	if (!entries)
		return fail(-ENOMEM, "out of memory");
	for (unsigned int i = 0; i < rows->count; i++)
		entries[i] = (struct prefix_entry){ rows->at[i].prefix, rows->at[i].cpu };
	return prefixes_write(&work->tables, entries, rows->count);
}

static int add(struct work *work)
{
	struct prefix_row row;
	struct prefix_rows rows = { 1, &row };
	struct reason why;
	uint32_t line;
	int r = prefix_row_parse(work->words[0], work->words[1], &row, &why);

	if (r == 0)
		r = settle(work, &rows, &why, &line);
	return r < 0 ? fail(-E_USAGE, "%s", why.text) : write_rows(work, &rows);
}

static int del(struct work *work)
{
	struct prefix_row row;
	struct reason why;
	int r = prefix_row_parse(work->words[0], NULL, &row, &why);

	if (r < 0)
		return fail(-E_USAGE, "%s", why.text);
	r = prefix_delete(&work->tables, &row.prefix);
	if (r == 0)
		return fail(-ENOENT, "%s: there is no prefix %s", work->policy.iface,
			    work->words[0]);
	return r < 0 ? r : 0;
}

static int import(struct work *work)
{
	const char *path = work->words[0];
	cleanup(prefix_rows_done) struct prefix_rows rows = { 0 };
	cleanup(freep) char *text = NULL;
	struct reason why;
	uint32_t line = 0;
	size_t size;
	int r = file_read_all(path, FILE_MAX, &text, &size);

	if (r < 0)
		return fail(-E_USAGE, "cannot read '%s': %s", path, strerror(-r));
	r = prefix_rows_parse(text, &rows, &line, &why);
	if (r == 0)
		r = settle(work, &rows, &why, &line);
	if (r < 0)
		return fail(-E_USAGE, "%s:%u: %s", path, line, why.text);
	return write_rows(work, &rows);
}

static void show(const struct prefix_entry *entries, unsigned int count, bool json)
{
	struct json_object *all = json ? json_object_new_array() : NULL;
	char text[64];

	for (unsigned int i = 0; i < count; i++) {
		const char *prefix = prefix_format(&entries[i].prefix, text, sizeof(text));
		struct json_object *one;

		if (!json) {
			printf("%s,%u\n", prefix, entries[i].cpu);
			continue;
		}
		one = json_object_new_object();
		json_put_text(one, "prefix", prefix);
		json_put_int(one, "cpu", entries[i].cpu);
		json_object_array_add(all, one);
	}
	if (json) {
		struct json_object *document = json_object_new_object();

		json_put(document, "prefixes", all);
		json_print(document);
	}
}

static int list(struct work *work)
{
	cleanup(freep) struct prefix_entry *entries = NULL;
	unsigned int count;
	int r = prefixes_read(&work->tables, &entries, &count);

	if (r == 0)
		show(entries, count, work->policy.json);
	return r;
}

static const struct subverb {
	const char *name;
	int (*run)(struct work *work);
	unsigned int least, most; /* words behind IFACE */
	const char *words;
} subverbs[] = {
	{ "add", add, 1, 2, "PREFIX [CPU]" },
	{ "del", del, 1, 1, "PREFIX" },
	{ "list", list, 0, 0, "" },
	{ "import", import, 1, 1, "FILE" },
};

static const struct subverb *subverb_find(const char *name)
{
	for (size_t i = 0; name && i < sizeof(subverbs) / sizeof(subverbs[0]); i++)
		if (strcmp(subverbs[i].name, name) == 0)
			return &subverbs[i];
	return NULL;
}

/* Take the words from behind IFACE; what is left is as other verbs have it. */
static int take_words(const struct subverb *subverb, int *argc, char **argv, struct work *work)
{
	int from = 2, to;

	while (from < *argc && from < 2 + WORDS_MAX && argv[from][0] != '-')
		work->words[work->word_count++] = argv[from++];
	if (work->word_count < subverb->least || work->word_count > subverb->most)
		return fail(-E_USAGE, "xdp-cpumap prefix %s IFACE %s", subverb->name,
			    subverb->words);
	for (to = 2; from < *argc; from++, to++)
		argv[to] = argv[from];
	*argc = to;
	return 0;
}

static int open_tables(struct work *work)
{
	const char *iface = work->policy.iface;
	cleanup(source_close) struct source source = { .root = -1 };
	struct home home;
	int r = verb_source(&work->policy, &source);

	if (r == 0)
		r = facts_gather(&source, iface, &work->facts);
	if (r < 0)
		return r;
	if (work->facts->loaded.state != LOADED ||
	    work->facts->loaded.config.now.match == MATCH_none)
		return fail(-ENOENT,
			    "%s: no prefixes are looked up; xdp-cpumap load %s --match dst", iface,
			    iface);
	home_of(iface, &home);
	return prefix_tables_open(&home, work->facts->loaded.config.homes, &work->tables);
}

static int run(const struct subverb *subverb, struct work *work)
{
	struct home home;
	cleanup(closep) int lock = -1;
	int r;

	home_of(work->policy.iface, &home);
	lock = home_lock(&home);
	if (lock < 0)
		return lock;
	r = open_tables(work);
	if (r == 0)
		r = subverb->run(work);
	else
		home_leave_unused(&home);
	return r;
}

int cmd_prefix(int argc, char **argv)
{
	const struct subverb *subverb = subverb_find(argc > 1 ? argv[1] : NULL);
	struct work work = { .tables = { { -1, -1 } } };
	int r;

	if (!subverb)
		return fail(-E_USAGE, "xdp-cpumap prefix add, del, list or import?");
	argv[1] = argv[0];
	argc--;
	argv++;
	r = take_words(subverb, &argc, argv, &work);
	if (r == 0)
		r = verb_begin(VERB_PREFIX, true, argc, argv, &work.policy);
	if (r == 0)
		r = run(subverb, &work);
	prefix_tables_close(&work.tables);
	free(work.facts);
	return r;
}
