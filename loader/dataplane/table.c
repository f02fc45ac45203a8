// SPDX-License-Identifier: GPL-2.0
/* The indirection table of an interface, and how far the moves in it have come. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dataplane/table.h"
#include "lib/clean.h"
#include "lib/say.h"
#include "lib/word.h"

/* A map as memory: what is written there as one word is read as one. */
static int map_memory(const struct home *home, bool next, const char *name, void **ret,
		      unsigned int *ret_count)
{
	struct pin_path path = home_pin_of(home, next, name);
	cleanup(closep) int fd = bpf_obj_get(path.text);
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);
	void *memory;

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return fail(-errno, "cannot open '%s': %s", path.text, strerror(errno));
	memory = mmap(NULL, (size_t)info.value_size * info.max_entries, PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return fail(-errno, "cannot map '%s': %s", path.text, strerror(errno));
	*ret = memory;
	*ret_count = info.max_entries;
	return 0;
}

int table_open(const struct home *home, bool next, struct table *ret)
{
	int cpus = libbpf_num_possible_cpus();
	unsigned int targets;
	int r;

	*ret = (struct table){
		.state_fd = bpf_obj_get(home_pin_of(home, next, "slot_state").text),
		.weights_fd = bpf_obj_get(home_pin_of(home, next, "weights").text),
		.rules_fd = bpf_obj_get(home_pin_of(home, next, "move_rules").text),
		.pending_fd = bpf_obj_get(home_pin_of(home, next, "pending").text),
		.states = cpus > 0 ? calloc((size_t)cpus, sizeof(*ret->states)) : NULL,
		.pending = cpus > 0 ? calloc((size_t)cpus, sizeof(*ret->pending)) : NULL,
	};
	if (!ret->states || !ret->pending || ret->pending_fd < 0 || ret->state_fd < 0 ||
	    ret->weights_fd < 0 || ret->rules_fd < 0)
		return fail(-ENOENT, "%s: the pins under '%s' are not complete; unload it first",
			    home->iface, home->pins);
	r = map_memory(home, next, "slots", (void **)&ret->slots, &ret->slot_count);
	if (r == 0)
		r = map_memory(home, next, "targets", (void **)&ret->targets, &targets);
	if (r == 0)
		r = map_memory(home, next, "asleep", (void **)&ret->asleep, &ret->entry_count);
	ret->cpus = ret->entry_count / LANES_MAX;
	return r;
}

void table_close(struct table *table)
{
	if (table->slots)
		munmap(table->slots, table->slot_count * sizeof(*table->slots));
	if (table->targets)
		munmap(table->targets, table->entry_count * sizeof(*table->targets));
	if (table->asleep)
		munmap(table->asleep, table->entry_count * sizeof(*table->asleep));
	closep(&table->state_fd);
	closep(&table->weights_fd);
	closep(&table->rules_fd);
	closep(&table->pending_fd);
	free(table->states);
	free(table->pending);
	*table = (struct table)TABLE_CLOSED;
}

static void slot_write(struct slot *at, struct slot slot)
{
	uint64_t word;

	memcpy(&word, &slot, sizeof(word));
	word_store((__u64 *)at, word);
}

void table_want(struct table *table, const struct place *places)
{
	for (unsigned int i = 0; i < table->slot_count; i++) {
		struct slot slot = table->slots[i];

		if (memcmp(&slot.want, &places[i], sizeof(slot.want)) == 0)
			continue;
		slot = (struct slot){ .want = places[i], .move = (uint16_t)(slot.move + 1) };
		slot_write(&table->slots[i], slot);
	}
}

void table_give(struct table *table, const struct place *places, unsigned int first,
		unsigned int count)
{
	for (unsigned int i = first; i < first + count; i++)
		slot_write(&table->slots[i],
			   (struct slot){ .want = places[i],
					  .move = (uint16_t)(table->slots[i].move + 1),
					  .flags = SLOT_DELIVERED });
}

void table_flag(struct table *table, unsigned int index, enum slot_flags flag)
{
	struct slot slot = table->slots[index];

	slot.flags |= flag;
	slot_write(&table->slots[index], slot);
}

void table_unflag(struct table *table)
{
	for (unsigned int i = 0; i < table->slot_count; i++) {
		struct slot slot = table->slots[i];

		slot.flags &= (uint8_t) ~(SLOT_SETTLED | SLOT_DISSOLVE);
		slot_write(&table->slots[i], slot);
	}
}

int table_set_rules(struct table *table, const struct move_rules *rules)
{
	int r = bpf_map_update_elem(table->rules_fd, &(uint32_t){ 0 }, rules, 0);

	return r < 0 ? fail(r, "cannot write the rules of moves: %s", strerror(-r)) : 0;
}

int table_set_weight(struct table *table, uint32_t cpu, uint32_t weight)
{
	int r = bpf_map_update_elem(table->weights_fd, &cpu, &weight, 0);

	return r < 0 ? fail(r, "cannot note the weight of CPU %u: %s", cpu, strerror(-r)) : 0;
}

/* An RX CPU that has not seen the move goes over with its next frame if it is told to. */
static bool may_stay(const struct slot *slot, const struct slot_state *state)
{
	if (!state->now.set || memcmp(&state->now, &slot->want, sizeof(slot->want)) == 0)
		return false;
	if (slot->flags & SLOT_FORCE)
		return false;
	return state->move == slot->move || !(slot->flags & SLOT_DELIVERED);
}

/* The same in a transition: flows that leave the slot for others. */
static bool may_hold(const struct slot *slot, const struct slot_state *state,
		     const struct pending *last, uint16_t transition)
{
	if (!state->now.set || state->transition == transition || slot->flags & SLOT_DISSOLVE)
		return false;
	return last->transition == transition || !(slot->flags & SLOT_SETTLED);
}

void table_behind(const struct table *table, uint16_t transition, unsigned int index,
		  void (*visit)(void *context, struct place old, uint64_t sent_ns), void *context)
{
	struct slot slot = table->slots[index];

	if (bpf_map_lookup_elem(table->state_fd, &index, table->states) < 0 ||
	    bpf_map_lookup_elem(table->pending_fd, &index, table->pending) < 0)
		return;
	for (unsigned int cpu = 0; cpu < table->cpus; cpu++) {
		const struct slot_state *state = &table->states[cpu];

		const struct pending *last = &table->pending[cpu];

		if (!transition && may_stay(&slot, state))
			visit(context, state->now, state->move == slot.move ? last->sent_ns : 0);
		if (transition && may_hold(&slot, state, last, transition))
			visit(context, state->now,
			      last->transition == transition ? last->sent_ns : 0);
	}
}
