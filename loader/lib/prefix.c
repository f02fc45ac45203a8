// SPDX-License-Identifier: GPL-2.0
/* IP prefixes as text: 192.0.2.0/24, 2001:db8::/32, or an address alone. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/prefix.h"
#include "lib/text.h"

static bool is_clean(const struct prefix *prefix)
{
	for (unsigned int bit = prefix->len; bit < (prefix->v6 ? 128 : 32); bit++)
		if (prefix->addr[bit / 8] & 0x80 >> bit % 8)
			return false;
	return true;
}

int prefix_parse(const char *text, struct prefix *ret)
{
	struct prefix prefix = { .v6 = strchr(text, ':') };
	const char *slash = strchr(text, '/');
	size_t size = slash ? (size_t)(slash - text) : strlen(text);
	uint32_t len = prefix.v6 ? 128 : 32;
	char addr[INET6_ADDRSTRLEN];
	int r = 0;

	if (size >= sizeof(addr))
		return -EINVAL;
	memcpy(addr, text, size);
	addr[size] = '\0';
	if (inet_pton(prefix.v6 ? AF_INET6 : AF_INET, addr, prefix.addr) != 1)
		return -EINVAL;
	if (slash)
		r = text_to_u32(slash + 1, len, &len);
	if (r < 0)
		return r;
	prefix.len = (uint8_t)len;
	if (!is_clean(&prefix))
		return -EDOM;
	*ret = prefix;
	return 0;
}

const char *prefix_format(const struct prefix *prefix, char *text, size_t size)
{
	char addr[INET6_ADDRSTRLEN];

	inet_ntop(prefix->v6 ? AF_INET6 : AF_INET, prefix->addr, addr, sizeof(addr));
	snprintf(text, size, "%s/%u", addr, prefix->len);
	return text;
}

int prefix_compare(const struct prefix *a, const struct prefix *b)
{
	int r = a->v6 - b->v6;

	if (r == 0)
		r = memcmp(a->addr, b->addr, sizeof(a->addr));
	return r ? r : a->len - b->len;
}
