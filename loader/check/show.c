// SPDX-License-Identifier: GPL-2.0
/* Findings for people and for programs. */
#include <json-c/json.h>

#include "check/show.h"
#include "lib/json.h"
#include "lib/say.h"

void findings_text(const struct findings *findings, FILE *out)
{
	for (unsigned int i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];

		fprintf(out, "%-8s %-14s %s\n", severity_names[finding->severity], finding->id,
			finding->what);
		if (finding->consequence[0])
			fprintf(out, "%24s%s\n", "", finding->consequence);
		if (finding->cure[0])
			fprintf(out, "%22s> %s\n", "", finding->cure);
	}
}

/* "what: consequence; cure (id)", as far as there is each of them. */
static void sentence(const struct finding *finding, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s%s%s (%s)", finding->what, *finding->consequence ? ": " : "",
		 finding->consequence, *finding->cure ? "; " : "", finding->cure, finding->id);
}

int findings_say(const struct findings *findings, const char *iface, bool force, bool quiet)
{
	bool stop = findings->errors && !force;
	char text[800];

	for (unsigned int i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];

		sentence(finding, text, sizeof(text));
		if (stop && finding->severity == SEVERITY_ERROR)
			fail(-E_CHECK, "%s: %s; --force loads it all the same", iface, text);
		if (!stop && finding->severity <= SEVERITY_WARNING && !quiet)
			warn("%s: %s", iface, text);
	}
	return stop ? -E_CHECK : 0;
}

struct json_object *findings_json(const struct findings *findings)
{
	struct json_object *json = json_object_new_array();

	for (unsigned int i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];
		struct json_object *row = json_object_new_object();

		json_put_text(row, "id", finding->id);
		json_put_text(row, "severity", severity_names[finding->severity]);
		json_put_text(row, "finding", finding->what);
		json_put_text(row, "consequence",
			      finding->consequence[0] ? finding->consequence : NULL);
		json_put_text(row, "cure", finding->cure[0] ? finding->cure : NULL);
		json_object_array_add(json, row);
	}
	return json;
}
