// SPDX-License-Identifier: GPL-2.0
/* Ask the kernel by netlink: one socket, one question at a time. */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/netlink.h"

int netlink_open(int bus, struct netlink *ret)
{
	int on = 1;

	*ret = (struct netlink){ .socket = mnl_socket_open2(bus, SOCK_CLOEXEC) };
	if (!ret->socket)
		return -errno;
	mnl_socket_setsockopt(ret->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	if (mnl_socket_bind(ret->socket, 0, MNL_SOCKET_AUTOPID) == 0)
		return 0;
	netlink_close(ret);
	return -errno;
}

void netlink_close(struct netlink *netlink)
{
	if (netlink->socket)
		mnl_socket_close(netlink->socket);
	netlink->socket = NULL;
}

/* An error message may carry the reason in words, behind what it answers. */
static void keep_words(struct netlink *netlink, const struct nlmsghdr *header)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(header);
	size_t offset = sizeof(*error);
	const struct nlattr *attr;

	if (header->nlmsg_type != NLMSG_ERROR || !(header->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(header->nlmsg_flags & NLM_F_CAPPED))
		offset += error->msg.nlmsg_len - sizeof(error->msg);
	mnl_attr_for_each(attr, header, offset)
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			snprintf(netlink->said, sizeof(netlink->said), "%s",
				 mnl_attr_get_str(attr));
}

int netlink_ask(struct netlink *netlink, struct nlmsghdr *header, mnl_cb_t callback, void *data)
{
	unsigned int port = mnl_socket_get_portid(netlink->socket);
	char answer[32768];
	int r = MNL_CB_OK;

	netlink->said[0] = '\0';
	if (mnl_socket_sendto(netlink->socket, header, header->nlmsg_len) < 0)
		return -errno;
	while (r == MNL_CB_OK) {
		ssize_t n = mnl_socket_recvfrom(netlink->socket, answer, sizeof(answer));

		if (n < 0)
			return -errno;
		if (mnl_nlmsg_ok((struct nlmsghdr *)answer, (int)n))
			keep_words(netlink, (struct nlmsghdr *)answer);
		r = mnl_cb_run(answer, (size_t)n, 0, port, callback, data);
	}
	return r < 0 ? -errno : 0;
}

struct nlmsghdr *genl_message(struct netlink *netlink, uint8_t command, bool dump)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(netlink->buffer);
	struct genlmsghdr *generic;

	header->nlmsg_type = netlink->family;
	header->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK));
	generic = mnl_nlmsg_put_extra_header(header, sizeof(*generic));
	generic->cmd = command;
	generic->version = 1;
	return header;
}

static int on_family(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attrs[CTRL_ATTR_FAMILY_ID + 1];

	genl_attributes(header, attrs, CTRL_ATTR_FAMILY_ID);
	if (attrs[CTRL_ATTR_FAMILY_ID])
		*(uint16_t *)data = mnl_attr_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
	return MNL_CB_OK;
}

int genl_open(const char *family, struct netlink *ret)
{
	struct nlmsghdr *header;
	uint16_t id = 0;
	int r = netlink_open(NETLINK_GENERIC, ret);

	if (r < 0)
		return r;
	ret->family = GENL_ID_CTRL;
	header = genl_message(ret, CTRL_CMD_GETFAMILY, false);
	mnl_attr_put_strz(header, CTRL_ATTR_FAMILY_NAME, family);
	r = netlink_ask(ret, header, on_family, &id);
	ret->family = id;
	if (r < 0)
		netlink_close(ret);
	return r;
}

static void sort_in(const struct nlattr *attr, const struct nlattr **ret, uint16_t max)
{
	if (mnl_attr_get_type(attr) <= max)
		ret[mnl_attr_get_type(attr)] = attr;
}

void genl_attributes(const struct nlmsghdr *header, const struct nlattr **ret, uint16_t max)
{
	const struct nlattr *attr;

	memset(ret, 0, (max + 1) * sizeof(*ret));
	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr))
		sort_in(attr, ret, max);
}

void nested_attributes(const struct nlattr *nest, const struct nlattr **ret, uint16_t max)
{
	const struct nlattr *attr;

	memset(ret, 0, (max + 1) * sizeof(*ret));
	mnl_attr_for_each_nested(attr, nest)
		sort_in(attr, ret, max);
}
