// SPDX-License-Identifier: GPL-2.0
/* An offload feature, by the ethtool netlink family: "eth0 rx-lro". */
#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <net/if.h>
#include <string.h>

#include "apply/values.h"
#include "lib/clean.h"
#include "lib/netlink.h"

/* "eth0 rx-lro" to its two words; ret is as long as the target. */
static const char *split(const char *target, char *ret_iface)
{
	strcpy(ret_iface, target);
	ret_iface[strcspn(ret_iface, " ")] = '\0';
	return target + strcspn(target, " ") + 1;
}

static struct nlmsghdr *message(struct netlink *netlink, uint8_t command, const char *iface)
{
	struct nlmsghdr *header = genl_message(netlink, command, false);
	struct nlattr *nest = mnl_attr_nest_start(header, ETHTOOL_A_FEATURES_HEADER);

	mnl_attr_put_strz(header, ETHTOOL_A_HEADER_DEV_NAME, iface);
	mnl_attr_nest_end(header, nest);
	return header;
}

struct search {
	const char *name;
	bool found;
};

static int on_features(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attrs[ETHTOOL_A_FEATURES_ACTIVE + 1], *set[ETHTOOL_A_BITSET_BITS + 1];
	const struct nlattr *bit, *words[ETHTOOL_A_BITSET_BIT_NAME + 1];
	struct search *search = data;

	genl_attributes(header, attrs, ETHTOOL_A_FEATURES_ACTIVE);
	if (!attrs[ETHTOOL_A_FEATURES_ACTIVE])
		return MNL_CB_OK;
	nested_attributes(attrs[ETHTOOL_A_FEATURES_ACTIVE], set, ETHTOOL_A_BITSET_BITS);
	if (!set[ETHTOOL_A_BITSET_BITS])
		return MNL_CB_OK;
	mnl_attr_for_each_nested(bit, set[ETHTOOL_A_BITSET_BITS]) {
		nested_attributes(bit, words, ETHTOOL_A_BITSET_BIT_NAME);
		search->found |= words[ETHTOOL_A_BITSET_BIT_NAME] &&
				 strcmp(mnl_attr_get_str(words[ETHTOOL_A_BITSET_BIT_NAME]),
					search->name) == 0;
	}
	return MNL_CB_OK;
}

int feature_read(const struct site *site, const char *target, char *ret, size_t size)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	char iface[sizeof(((struct step *)0)->target)];
	struct search search = { .name = split(target, iface) };
	int r = genl_open(ETHTOOL_GENL_NAME, &netlink);

	if (r == 0)
		r = netlink_ask(&netlink, message(&netlink, ETHTOOL_MSG_FEATURES_GET, iface),
				on_features, &search);
	snprintf(ret, size, "%s", search.found ? "on" : "off");
	return r;
}

int feature_write(struct site *site, const char *target, const char *value)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	char iface[sizeof(((struct step *)0)->target)];
	const char *name = split(target, iface);
	struct nlattr *wanted, *bits, *bit;
	struct nlmsghdr *header;
	int r = genl_open(ETHTOOL_GENL_NAME, &netlink);

	if (r < 0)
		return r;
	header = message(&netlink, ETHTOOL_MSG_FEATURES_SET, iface);
	wanted = mnl_attr_nest_start(header, ETHTOOL_A_FEATURES_WANTED);
	bits = mnl_attr_nest_start(header, ETHTOOL_A_BITSET_BITS);
	bit = mnl_attr_nest_start(header, ETHTOOL_A_BITSET_BITS_BIT);
	mnl_attr_put_strz(header, ETHTOOL_A_BITSET_BIT_NAME, name);
	if (strcmp(value, "on") == 0)
		mnl_attr_put(header, ETHTOOL_A_BITSET_BIT_VALUE, 0, NULL);
	mnl_attr_nest_end(header, bit);
	mnl_attr_nest_end(header, bits);
	mnl_attr_nest_end(header, wanted);
	r = netlink_ask(&netlink, header, NULL, NULL);
	snprintf(site->said, sizeof(site->said), "%s", netlink.said);
	return r;
}
