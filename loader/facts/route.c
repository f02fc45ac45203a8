// SPDX-License-Identifier: GPL-2.0
/* What rtnetlink and the session tell: queueing disciplines that shape, where the caller sits. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>

#include "facts/source.h"
#include "lib/clean.h"
#include "lib/netlink.h"
#include "lib/process.h"
#include "lib/text.h"

static void attributes_of(const struct nlmsghdr *header, const struct nlattr **ret, uint16_t max)
{
	const struct nlattr *attr;

	memset(ret, 0, (max + 1) * sizeof(*ret));
	mnl_attr_for_each(attr, header, sizeof(struct tcmsg))
		if (mnl_attr_get_type(attr) <= max)
			ret[mnl_attr_get_type(attr)] = attr;
}

/* Bytes a second; tbf and htb put what does not fit 32 bits beside it. */
static uint64_t rate_of(const struct nlattr *wide, const struct tc_ratespec *rate)
{
	return wide ? mnl_attr_get_u64(wide) : rate->rate;
}

static uint64_t tbf_rate(const struct nlattr *options)
{
	const struct nlattr *attrs[TCA_TBF_RATE64 + 1];
	const struct tc_tbf_qopt *tbf;

	nested_attributes(options, attrs, TCA_TBF_RATE64);
	if (!attrs[TCA_TBF_PARMS])
		return 0;
	tbf = mnl_attr_get_payload(attrs[TCA_TBF_PARMS]);
	return rate_of(attrs[TCA_TBF_RATE64], &tbf->rate);
}

static uint64_t htb_rate(const struct nlattr *options)
{
	const struct nlattr *attrs[TCA_HTB_CEIL64 + 1];
	const struct tc_htb_opt *htb;

	nested_attributes(options, attrs, TCA_HTB_CEIL64);
	if (!attrs[TCA_HTB_PARMS])
		return 0;
	htb = mnl_attr_get_payload(attrs[TCA_HTB_PARMS]);
	return rate_of(attrs[TCA_HTB_CEIL64], &htb->ceil);
}

static uint64_t cake_rate(const struct nlattr *options, bool *ret_splits)
{
	const struct nlattr *attrs[TCA_CAKE_SPLIT_GSO + 1];

	nested_attributes(options, attrs, TCA_CAKE_SPLIT_GSO);
	*ret_splits = attrs[TCA_CAKE_SPLIT_GSO] && mnl_attr_get_u32(attrs[TCA_CAKE_SPLIT_GSO]);
	return attrs[TCA_CAKE_BASE_RATE64] ? mnl_attr_get_u64(attrs[TCA_CAKE_BASE_RATE64]) : 0;
}

/* eth0 cake 2500000 split-gso */
static int on_shaper(const struct nlmsghdr *header, void *data)
{
	const struct tcmsg *message = mnl_nlmsg_get_payload(header);
	const struct nlattr *attrs[TCA_OPTIONS + 1];
	bool is_class = header->nlmsg_type == RTM_NEWTCLASS, splits = false;
	char name[IF_NAMESIZE];
	uint64_t rate = 0;
	const char *kind;

	attributes_of(header, attrs, TCA_OPTIONS);
	if (!attrs[TCA_KIND] || !attrs[TCA_OPTIONS] ||
	    !if_indextoname((unsigned int)message->tcm_ifindex, name))
		return MNL_CB_OK;
	kind = mnl_attr_get_str(attrs[TCA_KIND]);
	if (is_class && strcmp(kind, "htb") == 0)
		rate = htb_rate(attrs[TCA_OPTIONS]);
	else if (!is_class && strcmp(kind, "tbf") == 0)
		rate = tbf_rate(attrs[TCA_OPTIONS]);
	else if (!is_class && strcmp(kind, "cake") == 0)
		rate = cake_rate(attrs[TCA_OPTIONS], &splits);
	if (rate)
		fprintf(data, "%s %s %llu%s\n", name, kind, (unsigned long long)rate,
			splits ? " split-gso" : "");
	return MNL_CB_OK;
}

static void dump(uint16_t type, int ifindex, FILE *out)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	struct nlmsghdr *header;
	struct tcmsg *message;

	if (netlink_open(NETLINK_ROUTE, &netlink) < 0)
		return;
	header = mnl_nlmsg_put_header(netlink.buffer);
	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	message = mnl_nlmsg_put_extra_header(header, sizeof(*message));
	message->tcm_ifindex = ifindex;
	netlink_ask(&netlink, header, on_shaper, out);
}

/* Disciplines are told of all interfaces at once, classes of one. */
void ask_shapers(const struct source *source, const char *iface, FILE *out)
{
	struct if_nameindex *all = if_nameindex();

	dump(RTM_GETQDISC, 0, out);
	for (struct if_nameindex *one = all; one && one->if_index; one++)
		dump(RTM_GETTCLASS, (int)one->if_index, out);
	if_freenameindex(all);
}

static void print_iface_of(const char *address, FILE *out)
{
	struct ifaddrs *all = NULL;
	char text[INET6_ADDRSTRLEN];

	getifaddrs(&all);
	for (struct ifaddrs *one = all; one; one = one->ifa_next) {
		const void *bytes;

		if (!one->ifa_addr)
			continue;
		if (one->ifa_addr->sa_family == AF_INET)
			bytes = &((struct sockaddr_in *)one->ifa_addr)->sin_addr;
		else if (one->ifa_addr->sa_family == AF_INET6)
			bytes = &((struct sockaddr_in6 *)one->ifa_addr)->sin6_addr;
		else
			continue;
		if (inet_ntop(one->ifa_addr->sa_family, bytes, text, sizeof(text)) &&
		    strcmp(text, address) == 0)
			fprintf(out, "%s\n", one->ifa_name);
	}
	freeifaddrs(all);
}

/* SSH_CONNECTION=client port server port, of this process or of one above: sudo drops it. */
static bool find_session(int root, uint32_t pid, char *ret_address, size_t size)
{
	cleanup(fclosep) FILE *file = NULL;
	cleanup(freep) char *entry = NULL;
	size_t room = 0;
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "proc/%u/environ", pid);
	fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	file = fd < 0 ? NULL : fdopen(fd, "r");
	while (file && getdelim(&entry, &room, '\0', file) > 0) {
		char *words = entry + strlen("SSH_CONNECTION=");

		if (!text_starts(entry, "SSH_CONNECTION="))
			continue;
		text_next_word(&words);
		text_next_word(&words);
		snprintf(ret_address, size, "%s", words ? text_next_word(&words) : "");
		return true;
	}
	return false;
}

void ask_session(const struct source *source, const char *iface, FILE *out)
{
	char address[INET6_ADDRSTRLEN] = "";
	uint32_t pid;

	for (pid = (uint32_t)getpid(); pid > 1; pid = process_parent(source->root, pid))
		if (find_session(source->root, pid, address, sizeof(address)))
			break;
	if (address[0])
		print_iface_of(address, out);
}
