// SPDX-License-Identifier: GPL-2.0
/* `explain` for people: a line a frame, and the sums. */
#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>

#include "explain/show.h"
#include "lib/text.h"
#include "stats/snapshot.h"

#define NAME(name) #name,
const char *const header_names[] = { LAYERS(NAME) NULL };

static void end_format(const struct flow *flow, const uint32_t *words, uint16_t port, char *text,
		       size_t size)
{
	uint32_t wire[4] = { htole32(words[0]), htole32(words[1]), htole32(words[2]),
			     htole32(words[3]) };
	char address[INET6_ADDRSTRLEN];

	inet_ntop(flow->v6 ? AF_INET6 : AF_INET, wire, address, sizeof(address));
	text_append(text, size, flow->v6 ? "[%s]" : "%s", address);
	if (flow->sport || flow->dport)
		text_append(text, size, ":%u", port);
}

void flow_format(const struct flow *flow, char *text, size_t size)
{
	*text = '\0';
	end_format(flow, flow->src, flow->sport, text, size);
	text_append(text, size, " ");
	end_format(flow, flow->dst, flow->dport, text, size);
}

static void headers_format(const struct explained *record, char *text, size_t size)
{
	*text = '\0';
	for (int i = 0; i < record->header_count && i < HEADERS_MAX; i++)
		if (record->headers[i] < HEADER_COUNT)
			text_append(text, size, "%s%s", i ? " " : "",
				    header_names[record->headers[i]]);
}

static void text_frame(const struct capture_frame *frame, const struct explained *record)
{
	char headers[512], flow[128];

	headers_format(record, headers, sizeof(headers));
	printf("%6llu %5u  %-27s ", (unsigned long long)frame->number, frame->length, headers);
	if (record->verdict != VERDICT_redirected) {
		printf("stays: %s (%s)\n", verdict_names[record->verdict],
		       verdict_helps[record->verdict]);
		return;
	}
	flow_format(&record->flow, flow, sizeof(flow));
	printf("%-40s slot %u, CPU %u", flow, record->slot, record->place.cpu);
	if (record->place.lane)
		printf(", lane %u", record->place.lane);
	if (record->decider == DECIDER_prefix)
		puts(" (by its prefix)");
	else if (record->decider == DECIDER_rule)
		puts(" (by a rule)");
	else
		printf(record->fallback ? " (%s)\n" : "\n", fallback_names[record->fallback]);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void text_reasons(const struct tally *tally)
{
	for (int i = 0; i < VERDICT_COUNT; i++)
		if (tally->verdicts[i])
			printf("%10llu  %5.1f%%  %s\n", (unsigned long long)tally->verdicts[i],
			       percent(tally->verdicts[i], tally->frames), verdict_names[i]);
	for (int i = FALLBACK_none + 1; i < FALLBACK_COUNT; i++)
		if (tally->fallbacks[i])
			printf("%10llu          placed by fewer headers: %s\n",
			       (unsigned long long)tally->fallbacks[i], fallback_names[i]);
}

static void text_heaviest(const struct tally *tally)
{
	struct flow_count flows[HEAVIEST];
	uint32_t slots[HEAVIEST];
	uint64_t all = tally->verdicts[VERDICT_redirected];
	unsigned int count = tally_slots(tally, slots, HEAVIEST);
	char text[128];

	puts("\nheaviest slots");
	for (unsigned int i = 0; i < count; i++)
		printf("%10llu  %5.1f%%  slot %u\n", (unsigned long long)tally->slots[slots[i]],
		       percent(tally->slots[slots[i]], all), slots[i]);
	count = tally_heaviest(tally, flows, HEAVIEST);
	puts("\nheaviest flows");
	for (unsigned int i = 0; i < count; i++) {
		flow_format(&flows[i].flow, text, sizeof(text));
		printf("%10llu  %5.1f%%  %s\n", (unsigned long long)flows[i].frames,
		       percent(flows[i].frames, all), text);
	}
}

static void summary_end(const struct tally *tally, const struct cpuset *targets)
{
	struct evenness evenness = tally_evenness(tally, targets);
	uint64_t all = tally->verdicts[VERDICT_redirected];

	printf("%llu frames\n", (unsigned long long)tally->frames);
	text_reasons(tally);
	if (!all)
		return;
	puts("\nCPUs");
	cpuset_for_each(targets, cpu)
		printf("%10llu  %5.1f%%  CPU %u\n", (unsigned long long)tally->cpus[cpu],
		       percent(tally->cpus[cpu], all), cpu);
	text_heaviest(tally);
	printf("\nThe busiest CPU gets %.2f times the mean; no table makes it less than %.2f, as a "
	       "flow is never split.\n",
	       evenness.max_over_mean, evenness.floor);
}

const struct shower show_text = { .frame = text_frame };
const struct shower show_summary = { .end = summary_end };
