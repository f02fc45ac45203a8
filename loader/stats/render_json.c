// SPDX-License-Identifier: GPL-2.0
/* `stats --json`: every field under its name, unknown ones null. */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

#include "lib/json.h"
#include "stats/diagnose.h"
#include "stats/fields.h"
#include "stats/render.h"

/* Large machines have thousands of numbers, most of them 0: these are one object. */
static struct json_object *zero(void)
{
	static struct json_object *kept;

	if (!kept)
		kept = json_object_new_double_s(0, "0.000");
	return json_object_get(kept);
}

static struct json_object *number(double value)
{
	char text[40];

	if (isnan(value))
		return NULL;
	if (value == 0)
		return zero();
	/* json-c would print 17 digits of a rate. */
	snprintf(text, sizeof(text), "%.3f", value);
	return json_object_new_double_s(value, text);
}

static void put_field(struct json_object *json, const struct field *field, const struct view *view,
		      const struct view_row *row)
{
	struct json_object *count = NULL;
	uint64_t total;

	if (!field->counter) {
		json_put_new(json, field->name, number(field_value(field, view, row)));
		return;
	}
	if (field_total(field, view, row, &total))
		count = json_object_new_int64((int64_t)total);
	json_put_new(json, field->name, count);
	json_put_new(json, field_rate(field), number(field_value(field, view, row)));
}

static struct json_object *row_json(const struct view *view, enum scope scope,
				    const struct view_row *row)
{
	struct json_object *json = json_object_new_object();

	if (row->rule)
		json_put_text(json, "rule", row->rule);
	else if (scope != SCOPE_IFACE)
		json_put_int(json, "cpu", row->cpu);
	if (scope == SCOPE_QUEUE)
		json_put_int(json, "lane", row->lane);
	if (row->reason)
		json_put_text(json, "reason", row->reason);
	for (const struct field *field = fields; field->name; field++)
		if (field->scope == scope)
			put_field(json, field, view, row);
	return json;
}

static struct json_object *findings_json(const struct view *view)
{
	struct json_object *json = json_object_new_array();
	struct finding findings[FINDINGS_MAX];
	unsigned int count = diagnose(view, findings);

	for (unsigned int i = 0; i < count; i++) {
		struct json_object *finding = json_object_new_object();

		json_put_text(finding, "kind", findings[i].kind);
		json_put_text(finding, "text", findings[i].text);
		json_object_array_add(json, finding);
	}
	return json;
}

struct json_object *render_json(const struct view *view)
{
	struct json_object *json = json_object_new_object();
	char netns[24];

	snprintf(netns, sizeof(netns), "%ju", (uintmax_t)view->now->netns);
	json_put_text(json, "interface", view->now->iface);
	json_put_text(json, "netns", view->now->netns ? netns : NULL);
	json_put(json, "interval_s", number(view->seconds));
	json_put(json, "totals", row_json(view, SCOPE_IFACE, view->scopes[SCOPE_IFACE].rows));
	for (int scope = SCOPE_IFACE + 1; scope < SCOPES; scope++) {
		struct json_object *rows = json_object_new_array();

		for (unsigned int i = 0; i < view->scopes[scope].count; i++)
			json_object_array_add(rows, row_json(view, (enum scope)scope,
							     &view->scopes[scope].rows[i]));
		json_put(json, scope_names[scope], rows);
	}
	json_put(json, "findings", findings_json(view));
	return json;
}
