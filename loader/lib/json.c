// SPDX-License-Identifier: GPL-2.0
/* Shorter words for json-c: put a value under a key; NULL is null. */
#include <json-c/json.h>
#include <stdio.h>

#include "lib/json.h"

void json_put(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add(object, key, value);
}

void json_put_new(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add_ex(object, key, value,
				  JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT);
}

void json_put_int(struct json_object *object, const char *key, int64_t value)
{
	json_put(object, key, json_object_new_int64(value));
}

void json_put_text(struct json_object *object, const char *key, const char *value)
{
	json_put(object, key, value ? json_object_new_string(value) : NULL);
}

struct json_object *json_counts(const uint64_t *counts, const char *const *names, int first)
{
	struct json_object *json = json_object_new_object();

	for (int i = first; names[i]; i++)
		json_put_int(json, names[i], (int64_t)counts[i]);
	return json;
}

void json_print(struct json_object *document)
{
	puts(json_object_to_json_string_ext(document, JSON_C_TO_STRING_PRETTY |
							      JSON_C_TO_STRING_SPACED |
							      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(document);
}
