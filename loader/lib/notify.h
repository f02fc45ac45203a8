/* SPDX-License-Identifier: GPL-2.0 */
/* Tell the service manager how it goes, as sd_notify(3) does; without one, nothing. */
#ifndef LIB_NOTIFY_H
#define LIB_NOTIFY_H

#include <stdint.h>

/* Lines of VARIABLE=VALUE: "READY=1\nSTATUS=steering eth0". */
void notify(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* It is about to do something again that it had said READY=1 for. */
void notify_reloading(void);

/* How often at least it wants to hear WATCHDOG=1; 0: never. */
uint64_t notify_watchdog_us(void);

#endif
