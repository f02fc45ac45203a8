/* SPDX-License-Identifier: GPL-2.0 */
/* What cmocka wants to be included before it, and it. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <cmocka.h>

#undef fail /* the name of one of ours, in lib/say.h */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
