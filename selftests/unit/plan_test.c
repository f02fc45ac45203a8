// SPDX-License-Identifier: GPL-2.0
/* The plan: which CPUs, how long their queues, which steps in which order, what is refused. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "plan/plan.h"

/* Four CPUs, the interface's interrupt on CPU 0, nothing loaded. */
static struct facts *machine(void)
{
	struct facts *facts = calloc(1, sizeof(*facts));

	assert_non_null(facts);
	cpuset_parse("0-7", &facts->cpus.possible);
	cpuset_parse("0-3", &facts->cpus.online);
	cpuset_parse("0-3", &facts->cpus.allowed);
	cpuset_parse("0", &facts->iface.irq_cpus);
	facts->cpus.page_size = 4096;
	facts->cpus.memory = 4ULL << 30;
	facts->kernel.frags = YES;
	facts->iface.native = YES;
	facts->iface.rx_frags = YES;
	facts->iface.mtu = 1500;
	facts->iface.speed_mbps = 1000;
	strcpy(facts->iface.name, "eth0");
	strcpy(facts->iface.driver, "e1000");
	return facts;
}

static struct plan *make(const char *cpus, const struct facts *facts)
{
	struct policy policy = { 0 };
	struct plan *plan = NULL;
	struct reason why = { "" };

	assert_int_equal(cpu_shares_parse(cpus, &policy.cpus, &why), 0);
	plan_make(&policy, facts, &plan, &why);
	assert_string_equal(why.text, "");
	return plan;
}

/* The machine after the plan was applied. */
static void apply(const struct plan *plan, struct facts *facts)
{
	struct loaded *loaded = &facts->loaded;

	memset(loaded, 0, sizeof(*loaded));
	loaded->state = LOADED;
	loaded->attach = plan->attach;
	loaded->generic = plan->generic;
	loaded->watched = true;
	loaded->config = plan->config;
	loaded->slot_count = plan->slot_count;
	memcpy(loaded->slots, plan->slots, sizeof(plan->slots));
	for (unsigned int i = 0; i < plan->target_count; i++)
		loaded->entries[loaded->entry_count++] = (struct entry){
			.cpu = plan->targets[i].cpu, .qsize = plan->qsize, .prog_id = 7
		};
}

static void kinds_are(const struct plan *plan, const char *kinds)
{
	char text[256] = "";

	for (unsigned int i = 0; i < plan->step_count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 step_kind_names[plan->steps[i].kind]);
	assert_string_equal(text, kinds);
	for (unsigned int i = 0; i < plan->step_count; i++) {
		assert_true(plan->steps[i].why[0]);
		assert_true(plan->steps[i].before[0]);
		assert_true(plan->steps[i].after[0]);
	}
}

static void the_maps_are_full_before_the_attach(void **state)
{
	struct facts *facts = machine();
	struct plan *plan = make("1-3", facts);

	kinds_are(plan, "programs watch entry entry entry slots attach");
	assert_int_equal(plan->slot_count, 256);
	free(plan);
	free(facts);
}

static void nothing_to_do_is_no_step(void **state)
{
	struct facts *facts = machine();
	struct plan *plan = make("1-3", facts), *again;

	apply(plan, facts);
	again = make("1-3", facts);
	kinds_are(again, "");
	free(again);
	free(plan);
	free(facts);
}

/* A new entry before its slots, an old one after: no slot leads to a CPU without an entry. */
static void a_change_of_cpus_detaches_nothing(void **state)
{
	struct facts *facts = machine();
	struct plan *plan = make("1-2", facts), *again;

	apply(plan, facts);
	again = make("2-3", facts);
	kinds_are(again, "entry slots entry");
	assert_string_equal(again->steps[0].target, "3");
	assert_string_equal(again->steps[0].before, "-");
	assert_string_equal(again->steps[2].target, "1");
	assert_string_equal(again->steps[2].after, "-");
	free(again);
	free(plan);
	free(facts);
}

static void what_is_settled_at_load_time_takes_new_maps(void **state)
{
	struct facts *facts = machine();
	struct plan *plan = make("1-2", facts), *again;

	apply(plan, facts);
	facts->iface.mtu = 9000;
	again = make("1-2", facts);
	kinds_are(again, "programs watch entry entry slots attach promote");
	assert_true(again->replace);
	assert_true(again->config.frags);
	free(again);
	free(plan);
	free(facts);
}

static void other_programs_take_over(void **state)
{
	struct facts *facts = machine();
	struct plan *plan, *again;

	facts->programs = 1;
	plan = make("1-2", facts);
	apply(plan, facts);
	facts->programs = 2;
	again = make("1-2", facts);
	kinds_are(again, "programs watch entry entry slots attach promote");
	assert_non_null(strstr(again->steps[0].why, "other programs"));
	assert_int_equal(again->config.programs, 2);
	free(again);
	free(plan);
	free(facts);
}

static void frags_need_a_large_mtu_and_native_mode(void **state)
{
	static const struct {
		uint32_t mtu;
		enum answer rx_frags, kernel, native;
		bool frags;
	} rows[] = {
		{ 1500, YES, YES, YES, false },	   { 3498, YES, YES, YES, false },
		{ 3499, YES, YES, YES, true },	   { 9000, YES, YES, YES, true },
		{ 9000, UNKNOWN, YES, YES, true }, { 3498, NO, YES, YES, false },
		{ 9000, YES, NO, NO, false },	   { 9000, YES, YES, NO, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct facts *facts = machine();
		struct plan *plan;

		facts->iface.mtu = rows[i].mtu;
		facts->iface.rx_frags = rows[i].rx_frags;
		facts->kernel.frags = rows[i].kernel;
		facts->iface.native = rows[i].native;
		plan = make("1-2", facts);
		assert_int_equal(plan->config.frags, rows[i].frags);
		assert_int_equal(plan->generic, rows[i].native == NO);
		free(plan);
		free(facts);
	}
}

static void auto_takes_the_fast_cpus_without_the_interrupts(void **state)
{
	struct facts *facts = machine();
	struct plan *plan = make("auto", facts);

	assert_int_equal(plan->target_count, 3);
	assert_int_equal(plan->targets[0].cpu, 1);
	free(plan);

	facts->cpus.capacity[0] = facts->cpus.capacity[1] = 446;
	facts->cpus.capacity[2] = facts->cpus.capacity[3] = 1024;
	plan = make("auto", facts);
	assert_int_equal(plan->target_count, 2);
	assert_int_equal(plan->targets[0].cpu, 2);
	free(plan);

	/* The interrupts are on the big cores: the little ones it is. */
	cpuset_parse("2-3", &facts->iface.irq_cpus);
	plan = make("auto", facts);
	assert_int_equal(plan->target_count, 2);
	assert_int_equal(plan->targets[0].cpu, 0);
	free(plan);

	/* Not where this process may not run. */
	cpuset_parse("0", &facts->cpus.allowed);
	plan = make("auto", facts);
	assert_int_equal(plan->target_count, 1);
	free(plan);
	free(facts);
}

static void auto_qsize_covers_the_wake_up_and_fits_the_memory(void **state)
{
	struct facts *facts = machine();

	assert_int_equal(plan_qsize(facts, 3), 512);
	facts->iface.speed_mbps = 10000;
	facts->cpus.idle_exit_us = 200;
	assert_int_equal(plan_qsize(facts, 3), 10000 * 200 / 672 + 64);
	facts->iface.speed_mbps = 100000;
	facts->cpus.idle_exit_us = 1000;
	assert_int_equal(plan_qsize(facts, 1), QSIZE_MAX);
	/* A sixteenth of 64 MiB is 1024 pages. */
	facts->cpus.memory = 64 << 20;
	assert_true(plan_queue_bytes(facts, 3, plan_qsize(facts, 3)) <= 4 << 20);
	assert_true(plan_qsize(facts, 3) >= 64);
	/* Unknown is not none. */
	facts->cpus.memory = 0;
	facts->iface.speed_mbps = 0;
	assert_int_equal(plan_qsize(facts, 3), 512);
	free(facts);
}

static void refused(struct facts *facts, struct policy *policy, int r, const char *says)
{
	struct plan *plan = NULL;
	struct reason why = { "" };

	print_message("# %s\n", says);
	assert_int_equal(plan_make(policy, facts, &plan, &why), r);
	assert_non_null(strstr(why.text, says));
	assert_null(plan);
}

static void what_cannot_be_is_refused_with_the_reason(void **state)
{
	struct facts *facts = machine();
	struct policy policy = { 0 };
	struct reason why;

	cpu_shares_parse("4", &policy.cpus, &why);
	refused(facts, &policy, -E_USAGE, "CPU 4 is offline; online here: 0-3");
	cpu_shares_parse("8", &policy.cpus, &why);
	refused(facts, &policy, -E_USAGE, "CPU 8 does not exist; online here: 0-3");
	policy.cpus.count = 0;
	cpuset_parse("0-3", &facts->iface.irq_cpus);
	refused(facts, &policy, -E_USAGE, "each CPU we may use (0-3) serves interrupts");
	cpu_shares_parse("1", &policy.cpus, &why);
	policy.mode = MODE_NATIVE;
	facts->iface.native = NO;
	refused(facts, &policy, -EOPNOTSUPP, "offers no native XDP");
	policy.mode = MODE_AUTO;
	facts->iface.xdp = (struct xdp_facts){ .prog_id = 42, .prog_name = "other", .link_id = 3 };
	refused(facts, &policy, -E_REFUSED, "id 42, name 'other'");
	policy.force = true;
	refused(facts, &policy, -E_REFUSED, "held by link 3");
	free(facts);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_maps_are_full_before_the_attach),
		cmocka_unit_test(nothing_to_do_is_no_step),
		cmocka_unit_test(a_change_of_cpus_detaches_nothing),
		cmocka_unit_test(what_is_settled_at_load_time_takes_new_maps),
		cmocka_unit_test(other_programs_take_over),
		cmocka_unit_test(frags_need_a_large_mtu_and_native_mode),
		cmocka_unit_test(auto_takes_the_fast_cpus_without_the_interrupts),
		cmocka_unit_test(auto_qsize_covers_the_wake_up_and_fits_the_memory),
		cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
