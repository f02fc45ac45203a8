// SPDX-License-Identifier: GPL-2.0
/* Two network namespaces and a veth pair between them, that end with the process. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>

#include "bench/bench.h"
#include "lib/clean.h"
#include "lib/netns.h"
#include "lib/say.h"

static void mnl_closep(struct mnl_socket **socket)
{
	if (*socket)
		mnl_socket_close(*socket);
}

static int here(void)
{
	return open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}

/* Send a request and wait for its answer. */
static int ask(struct nlmsghdr *request)
{
	cleanup(mnl_closep) struct mnl_socket *socket =
		mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	char answer[8192];
	ssize_t n;

	request->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	request->nlmsg_seq = 1;
	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_sendto(socket, request, request->nlmsg_len) < 0)
		return -errno;
	n = mnl_socket_recvfrom(socket, answer, sizeof(answer));
	if (n < 0 ||
	    mnl_cb_run(answer, (size_t)n, 1, mnl_socket_get_portid(socket), NULL, NULL) < 0)
		return -errno;
	return 0;
}

static void put_device(struct nlmsghdr *request, const char *name, uint8_t last)
{
	const uint8_t mac[] = { 2, 0, 0, 0, 0, last };

	mnl_attr_put_strz(request, IFLA_IFNAME, name);
	mnl_attr_put(request, IFLA_ADDRESS, sizeof(mac), mac);
}

/* One end here, the other one in the other namespace. */
static int make_pair(int other)
{
	char buffer[1024];
	struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
	struct nlattr *info, *data, *peer;

	request->nlmsg_type = RTM_NEWLINK;
	request->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	mnl_nlmsg_put_extra_header(request, sizeof(struct ifinfomsg));
	put_device(request, BENCH_TX, 1);
	info = mnl_attr_nest_start(request, IFLA_LINKINFO);
	mnl_attr_put_strz(request, IFLA_INFO_KIND, "veth");
	data = mnl_attr_nest_start(request, IFLA_INFO_DATA);
	peer = mnl_attr_nest_start(request, VETH_INFO_PEER);
	mnl_nlmsg_put_extra_header(request, sizeof(struct ifinfomsg));
	put_device(request, BENCH_RX, 2);
	mnl_attr_put_u32(request, IFLA_NET_NS_FD, (uint32_t)other);
	mnl_attr_nest_end(request, peer);
	mnl_attr_nest_end(request, data);
	mnl_attr_nest_end(request, info);
	return ask(request);
}

static int set_up(const char *name, uint32_t address)
{
	char buffer[256];
	struct nlmsghdr *request = mnl_nlmsg_put_header(buffer);
	struct ifaddrmsg *inet;
	struct ifinfomsg *link;
	int r;

	request->nlmsg_type = RTM_NEWADDR;
	request->nlmsg_flags = NLM_F_CREATE;
	inet = mnl_nlmsg_put_extra_header(request, sizeof(*inet));
	*inet = (struct ifaddrmsg){ .ifa_family = AF_INET,
				    .ifa_prefixlen = 24,
				    .ifa_index = if_nametoindex(name) };
	mnl_attr_put_u32(request, IFA_LOCAL, htonl(address));
	mnl_attr_put_u32(request, IFA_ADDRESS, htonl(address));
	r = ask(request);
	if (r < 0)
		return r;
	request = mnl_nlmsg_put_header(buffer);
	request->nlmsg_type = RTM_NEWLINK;
	link = mnl_nlmsg_put_extra_header(request, sizeof(*link));
	*link = (struct ifinfomsg){ .ifi_index = (int)if_nametoindex(name),
				    .ifi_flags = IFF_UP,
				    .ifi_change = IFF_UP };
	return ask(request);
}

static int set_feature(int fd, const char *iface, uint32_t command, bool on)
{
	struct ethtool_value value = { .cmd = command, .data = on };
	struct ifreq request = { .ifr_data = (void *)&value };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", iface);
	return ioctl(fd, SIOCETHTOOL, &request);
}

/* offload: checksums and segments that are left to the other side, which a redirect forgets. */
int bench_features(const char *iface, bool gro, bool offload)
{
	cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || set_feature(fd, iface, ETHTOOL_SGRO, gro) < 0 ||
	    set_feature(fd, iface, ETHTOOL_STXCSUM, offload) < 0 ||
	    set_feature(fd, iface, ETHTOOL_STSO, offload) < 0 ||
	    set_feature(fd, iface, ETHTOOL_SGSO, offload) < 0)
		return fail(-errno, "cannot set the features of %s: %s", iface, strerror(errno));
	return 0;
}

static int make(struct bench_net *net)
{
	int r;

	if (unshare(CLONE_NEWNET) < 0 || (net->receiver = here()) < 0 ||
	    unshare(CLONE_NEWNET) < 0 || (net->sender = here()) < 0)
		return -errno;
	r = make_pair(net->receiver);
	if (r == 0)
		r = set_up(BENCH_TX, BENCH_SENDER_IP);
	if (r < 0)
		return r;
	net->tx_index = if_nametoindex(BENCH_TX);
	r = bench_features(BENCH_TX, true, false);
	if (r < 0)
		return r;
	if (setns(net->receiver, CLONE_NEWNET) < 0)
		return -errno;
	r = set_up("lo", INADDR_LOOPBACK);
	if (r == 0)
		r = set_up(BENCH_RX, BENCH_RECEIVER_IP);
	net->rx_index = if_nametoindex(BENCH_RX);
	return r;
}

int bench_net_make(struct bench_net *ret)
{
	int r = make(ret);

	if (r < 0)
		return fail(r, "cannot make network namespaces with a veth pair: %s", strerror(-r));
	/* Their sysfs, and the bpffs of the machine. */
	return netns_enter(NULL);
}
