/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbered datagrams of many flows from one namespace to another; says how many
 * were lost and how many came out of order. Beside that it may watch how long
 * the slots of a steered interface take to move, or move them by force itself.
 *
 *	stream FROM TO --flows N --rate PER_SECOND --seconds N [--gro]
 *	       [--watch PINS | --force PINS]
 *
 * --gro: the flows in turn, and the receiver takes what GRO has merged.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cpumap/abi.h>

#define FLOWS_MAX 4096
#define PORT 5001
#define MS 1000000LL
#define LATE_MS 20
#define FORCE_EVERY_MS 20
#define BACKLOG_MS 2 /* frames of so many milliseconds are sent at once */

static int flows = 300, rate = 40000, seconds = 10;
static int senders[FLOWS_MAX], receiver;
static uint32_t sent[FLOWS_MAX], seen[FLOWS_MAX];
static uint64_t total_sent, total_seen, reordered, skbs;
static bool gro;
static atomic_bool stop;

/* Moves, and those that took longer than LATE_MS. */
static uint64_t moves, late;

static void die(const char *what)
{
	fprintf(stderr, "stream: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 * MS + now.tv_nsec;
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * MS }, NULL);
}

/* A datagram socket in the namespace. */
static int socket_in(const char *netns)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
		die("enter a namespace");
	close(fd);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		die("make a socket");
	return fd;
}

static void sockets_open(const char *from, const char *to)
{
	struct sockaddr_in sink = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int size = 256 << 20;

	inet_pton(AF_INET, "192.0.2.2", &sink.sin_addr);
	receiver = socket_in(to);
	if (setsockopt(receiver, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0 ||
	    bind(receiver, (void *)&sink, sizeof(sink)) < 0)
		die("receive");
	if (gro && setsockopt(receiver, IPPROTO_UDP, UDP_GRO, &(int){ 1 }, sizeof(int)) < 0)
		die("ask for merged datagrams");
	for (int i = 0; i < flows; i++) {
		senders[i] = socket_in(from);
		if (connect(senders[i], (void *)&sink, sizeof(sink)) < 0)
			die("connect");
	}
}

/* All frames arrive on the CPU that sends them: it is one, so that flows do not change it. */
static void *send_all(void *unused)
{
	uint32_t dice = 1;
	int64_t next = now_ns(), end = next + seconds * 1000 * MS;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	while (next < end && !stop) {
		for (int i = 0; i < rate * BACKLOG_MS / 1000; i++) {
			uint32_t word[2];

			dice ^= dice << 13;
			dice ^= dice >> 17;
			dice ^= dice << 5;
			word[0] = gro ? total_sent % flows : dice % flows;
			word[1] = ++sent[word[0]];
			if (send(senders[word[0]], word, sizeof(word), 0) == sizeof(word))
				total_sent++;
		}
		next += BACKLOG_MS * MS;
		if (next > now_ns())
			wait_ms((next - now_ns()) / MS + 1);
	}
	stop = true;
	return NULL;
}

static void note(const uint32_t *word)
{
	total_seen++;
	if (word[0] >= (uint32_t)flows)
		return;
	if (word[1] < seen[word[0]])
		reordered++;
	else
		seen[word[0]] = word[1];
}

static void *receive_all(void *unused)
{
	struct timeval patience = { .tv_usec = 500000 };
	static uint32_t words[65536 / sizeof(uint32_t)];
	ssize_t size;

	setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	while ((size = recv(receiver, words, sizeof(words), 0)) > 0 || !stop) {
		skbs += size > 0;
		/* What GRO has merged is one datagram behind the other. */
		for (ssize_t at = 0; at + 8 <= size; at += 8)
			note(words + at / 4);
	}
	return NULL;
}

static struct slot *slots_open(const char *pins, unsigned int *ret_count, int *ret_state)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);
	char path[256];
	void *slots;
	int fd;

	snprintf(path, sizeof(path), "%s/slot_state", pins);
	*ret_state = bpf_obj_get(path);
	snprintf(path, sizeof(path), "%s/slots", pins);
	fd = bpf_obj_get(path);
	if (fd < 0 || *ret_state < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		die("open the pins");
	slots = mmap(NULL, info.max_entries * sizeof(struct slot), PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	if (slots == MAP_FAILED)
		die("map the slots");
	*ret_count = info.max_entries;
	return slots;
}

/* Whether all RX CPUs send the slot to where it is wanted. */
static bool has_moved(int state_fd, uint32_t index, struct place want)
{
	int cpus = libbpf_num_possible_cpus();
	struct slot_state states[cpus];

	if (bpf_map_lookup_elem(state_fd, &index, states) < 0)
		die("read a slot");
	for (int cpu = 0; cpu < cpus; cpu++)
		if (states[cpu].now.set && memcmp(&states[cpu].now, &want, sizeof(want)) != 0)
			return false;
	return true;
}

static void *watch_moves(void *pins)
{
	static struct place wanted[SLOTS_MAX];
	static int64_t since[SLOTS_MAX];
	unsigned int count;
	int state_fd;
	struct slot *slots = slots_open(pins, &count, &state_fd);

	for (unsigned int i = 0; i < count; i++)
		wanted[i] = slots[i].want;
	for (; !stop; wait_ms(1))
		for (unsigned int i = 0; i < count; i++) {
			struct place want = slots[i].want;

			if (memcmp(&want, &wanted[i], sizeof(want)) != 0) {
				/* One that is wanted elsewhere again has had its time, too. */
				wanted[i] = want;
				moves++;
				late += since[i] && now_ns() - since[i] > LATE_MS * MS;
				since[i] = now_ns();
			}
			if (!since[i] || !has_moved(state_fd, i, want))
				continue;
			late += now_ns() - since[i] > LATE_MS * MS;
			since[i] = 0;
		}
	return NULL;
}

/* All slots to the other of CPUs 0 and 1, whatever is queued: what a naive loader does. */
static void *force_moves(void *pins)
{
	unsigned int count;
	int state_fd;
	struct slot *slots = slots_open(pins, &count, &state_fd);

	for (; !stop; wait_ms(FORCE_EVERY_MS))
		for (unsigned int i = 0; i < count; i++) {
			struct slot slot = slots[i];

			slot.want.cpu = !slot.want.cpu;
			slot.move++;
			slot.flags = SLOT_FORCE;
			slots[i] = slot;
			moves++;
		}
	return NULL;
}

static void on_signal(int unused)
{
	stop = true;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "flows", required_argument, NULL, 'n' },
		{ "rate", required_argument, NULL, 'r' },
		{ "seconds", required_argument, NULL, 's' },
		{ "watch", required_argument, NULL, 'w' },
		{ "gro", no_argument, NULL, 'g' },
		{ "force", required_argument, NULL, 'f' },
		{ 0 },
	};
	pthread_t sender, sink, third;
	void *(*beside)(void *pins) = NULL;
	char *pins = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'n')
			flows = atoi(optarg);
		else if (c == 'r')
			rate = atoi(optarg);
		else if (c == 's')
			seconds = atoi(optarg);
		else if (c == 'g')
			gro = true;
		else if (c == 'w' || c == 'f') {
			beside = c == 'w' ? watch_moves : force_moves;
			pins = optarg;
		} else
			return 2;
	}
	if (argc - optind != 2 || flows < 1 || flows > FLOWS_MAX)
		return 2;
	sockets_open(argv[optind], argv[optind + 1]);
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	pthread_create(&sink, NULL, receive_all, NULL);
	pthread_create(&sender, NULL, send_all, NULL);
	if (beside)
		pthread_create(&third, NULL, beside, pins);
	pthread_join(sender, NULL);
	pthread_join(sink, NULL);
	if (beside)
		pthread_join(third, NULL);
	printf("{ \"sent\": %lu, \"lost\": %ld, \"reordered\": %lu, \"skbs\": %lu, "
	       "\"moves\": %lu, \"late\": %lu }\n",
	       total_sent, (long)(total_sent - total_seen), reordered, skbs, moves, late);
	return 0;
}
