// SPDX-License-Identifier: GPL-2.0
/* One loop, everything an fd: links, CPUs, signals, the watchdog. It sleeps until one of them. */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "follow/events.h"
#include "lib/clean.h"
#include "lib/netlink.h"
#include "lib/notify.h"
#include "lib/say.h"
#include "lib/ticker.h"

enum { SETTLE_MS = 200, MESSAGE_MAX = 32768, UEVENTS = 1 };

static int listen_to(int epoll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Bound to groups: what the kernel tells everybody. */
static int group_open(int bus, unsigned int groups)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = groups };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, bus);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	closep(&fd);
	return -1;
}

static void timer_set(int timer, uint64_t us, bool again)
{
	struct timespec at = { (time_t)(us / 1000000), (long)(us % 1000000) * 1000 };
	struct itimerspec every = { .it_value = at };

	if (again)
		every.it_interval = at;
	timerfd_settime(timer, 0, &every, NULL);
}

static int on_link(const struct nlmsghdr *header, void *data)
{
	struct link *link = data;
	struct link now = *link;

	/* Of the one that is followed, or with the name that is waited for. */
	if (link_message(&now, header))
		*link = now;
	return MNL_CB_OK;
}

/* Look instead of listening: at the beginning, and when messages were lost. */
static int look(struct link *link)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	struct nlmsghdr *header;
	struct ifinfomsg *message;
	int r = netlink_open(NETLINK_ROUTE, &netlink);

	if (r < 0)
		return r;
	header = mnl_nlmsg_put_header(netlink.buffer);
	header->nlmsg_type = RTM_GETLINK;
	header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	message = mnl_nlmsg_put_extra_header(header, sizeof(*message));
	message->ifi_family = AF_UNSPEC;
	return netlink_ask(&netlink, header, on_link, link);
}

static bool is_there(uint32_t index)
{
	char name[IF_NAMESIZE];

	return if_indextoname(index, name);
}

/* It may have gone, and another one come, or have changed in any way. */
static unsigned int look_again(struct link *link)
{
	unsigned int seen = SEEN_LOST;
	bool was = link->index;

	if (was && !is_there(link->index)) {
		link->index = 0;
		seen |= LINK_WENT;
	}
	was = link->index;
	look(link);
	return !was && link->index ? seen | LINK_CAME : seen;
}

/* Only the kernel's messages count: 0 when there are no more, -ENOBUFS when some were lost. */
static ssize_t receive(int fd, void *buffer, size_t size)
{
	for (;;) {
		struct sockaddr_nl from = { 0 };
		socklen_t length = sizeof(from);
		ssize_t n = recvfrom(fd, buffer, size, 0, (struct sockaddr *)&from, &length);

		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n > 0 && from.nl_pid == 0)
			return n;
	}
}

static void note_seen(struct events *events, unsigned int seen)
{
	if (seen && !events->seen)
		timer_set(events->settle, SETTLE_MS * 1000, false);
	events->seen |= seen;
}

static void read_links(struct events *events)
{
	_Alignas(struct nlmsghdr) char buffer[MESSAGE_MAX];
	ssize_t n;

	while ((n = receive(events->links, buffer, sizeof(buffer))) != 0) {
		struct nlmsghdr *header = (struct nlmsghdr *)buffer;
		int left = (int)n;

		if (n == -EINTR)
			continue;
		if (n < 0) {
			note_seen(events, look_again(&events->link));
			continue;
		}
		for (; mnl_nlmsg_ok(header, left); header = mnl_nlmsg_next(header, &left))
			note_seen(events, link_message(&events->link, header));
	}
}

/* "offline@/devices/system/cpu/cpu3", and behind it what we do not need. */
static void read_cpus(struct events *events)
{
	char buffer[MESSAGE_MAX];
	ssize_t n;

	while ((n = receive(events->cpus, buffer, sizeof(buffer) - 1)) != 0) {
		if (n == -EINTR)
			continue;
		buffer[n < 0 ? 0 : n] = '\0';
		if (n < 0 || strstr(buffer, "line@/devices/system/cpu/cpu"))
			note_seen(events, SEEN_CPUS);
	}
}

void events_catch_up(struct events *events)
{
	read_links(events);
	read_cpus(events);
}

static bool is_over(int timer)
{
	uint64_t ticks;

	return read(timer, &ticks, sizeof(ticks)) == sizeof(ticks);
}

int events_open(const char *iface, const char *now, struct events *ret)
{
	uint64_t watchdog_us = notify_watchdog_us();
	const int flags = TFD_CLOEXEC | TFD_NONBLOCK;

	*ret = (struct events){
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.links = group_open(NETLINK_ROUTE, RTMGRP_LINK),
		.cpus = group_open(NETLINK_KOBJECT_UEVENT, UEVENTS),
		.signals = signals_open(),
		.settle = timerfd_create(CLOCK_MONOTONIC, flags),
		.retry = timerfd_create(CLOCK_MONOTONIC, flags),
		.watchdog = timerfd_create(CLOCK_MONOTONIC, flags),
	};
	const int all[] = { ret->links,	 ret->cpus,  ret->signals,
			    ret->settle, ret->retry, ret->watchdog };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		int r = all[i] < 0 || listen_to(ret->epoll, all[i]) < 0 ? -errno : 0;

		if (r == 0)
			continue;
		events_close(ret);
		return fail(r, "cannot wait for events: %s", strerror(-r));
	}
	if (watchdog_us)
		timer_set(ret->watchdog, watchdog_us / 2, true);
	snprintf(ret->link.wanted, sizeof(ret->link.wanted), "%s", now);
	look(&ret->link);
	snprintf(ret->link.wanted, sizeof(ret->link.wanted), "%s", iface);
	return 0;
}

void events_close(struct events *events)
{
	int *const all[] = { &events->epoll,  &events->links, &events->cpus,	&events->signals,
			     &events->settle, &events->retry, &events->watchdog };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		closep(all[i]);
		*all[i] = -1;
	}
}

void events_retry(struct events *events, unsigned int ms)
{
	timer_set(events->retry, ms * 1000ULL, false);
}

static enum woken on_signal(int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGHUP)
		return WOKEN_RELOAD;
	return WOKEN_STOP;
}

enum woken events_wait(struct events *events, unsigned int *ret_seen)
{
	struct epoll_event event;

	for (;;) {
		int fd, n = epoll_wait(events->epoll, &event, 1, -1);

		if (n < 0 && errno != EINTR)
			return WOKEN_STOP;
		if (n <= 0)
			continue;
		fd = event.data.fd;
		if (fd == events->signals)
			return on_signal(fd);
		if (fd == events->links)
			read_links(events);
		else if (fd == events->cpus)
			read_cpus(events);
		else if (fd == events->watchdog && is_over(fd))
			notify("WATCHDOG=1");
		else if (is_over(fd)) {
			*ret_seen = events->seen | (fd == events->retry ? SEEN_RETRY : 0);
			events->seen = 0;
			return WOKEN_SEEN;
		}
	}
}
