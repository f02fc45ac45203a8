// SPDX-License-Identifier: GPL-2.0
/* See slots move: tell the programs what only user space can see, and wait. */
#include <errno.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "apply/moves.h"
#include "lib/clean.h"
#include "lib/kthread.h"
#include "lib/say.h"
#include "lib/word.h"

#define MS 1000000ULL

enum {
	LOOK_MS = 1,	    /* between two looks at the kthreads */
	SCAN_LOOKS = 4,	    /* looks between two at the slots */
	ROUND_LOOKS = 10,   /* looks between two rounds, see queued_by() */
	SLACK_MS = 200,	    /* how long a NAPI poll may take, where none can be waited for */
	GRACE_LOOKS = 200,  /* 5 ms each, for the kthread of a replaced entry to end */
	FORCE_MS = 1000,    /* --reorder bounded */
	PATIENCE_MS = 3000, /* then the rest stays behind */
};

/* A cpumap entry's kthread, and its target's frames and the time at the last look. */
struct sleeper {
	int fd;
	uint32_t entry;
	bool is_old;	   /* a slot still goes there */
	bool is_known;	   /* there was a look before */
	uint64_t slept_ns; /* what was sent until then has been delivered; 0: unknown */
	uint64_t sleeps;   /* these at the last look */
	uint64_t packets;
	uint64_t queued_ns;
};

struct watch {
	const struct dataplane *dataplane;
	struct table *table;
	struct kthread *found; /* room for those that are looked for */
	uint16_t transition;   /* that is waited for; 0: for slots that move */
	bool is_stale;	       /* one of them has gone */
	uint64_t queued_ns;    /* what was sent until then is in its queue */
	unsigned int behind;   /* RX CPUs that may still send a slot to its old place */
	bool is_blind;	       /* kthreads of replaced entries have not ended: which is which? */
	unsigned int count;
	struct sleeper *sleepers;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	/* The clock of bpf_ktime_get_ns(). */
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

static void watch_forget(struct watch *watch)
{
	while (watch->count)
		closep(&watch->sleepers[--watch->count].fd);
}

static void watch_done(struct watch *watch)
{
	watch_forget(watch);
	free(watch->sleepers);
	free(watch->found);
}

static bool has_entry(const struct watch *watch, uint32_t entry)
{
	for (unsigned int i = 0; i < watch->count; i++)
		if (watch->sleepers[i].entry == entry)
			return true;
	return false;
}

/* False: an entry that was replaced has its old kthread still, beside the new one. */
static bool watch_find(struct watch *watch)
{
	struct table *table = watch->table;

	watch_forget(watch);
	for (unsigned int lane = 0; lane < LANES_MAX; lane++) {
		uint32_t map_id = entries_map_id(watch->dataplane, lane);
		unsigned int count =
			map_id ? kthreads_find(map_id, watch->found, 2 * table->cpus) : 0;

		for (unsigned int i = 0; i < count && watch->count < table->entry_count; i++) {
			struct place at = { .cpu = (uint16_t)watch->found[i].cpu,
					    .lane = (uint8_t)lane };

			if (has_entry(watch, table_index(table, at)))
				return false;
			watch->sleepers[watch->count++] = (struct sleeper){
				.fd = kthread_open(watch->found[i].pid),
				.entry = table_index(table, at),
			};
		}
	}
	return true;
}

/*
 * The kthreads that there are, when those of replaced entries have ended. Which
 * of two is the new one we cannot tell: then the stamps have to do.
 */
static void watch_begin(struct watch *watch)
{
	watch->is_stale = false;
	watch->is_blind = false;
	for (int i = 0; i < GRACE_LOOKS; i++) {
		if (watch_find(watch))
			return;
		poll(NULL, 0, 5 * LOOK_MS);
	}
	watch_forget(watch);
	watch->is_blind = true;
}

static int watch_open(struct site *site, uint16_t transition, struct watch *ret)
{
	struct table *table = &site->dataplane.table;

	*ret = (struct watch){
		.dataplane = &site->dataplane,
		.table = table,
		.transition = transition,
		.found = calloc(2 * table->cpus, sizeof(*ret->found)),
		.sleepers = calloc(table->entry_count, sizeof(*ret->sleepers)),
	};
	if (!ret->found || !ret->sleepers)
		return fail(-ENOMEM, "out of memory");
	watch_begin(ret);
	return 0;
}

/*
 * A frame waits for others of its NAPI poll, and is in its queue when the poll
 * is over. All polls that have begun are, after a grace period of RCU, which
 * that system call waits for.
 */
static uint64_t queued_by(void)
{
	uint64_t begin = now_ns();

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0) == 0)
		return begin;
	/* Not with nohz_full. */
	return begin - SLACK_MS * MS;
}

/*
 * A kthread that sleeps has delivered what it took: all that its second stage
 * had counted before it was seen asleep, or since when it has gone to sleep.
 */
static void look(struct watch *watch, struct sleeper *sleeper)
{
	const struct target *target = &watch->table->targets[sleeper->entry];
	struct asleep *asleep = &watch->table->asleep[sleeper->entry];
	uint64_t packets = word_load(&target->packets);
	uint64_t sleeps;
	bool is_asleep;

	if (!kthread_look(sleeper->fd, &is_asleep, &sleeps)) {
		watch->is_stale = true;
		return;
	}
	if (is_asleep || (sleeper->is_known && sleeps != sleeper->sleeps)) {
		sleeper->slept_ns = is_asleep ? watch->queued_ns : sleeper->queued_ns;
		word_store(&asleep->packets, is_asleep ? packets : sleeper->packets);
		word_store(&asleep->sent_ns, sleeper->slept_ns);
	}
	sleeper->is_known = true;
	sleeper->sleeps = sleeps;
	sleeper->packets = packets;
	sleeper->queued_ns = watch->queued_ns;
}

/* If the old place has slept since, the next frame will go over. */
static void note_behind(void *context, struct place old, uint64_t sent_ns)
{
	struct watch *watch = context;

	for (unsigned int i = 0; i < watch->count; i++) {
		struct sleeper *sleeper = &watch->sleepers[i];

		if (sleeper->entry != table_index(watch->table, old))
			continue;
		sleeper->is_old = true;
		if (sent_ns && sleeper->slept_ns > sent_ns)
			return;
	}
	watch->behind++;
}

/* behind: the slots that were so at the last scan. The number of those that are. */
static unsigned int scan(struct watch *watch, bool *behind)
{
	unsigned int slots = 0;

	for (unsigned int i = 0; i < watch->count; i++)
		watch->sleepers[i].is_old = false;
	for (unsigned int i = 0; i < watch->table->slot_count; i++) {
		if (!behind[i])
			continue;
		watch->behind = 0;
		table_behind(watch->table, watch->transition, i, note_behind, watch);
		behind[i] = watch->behind;
		slots += behind[i];
	}
	return slots;
}

/*
 * Whether all old places have delivered what was sent there before that time. A
 * place without a kthread has no entry any more, and holds nothing.
 */
static bool is_delivered(const struct watch *watch, uint64_t ns)
{
	for (unsigned int i = 0; i < watch->count; i++)
		if (watch->sleepers[i].is_old && watch->sleepers[i].slept_ns <= ns)
			return false;
	return !watch->is_blind;
}

static void flag_all(struct watch *watch, const bool *behind, enum slot_flags flag)
{
	for (unsigned int i = 0; i < watch->table->slot_count; i++)
		if (behind[i])
			table_flag(watch->table, i, flag);
}

/* The number of slots that a flow without a gap holds back. */
static unsigned int wait_for(struct watch *watch, bool *behind, const struct plan *plan)
{
	enum slot_flags settled = watch->transition ? SLOT_SETTLED : SLOT_DELIVERED;
	enum slot_flags force = watch->transition ? SLOT_DISSOLVE : SLOT_FORCE;
	uint64_t begin = now_ns(), waited = 0;
	bool delivered = false, forced = false;
	unsigned int left = scan(watch, behind);

	for (unsigned int n = 1; left && waited < PATIENCE_MS * MS; n++) {
		poll(NULL, 0, LOOK_MS);
		waited = now_ns() - begin;
		if (watch->is_stale)
			watch_begin(watch);
		if (n % ROUND_LOOKS == 0)
			watch->queued_ns = queued_by();
		for (unsigned int i = 0; i < watch->count; i++)
			look(watch, &watch->sleepers[i]);
		if (!delivered &&
		    (is_delivered(watch, begin) || waited > plan->rules.idle_ns + SLACK_MS * MS)) {
			flag_all(watch, behind, settled);
			delivered = true;
		}
		if (!forced && plan->bounded && waited > FORCE_MS * MS) {
			flag_all(watch, behind, force);
			forced = true;
		}
		if (n % SCAN_LOOKS == 0)
			left = scan(watch, behind);
	}
	return left;
}

/* How many slots are behind in the end. */
static int settle(struct site *site, uint16_t transition)
{
	unsigned int slots = site->dataplane.table.slot_count;
	cleanup(watch_done) struct watch watch = { 0 };
	cleanup(freep) bool *behind = malloc(slots);
	int r = watch_open(site, transition, &watch);

	if (r < 0)
		return r;
	if (!behind)
		return fail(-ENOMEM, "out of memory");
	memset(behind, true, slots);
	return (int)wait_for(&watch, behind, site->plan);
}

static int settle_moves(struct site *site)
{
	int left = settle(site, 0);

	if (left >= 0)
		site->behind = left;
	return left < 0 ? left : 0;
}

int moves_rest(struct site *site)
{
	int r = table_set_rules(&site->dataplane.table, &site->plan->rules);

	if (r == 0)
		r = settle_moves(site);
	if (r == 0 && site->behind)
		return fail(-EAGAIN,
			    "%s: %d slots have not moved yet, as flows leave no gap; try again, or "
			    "with --reorder bounded",
			    site->home->iface, site->behind);
	if (r == 0)
		table_unflag(&site->dataplane.table);
	return r;
}

int moves_settle(struct site *site, uint16_t transition)
{
	int r = table_set_rules(&site->dataplane.table, &site->plan->rules);

	return r < 0 ? r : settle(site, transition);
}

int moves_make(struct site *site, const struct place *places)
{
	struct table *table = &site->dataplane.table;
	int r = table_set_rules(table, &site->plan->rules);

	if (r < 0)
		return r;
	table_want(table, places);
	site->behind = 0;
	return site->facts->loaded.state == LOADED ? settle_moves(site) : 0;
}

struct reach {
	struct place place;
	bool found;
};

static void note_reach(void *context, struct place old, uint64_t sent_ns)
{
	struct reach *reach = context;

	reach->found |= old.cpu == reach->place.cpu && old.lane == reach->place.lane;
}

int moves_reach(struct site *site, struct place place, bool *ret)
{
	const struct table *table = &site->dataplane.table;
	struct reach reach = { .place = place };
	int r = site->behind < 0 ? settle_moves(site) : 0;

	for (unsigned int i = 0; r == 0 && site->behind && i < table->slot_count; i++)
		table_behind(table, 0, i, note_reach, &reach);
	*ret = reach.found;
	return r;
}

void moves_wanted(const struct site *site, struct place *ret)
{
	const struct table *table = &site->dataplane.table;

	for (unsigned int i = 0; i < table->slot_count; i++)
		ret[i] = table->slots[i].want;
}
