/* SPDX-License-Identifier: GPL-2.0 */
/* IP prefixes as text: 192.0.2.0/24, 2001:db8::/32, or an address alone. */
#ifndef LIB_PREFIX_H
#define LIB_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prefix {
	uint8_t addr[16]; /* in network order; IPv4 has four of them */
	uint8_t len;
	bool v6;
};

/* -EINVAL: no prefix, -ERANGE: too long for an address, -EDOM: bits are set behind its length. */
int prefix_parse(const char *text, struct prefix *ret);
const char *prefix_format(const struct prefix *prefix, char *text, size_t size);
int prefix_compare(const struct prefix *a, const struct prefix *b);

#endif
