// SPDX-License-Identifier: GPL-2.0
/* What `status --json` says of one interface. */
#include <json-c/json.h>
#include <stdio.h>

#include "lib/json.h"
#include "stats/report.h"

static struct json_object *row_json(const struct report_row *row)
{
	struct json_object *json = json_object_new_object();

	json_put_int(json, "cpu", row->entry.cpu);
	json_put_int(json, "lane", row->entry.lane);
	json_put_int(json, "slots", row->slots);
	json_put_int(json, "qsize", row->entry.qsize);
	if (row->entry.pid) {
		json_put_int(json, "kthread_pid", row->entry.pid);
		json_put_text(json, "kthread_cpus", row->allowed);
	}
	json_put_int(json, "sent_packets", (int64_t)row->count.sent_packets);
	json_put_int(json, "sent_bytes", (int64_t)row->count.sent_bytes);
	if (row->entry.prog_id) {
		json_put_int(json, "packets", (int64_t)row->count.packets);
		json_put_int(json, "bytes", (int64_t)row->count.bytes);
	}
	json_put(json, "share_pct", json_object_new_double(row->share_pct));
	return json;
}

static void put_programs(struct json_object *json, const struct report *report)
{
	const struct loaded *loaded = &report->facts->loaded;
	struct json_object *steer = json_object_new_object(), *stage = NULL;

	json_put_int(steer, "id", loaded->steer_id);
	json_put_text(steer, "tag", report->steer_tag);
	json_put(steer, "jited", json_object_new_boolean(report->jited));
	json_put(json, "steer", steer);
	if (loaded->entry_count && loaded->entries[0].prog_id) {
		stage = json_object_new_object();
		json_put_text(stage, "program", "pass");
		json_put_int(stage, "id", loaded->entries[0].prog_id);
	}
	json_put(json, "second_stage", stage);
}

static void put_attach(struct json_object *json, const struct report *report)
{
	const struct loaded *loaded = &report->facts->loaded;
	char since[32], netns[24];

	snprintf(netns, sizeof(netns), "%ju", (uintmax_t)report->netns);
	strftime(since, sizeof(since), "%FT%TZ", gmtime(&report->since));
	json_put_text(json, "interface", report->facts->iface.name);
	json_put_int(json, "ifindex", report->facts->iface.index);
	json_put_text(json, "netns", report->netns ? netns : NULL);
	json_put_text(json, "mode", loaded->generic ? "skb" : "native");
	json_put_text(json, "attach", loaded->attach == ATTACH_LINK ? "link" : "dispatcher");
	if (loaded->attach == ATTACH_LINK)
		json_put_int(json, "link_id", loaded->link_id);
	json_put_text(json, "since", since);
	json_put_int(json, "uptime_s", report->now - report->since);
}

/* As `rule list --json` has them. */
static struct json_object *rules_json(const struct report *report)
{
	const struct rule_list *list = &report->facts->loaded.rule_list;
	struct json_object *rules = json_object_new_array();

	for (unsigned int i = 0; i < list->count; i++) {
		const struct rule_count *count = &report->snapshot->rules[i];
		struct json_object *json = json_object_new_object();

		json_put_text(json, "name", list->at[i].name);
		json_put_text(json, "rule", list->at[i].text);
		json_put_int(json, "packets", (int64_t)count->packets);
		json_put_int(json, "bytes", (int64_t)count->bytes);
		json_object_array_add(rules, json);
	}
	return rules;
}

struct json_object *report_json(const struct report *report)
{
	const struct loaded *loaded = &report->facts->loaded;
	struct json_object *json = json_object_new_object();
	struct json_object *targets = json_object_new_array();
	struct json_object *gro = json_object_new_object();
	struct json_object *moves = json_object_new_object();

	put_attach(json, report);
	put_programs(json, report);
	json_put(json, "frags", json_object_new_boolean(loaded->config.frags));
	json_put_int(json, "slots", loaded->slot_count);
	json_put_text(gro, "answer", answer_names[report->gro]);
	json_put_text(gro, "why", report->gro_why);
	json_put(json, "gro", gro);
	for (unsigned int i = 0; i < report->row_count; i++)
		json_object_array_add(targets, row_json(&report->rows[i]));
	json_put(json, "targets", targets);
	json_put(json, "rules", rules_json(report));
	json_put_int(moves, "pending", report->snapshot->moves_pending);
	json_put_int(moves, "committed", (int64_t)report->snapshot->moves_committed);
	json_put_int(moves, "forced", (int64_t)report->snapshot->moves_forced);
	json_put_int(moves, "leaving", report->snapshot->unsettled);
	json_put(json, "moves", moves);
	json_put(json, "verdicts", json_counts(report->snapshot->verdicts, verdict_names, 0));
	json_put(json, "fallbacks",
		 json_counts(report->snapshot->fallbacks, fallback_names, FALLBACK_none + 1));
	return json;
}
