// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap rule add, del, list and load: which CPU takes what, before the hash decides. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataplane/rules.h"
#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/json.h"
#include "lib/text.h"
#include "policy/options.h"
#include "policy/rules.h"
#include "verb.h"

/* What a subverb works on. */
struct work {
	char words[1024]; /* behind IFACE */
	struct policy policy;
	struct home home;
	struct source source;
	struct facts *facts;
	struct rule_list list; /* those that are loaded */
};

/* Through the same plan as `set`: all or nothing. */
static int put(struct work *work)
{
	work->policy.rule_list = &work->list;
	return verb_load(&work->policy, &work->home, &work->source, true);
}

static int add(struct work *work)
{
	struct rule_list *list = &work->list;
	const char *before = work->policy.before;
	struct rule_text rule;
	struct reason why;
	int at = (int)list->count;

	if (rule_write(work->words, &rule, &why) < 0)
		return fail(-E_USAGE, "%s", why.text);
	if (rules_find(list, rule.name) >= 0)
		return fail(-E_USAGE, "%s: there is a rule '%s' already", work->home.iface,
			    rule.name);
	if (list->count == RULES_MAX)
		return fail(-E_USAGE, "%s: there are at most %u rules", work->home.iface,
			    RULES_MAX);
	if (*before)
		at = rules_find(list, before);
	if (at < 0)
		return fail(-E_USAGE, "%s: there is no rule '%s'", work->home.iface, before);
	memmove(&list->at[at + 1], &list->at[at], (list->count - at) * sizeof(rule));
	list->at[at] = rule;
	list->count++;
	return put(work);
}

static int del(struct work *work)
{
	struct rule_list *list = &work->list;
	int at = rules_find(list, work->words);

	if (at < 0)
		return fail(-ENOENT, "%s: there is no rule '%s'", work->home.iface, work->words);
	list->count--;
	memmove(&list->at[at], &list->at[at + 1], (list->count - at) * sizeof(list->at[0]));
	return put(work);
}

static int load(struct work *work)
{
	int r;

	snprintf(work->policy.rules, sizeof(work->policy.rules), "%s", work->words);
	r = verb_rules(&work->policy);
	if (r < 0)
		return r;
	work->list = *work->policy.rule_list;
	return put(work);
}

static struct json_object *rule_json(const struct rule_text *rule, const struct rule_hit *hit)
{
	struct json_object *json = json_object_new_object();

	json_put_text(json, "name", rule->name);
	json_put_text(json, "rule", rule->text);
	json_put_int(json, "packets", (int64_t)hit->packets);
	json_put_int(json, "bytes", (int64_t)hit->bytes);
	return json;
}

/* As --rules takes them, with the counts behind. */
static int list(struct work *work)
{
	struct json_object *all = json_object_new_array(), *document;
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < work->list.count; i++) {
		const struct rule_text *rule = &work->list.at[i];
		struct rule_hit hit;

		r = rule_hits_read(&work->home, rule->id, &hit);
		if (r == 0 && !work->policy.json)
			printf("%s %s # %" PRIu64 " packets, %" PRIu64 " bytes\n", rule->name,
			       rule->text, (uint64_t)hit.packets, (uint64_t)hit.bytes);
		else if (r == 0)
			json_object_array_add(all, rule_json(rule, &hit));
	}
	document = json_object_new_object();
	json_put(document, "rules", all);
	if (r == 0 && work->policy.json)
		json_print(document);
	else
		json_object_put(document);
	return r;
}

static const struct subverb {
	const char *name;
	int (*run)(struct work *work);
	unsigned int least, most; /* words behind IFACE */
	const char *words;
} subverbs[] = {
	{ "add", add, 2, UINT32_MAX, "NAME MATCH... ACTION [--before NAME]" },
	{ "del", del, 1, 1, "NAME" },
	{ "list", list, 0, 0, "" },
	{ "load", load, 1, 1, "FILE" },
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
	unsigned int count = 0;
	int from = 2, to;

	for (; from < *argc && argv[from][0] != '-'; from++, count++)
		text_append(work->words, sizeof(work->words), "%s%s", count ? " " : "", argv[from]);
	if (count < subverb->least || count > subverb->most ||
	    strlen(work->words) == sizeof(work->words) - 1)
		return fail(-E_USAGE, "xdp-cpumap rule %s IFACE %s", subverb->name, subverb->words);
	for (to = 2; from < *argc; from++, to++)
		argv[to] = argv[from];
	*argc = to;
	return 0;
}

static int run(const struct subverb *subverb, struct work *work)
{
	cleanup(closep) int lock = -1;
	int r;

	home_of(work->policy.iface, &work->home);
	lock = home_lock(&work->home);
	if (lock < 0)
		return lock;
	r = verb_source(&work->policy, &work->source);
	if (r == 0)
		r = facts_gather(&work->source, work->policy.iface, &work->facts);
	if (r == 0 && work->facts->loaded.state != LOADED)
		r = fail(-ENOENT, "%s: not steered, there is nothing to change; xdp-cpumap load %s",
			 work->home.iface, work->home.iface);
	if (r < 0) {
		home_leave_unused(&work->home);
		return r;
	}
	work->list = work->facts->loaded.rule_list;
	return subverb->run(work);
}

int cmd_rule(int argc, char **argv)
{
	const struct subverb *subverb = subverb_find(argc > 1 ? argv[1] : NULL);
	static struct work work = { .source.root = -1 };
	int r;

	if (!subverb)
		return fail(-E_USAGE, "xdp-cpumap rule add, del, list or load?");
	argv[1] = argv[0];
	argc--;
	argv++;
	r = take_words(subverb, &argc, argv, &work);
	if (r == 0)
		r = verb_begin(VERB_RULE, true, argc, argv, &work.policy);
	if (r == 0)
		r = run(subverb, &work);
	source_close(&work.source);
	free(work.facts);
	return r;
}
