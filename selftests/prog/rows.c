/* SPDX-License-Identifier: GPL-2.0 */
/* What the rows share: their list, and flows and tags from text. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "prog/rows.h"

const struct table *const tables[] = {
	&ip_rows,
	&link_rows,
	&dsa_rows,
	&tunnel_rows,
	&inner_never_rows,
	&inner_always_rows,
	&multicast_stays_rows,
	NULL,
};

/* An address as flow.h wants it: the bytes of the wire, read as little-endian words. */
static void words_of(const char *text, bool v6, uint32_t words[4])
{
	uint8_t bytes[16] = {};

	if (inet_pton(v6 ? AF_INET6 : AF_INET, text, bytes) != 1)
		abort();
	for (int i = 0; i < 4; i++)
		words[i] = bytes[4 * i] | bytes[4 * i + 1] << 8 | bytes[4 * i + 2] << 16 |
			   (uint32_t)bytes[4 * i + 3] << 24;
}

struct flow flow_of(const struct flow_text *text)
{
	struct flow flow = {
		.sport = text->sport,
		.dport = text->dport,
		.l4 = text->l4,
	};

	if (text->words) {
		flow.src[0] = text->words[0];
		flow.src[1] = text->words[1];
		flow.v6 = text->words[2];
		return flow;
	}
	flow.v6 = strchr(text->dst, ':') != NULL;
	if (text->src)
		words_of(text->src, flow.v6, flow.src);
	words_of(text->dst, flow.v6, flow.dst);
	return flow;
}

#define ROW(name_, ...) { name_, { __VA_ARGS__ } },

struct dsa_tag dsa_tag_of(const char *name)
{
	static const struct {
		const char *name;
		struct dsa_tag tag;
	} tags[] = { DSA_TAGS(ROW) };

	for (size_t i = 0; name && i < sizeof(tags) / sizeof(tags[0]); i++)
		if (strcmp(tags[i].name, name) == 0)
			return tags[i].tag;
	if (name)
		abort();
	return (struct dsa_tag){};
}
