// SPDX-License-Identifier: GPL-2.0
/* What a plan settles about reading frames: the tag of a switch, multicast, the hash. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "plan/plan.h"

struct scene {
	struct policy policy;
	struct facts facts;
	struct plan plan;
	struct reason why;
};

static int setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	*state = scene;
	if (!scene)
		return -1;
	strcpy(scene->facts.iface.name, "eth0");
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static int classify(struct scene *scene)
{
	return plan_classifier(&scene->policy, &scene->facts, &scene->plan, &scene->why);
}

static void the_tag_is_that_of_the_conduit(void **state)
{
	struct scene *scene = *state;

	strcpy(scene->facts.iface.dsa_tagging, "edsa");
	assert_int_equal(classify(scene), 0);
	assert_int_equal(scene->plan.config.dsa.len, 8);
	/* An option wins over it. */
	strcpy(scene->policy.dsa, "ocelot");
	assert_int_equal(classify(scene), 0);
	assert_int_equal(scene->plan.config.dsa.front, 20);
}

static void an_unknown_tag_is_refused_with_the_known_ones(void **state)
{
	struct scene *scene = *state;

	strcpy(scene->facts.iface.dsa_tagging, "acme");
	assert_true(classify(scene) < 0);
	assert_non_null(strstr(scene->why.text, "'acme'"));
	assert_non_null(strstr(scene->why.text, "rtl8_4t"));
	assert_non_null(strstr(scene->why.text, "--force"));
	scene->policy.force = true;
	assert_int_equal(classify(scene), 0);
	assert_int_equal(scene->plan.note_count, 1);
	assert_int_equal(scene->plan.config.dsa.len, 0);
}

static void multicast_stays_where_its_mark_would_be_lost(void **state)
{
	struct scene *scene = *state;

	strcpy(scene->facts.iface.driver, "am65-cpsw-nuss");
	assert_int_equal(classify(scene), 0);
	assert_false(scene->plan.config.multicast_stays);
	scene->facts.iface.bridge_port = true;
	assert_int_equal(classify(scene), 0);
	assert_true(scene->plan.config.multicast_stays);
	scene->policy.multicast = MULTICAST_STEER;
	assert_int_equal(classify(scene), 0);
	assert_false(scene->plan.config.multicast_stays);
}

static void every_name_of_a_tag_is_found_again(void **state)
{
	char names[1024] = "", *at = names;

	dsa_tag_names(names, sizeof(names));
	for (char *name; (name = strsep(&at, " "));) {
		const struct dsa_tag *tag = dsa_tag_find(name);

		assert_non_null(tag);
		/* Several names share a layout: then any of them will do. */
		assert_memory_equal(dsa_tag_find(dsa_tag_name(tag)), tag, sizeof(*tag));
	}
	assert_null(dsa_tag_find("acme"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_tag_is_that_of_the_conduit, setup, teardown),
		cmocka_unit_test_setup_teardown(an_unknown_tag_is_refused_with_the_known_ones,
						setup, teardown),
		cmocka_unit_test_setup_teardown(multicast_stays_where_its_mark_would_be_lost, setup,
						teardown),
		cmocka_unit_test(every_name_of_a_tag_is_found_again),
	};

	return cmocka_run_group_tests_name("classifier", tests, NULL, NULL);
}
