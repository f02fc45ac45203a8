/* SPDX-License-Identifier: GPL-2.0 */
/* One loop, everything an fd: the clock, the signals that end us, the key q. */
#ifndef LIB_TICKER_H
#define LIB_TICKER_H

#include <stdbool.h>
#include <termios.h>

struct ticker {
	int epoll;
	int timer;
	int signals;
	bool keys; /* stdin is a terminal, and was set to give single keys */
	struct termios before;
};

/* From now on SIGINT, SIGTERM and SIGHUP are read from the fd that is returned; -1: errno. */
int signals_open(void);

/* Says what failed. */
int ticker_open(unsigned int seconds, struct ticker *ret);
void ticker_close(struct ticker *ticker);

/* Waits for the next tick: true. False: q, Ctrl-C or a signal says to end. */
bool ticker_wait(struct ticker *ticker);

#endif
