// SPDX-License-Identifier: GPL-2.0
/* What the driver offers to XDP, by the netdev netlink family (Linux 6.3). */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdlib.h>

#include "facts/facts.h"
#include "lib/clean.h"

/* linux/netdev.h, which the headers of Debian 12 do not have yet. */
enum { NETDEV_CMD_DEV_GET = 1 };
enum { NETDEV_A_DEV_IFINDEX = 1, NETDEV_A_DEV_XDP_FEATURES = 3 };
enum {
	NETDEV_XDP_ACT_BASIC = 1 << 0,
	NETDEV_XDP_ACT_REDIRECT = 1 << 1,
	NETDEV_XDP_ACT_RX_SG = 1 << 5,
};

static void socket_close(struct mnl_socket **socket)
{
	if (*socket)
		mnl_socket_close(*socket);
}

static struct nlmsghdr *message(void *buffer, uint16_t type, uint8_t command)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	struct genlmsghdr *generic;

	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	generic = mnl_nlmsg_put_extra_header(header, sizeof(*generic));
	generic->cmd = command;
	generic->version = 1;
	return header;
}

/* Send, and run callback over the answer: 0 or a negative errno. */
static int ask(struct mnl_socket *socket, struct nlmsghdr *header, mnl_cb_t callback, void *data)
{
	char buffer[8192];
	int r = MNL_CB_OK;

	if (mnl_socket_sendto(socket, header, header->nlmsg_len) < 0)
		return -errno;
	while (r == MNL_CB_OK) {
		ssize_t n = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));

		if (n < 0)
			return -errno;
		r = mnl_cb_run(buffer, (size_t)n, 0, mnl_socket_get_portid(socket), callback, data);
	}
	return r < 0 ? -errno : 0;
}

static int on_family(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr)) if (mnl_attr_get_type(attr) ==
								       CTRL_ATTR_FAMILY_ID) *
		(uint16_t *)data = mnl_attr_get_u16(attr);
	return MNL_CB_OK;
}

static int on_device(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr)) if (mnl_attr_get_type(attr) ==
								       NETDEV_A_DEV_XDP_FEATURES) *
		(uint64_t *)data = mnl_attr_get_u64(attr);
	return MNL_CB_OK;
}

static int xdp_features(uint32_t ifindex, uint64_t *ret)
{
	cleanup(socket_close) struct mnl_socket *socket =
		mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	char buffer[512];
	struct nlmsghdr *header;
	uint16_t family = 0;
	int r;

	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0)
		return -errno;
	header = message(buffer, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(header, CTRL_ATTR_FAMILY_NAME, "netdev");
	r = ask(socket, header, on_family, &family);
	if (r < 0)
		return r;
	header = message(buffer, family, NETDEV_CMD_DEV_GET);
	mnl_attr_put_u32(header, NETDEV_A_DEV_IFINDEX, ifindex);
	return ask(socket, header, on_device, ret);
}

void facts_netdev(uint32_t ifindex, enum answer *ret_native, enum answer *ret_rx_frags)
{
	const uint64_t redirects = NETDEV_XDP_ACT_BASIC | NETDEV_XDP_ACT_REDIRECT;
	uint64_t features = 0;

	*ret_native = *ret_rx_frags = UNKNOWN;
	if (xdp_features(ifindex, &features) < 0)
		return;
	*ret_native = (features & redirects) == redirects ? YES : NO;
	*ret_rx_frags = features & NETDEV_XDP_ACT_RX_SG ? YES : NO;
}
