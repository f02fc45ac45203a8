// SPDX-License-Identifier: GPL-2.0
/* The netdev netlink family: the NAPI instances of an interface, and whether each has a thread. */
#include <errno.h>

#include "lib/clean.h"
#include "lib/netdev.h"

struct listing {
	struct napi *napis;
	unsigned int count;
};

static int on_napi(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attrs[NETDEV_A_NAPI_THREADED + 1];
	struct listing *listing = data;
	struct napi *napi = &listing->napis[listing->count];

	genl_attributes(header, attrs, NETDEV_A_NAPI_THREADED);
	if (!attrs[NETDEV_A_NAPI_ID] || listing->count == NAPIS_MAX)
		return MNL_CB_OK;
	*napi = (struct napi){ .id = mnl_attr_get_u32(attrs[NETDEV_A_NAPI_ID]), .threaded = -1 };
	if (attrs[NETDEV_A_NAPI_IRQ])
		napi->irq = mnl_attr_get_u32(attrs[NETDEV_A_NAPI_IRQ]);
	if (attrs[NETDEV_A_NAPI_PID])
		napi->pid = mnl_attr_get_u32(attrs[NETDEV_A_NAPI_PID]);
	if (attrs[NETDEV_A_NAPI_THREADED])
		napi->threaded = (int)mnl_attr_get_u32(attrs[NETDEV_A_NAPI_THREADED]);
	listing->count++;
	return MNL_CB_OK;
}

int netdev_napis(uint32_t ifindex, struct napi *ret, unsigned int *ret_count)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	struct listing listing = { .napis = ret };
	struct nlmsghdr *header;
	int r = genl_open("netdev", &netlink);

	if (r < 0)
		return r;
	header = genl_message(&netlink, NETDEV_CMD_NAPI_GET, true);
	mnl_attr_put_u32(header, NETDEV_A_NAPI_IFINDEX, ifindex);
	r = netlink_ask(&netlink, header, on_napi, &listing);
	*ret_count = listing.count;
	return r;
}

int netdev_napi_set_threaded(uint32_t id, int threaded)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	struct nlmsghdr *header;
	int r = genl_open("netdev", &netlink);

	if (r < 0)
		return r;
	header = genl_message(&netlink, NETDEV_CMD_NAPI_SET, false);
	mnl_attr_put_u32(header, NETDEV_A_NAPI_ID, id);
	mnl_attr_put_u32(header, NETDEV_A_NAPI_THREADED, (uint32_t)threaded);
	return netlink_ask(&netlink, header, NULL, NULL);
}
