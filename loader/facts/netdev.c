// SPDX-License-Identifier: GPL-2.0
/* What the netdev netlink family tells (Linux 6.3): XDP of the driver, NAPI instances. */
#include <net/if.h>

#include "facts/source.h"
#include "lib/clean.h"
#include "lib/netdev.h"

/* basic redirect rx-sg */
static int on_device(const struct nlmsghdr *header, void *data)
{
	static const char *const names[] = { "basic",	   "redirect", "ndo-xmit",   "xsk-zerocopy",
					     "hw-offload", "rx-sg",    "ndo-xmit-sg" };
	const struct nlattr *attrs[NETDEV_A_DEV_XDP_FEATURES + 1];
	uint64_t features;

	genl_attributes(header, attrs, NETDEV_A_DEV_XDP_FEATURES);
	if (!attrs[NETDEV_A_DEV_XDP_FEATURES])
		return MNL_CB_OK;
	features = mnl_attr_get_u64(attrs[NETDEV_A_DEV_XDP_FEATURES]);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (features >> i & 1)
			fprintf(data, "%s ", names[i]);
	fputs(features ? "\n" : "none\n", data);
	return MNL_CB_OK;
}

void ask_xdp_features(const struct source *source, const char *iface, FILE *out)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	struct nlmsghdr *header;

	if (genl_open("netdev", &netlink) < 0)
		return;
	header = genl_message(&netlink, NETDEV_CMD_DEV_GET, false);
	mnl_attr_put_u32(header, NETDEV_A_DEV_IFINDEX, if_nametoindex(iface));
	netlink_ask(&netlink, header, on_device, out);
}

/* id 257 irq 25 pid 1234 threaded 1 */
void ask_napis(const struct source *source, const char *iface, FILE *out)
{
	struct napi napis[NAPIS_MAX];
	unsigned int count = 0;

	if (netdev_napis(if_nametoindex(iface), napis, &count) < 0)
		return;
	for (unsigned int i = 0; i < count; i++) {
		fprintf(out, "id %u", napis[i].id);
		if (napis[i].irq)
			fprintf(out, " irq %u", napis[i].irq);
		if (napis[i].pid)
			fprintf(out, " pid %u", napis[i].pid);
		if (napis[i].threaded >= 0)
			fprintf(out, " threaded %d", napis[i].threaded);
		fputc('\n', out);
	}
}
