/* SPDX-License-Identifier: GPL-2.0 */
/* The indirection table of an interface, and how far the moves in it have come. */
#ifndef DATAPLANE_TABLE_H
#define DATAPLANE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpumap/abi.h"
#include "lib/home.h"

/* Memory shared with the programs; all of it goes with table_close(). */
#define TABLE_CLOSED                                                               \
	{                                                                          \
		.state_fd = -1, .weights_fd = -1, .rules_fd = -1, .pending_fd = -1 \
	}

struct table {
	unsigned int slot_count;
	unsigned int entry_count; /* lane * cpus + CPU is below that */
	unsigned int cpus;
	struct slot *slots;
	struct target *targets; /* we write the kthreads there, the programs all else */
	struct asleep *asleep;
	int state_fd;
	int weights_fd;
	int rules_fd;
	int pending_fd;
	struct slot_state *states; /* of one slot, one a CPU */
	struct pending *pending;
};

int table_open(const struct home *home, bool next, struct table *ret);
void table_close(struct table *table);

static inline uint32_t table_index(const struct table *table, struct place place)
{
	return place.lane * table->cpus + place.cpu;
}

/* Want every slot where it is to be; those that are wanted elsewhere begin to move. */
void table_want(struct table *table, const struct place *places);
void table_flag(struct table *table, unsigned int slot, enum slot_flags flag);

/* Slots that no frame goes by: at once. */
void table_give(struct table *table, const struct place *places, unsigned int first,
		unsigned int count);

/* Before a transition begins: what was told about the last one. */
void table_unflag(struct table *table);

int table_set_rules(struct table *table, const struct move_rules *rules);
int table_set_weight(struct table *table, uint32_t cpu, uint32_t weight);

/*
 * Calls visit for each RX CPU that may still send the slot to its old place, or
 * in a transition (0: none) flows by it that have another slot now. sent_ns:
 * when it last did so after the move was wanted, or in the transition, 0: not
 * since.
 */
void table_behind(const struct table *table, uint16_t transition, unsigned int slot,
		  void (*visit)(void *context, struct place old, uint64_t sent_ns), void *context);

#endif
