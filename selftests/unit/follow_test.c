// SPDX-License-Identifier: GPL-2.0
/* load --watch: what rtnetlink tells, and what is wanted when CPUs go and `set` was there. */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "unit.h"
#include "follow/link.h"
#include "plan/plan.h"

/* ---- links -------------------------------------------------------------------------------- */

struct told {
	uint16_t type;
	uint8_t family;
	int index;
	const char *name;
	unsigned int flags;
	uint32_t mtu;
	uint32_t program;
};

static unsigned int tell(struct link *link, const struct told *told)
{
	_Alignas(struct nlmsghdr) char buffer[512];
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	struct ifinfomsg *message;
	struct nlattr *xdp;

	header->nlmsg_type = told->type;
	message = mnl_nlmsg_put_extra_header(header, sizeof(*message));
	message->ifi_family = told->family;
	message->ifi_index = told->index;
	message->ifi_flags = told->flags;
	mnl_attr_put_strz(header, IFLA_IFNAME, told->name);
	mnl_attr_put_u32(header, IFLA_MTU, told->mtu);
	xdp = mnl_attr_nest_start(header, IFLA_XDP);
	mnl_attr_put_u8(header, IFLA_XDP_ATTACHED, told->program ? 1 : 0);
	if (told->program)
		mnl_attr_put_u32(header, IFLA_XDP_PROG_ID, told->program);
	mnl_attr_nest_end(header, xdp);
	return link_message(link, header);
}

/* From row to row the same link. */
static void each_message_says_what_changed(void **state)
{
	static const struct {
		const char *name;
		struct told told;
		unsigned int seen;
	} rows[] = {
		{ "another one", { RTM_NEWLINK, 0, 4, "eth1", IFF_UP, 1500 }, 0 },
		{ "it comes", { RTM_NEWLINK, 0, 5, "eth0", 0, 1500 }, LINK_CAME },
		{ "nothing new", { RTM_NEWLINK, 0, 5, "eth0", 0, 1500 }, 0 },
		{ "up", { RTM_NEWLINK, 0, 5, "eth0", IFF_UP, 1500 }, LINK_UP },
		{ "a flag of no interest",
		  { RTM_NEWLINK, 0, 5, "eth0", IFF_UP | IFF_RUNNING, 1500 },
		  0 },
		{ "MTU and down", { RTM_NEWLINK, 0, 5, "eth0", 0, 9000 }, LINK_MTU | LINK_DOWN },
		{ "a program", { RTM_NEWLINK, 0, 5, "eth0", 0, 9000, 7 }, LINK_PROGRAM },
		{ "another name", { RTM_NEWLINK, 0, 5, "wan0", 0, 9000, 7 }, LINK_RENAMED },
		{ "one of its first name", { RTM_NEWLINK, 0, 6, "eth0", IFF_UP, 1500 }, 0 },
		{ "that goes", { RTM_DELLINK, 0, 6, "eth0", 0, 1500 }, 0 },
		{ "it leaves a bridge", { RTM_DELLINK, AF_BRIDGE, 5, "wan0", 0, 9000 }, 0 },
		{ "it goes", { RTM_DELLINK, 0, 5, "wan0", 0, 9000 }, LINK_WENT },
		{ "its last name comes", { RTM_NEWLINK, 0, 8, "wan0", 0, 9000 }, 0 },
		{ "its first name comes", { RTM_NEWLINK, 0, 9, "eth0", 0, 9000 }, LINK_CAME },
		{ "no message of links", { RTM_NEWADDR, 0, 9, "eth0", IFF_UP, 1 }, 0 },
	};
	struct link link = { .wanted = "eth0" };

	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned int seen = tell(&link, &rows[i].told);

		if (seen != rows[i].seen)
			print_error("%s: %#x, not %#x\n", rows[i].name, seen, rows[i].seen);
		assert_int_equal(seen, rows[i].seen);
	}
	assert_int_equal(link.index, 9);
	assert_string_equal(link.name, "eth0");
}

static void a_message_that_is_cut_off_says_nothing(void **state)
{
	struct nlmsghdr header = { .nlmsg_len = sizeof(header), .nlmsg_type = RTM_DELLINK };
	struct link link = { .wanted = "eth0", .index = 5 };

	assert_int_equal(link_message(&link, &header), 0);
	assert_int_equal(link.index, 5);
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static struct facts *facts;
static struct following *following;

static int setup(void **state)
{
	facts = calloc(1, sizeof(*facts));
	following = calloc(1, sizeof(*following));
	if (!facts || !following)
		return -1;
	cpuset_parse("0-7", &facts->cpus.possible);
	cpuset_parse("0-3", &facts->cpus.online);
	return 0;
}

static int teardown(void **state)
{
	free(facts);
	free(following);
	return 0;
}

static void load(const char *cpus)
{
	struct cpu_shares shares;
	struct reason why;

	assert_int_equal(cpu_shares_parse(cpus, &shares, &why), 0);
	memset(facts->loaded.weights, 0, sizeof(facts->loaded.weights));
	for (unsigned int i = 0; i < shares.count; i++)
		facts->loaded.weights[shares.at[i].cpu] = shares.at[i].weight;
	facts->loaded.state = LOADED;
}

/* The CPUs that a follower would take now, and their weights: "1:1 2:3". */
static const char *takes(void)
{
	static char text[256];
	struct policy *policy = calloc(1, sizeof(*policy));

	text[0] = '\0';
	if (!follow_policy(following, facts, policy))
		strcpy(text, "none");
	else if (!policy->cpus.count)
		strcpy(text, "auto");
	else
		for (unsigned int i = 0; i < policy->cpus.count; i++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u:%u",
				 i ? " " : "", policy->cpus.at[i].cpu, policy->cpus.at[i].weight);
	free(policy);
	return text;
}

static void want(const char *cpus)
{
	struct reason why;

	assert_int_equal(cpu_shares_parse(cpus, &following->wanted.cpus, &why), 0);
}

static void a_cpu_that_went_is_wanted_again_when_it_comes(void **state)
{
	want("1:1,2:3");
	load("1:1,2:3");
	follow_left(following, &facts->loaded);
	cpuset_parse("0-1,3", &facts->cpus.online);
	follow_loaded(following, facts);
	assert_string_equal(takes(), "1:1");
	load("1");
	follow_left(following, &facts->loaded);
	follow_loaded(following, facts);
	cpuset_parse("0-3", &facts->cpus.online);
	assert_string_equal(takes(), "1:1 2:3");
}

static void what_set_changed_meanwhile_wins(void **state)
{
	want("1-2");
	load("1");
	follow_left(following, &facts->loaded);
	load("0:2,1:1");
	follow_loaded(following, facts);
	assert_string_equal(takes(), "0:2 1:1");
	/* And stays when CPU 2, which was wanted once, is there. */
	follow_left(following, &facts->loaded);
	follow_loaded(following, facts);
	assert_string_equal(takes(), "0:2 1:1");
}

static void auto_stays_auto_until_set_names_cpus(void **state)
{
	load("1-3");
	follow_left(following, &facts->loaded);
	follow_loaded(following, facts);
	assert_string_equal(takes(), "auto");
	load("2");
	follow_loaded(following, facts);
	assert_string_equal(takes(), "2:1");
}

static void no_cpu_at_all_is_not_auto(void **state)
{
	want("2-3");
	cpuset_parse("0-1", &facts->cpus.online);
	assert_string_equal(takes(), "none");
	/* That cannot be: a plan says so. */
	want("9");
	assert_string_equal(takes(), "9:1");
}

static void other_settings_are_those_that_are_loaded(void **state)
{
	want("1");
	following->wanted.qsize = 100;
	following->wanted.napi_cpus.set = true;
	cpuset_parse("2-3", &following->wanted.napi_cpus.cpus);
	load("1");
	follow_left(following, &facts->loaded);
	facts->loaded.entry_count = 1;
	facts->loaded.entries[0] = (struct entry){ .cpu = 1, .qsize = 777, .prog_id = 5 };
	facts->loaded.rule_list.count = 1;
	strcpy(facts->loaded.rule_list.at[0].name, "dns");
	follow_loaded(following, facts);
	assert_int_equal(following->wanted.qsize, 777);
	assert_string_equal(following->wanted.rule_list->at[0].name, "dns");
	/* The facts go, what is wanted stays. */
	facts->loaded.rule_list.count = 0;
	assert_int_equal(following->wanted.rule_list->count, 1);

	cpuset_parse("0-2", &facts->cpus.online);
	{
		struct policy *policy = calloc(1, sizeof(*policy));

		assert_true(follow_policy(following, facts, policy));
		assert_int_equal(cpuset_count(&policy->napi_cpus.cpus), 1);
		assert_true(policy->napi_cpus.set);
		cpuset_parse("0-1", &facts->cpus.online);
		assert_true(follow_policy(following, facts, policy));
		assert_false(policy->napi_cpus.set);
		free(policy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_message_says_what_changed),
		cmocka_unit_test(a_message_that_is_cut_off_says_nothing),
		cmocka_unit_test_setup_teardown(a_cpu_that_went_is_wanted_again_when_it_comes,
						setup, teardown),
		cmocka_unit_test_setup_teardown(what_set_changed_meanwhile_wins, setup, teardown),
		cmocka_unit_test_setup_teardown(auto_stays_auto_until_set_names_cpus, setup,
						teardown),
		cmocka_unit_test_setup_teardown(no_cpu_at_all_is_not_auto, setup, teardown),
		cmocka_unit_test_setup_teardown(other_settings_are_those_that_are_loaded, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
