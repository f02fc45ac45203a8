// SPDX-License-Identifier: GPL-2.0
/* What rtnetlink tells of the one interface that is followed. */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "follow/link.h"
#include "lib/netlink.h"

static uint32_t program_of(const struct nlattr *xdp)
{
	const struct nlattr *attrs[IFLA_XDP_PROG_ID + 1];

	if (!xdp)
		return 0;
	nested_attributes(xdp, attrs, IFLA_XDP_PROG_ID);
	return attrs[IFLA_XDP_PROG_ID] ? mnl_attr_get_u32(attrs[IFLA_XDP_PROG_ID]) : 0;
}

static struct link read_link(const struct nlmsghdr *header)
{
	const struct ifinfomsg *message = mnl_nlmsg_get_payload(header);
	struct link link = { .index = (uint32_t)message->ifi_index,
			     .up = message->ifi_flags & IFF_UP };
	const struct nlattr *attr;

	mnl_attr_for_each(attr, header, sizeof(*message)) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_IFNAME:
			snprintf(link.name, sizeof(link.name), "%s", mnl_attr_get_str(attr));
			break;
		case IFLA_MTU:
			link.mtu = mnl_attr_get_u32(attr);
			break;
		case IFLA_XDP:
			link.program = program_of(attr);
			break;
		}
	}
	return link;
}

static unsigned int compare(const struct link *was, const struct link *now)
{
	unsigned int seen = 0;

	if (strcmp(was->name, now->name) != 0)
		seen |= LINK_RENAMED;
	if (was->up != now->up)
		seen |= now->up ? LINK_UP : LINK_DOWN;
	if (was->mtu != now->mtu)
		seen |= LINK_MTU;
	if (was->program != now->program)
		seen |= LINK_PROGRAM;
	return seen;
}

/* A bridge tells of its ports in the same words, under a family of its own. */
unsigned int link_message(struct link *link, const struct nlmsghdr *header)
{
	const struct ifinfomsg *message = mnl_nlmsg_get_payload(header);
	unsigned int seen;
	struct link now;

	if ((header->nlmsg_type != RTM_NEWLINK && header->nlmsg_type != RTM_DELLINK) ||
	    mnl_nlmsg_get_payload_len(header) < sizeof(*message) ||
	    message->ifi_family != AF_UNSPEC)
		return 0;
	if (header->nlmsg_type == RTM_DELLINK) {
		if (!link->index || (uint32_t)message->ifi_index != link->index)
			return 0;
		link->index = 0;
		return LINK_WENT;
	}
	now = read_link(header);
	memcpy(now.wanted, link->wanted, sizeof(now.wanted));
	if (link->index ? now.index != link->index : strcmp(now.name, link->wanted) != 0)
		return 0;
	seen = link->index ? compare(link, &now) : LINK_CAME;
	*link = now;
	return seen;
}
