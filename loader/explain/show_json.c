// SPDX-License-Identifier: GPL-2.0
/* `explain --json`: one document, written while the capture is read. */
#include <json-c/json.h>
#include <stdio.h>

#include "explain/show.h"
#include "lib/json.h"
#include "stats/snapshot.h"

static void put_text(struct json_object *json)
{
	fputs(json_object_to_json_string_ext(json, JSON_C_TO_STRING_NOSLASHESCAPE), stdout);
	json_object_put(json);
}

/* The flow hash, or what else decided. */
static const char *reason(const struct explained *record)
{
	if (record->verdict != VERDICT_redirected)
		return verdict_names[record->verdict];
	if (record->decider == DECIDER_prefix)
		return "prefix";
	if (record->decider == DECIDER_rule)
		return "rule";
	return record->fallback ? fallback_names[record->fallback] : "flow";
}

static struct json_object *layers_json(const struct explained *record)
{
	struct json_object *layers = json_object_new_array();

	for (int i = 0; i < record->header_count && i < HEADERS_MAX; i++)
		if (record->headers[i] < HEADER_COUNT)
			json_object_array_add(
				layers, json_object_new_string(header_names[record->headers[i]]));
	return layers;
}

static void json_begin(void)
{
	fputs("{\"frames\":[", stdout);
}

static void json_frame(const struct capture_frame *frame, const struct explained *record)
{
	bool redirected = record->verdict == VERDICT_redirected;
	struct json_object *json = json_object_new_object();
	static const char *const keys[] = { "hash", "slot", "cpu", "lane" };
	const int64_t values[] = { record->hash, record->slot, record->place.cpu,
				   record->place.lane };
	char flow[128];

	json_put_int(json, "number", (int64_t)frame->number);
	json_put_int(json, "length", frame->length);
	json_put_text(json, "verdict", redirected ? "redirect" : "pass");
	json_put_text(json, "reason", reason(record));
	json_put(json, "layers", layers_json(record));
	flow_format(&record->flow, flow, sizeof(flow));
	json_put_text(json, "flow", redirected ? flow : NULL);
	for (int i = 0; i < 4; i++)
		json_put(json, keys[i], redirected ? json_object_new_int64(values[i]) : NULL);
	fputs(frame->number > 1 ? ",\n" : "\n", stdout);
	put_text(json);
}

static struct json_object *heaviest_json(const struct tally *tally)
{
	struct json_object *array = json_object_new_array();
	struct flow_count flows[HEAVIEST];
	unsigned int count = tally_heaviest(tally, flows, HEAVIEST);
	char text[128];

	for (unsigned int i = 0; i < count; i++) {
		struct json_object *json = json_object_new_object();

		flow_format(&flows[i].flow, text, sizeof(text));
		json_put_text(json, "flow", text);
		json_put_int(json, "frames", (int64_t)flows[i].frames);
		json_object_array_add(array, json);
	}
	return array;
}

static struct json_object *cpus_json(const struct tally *tally, const struct cpuset *targets)
{
	struct json_object *array = json_object_new_array();

	cpuset_for_each(targets, cpu) {
		struct json_object *json = json_object_new_object();

		json_put_int(json, "cpu", cpu);
		json_put_int(json, "frames", (int64_t)tally->cpus[cpu]);
		json_object_array_add(array, json);
	}
	return array;
}

static struct json_object *slots_json(const struct tally *tally)
{
	struct json_object *array = json_object_new_array();
	uint32_t slots[HEAVIEST];
	unsigned int count = tally_slots(tally, slots, HEAVIEST);

	for (unsigned int i = 0; i < count; i++) {
		struct json_object *json = json_object_new_object();

		json_put_int(json, "slot", slots[i]);
		json_put_int(json, "frames", (int64_t)tally->slots[slots[i]]);
		json_object_array_add(array, json);
	}
	return array;
}

static void json_end(const struct tally *tally, const struct cpuset *targets)
{
	struct evenness evenness = tally_evenness(tally, targets);
	struct json_object *json = json_object_new_object();

	json_put_int(json, "frames", (int64_t)tally->frames);
	json_put_int(json, "bytes", (int64_t)tally->bytes);
	json_put(json, "verdicts", json_counts(tally->verdicts, verdict_names, 0));
	json_put(json, "fallbacks",
		 json_counts(tally->fallbacks, fallback_names, FALLBACK_none + 1));
	json_put(json, "cpus", cpus_json(tally, targets));
	json_put(json, "heaviest_slots", slots_json(tally));
	json_put(json, "heaviest_flows", heaviest_json(tally));
	json_put(json, "max_over_mean", json_object_new_double(evenness.max_over_mean));
	json_put(json, "max_over_mean_floor", json_object_new_double(evenness.floor));
	fputs("\n],\"summary\":", stdout);
	put_text(json);
	fputs("}\n", stdout);
}

const struct shower show_json = { .begin = json_begin, .frame = json_frame, .end = json_end };
