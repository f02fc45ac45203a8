// SPDX-License-Identifier: GPL-2.0
/* Changing what is loaded: what `set` keeps, lanes, and queues that are empty when they change. */
#include <string.h>

#include "unit.h"
#include "plan/plan.h"

#define SLOTS 256

static struct facts *machine(void)
{
	struct facts *facts = calloc(1, sizeof(*facts));

	assert_non_null(facts);
	cpuset_parse("0-7", &facts->cpus.possible);
	cpuset_parse("0-3", &facts->cpus.online);
	facts->cpus.page_size = 4096;
	facts->cpus.memory = 4ULL << 30;
	facts->kernel.gro = YES;
	facts->kernel.tick_ns = 4000000;
	facts->iface.native = YES;
	facts->iface.features[FEATURE_GRO].on = YES;
	facts->iface.mtu = 1500;
	strcpy(facts->iface.name, "eth0");
	return facts;
}

/* Plan, and make the facts what they are when it was done. The steps as a line of words. */
static const char *then(struct facts *facts, struct policy *policy)
{
	static char words[512];
	struct loaded *loaded = &facts->loaded;
	struct reason why = { "" };
	struct plan *plan = NULL;

	words[0] = '\0';
	plan_make(policy, facts, &plan, &why);
	assert_string_equal(why.text, "");
	for (unsigned int i = 0; i < plan->step_count; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s %s",
			 i ? ", " : "", step_kind_names[plan->steps[i].kind],
			 plan->steps[i].kind == STEP_ENTRY || plan->steps[i].kind == STEP_VACATE
				 ? plan->steps[i].target
				 : "");
	memset(loaded, 0, sizeof(*loaded));
	loaded->state = LOADED;
	loaded->watched = true;
	loaded->attach = plan->attach;
	loaded->config = plan->config;
	loaded->slot_count = plan->slot_count;
	loaded->home_count = plan->home_count;
	loaded->max_prefixes = plan->max_prefixes;
	memcpy(loaded->slots, plan->slots, sizeof(plan->slots));
	for (unsigned int i = 0; i < plan->target_count; i++) {
		loaded->weights[plan->targets[i].cpu] = (uint16_t)plan->targets[i].weight;
		for (uint32_t lane = 0; lane < plan->lanes; lane++)
			loaded->entries[loaded->entry_count++] =
				(struct entry){ .cpu = plan->targets[i].cpu,
						.lane = lane,
						.qsize = plan->qsize,
						.prog_id = plan->second_stage ? 7 : 0 };
	}
	free(plan);
	return words;
}

static struct policy wanted(const char *cpus)
{
	struct policy policy = { 0 };
	struct reason why;

	assert_int_equal(cpu_shares_parse(cpus, &policy.cpus, &why), 0);
	return policy;
}

static void what_is_not_named_is_kept(void **state)
{
	struct facts *facts = machine();
	struct policy load = wanted("1:1,3:2"), set = { 0 };

	load.qsize = 100;
	load.lanes = 2;
	load.no_second_stage = true;
	then(facts, &load);
	policy_keep(&set, facts);
	assert_int_equal(set.cpus.count, 2);
	assert_int_equal(set.cpus.at[1].cpu, 3);
	assert_int_equal(set.cpus.at[1].weight, 2);
	assert_int_equal(set.qsize, 100);
	assert_int_equal(set.lanes, 2);
	assert_true(set.no_second_stage);
	assert_string_equal(then(facts, &set), "");
	/* A CPU that went offline is no target any more. */
	cpuset_parse("0-2", &facts->cpus.online);
	policy_keep(&set, facts);
	assert_int_equal(set.cpus.count, 1);
	assert_int_equal(set.cpus.at[0].cpu, 1);
	free(facts);
}

/* The program that can send to them comes first, the kthreads of no slot go last. */
static void lanes_come_and_go_with_the_maps_that_run(void **state)
{
	struct facts *facts = machine();
	struct policy policy = wanted("1-2");

	assert_string_equal(then(facts, &policy),
			    "programs , watch , entry 1, entry 2, slots , attach ");
	policy.lanes = 2;
	assert_string_equal(then(facts, &policy),
			    "programs , attach , promote , watch , entry 1/1, entry 2/1, slots ");
	policy.lanes = 3;
	assert_string_equal(then(facts, &policy), "entry 1/2, entry 2/2, slots ");
	policy.lanes = 1;
	assert_string_equal(then(facts, &policy),
			    "slots , entry 1/1, entry 1/2, entry 2/1, entry 2/2");
	assert_string_equal(then(facts, &policy), "");
	free(facts);
}

static void a_queue_changes_when_no_slot_leads_there(void **state)
{
	struct facts *facts = machine();
	struct policy policy = wanted("1-2");

	then(facts, &policy);
	policy.qsize = 64;
	assert_string_equal(then(facts, &policy), "vacate 1, entry 1, vacate 2, entry 2, slots ");
	policy = wanted("1");
	policy.qsize = 64;
	assert_string_equal(then(facts, &policy), "slots , entry 2");
	/* The only one has nowhere to send its slots. */
	policy.qsize = 128;
	assert_string_equal(then(facts, &policy), "entry 1");
	/* Old CPUs first leave, so that they need not change. */
	policy = wanted("2-3");
	assert_string_equal(then(facts, &policy), "entry 2, entry 3, slots , entry 1");
	free(facts);
}

/* Another hash goes by a transition; one that was left half way is finished first. */
static void another_hash_goes_by_a_transition(void **state)
{
#define TAKES_OVER "programs , attach , promote "
#define CHANGES TAKES_OVER ", settle , " TAKES_OVER
	struct facts *facts = machine();
	struct policy policy = wanted("1-2");
	struct steer_config *config = &facts->loaded.config;

	then(facts, &policy);
	policy.hash = HASH_l3;
	assert_string_equal(then(facts, &policy), CHANGES ", watch ");
	assert_int_equal(config->now.hash, HASH_l3);
	assert_int_equal(config->transition, 1);
	assert_int_equal(config->in_transition, 0);
	assert_string_equal(then(facts, &policy), "");
	policy.rekey = true;
	assert_string_equal(then(facts, &policy), CHANGES ", watch ");
	assert_int_equal(config->now.key, 1);
	then(facts, &policy);
	assert_int_equal(config->now.key, 0);
	assert_int_equal(config->transition, 3);
	policy.rekey = false;
	config->in_transition = 1;
	config->before = (struct mapping){ .hash = HASH_src };
	assert_string_equal(then(facts, &policy), "settle , " TAKES_OVER ", watch ");
	assert_int_equal(config->transition, 3);
	config->in_transition = 1;
	config->transition = 65535;
	policy.hash = HASH_dst;
	assert_string_equal(then(facts, &policy), "settle , " TAKES_OVER ", " CHANGES ", watch ");
	assert_int_equal(config->transition, 1);
	/* Slots move when that is over. */
	policy.hash = HASH_l4;
	policy.cpus.count = 1;
	assert_string_equal(then(facts, &policy), CHANGES ", watch , slots , entry 2");
	free(facts);
}

static unsigned int at(const struct place *slots, uint32_t cpu, uint32_t lane)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < SLOTS; i++)
		count += slots[i].cpu == cpu && slots[i].lane == lane;
	return count;
}

static void a_cpu_deals_its_slots_to_its_lanes(void **state)
{
	static const struct plan_target targets[] = { { .cpu = 1, .slots = 86 },
						      { .cpu = 2, .slots = 170 } };
	struct plan_target parts[SLOTS_MAX];
	struct place slots[SLOTS], again[SLOTS];
	unsigned int count = slots_split(targets, 2, 4, parts, SLOTS_MAX);

	assert_int_equal(count, 8);
	slots_deal(parts, count, NULL, slots, SLOTS);
	for (uint32_t lane = 0; lane < 4; lane++) {
		assert_int_equal(at(slots, 1, lane), lane < 2 ? 22 : 21);
		assert_int_equal(at(slots, 2, lane), lane < 2 ? 43 : 42);
	}
	slots_deal(parts, count, slots, again, SLOTS);
	assert_memory_equal(slots, again, sizeof(slots));
	/* A lane less: what the others had they keep. */
	count = slots_split(targets, 2, 3, parts, SLOTS_MAX);
	slots_deal(parts, count, slots, again, SLOTS);
	for (unsigned int i = 0; i < SLOTS; i++) {
		assert_true(again[i].lane < 3);
		assert_true(slots[i].lane == 3 || slots[i].lane == again[i].lane);
	}
	/* With fewer slots than lanes, some lanes have none. */
	assert_int_equal(slots_split(&(struct plan_target){ .slots = 3 }, 1, 8, parts, SLOTS_MAX),
			 3);
}

static void a_vacated_place_gives_to_all_others(void **state)
{
	static struct plan_target targets[] = { { .cpu = 1, .slots = 64 },
						{ .cpu = 2, .slots = 64 },
						{ .cpu = 3, .slots = 128 } };
	static struct plan plan = { .slot_count = SLOTS };
	struct place slots[SLOTS], old[SLOTS];

	slots_deal(targets, 3, NULL, plan.slots, SLOTS);
	memcpy(slots, plan.slots, sizeof(slots));
	memcpy(old, slots, sizeof(old));
	assert_true(slots_vacate(slots, SLOTS, (struct place){ .cpu = 1 }, &plan));
	assert_int_equal(at(slots, 1, 0), 0);
	assert_in_range(at(slots, 2, 0), 64 + 11, 64 + 32);
	assert_in_range(at(slots, 3, 0), 128 + 32, 128 + 53);
	for (unsigned int i = 0; i < SLOTS; i++)
		assert_true(old[i].cpu == 1 || old[i].cpu == slots[i].cpu);
	/* One after the other, as when all queues change: the first ones are there again. */
	assert_true(slots_vacate(slots, SLOTS, (struct place){ .cpu = 2 }, &plan));
	assert_true(slots_vacate(slots, SLOTS, (struct place){ .cpu = 3 }, &plan));
	assert_int_equal(at(slots, 3, 0), 0);
	assert_int_equal(at(slots, 1, 0) + at(slots, 2, 0), SLOTS);
	slots_deal(targets, 1, NULL, plan.slots, 64);
	plan.slot_count = 64;
	assert_false(slots_vacate(plan.slots, 64, (struct place){ .cpu = 1 }, &plan));
}

static void prefixes_have_slots_of_their_own_on_each_cpu(void **state)
{
	struct facts *facts = machine();
	struct policy policy = wanted("1-2");
	const struct loaded *loaded = &facts->loaded;
	const struct place *homes = loaded->slots + SLOTS;

	policy.match = MATCH_dst;
	policy.lanes = 2;
	then(facts, &policy);
	assert_int_equal(loaded->config.homes, HOMES_MAX);
	/* Those of CPUs that are no targets go to the targets, on all lanes. */
	for (uint32_t cpu = 0; cpu < 8; cpu++)
		for (uint32_t home = 0; home < HOMES_MAX; home++) {
			const struct place *place = &homes[cpu * HOMES_MAX + home];

			assert_true(place->set);
			assert_int_equal(place->lane, home % 2);
			assert_true(cpu == 1 || cpu == 2 ? place->cpu == cpu
							 : place->cpu == 1 || place->cpu == 2);
		}
	assert_string_equal(then(facts, &policy), "");
	/* CPU 2 goes, and comes back: only its slots move. */
	policy.cpus.count = 1;
	assert_string_equal(then(facts, &policy), "slots , entry 2, entry 2/1");
	for (uint32_t home = 0; home < 8 * HOMES_MAX; home++)
		assert_int_equal(homes[home].cpu, 1);
	/* Other tables need other maps. */
	policy.max_prefixes = 100;
	assert_non_null(strstr(then(facts, &policy), "promote"));
	free(facts);
}

/* Where GRO merges; no more than 64 kthreads, nor a sixteenth of the memory. */
static void auto_lanes_are_where_they_help(void **state)
{
	struct facts *facts = machine();

	assert_int_equal(plan_lanes(facts, false, 3), 8);
	assert_int_equal(plan_lanes(facts, true, 3), 1);
	assert_int_equal(plan_lanes(facts, false, 16), 4);
	assert_int_equal(plan_lanes(facts, false, 200), 1);
	facts->cpus.memory = 128ULL << 20;
	assert_int_equal(plan_lanes(facts, false, 1), 4);
	facts->iface.features[FEATURE_GRO].on = NO;
	assert_int_equal(plan_lanes(facts, false, 1), 1);
	facts->iface.features[FEATURE_GRO].on = UNKNOWN;
	facts->kernel.gro = UNKNOWN;
	assert_int_equal(plan_lanes(facts, false, 1), 1);
	free(facts);
}

static void moves_wait_as_long_as_the_kernel_holds_frames(void **state)
{
	struct facts *facts = machine();
	struct plan *plan = calloc(1, sizeof(*plan));
	struct move_rules rules;

	assert_non_null(plan);
	plan->attach = ATTACH_LINK;
	plan->second_stage = true;
	plan->qsize = 512;
	plan->gro_batch = 8;
	rules = plan_rules(facts, plan);
	assert_int_equal(rules.stamps, 1);
	assert_int_equal(rules.margin, 72);
	assert_int_equal(rules.hold_ns, 0);
	assert_true(rules.idle_ns > 1000000000);
	facts->kernel.tick_ns = 1000000;
	assert_int_equal(plan_rules(facts, plan).hold_ns, 2000000);
	facts->iface.features[FEATURE_GRO].on = NO;
	assert_int_equal(plan_rules(facts, plan).margin, 16);
	facts->iface.features[FEATURE_GRO].on = UNKNOWN;
	assert_int_equal(plan_rules(facts, plan).margin, 72);
	plan->gro_batch = 64;
	assert_int_equal(plan_rules(facts, plan).margin, 128);
	/* No stamps where no second stage would see them, or an extension may not write them. */
	plan->generic = true;
	assert_int_equal(plan_rules(facts, plan).stamps, 0);
	plan->generic = false;
	plan->attach = ATTACH_DISPATCHER;
	assert_int_equal(plan_rules(facts, plan).stamps, 0);
	plan->generic = false;
	facts->loaded.entry_count = 1;
	assert_int_equal(plan_rules(facts, plan).stamps, 0);
	free(plan);
	free(facts);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_named_is_kept),
		cmocka_unit_test(lanes_come_and_go_with_the_maps_that_run),
		cmocka_unit_test(another_hash_goes_by_a_transition),
		cmocka_unit_test(a_queue_changes_when_no_slot_leads_there),
		cmocka_unit_test(a_cpu_deals_its_slots_to_its_lanes),
		cmocka_unit_test(a_vacated_place_gives_to_all_others),
		cmocka_unit_test(prefixes_have_slots_of_their_own_on_each_cpu),
		cmocka_unit_test(auto_lanes_are_where_they_help),
		cmocka_unit_test(moves_wait_as_long_as_the_kernel_holds_frames),
	};

	return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
