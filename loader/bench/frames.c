// SPDX-License-Identifier: GPL-2.0
/*
 * Frames as a NIC would bring them: made by an XDP program in BPF_PROG_TEST_RUN
 * (live frames) at the other end of the veth pair, 64 at a time. The receiver's
 * NAPI runs on the same CPU, with XDP, GRO or neither, as the arm has it.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cpumap/traffic.h"

#include "bpf/traffic.skel.h"

#ifndef BPF_F_TEST_XDP_LIVE_FRAMES
#define BPF_F_TEST_XDP_LIVE_FRAMES (1U << 1)
#endif

enum { FRAME_SMALL = 64, FRAME_LARGE = 1442, PER_RUN = 16384 };

static uint32_t sum_words(const void *data, size_t size, uint32_t sum)
{
	const uint8_t *at = data;

	for (size_t i = 0; i + 1 < size; i += 2)
		sum += (uint32_t)at[i] << 8 | at[i + 1];
	return sum;
}

static uint16_t checksum(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return htons((uint16_t)~sum);
}

static void put16(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, (uint16_t)(value >> 16));
	put16(at + 2, (uint16_t)value);
}

/* All but what traffic.bpf.c writes, whose words add up to 0xffff. */
static void make_template(struct traffic_frame *frame, uint16_t port, uint16_t size)
{
	const uint16_t udp = (uint16_t)(size - 34);
	uint16_t check;

	*frame = (struct traffic_frame){ .ethernet = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0 },
					 .ip = { 0x45 },
					 .dport = htons(port),
					 .length = htons(udp) };
	put16(frame->ip + 2, (uint16_t)(size - 14));
	put16(frame->ip + 6, 0x4000); /* may not be fragmented, so GRO needs no id */
	frame->ip[8] = 64;
	frame->ip[9] = IPPROTO_UDP;
	put32(frame->ip + 12, BENCH_SENDER_IP);
	put32(frame->ip + 16, BENCH_RECEIVER_IP);
	check = checksum(sum_words(frame->ip, sizeof(frame->ip), 0));
	memcpy(frame->ip + 10, &check, sizeof(check));
	/* The pseudo header, the header, and a payload of zeros but for the balanced words. */
	frame->check =
		checksum(sum_words(frame->ip + 12, 8, 0xffffu + IPPROTO_UDP + 2u * udp + port));
	if (!frame->check)
		frame->check = 0xffff;
}

void work_frames(const struct crew *crew)
{
	bool large = crew->kind == KIND_GRO;
	static char data[FRAME_LARGE];
	struct xdp_md context = { .ingress_ifindex = crew->net->tx_index,
				  .data_end = large ? FRAME_LARGE : FRAME_SMALL };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = data, .data_size_in = context.data_end,
		    .ctx_in = &context, .ctx_size_in = sizeof(context), .repeat = PER_RUN,
		    .flags = BPF_F_TEST_XDP_LIVE_FRAMES);
	struct traffic *skel = traffic__open();
	struct traffic_config config = {
		.ifindex = crew->net->tx_index,
		.flows = 32,
		.train = large ? 16 : 1,
	};

	if (!skel)
		_exit(1);
	make_template(&config.frame, large ? PORT_SINK : PORT_NOBODY, (uint16_t)context.data_end);
	memcpy((void *)&skel->rodata->traffic_config, &config, sizeof(config));
	if (traffic__load(skel) < 0)
		_exit(1);
	while (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.traffic), &opts) == 0)
		;
}
