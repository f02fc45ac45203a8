// SPDX-License-Identifier: GPL-2.0
/* The cpumap entries: which come, which go, and which have to be replaced. */
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "plan/plan.h"

void place_format(char *text, size_t size, uint32_t cpu, uint32_t lane)
{
	snprintf(text, size, lane ? "%u/%u" : "%u", cpu, lane);
}

struct place place_parse(const char *text)
{
	uint32_t cpu = 0, lane = 0;

	text_take_u32(&text, CPUS_MAX - 1, &cpu);
	if (*text++ == '/')
		text_take_u32(&text, LANES_MAX - 1, &lane);
	return (struct place){ .cpu = (uint16_t)cpu, .lane = (uint8_t)lane, .set = 1 };
}

void entry_format(char *text, size_t size, uint32_t qsize, bool second_stage)
{
	snprintf(text, size, "%u %s", qsize, second_stage ? "pass" : "none");
}

/* "-" without an entry, or when the plan begins with empty maps. */
static void format_now(const struct facts *facts, const struct plan *plan, uint32_t cpu,
		       uint32_t lane, char *text, size_t size)
{
	const struct loaded *loaded = &facts->loaded;

	snprintf(text, size, "-");
	for (unsigned int i = 0; i < loaded->entry_count; i++) {
		const struct entry *entry = &loaded->entries[i];

		if (entry->cpu != cpu || entry->lane != lane || (plan->replace && !plan->share))
			continue;
		entry_format(text, size, entry->qsize, entry->prog_id != 0);
		/* While its CPU is away, there is nothing to bind it to. */
		if (entry->adrift && cpuset_has(&facts->cpus.online, cpu))
			text_append(text, size, ", not bound");
	}
}

static void add(const struct facts *facts, struct plan *plan, uint32_t cpu, uint32_t lane,
		const char *after, const char *why)
{
	struct step *step = plan_step(plan, STEP_ENTRY, "", why);

	place_format(step->target, sizeof(step->target), cpu, lane);
	format_now(facts, plan, cpu, lane, step->before, sizeof(step->before));
	snprintf(step->after, sizeof(step->after), "%s", after);
}

void plan_entries_new(const struct facts *facts, struct plan *plan)
{
	char now[64], wanted[64];

	entry_format(wanted, sizeof(wanted), plan->qsize, plan->second_stage);
	for (unsigned int i = 0; i < plan->target_count + plan->extra_count; i++)
		for (uint32_t lane = 0; lane < plan->lanes; lane++) {
			uint32_t cpu = plan_queue_cpu(plan, i);

			format_now(facts, plan, cpu, lane, now, sizeof(now));
			if (now[0] == '-')
				add(facts, plan, cpu, lane, wanted,
				    "the CPU takes frames: it needs a queue and a kthread");
		}
}

static void vacate(struct plan *plan, uint32_t cpu, uint32_t lane)
{
	struct step *step = plan_step(plan, STEP_VACATE, "",
				      "two kthreads on one queue would reorder: it is empty first");

	place_format(step->target, sizeof(step->target), cpu, lane);
	strcpy(step->before, "its slots");
	strcpy(step->after, "no slots");
}

static void give_back(const struct facts *facts, struct plan *plan)
{
	struct step *step = plan_step(plan, STEP_SLOTS, facts->iface.name,
				      "the replaced queues get their slots back");

	strcpy(step->before, "vacated");
	strcpy(step->after, "by the weights");
}

void plan_entries_change(const struct facts *facts, struct plan *plan)
{
	bool alone = (plan->target_count + plan->extra_count) * plan->lanes == 1, vacated = false;
	char now[64], wanted[64];

	entry_format(wanted, sizeof(wanted), plan->qsize, plan->second_stage);
	for (unsigned int i = 0; i < plan->target_count + plan->extra_count; i++)
		for (uint32_t lane = 0; lane < plan->lanes; lane++) {
			uint32_t cpu = plan_queue_cpu(plan, i);

			format_now(facts, plan, cpu, lane, now, sizeof(now));
			if (now[0] == '-' || strcmp(now, wanted) == 0)
				continue;
			if (!alone)
				vacate(plan, cpu, lane);
			vacated = vacated || !alone;
			add(facts, plan, cpu, lane, wanted,
			    alone ? "the only queue changes: the kernel replaces it, which may "
				    "reorder once"
				  : "the queue changes: the kernel replaces it");
		}
	if (vacated)
		give_back(facts, plan);
}

static bool is_wanted(const struct plan *plan, const struct entry *entry)
{
	for (unsigned int i = 0; i < plan->target_count + plan->extra_count; i++)
		if (plan_queue_cpu(plan, i) == entry->cpu)
			return entry->lane < plan->lanes;
	return false;
}

void plan_entries_leave(const struct facts *facts, struct plan *plan)
{
	if (plan->replace && !plan->share)
		return;
	for (unsigned int i = 0; i < facts->loaded.entry_count; i++) {
		const struct entry *entry = &facts->loaded.entries[i];

		if (!is_wanted(plan, entry))
			add(facts, plan, entry->cpu, entry->lane, "-",
			    "no slot leads there any more; what is queued is still delivered");
	}
}
