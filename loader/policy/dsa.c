// SPDX-License-Identifier: GPL-2.0
/* The DSA tags we can read, by their names. */
#include <string.h>

#include "lib/text.h"
#include "policy/policy.h"

#define ROW(text, ...) { text, { __VA_ARGS__ } },

static const struct {
	const char *name;
	struct dsa_tag tag;
} tags[] = { DSA_TAGS(ROW) };

enum { TAGS = sizeof(tags) / sizeof(tags[0]) };

const struct dsa_tag *dsa_tag_find(const char *name)
{
	for (int i = 0; i < TAGS; i++)
		if (strcmp(tags[i].name, name) == 0)
			return &tags[i].tag;
	return NULL;
}

const char *dsa_tag_name(const struct dsa_tag *tag)
{
	for (int i = 0; i < TAGS; i++)
		if (memcmp(&tags[i].tag, tag, sizeof(*tag)) == 0)
			return tags[i].name;
	return "";
}

void dsa_tag_names(char *text, size_t size)
{
	for (int i = 0; i < TAGS; i++)
		text_append(text, size, "%s%s", i ? " " : "", tags[i].name);
}
