// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap stats [IFACE]: how fast, where to, what is lost, what is wrong. */
#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/ticker.h"
#include "policy/options.h"
#include "stats/render.h"
#include "stats/sample.h"
#include "verb.h"

#define CLEAR "\033[H\033[J" /* the cursor to the corner, and nothing below it */

/* Pairs of snapshots, as views; an interface loaded in between counts from its load. */
struct views {
	unsigned int count;
	struct view *at[SAMPLE_MAX];
	struct sample loads;
};

static void views_done(struct views *views)
{
	for (unsigned int i = 0; i < views->count; i++)
		view_free(views->at[i]);
	sample_done(&views->loads);
}

static int views_make(const struct sample *before, const struct sample *now, struct views *ret)
{
	int r = sample_at_load(now, &ret->loads);

	for (unsigned int i = 0; r == 0 && i < now->count; i++) {
		const struct snapshot *from =
			before ? sample_find(before, now->at[i]->iface) : NULL;

		ret->at[i] = view_new(from ? from : ret->loads.at[i], now->at[i]);
		if (!ret->at[i])
			return fail(-ENOMEM, "out of memory");
		ret->count++;
	}
	return r;
}

static void show_json(const struct views *views, bool lines)
{
	struct json_object *json = json_object_new_object();
	struct json_object *interfaces = json_object_new_array();

	for (unsigned int i = 0; i < views->count; i++)
		json_object_array_add(interfaces, render_json(views->at[i]));
	json_put_int(json, "time_s", time(NULL));
	json_put(json, "interfaces", interfaces);
	if (!lines) {
		json_print(json);
		return;
	}
	puts(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN));
	json_object_put(json);
}

static void write_metrics(FILE *out, const void *data)
{
	const struct views *views = data;

	render_prometheus(views->at, views->count, out);
}

static int show_prometheus(const struct policy *policy, const struct views *views)
{
	if (!policy->output[0]) {
		write_metrics(stdout, views);
		return 0;
	}
	return file_replace(policy->output, write_metrics, views);
}

static void show_text(const struct views *views, bool live)
{
	bool terminal = isatty(STDOUT_FILENO);
	time_t now = time(NULL);
	char clock[16];

	strftime(clock, sizeof(clock), "%T", localtime(&now));
	if (live && terminal)
		printf(CLEAR "%s (q ends)\n\n", clock);
	for (unsigned int i = 0; i < views->count; i++) {
		if (live && !terminal) {
			render_lines(views->at[i], clock, stdout);
			continue;
		}
		if (i)
			putchar('\n');
		render_table(views->at[i], stdout);
	}
}

static int show(const struct policy *policy, const struct sample *before, const struct sample *now)
{
	cleanup(views_done) struct views views = { 0 };
	int r = views_make(before, now, &views);

	if (r < 0)
		return r;
	if (policy->prometheus)
		return show_prometheus(policy, &views);
	if (policy->json)
		show_json(&views, policy->watch_s != 0);
	else
		show_text(&views, policy->watch_s != 0);
	return fflush(stdout) == 0 ? 0 : fail(-EIO, "cannot write to stdout");
}

static int watch(const struct policy *policy, struct sample *before)
{
	cleanup(ticker_close) struct ticker ticker = { -1, -1, -1 };
	int r = ticker_open(policy->watch_s, &ticker);

	while (r == 0 && ticker_wait(&ticker)) {
		struct sample now;

		r = sample_take(policy->iface, &now);
		if (r < 0)
			return r;
		r = show(policy, before, &now);
		sample_done(before);
		*before = now;
	}
	return r;
}

int cmd_stats(int argc, char **argv)
{
	cleanup(sample_done) struct sample first = { 0 }, second = { 0 };
	struct policy policy;
	int r;

	r = verb_begin(VERB_STATS, false, argc, argv, &policy);
	if (r < 0)
		return r;
	r = sample_take(policy.iface, &first);
	if (r < 0)
		return r;
	if (!first.count)
		note(policy.iface[0] ? "%s: not steered" : "nothing is steered here", policy.iface);
	if (policy.watch_s)
		return watch(&policy, &first);
	/* Programs want an answer now, people the present: what a second adds. */
	if (policy.json || policy.prometheus)
		return show(&policy, NULL, &first);
	if (!first.count)
		return 0;
	poll(NULL, 0, 1000);
	r = sample_take(policy.iface, &second);
	return r < 0 ? r : show(&policy, &first, &second);
}
