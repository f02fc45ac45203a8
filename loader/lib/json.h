/* SPDX-License-Identifier: GPL-2.0 */
/* Shorter words for json-c: put a value under a key; NULL is null. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include <stdint.h>

struct json_object;

void json_put(struct json_object *object, const char *key, struct json_object *value);

/* The same, without a copy of the key, which outlives the object and is new to it. */
void json_put_new(struct json_object *object, const char *key, struct json_object *value);
void json_put_int(struct json_object *object, const char *key, int64_t value);
void json_put_text(struct json_object *object, const char *key, const char *value);

/* An object with a count under each name, from the first on to NULL. */
struct json_object *json_counts(const uint64_t *counts, const char *const *names, int first);

/* Print the document to stdout and free it. */
void json_print(struct json_object *document);

#endif
