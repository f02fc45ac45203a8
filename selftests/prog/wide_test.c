/* SPDX-License-Identifier: GPL-2.0 */
/*
 * `stats --json` of a machine of 256 CPUs, all of which receive and are targets, without such a
 * machine: the code of `stats` reads maps of that size. What is a per-CPU map there is an array
 * here whose values are as large as those of 256 CPUs, so the one thing that is not in the time is
 * that the kernel gathers them from the memory of so many CPUs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dlfcn.h>
#include <json-c/json.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "stats/render.h"
#include "stats/snapshot.h"
#include "stats/view.h"

#define CPUS 256
#define SLOTS 1024 /* as load makes them for so many targets */
#define BEHIND (RULE_SETS * RULE_SLOTS)
#define ROUNDS 20
#define MOST_MS 50
#define PER_CPU "per_cpu" /* the name of such a map */

static struct home home;
static struct loaded loaded;

int libbpf_num_possible_cpus(void)
{
	return CPUS;
}

/* The size of one CPU's value, as the kernel has it of a per-CPU map. */
int bpf_obj_get_info_by_fd(int fd, void *info, __u32 *size)
{
	int (*real)(int, void *, __u32 *);
	struct bpf_map_info *map = info;
	int r;

	*(void **)&real = dlsym(RTLD_NEXT, __func__);
	r = real(fd, info, size);
	if (r == 0 && *size == sizeof(*map) && strcmp(map->name, PER_CPU) == 0)
		map->value_size /= CPUS;
	return r;
}

/* A map with the same value for each key and CPU. */
static void make(const char *pin, bool percpu, size_t size, uint32_t keys, const void *value)
{
	size_t whole = percpu ? CPUS * size : size;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, percpu ? PER_CPU : "one", 4, (uint32_t)whole,
				keys, NULL);
	char *bytes = malloc(whole);

	assert_non_null(bytes);
	assert_true(fd >= 0);
	for (size_t at = 0; at < whole; at += size)
		memcpy(bytes + at, value, size);
	for (uint32_t key = 0; key < keys; key++)
		assert_int_equal(bpf_map_update_elem(fd, &key, bytes, 0), 0);
	assert_int_equal(bpf_obj_pin(fd, home_pin(&home, pin).text), 0);
	free(bytes);
	close(fd);
}

static void make_maps(void)
{
	const struct slot slot = { .want = { .cpu = 1, .set = 1 } };
	const struct slot_state state = { .now = slot.want, .packets = 3, .bytes = 300 };
	uint64_t sevens[64];

	for (int i = 0; i < 64; i++)
		sevens[i] = 7;
	make("slots", false, sizeof(slot), SLOTS + BEHIND, &slot);
	make("slot_state", true, sizeof(state), SLOTS + BEHIND, &state);
	make("sent", true, sizeof(struct sent), LANES_MAX * CPUS, sevens);
	make("targets", false, sizeof(struct target), LANES_MAX * CPUS, sevens);
	make("enqueued", true, sizeof(struct enqueued), LANES_MAX * CPUS, sevens);
	make("dequeued", true, sizeof(struct dequeued), LANES_MAX, sevens);
	make("exceptions", true, sizeof(struct exceptions), 1, sevens);
	make("counters", true, sizeof(struct counters), 1, sevens);
	make("moves", true, sizeof(struct moves), 1, sevens);
}

static const char *const pins[] = { "slots",	"slot_state", "sent",	  "targets", "enqueued",
				    "dequeued", "exceptions", "counters", "moves",   NULL };

static int remove_maps(void **state)
{
	for (int i = 0; pins[i]; i++)
		unlink(home_pin(&home, pins[i]).text);
	return rmdir(home.pins);
}

static int set_up(void **state)
{
	snprintf(home.iface, sizeof(home.iface), "eth0");
	snprintf(home.pins, sizeof(home.pins), "/sys/fs/bpf/wide-%d", (int)getpid());
	if (mkdir(home.pins, 0700) < 0)
		return -1;
	make_maps();
	loaded.state = LOADED;
	loaded.config.lanes = 1;
	loaded.slot_count = SLOTS;
	for (unsigned int i = 0; i < SLOTS; i++)
		loaded.slots[i] = (struct place){ .cpu = i % CPUS, .set = 1 };
	/* The time of a kthread is read from a file like that of any process. */
	for (unsigned int i = 0; i < CPUS; i++)
		loaded.entries[loaded.entry_count++] = (struct entry){
			.cpu = i, .qsize = 512, .prog_id = 3, .pid = (uint32_t)getpid()
		};
	return 0;
}

static double cpu_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* From the maps to the text. */
static double round_ms(void (*look)(const struct view *view))
{
	struct snapshot *now = NULL, *zero;
	struct json_object *json;
	struct view *view;
	double ms = cpu_ms();

	assert_int_equal(snapshot_take(&home, &loaded, &now), 0);
	zero = snapshot_at_load(now);
	view = view_new(zero, now);
	json = render_json(view);
	assert_non_null(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PRETTY));
	json_object_put(json);
	ms = cpu_ms() - ms;
	if (look)
		look(view);
	view_free(view);
	snapshot_free(zero);
	snapshot_free(now);
	return ms;
}

static void look_at_counts(const struct view *view)
{
	/* By each RX CPU: what left its slots, and what they have, which all lead to CPU 1. */
	const uint64_t left = LANES_MAX * CPUS * 7, slots = (SLOTS + BEHIND) * 3;

	assert_int_equal(view->scopes[SCOPE_RX].count, CPUS);
	assert_int_equal(view->scopes[SCOPE_TARGET].count, CPUS);
	assert_int_equal(view->totals[1].redirected_packets, CPUS * (left + slots));
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		const struct cpu_snapshot *now = &view->now->cpus[cpu];

		assert_int_equal(now->rx.redirected_packets, left + slots);
		assert_int_equal(now->target.sent_packets,
				 CPUS * (LANES_MAX * 7 + (cpu == 1 ? slots : 0)));
		assert_int_equal(now->target.packets, LANES_MAX * 7);
		assert_int_equal(snapshot_queue(view->now, 0, cpu)->enqueue_packets, CPUS * 7);
		assert_int_equal(snapshot_queue(view->now, 0, cpu)->dequeue_packets, 7);
	}
}

static void test_counts(void **state)
{
	round_ms(look_at_counts);
}

static int by_size(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) -
	       (*(const double *)a < *(const double *)b);
}

static void test_time(void **state)
{
	double ms[ROUNDS];

	if (getenv("VM_CELL")) {
		print_message("an emulated machine has another clock\n");
		skip();
	}
	for (int i = 0; i < ROUNDS; i++)
		ms[i] = round_ms(NULL);
	qsort(ms, ROUNDS, sizeof(ms[0]), by_size);
	print_message("least %.1f, median %.1f, most %.1f ms of CPU time\n", ms[0], ms[ROUNDS / 2],
		      ms[ROUNDS - 1]);
	/* The least: the others had company in the caches. */
	assert_true(ms[0] < MOST_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests_name("a machine of 256 CPUs", tests, set_up, remove_maps);
}
