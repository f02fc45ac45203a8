// SPDX-License-Identifier: GPL-2.0
/* What of ours is on an interface, read from its pins. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <xdp/libxdp.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/kthread.h"
#include "lib/percpu.h"

static int pin_open(const struct home *home, const char *name)
{
	return bpf_obj_get(home_pin(home, name).text);
}

static uint32_t program_id(int fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	return fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 ? info.id : 0;
}

static bool map_info(int fd, struct bpf_map_info *ret)
{
	uint32_t size = sizeof(*ret);

	*ret = (struct bpf_map_info){ 0 };
	return fd >= 0 && bpf_obj_get_info_by_fd(fd, ret, &size) == 0;
}

static bool read_config(const struct home *home, struct steer_config *ret)
{
	cleanup(closep) int fd = pin_open(home, "config");
	struct bpf_map_info info;
	uint32_t zero = 0;

	if (!map_info(fd, &info) || info.value_size != sizeof(*ret))
		return false;
	return bpf_map_lookup_elem(fd, &zero, ret) == 0 && ret->abi == ABI_VERSION;
}

static bool read_slots(const struct home *home, struct loaded *loaded)
{
	cleanup(closep) int fd = pin_open(home, "slots");
	struct bpf_map_info info;

	if (!map_info(fd, &info) || info.max_entries > SLOTS_ALL ||
	    info.value_size != sizeof(struct slot))
		return false;
	for (uint32_t i = 0; i < info.max_entries; i++) {
		struct slot slot;

		if (bpf_map_lookup_elem(fd, &i, &slot) < 0)
			return false;
		loaded->slots[i] = slot.want;
	}
	loaded->slot_count = loaded->config.slot_mask + 1;
	loaded->home_count = info.max_entries - loaded->slot_count - RULE_SETS * RULE_SLOTS;
	return info.max_entries >= loaded->slot_count + RULE_SETS * RULE_SLOTS;
}

static void read_lane(const struct home *home, uint32_t lane, struct loaded *loaded)
{
	char name[16] = "cpus";
	cleanup(closep) int fd = -1;
	struct bpf_map_info info;

	if (lane)
		snprintf(name, sizeof(name), "cpus_%u", lane);
	fd = pin_open(home, name);
	if (!map_info(fd, &info))
		return;
	loaded->lane_ids[lane] = info.id;
	for (uint32_t cpu = 0; cpu < info.max_entries && loaded->entry_count < CPUS_MAX; cpu++) {
		struct bpf_cpumap_val value;

		if (bpf_map_lookup_elem(fd, &cpu, &value) < 0)
			continue;
		loaded->entries[loaded->entry_count++] = (struct entry){
			.cpu = cpu, .lane = lane, .qsize = value.qsize, .prog_id = value.bpf_prog.id
		};
	}
}

static bool read_entries(const struct home *home, struct loaded *loaded)
{
	for (uint32_t lane = 0; lane < LANES_MAX; lane++)
		read_lane(home, lane, loaded);
	loaded->cpus_id = loaded->lane_ids[0];
	return loaded->cpus_id;
}

static bool read_weights(const struct home *home, struct loaded *loaded)
{
	cleanup(closep) int fd = pin_open(home, "weights");
	struct bpf_map_info info;
	uint32_t weight;

	if (!map_info(fd, &info) || info.value_size != sizeof(weight))
		return false;
	for (uint32_t cpu = 0; cpu < info.max_entries && cpu < CPUS_MAX; cpu++)
		if (bpf_map_lookup_elem(fd, &cpu, &weight) == 0)
			loaded->weights[cpu] = (uint16_t)weight;
	return true;
}

/* They are sorted, by lane and CPU. */
static struct entry *entry_of(struct loaded *loaded, const struct kthread *thread)
{
	unsigned int low = 0, high = loaded->entry_count;

	while (low < high) {
		unsigned int middle = (low + high) / 2;
		struct entry *entry = &loaded->entries[middle];

		if (entry->lane == thread->lane && entry->cpu == thread->cpu)
			return entry;
		if (entry->lane < thread->lane ||
		    (entry->lane == thread->lane && entry->cpu < thread->cpu))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/*
 * The kernel binds a kthread when it makes the entry, and lets it go anywhere
 * when its CPU goes offline; coming back does not bind it again.
 */
static bool is_adrift(const struct kthread *thread)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *cpus = CPU_ALLOC(CPUS_MAX);
	bool adrift = cpus && sched_getaffinity(thread->pid, size, cpus) == 0 &&
		      !(CPU_COUNT_S(size, cpus) == 1 && CPU_ISSET_S(thread->cpu, size, cpus));

	CPU_FREE(cpus);
	return adrift;
}

/* Those that the loader noted, as far as they are. False: not all of them. */
static bool read_noted(const struct home *home, struct loaded *loaded, struct kthread *ret)
{
	cleanup(percpu_done) struct percpu targets = { .fd = -1 };
	unsigned int cpus = loaded->config.cpus;

	if (percpu_open(home, "targets", 1, &targets) < 0)
		return false;
	for (unsigned int i = 0; i < loaded->entry_count; i++) {
		const struct entry *entry = &loaded->entries[i];
		const struct target *target;

		if (percpu_walk(&targets, entry->lane * cpus + entry->cpu) < 0)
			return false;
		target = percpu_value(&targets, 0);
		ret[i] = (struct kthread){ entry->cpu, entry->lane, (pid_t)target->kthread };
		if (!target->kthread ||
		    !kthread_is(ret[i].pid, loaded->lane_ids[entry->lane], entry->cpu))
			return false;
	}
	return true;
}

/* The walk through /proc is long on a large machine. */
static void read_kthreads(const struct home *home, struct loaded *loaded)
{
	unsigned int max = 2 * loaded->entry_count; /* replaced ones may be there still */
	cleanup(freep) struct kthread *threads = calloc(max + 1, sizeof(*threads));
	unsigned int count = loaded->entry_count;

	if (!threads)
		return;
	if (!read_noted(home, loaded, threads))
		count = kthreads_scan(loaded->lane_ids, LANES_MAX, threads, max);
	for (unsigned int i = 0; i < count; i++) {
		struct entry *entry = entry_of(loaded, &threads[i]);
		int nice = getpriority(PRIO_PROCESS, (id_t)threads[i].pid);

		loaded->nice = i == 0 || loaded->nice == nice ? nice : NICE_MIXED;
		if (!entry)
			continue;
		entry->pid = (uint32_t)threads[i].pid;
		entry->adrift |= is_adrift(&threads[i]);
	}
}

static void read_watched(const struct home *home, struct loaded *loaded)
{
	cleanup(closep) int fd = pin_open(home, "watched");
	struct watched watched;
	struct bpf_map_info info;
	uint32_t zero = 0;

	if (!map_info(fd, &info) || info.value_size != sizeof(watched) ||
	    bpf_map_lookup_elem(fd, &zero, &watched) < 0)
		return;
	for (int i = 0; i < WATCHED_MAPS_MAX; i++)
		loaded->watched |= watched.maps[i].id == loaded->cpus_id;
}

static void read_prefixes(const struct home *home, struct loaded *loaded)
{
	cleanup(closep) int fd = pin_open(home, "prefixes_4");
	struct bpf_map_info info;

	if (map_info(fd, &info))
		loaded->max_prefixes = info.max_entries;
}

/* Those of the set that runs, up to the first without a name. */
static void read_rules(const struct home *home, struct loaded *loaded)
{
	cleanup(closep) int fd = pin_open(home, "rule_texts");
	struct rule_list *list = &loaded->rule_list;
	uint32_t first = (loaded->config.now.rules - 1u) * RULES_MAX;

	if (!loaded->config.now.rules || loaded->config.now.rules > RULE_SETS || fd < 0)
		return;
	for (uint32_t i = 0; i < RULES_MAX; i++) {
		uint32_t key = first + i;

		if (bpf_map_lookup_elem(fd, &key, &list->at[i]) < 0 || !list->at[i].name[0])
			return;
		list->count = i + 1;
	}
}

/* Whether our link still holds our program on this interface. */
static bool link_holds(const struct home *home, uint32_t ifindex, struct loaded *loaded)
{
	cleanup(closep) int fd = pin_open(home, "link");
	struct bpf_link_info info = { 0 };
	uint32_t size = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return false;
	loaded->link_id = info.id;
	return info.xdp.ifindex == ifindex && info.prog_id == loaded->steer_id;
}

static void multiprog_closep(struct xdp_multiprog **multiprog)
{
	if (!libxdp_get_error(*multiprog))
		xdp_multiprog__close(*multiprog);
}

static bool dispatcher_holds(uint32_t ifindex, uint32_t steer_id)
{
	cleanup(multiprog_closep) struct xdp_multiprog *multiprog =
		xdp_multiprog__get_from_ifindex((int)ifindex);
	struct xdp_program *program = NULL;

	if (libxdp_get_error(multiprog))
		return false;
	while ((program = xdp_multiprog__next_prog(program, multiprog)))
		if (xdp_program__id(program) == steer_id)
			return true;
	return false;
}

static enum attach find_attach(const struct home *home, uint32_t ifindex,
			       const struct xdp_facts *xdp, struct loaded *loaded)
{
	if (!loaded->steer_id)
		return ATTACH_NONE;
	if (link_holds(home, ifindex, loaded))
		return ATTACH_LINK;
	if (xdp->dispatcher && dispatcher_holds(ifindex, loaded->steer_id))
		return ATTACH_DISPATCHER;
	return ATTACH_NONE;
}

void facts_loaded(const struct home *home, uint32_t ifindex, const struct xdp_facts *xdp,
		  struct loaded *ret)
{
	cleanup(closep) int steer = pin_open(home, "steer");
	cleanup(closep) int pass = pin_open(home, "pass");
	struct stat st;

	memset(ret, 0, sizeof(*ret));
	if (stat(home->pins, &st) < 0)
		return;
	ret->state = LOADED_PART;
	ret->steer_id = program_id(steer);
	ret->pass_id = program_id(pass);
	ret->attach = find_attach(home, ifindex, xdp, ret);
	if (ret->attach == ATTACH_NONE)
		return;
	ret->generic = xdp->generic;
	if (!read_config(home, &ret->config))
		ret->state = LOADED_OTHER_ABI;
	else if (read_slots(home, ret) && read_entries(home, ret) && read_weights(home, ret))
		ret->state = LOADED;
	if (ret->state == LOADED) {
		read_kthreads(home, ret);
		read_rules(home, ret);
	}
	read_watched(home, ret);
	read_prefixes(home, ret);
}
