// SPDX-License-Identifier: GPL-2.0
/* What sends and receives by sockets. Each function runs in a process of its own, until killed. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cpumap/traffic.h"

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { FLOWS_MANY = 32, CHUNK = 65536 };

static struct sockaddr_in at(uint32_t address, uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_addr.s_addr = htonl(address),
				     .sin_port = htons(port) };
}

static int bound(int type, uint32_t address, uint16_t port)
{
	struct sockaddr_in name = at(address, port);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd < 0 || bind(fd, (struct sockaddr *)&name, sizeof(name)) < 0)
		_exit(1);
	return fd;
}

/* One segment of what GRO merged, or all of it when it merged nothing. */
static uint32_t segment_size(struct msghdr *message, ssize_t length)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		int size;

		if (c->cmsg_level != SOL_UDP || c->cmsg_type != UDP_GRO)
			continue;
		memcpy(&size, CMSG_DATA(c), sizeof(size));
		return (uint32_t)size;
	}
	return (uint32_t)length;
}

/* Frames are numbered in the order they were sent; a flow's numbers only grow. */
static void note_number(struct tally *tally, uint32_t *newest, const char *payload)
{
	uint16_t words[2];
	uint32_t number;

	memcpy(words, payload, sizeof(words));
	number = (uint32_t)ntohs(words[0]) << 16 | ntohs(words[1]);
	if ((int32_t)(number - *newest) < 0)
		tally->reorders++;
	else
		*newest = number;
	tally->packets++;
}

void work_udp_sink(const struct crew *crew)
{
	int fd = bound(SOCK_DGRAM, BENCH_RECEIVER_IP, PORT_SINK), on = 1, room = 8 << 20;
	static uint32_t newest[FLOWS_MANY];
	static char data[CHUNK];

	setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	for (;;) {
		char control[CMSG_SPACE(sizeof(int))];
		struct iovec part = { data, sizeof(data) };
		struct sockaddr_in from;
		struct msghdr message = { .msg_name = &from,
					  .msg_namelen = sizeof(from),
					  .msg_iov = &part,
					  .msg_iovlen = 1,
					  .msg_control = control,
					  .msg_controllen = sizeof(control) };
		ssize_t n = recvmsg(fd, &message, 0);
		uint32_t size = n > 0 ? segment_size(&message, n) : 0;
		unsigned int flow = (unsigned int)ntohs(from.sin_port) - TRAFFIC_PORT;

		for (ssize_t offset = 0; size >= 6 && offset + 6 <= n; offset += size)
			note_number(crew->tally, &newest[flow % FLOWS_MANY], data + offset);
	}
}

void work_tcp_sink(const struct crew *crew)
{
	int listener = bound(SOCK_STREAM, BENCH_RECEIVER_IP, PORT_TCP);
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = { .events = EPOLLIN, .data.fd = listener };
	static char data[CHUNK];

	if (listen(listener, FLOWS_MANY) < 0 ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0)
		_exit(1);
	while (epoll_wait(epoll, &event, 1, -1) == 1) {
		ssize_t n;

		if (event.data.fd == listener) {
			event.data.fd = accept(listener, NULL, NULL);
			event.events = EPOLLIN;
			epoll_ctl(epoll, EPOLL_CTL_ADD, event.data.fd, &event);
			continue;
		}
		n = recv(event.data.fd, data, sizeof(data), MSG_DONTWAIT);
		if (n > 0)
			crew->tally->bytes += (uint64_t)n;
		else if (n == 0)
			close(event.data.fd);
	}
}

static int connected(void)
{
	struct sockaddr_in peer = at(BENCH_RECEIVER_IP, PORT_TCP);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	/* The listener is another process, which may not be there yet. */
	for (int i = 0; i < 200; i++) {
		if (connect(fd, (struct sockaddr *)&peer, sizeof(peer)) == 0)
			return fd;
		close(fd);
		poll(NULL, 0, 5);
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	}
	_exit(1);
}

void work_tcp_send(const struct crew *crew)
{
	int count = crew->kind == KIND_TCP ? 1 : FLOWS_MANY;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	static const char data[CHUNK];
	struct epoll_event events[FLOWS_MANY];

	for (int i = 0; i < count; i++) {
		struct epoll_event event = { .events = EPOLLOUT, .data.fd = connected() };

		fcntl(event.data.fd, F_SETFL, O_NONBLOCK);
		epoll_ctl(epoll, EPOLL_CTL_ADD, event.data.fd, &event);
	}
	for (;;) {
		int ready = epoll_wait(epoll, events, FLOWS_MANY, -1);

		for (int i = 0; i < ready; i++)
			send(events[i].data.fd, data, sizeof(data), 0);
	}
}

void work_echo(const struct crew *crew)
{
	int fd = bound(SOCK_DGRAM, BENCH_RECEIVER_IP, PORT_ECHO);
	struct sockaddr_in from;
	char data[64];

	for (;;) {
		socklen_t length = sizeof(from);
		ssize_t n = recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&from, &length);

		if (n > 0)
			sendto(fd, data, (size_t)n, 0, (struct sockaddr *)&from, length);
	}
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/*
 * One a millisecond, whether the last one was answered or not: a ping that
 * waits for the one before would leave out the time when it is slowest. One
 * that is lost counts as the 100 ms after which we give it up.
 */
void work_ping(const struct crew *crew)
{
	int fd = bound(SOCK_DGRAM, BENCH_SENDER_IP, 0);
	struct sockaddr_in peer = at(BENCH_RECEIVER_IP, PORT_ECHO);
	struct tally *tally = crew->tally;
	uint64_t sent[PINGS_MAX], next = now_us();
	uint32_t number = 0, answer;

	if (connect(fd, (struct sockaddr *)&peer, sizeof(peer)) < 0)
		_exit(1);
	while (number < PINGS_MAX) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };

		if (now_us() >= next) {
			sent[number] = now_us();
			tally->rtt_us[number] = 100000;
			send(fd, &number, sizeof(number), MSG_DONTWAIT);
			tally->pings = ++number;
			next += 1000;
		}
		if (poll(&wait, 1, 1) != 1 || recv(fd, &answer, sizeof(answer), MSG_DONTWAIT) != 4)
			continue;
		if (answer < number)
			tally->rtt_us[answer] = (uint32_t)(now_us() - sent[answer]);
	}
	pause();
}
