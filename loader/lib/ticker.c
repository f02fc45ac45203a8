// SPDX-License-Identifier: GPL-2.0
/* One loop, everything an fd: the clock, the signals that end us, the key q. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/clean.h"
#include "lib/say.h"
#include "lib/ticker.h"

static int listen_to(int epoll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* Keys come one by one and unseen; Ctrl-C stays a signal. */
static void open_keys(struct ticker *ticker)
{
	struct termios raw;

	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &ticker->before) < 0)
		return;
	/* A job in the background may not touch the terminal. */
	if (tcgetpgrp(STDIN_FILENO) != getpgrp())
		return;
	raw = ticker->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	ticker->keys = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 &&
		       listen_to(ticker->epoll, STDIN_FILENO) == 0;
}

int ticker_open(unsigned int seconds, struct ticker *ret)
{
	struct itimerspec every = { { seconds, 0 }, { seconds, 0 } };

	*ret = (struct ticker){
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC),
		.signals = signals_open(),
	};
	if (ret->epoll < 0 || ret->timer < 0 || ret->signals < 0 ||
	    timerfd_settime(ret->timer, 0, &every, NULL) < 0 ||
	    listen_to(ret->epoll, ret->timer) < 0 || listen_to(ret->epoll, ret->signals) < 0) {
		int r = -errno;

		ticker_close(ret);
		return fail(r, "cannot wait for the clock: %s", strerror(-r));
	}
	open_keys(ret);
	return 0;
}

void ticker_close(struct ticker *ticker)
{
	if (ticker->keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &ticker->before);
	closep(&ticker->epoll);
	closep(&ticker->timer);
	closep(&ticker->signals);
}

static bool is_quit(int epoll)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) == 1)
		return key == 'q' || key == 'Q';
	/* The terminal is gone: it would be readable for ever. */
	epoll_ctl(epoll, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
	return false;
}

bool ticker_wait(struct ticker *ticker)
{
	struct epoll_event event;
	uint64_t ticks;

	for (;;) {
		if (epoll_wait(ticker->epoll, &event, 1, -1) < 0) {
			if (errno == EINTR)
				continue;
			return false;
		}
		if (event.data.fd == ticker->timer)
			return read(ticker->timer, &ticks, sizeof(ticks)) == sizeof(ticks);
		if (event.data.fd == ticker->signals || is_quit(ticker->epoll))
			return false;
	}
}
