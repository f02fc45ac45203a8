/* SPDX-License-Identifier: GPL-2.0 */
/* Findings for people and for programs. */
#ifndef CHECK_SHOW_H
#define CHECK_SHOW_H

#include <stdio.h>

#include "check/check.h"

struct json_object;

/*
 * error    DRV-MTU     the MTU is 9000, and the driver 'st_gmac' takes native XDP up to 1500
 *                      the kernel refuses the program
 *                    > ip link set eth0 mtu 1500   (or --mode skb)
 */
void findings_text(const struct findings *findings, FILE *out);

/*
 * For `load`: a sentence for each error, and -E_CHECK; or, without errors or
 * with force, a sentence for each warning, unless quiet.
 */
int findings_say(const struct findings *findings, const char *iface, bool force, bool quiet);

struct json_object *findings_json(const struct findings *findings);

#endif
