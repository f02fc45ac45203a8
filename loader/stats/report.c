// SPDX-License-Identifier: GPL-2.0
/* What `status` says of one interface: gathered, and as text. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/kthread.h"
#include "lib/say.h"
#include "stats/report.h"

static const char *const attach_words[] = {
	[ATTACH_NONE] = "not attached",
	[ATTACH_LINK] = "bpf_link",
	[ATTACH_DISPATCHER] = "libxdp dispatcher",
};

/*
 * The wall-clock time of a moment that the kernel counts from its boot, suspend
 * included. In nanoseconds to the end: the answer is to be the same each time.
 */
static time_t time_of_boot_ns(int64_t moment)
{
	struct timespec wall, boot;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	moment += (wall.tv_sec - boot.tv_sec) * INT64_C(1000000000) + wall.tv_nsec - boot.tv_nsec;
	return (time_t)(moment / 1000000000);
}

static void read_program(uint32_t id, struct report *report)
{
	cleanup(closep) int fd = bpf_prog_get_fd_by_id(id);
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return;
	for (int i = 0; i < BPF_TAG_SIZE; i++)
		snprintf(report->steer_tag + 2 * i, 3, "%02x", info.tag[i]);
	report->jited = info.jited_prog_len != 0;
	report->since = time_of_boot_ns((int64_t)info.load_time);
}

/* Whether frames are merged: the kernel, the mode and the device must all do it. */
static void judge_gro(struct report *report)
{
	const struct facts *facts = report->facts;

	report->gro = facts->kernel.gro;
	snprintf(report->gro_why, sizeof(report->gro_why), "%s", facts->kernel.gro_why);
	if (report->gro == NO)
		return;
	if (facts->loaded.generic) {
		report->gro = NO;
		snprintf(report->gro_why, sizeof(report->gro_why),
			 "the kernel does none behind generic (skb) XDP");
	} else if (facts->iface.features[FEATURE_GRO].on == NO) {
		report->gro = NO;
		snprintf(report->gro_why, sizeof(report->gro_why), "off: ethtool -K %s gro on",
			 facts->iface.name);
	}
}

static unsigned int slots_of(const struct loaded *loaded, const struct entry *entry)
{
	unsigned int slots = 0;

	for (unsigned int i = 0; i < loaded->slot_count; i++)
		slots += loaded->slots[i].set && loaded->slots[i].cpu == entry->cpu &&
			 loaded->slots[i].lane == entry->lane;
	return slots;
}

static int make_rows(struct report *report)
{
	const struct loaded *loaded = &report->facts->loaded;
	struct snapshot *snapshot = report->snapshot;

	report->rows = calloc(loaded->entry_count + 1, sizeof(*report->rows));
	if (!report->rows)
		return fail(-ENOMEM, "out of memory");
	for (unsigned int i = 0; i < loaded->entry_count; i++) {
		struct report_row *row = &report->rows[i];
		uint64_t all = snapshot->verdicts[VERDICT_redirected];

		row->entry = loaded->entries[i];
		row->slots = slots_of(loaded, &row->entry);
		if (row->entry.pid)
			kthread_allowed((pid_t)row->entry.pid, row->allowed, sizeof(row->allowed));
		if (row->entry.cpu < snapshot->cpu_count)
			row->count = *snapshot_at(snapshot, row->entry.cpu, row->entry.lane);
		if (all)
			row->share_pct = 100.0 * (double)row->count.sent_packets / (double)all;
	}
	report->row_count = loaded->entry_count;
	return 0;
}

int report_make(const struct home *home, struct facts *facts, struct report *ret)
{
	*ret = (struct report){ .facts = facts, .netns = home->netns, .now = time(NULL) };
	read_program(facts->loaded.steer_id, ret);
	judge_gro(ret);
	return snapshot_take(home, &facts->loaded, &ret->snapshot) < 0 ? -EIO : make_rows(ret);
}

void report_done(struct report *report)
{
	snapshot_free(report->snapshot);
	free(report->rows);
}

static void age_format(long seconds, char *text, size_t size)
{
	if (seconds < 60)
		snprintf(text, size, "%ld s", seconds);
	else if (seconds < 3600)
		snprintf(text, size, "%ld min", seconds / 60);
	else if (seconds < 48 * 3600)
		snprintf(text, size, "%ld h %ld min", seconds / 3600, seconds / 60 % 60);
	else
		snprintf(text, size, "%ld days", seconds / 86400);
}

static void text_head(const struct report *report, FILE *out)
{
	const struct loaded *loaded = &report->facts->loaded;
	char since[32], age[32], link[16] = "";

	strftime(since, sizeof(since), "%F %T", localtime(&report->since));
	age_format(report->now - report->since, age, sizeof(age));
	if (loaded->attach == ATTACH_LINK)
		snprintf(link, sizeof(link), " %u", loaded->link_id);
	fprintf(out, "%s: %s XDP, %s%s, since %s (%s)\n", report->facts->iface.name,
		loaded->generic ? "generic" : "native", attach_words[loaded->attach], link, since,
		age);
	fprintf(out, "  steer        program %u, tag %s, %s; %u slots%s\n", loaded->steer_id,
		report->steer_tag, report->jited ? "jited" : "NOT jited", loaded->slot_count,
		loaded->config.frags ? ", frags" : "");
	if (loaded->entry_count && loaded->entries[0].prog_id)
		fprintf(out, "  second stage pass, program %u\n", loaded->entries[0].prog_id);
	else
		fprintf(out, "  second stage none\n");
	fprintf(out, "  GRO          %s%s%s%s\n\n", answer_names[report->gro],
		*report->gro_why ? " (" : "", report->gro_why, *report->gro_why ? ")" : "");
}

static void text_row(const struct report_row *row, FILE *out)
{
	char arrived[24] = "-", at[16];

	snprintf(at, sizeof(at), row->entry.lane ? "%u/%u" : "%u", row->entry.cpu, row->entry.lane);

	if (row->entry.prog_id)
		snprintf(arrived, sizeof(arrived), "%llu", (unsigned long long)row->count.packets);
	fprintf(out, "  %5s  %5u  %5u %12llu %12s  %5.1f%%  ", at, row->slots, row->entry.qsize,
		(unsigned long long)row->count.sent_packets, arrived, row->share_pct);
	if (row->entry.pid)
		fprintf(out, "%u on %s\n", row->entry.pid, row->allowed);
	else
		fprintf(out, "not found\n");
}

static void text_rules(const struct report *report, FILE *out)
{
	const struct rule_list *list = &report->facts->loaded.rule_list;

	if (list->count)
		fprintf(out, "\n     MATCHED  RULE\n");
	for (unsigned int i = 0; i < list->count; i++)
		fprintf(out, "%12llu  %s %s\n",
			(unsigned long long)report->snapshot->rules[i].packets, list->at[i].name,
			list->at[i].text);
}

void report_text(const struct report *report, FILE *out)
{
	const struct snapshot *snapshot = report->snapshot;

	text_head(report, out);
	fprintf(out, "    CPU  SLOTS  QSIZE         SENT      ARRIVED   SHARE  KTHREAD\n");
	for (unsigned int i = 0; i < report->row_count; i++)
		text_row(&report->rows[i], out);
	if (snapshot->moves_pending || snapshot->moves_committed || snapshot->moves_forced)
		fprintf(out, "\n  moves        %u pending, %llu committed, %llu forced\n",
			snapshot->moves_pending, (unsigned long long)snapshot->moves_committed,
			(unsigned long long)snapshot->moves_forced);
	if (snapshot->transition)
		fprintf(out, "  %u slots still have flows that are to leave them\n",
			snapshot->unsettled);
	text_rules(report, out);
	fprintf(out, "\n  %12llu redirected\n",
		(unsigned long long)snapshot->verdicts[VERDICT_redirected]);
	for (int i = VERDICT_redirected + 1; i < VERDICT_COUNT; i++)
		if (snapshot->verdicts[i])
			fprintf(out, "  %12llu stayed: %s (%s)\n",
				(unsigned long long)snapshot->verdicts[i], verdict_names[i],
				verdict_helps[i]);
	for (int i = FALLBACK_none + 1; i < FALLBACK_COUNT; i++)
		if (snapshot->fallbacks[i])
			fprintf(out, "  %12llu placed by fewer headers: %s\n",
				(unsigned long long)snapshot->fallbacks[i], fallback_names[i]);
}
