/* SPDX-License-Identifier: GPL-2.0 */
/* libFuzzer: any frame has a verdict, reads no byte it does not have, and its flow has two ends. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cpumap/hash.h>

#include "prog/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hold(bool what)
{
	if (!what)
		abort();
}

#define TAG(name_, ...) { __VA_ARGS__ },

/* The first bytes choose what the program is loaded with, the others are the frame. */
static struct steer_config config_of(const uint8_t *data)
{
	static const struct dsa_tag tags[] = { DSA_TAGS(TAG) };
	struct steer_config config = {
		.slot_mask = SLOTS_MIN - 1,
		.strict_align = data[0] & 1,
		.multicast_stays = data[0] >> 1 & 1,
		.inner = (data[0] >> 2) % INNER_COUNT,
		.dsa = tags[data[1] % (sizeof(tags) / sizeof(tags[0]))],
	};

	return config;
}

static struct flow reversed(const struct flow *flow)
{
	struct flow back = *flow;

	memcpy(back.src, flow->dst, sizeof(back.src));
	memcpy(back.dst, flow->src, sizeof(back.dst));
	back.sport = flow->dport;
	back.dport = flow->sport;
	return back;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flow_key key = native_key();
	struct steer_config config;
	struct explained record;
	struct flow back;
	uint8_t *frame;

	if (size < 2)
		return 0;
	config = config_of(data);
	frame = malloc(size - 2); /* of its very size, for the sanitizer to watch */
	hold(frame);
	memcpy(frame, data + 2, size - 2);
	record = native_explain(frame, size - 2, &config, &key);
	free(frame);

	hold(record.verdict < VERDICT_COUNT && record.fallback < FALLBACK_COUNT);
	if (record.verdict != VERDICT_redirected)
		return 0;
	back = reversed(&record.flow);
	hold(flow_hash(&back, &key) == record.hash);
	hold(flow_siphash(&back, &key) == flow_siphash(&record.flow, &key));
	return 0;
}
