// SPDX-License-Identifier: GPL-2.0
/* What ethtool shows: the driver, and by the ethtool netlink family features, channels, rings. */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "facts/source.h"
#include "lib/clean.h"
#include "lib/netlink.h"

/*
 * driver: virtio_net
 * version: 1.0.0
 * bus-info: 0000:00:03.0
 */
void ask_driver(const struct source *source, const char *iface, FILE *out)
{
	cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq request = { .ifr_data = (void *)&info };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", iface);
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request) < 0)
		return;
	fprintf(out, "driver: %.31s\nversion: %.31s\nbus-info: %.31s\n", info.driver, info.version,
		info.bus_info);
}

static void get(const char *iface, uint8_t command, mnl_cb_t callback, FILE *out)
{
	cleanup(netlink_close) struct netlink netlink = { 0 };
	struct nlmsghdr *header;
	struct nlattr *nest;

	if (genl_open(ETHTOOL_GENL_NAME, &netlink) < 0)
		return;
	header = genl_message(&netlink, command, false);
	/* The header is attribute 1 of every request. */
	nest = mnl_attr_nest_start(header, ETHTOOL_A_FEATURES_HEADER);
	mnl_attr_put_strz(header, ETHTOOL_A_HEADER_DEV_NAME, iface);
	mnl_attr_nest_end(header, nest);
	netlink_ask(&netlink, header, callback, out);
}

/*
 * Whether the bit is set. A bitset with a mask lists all bits of the mask, and
 * marks those that are set; one without a mask lists just these.
 */
static bool has_bit(const struct nlattr *bitset, const char *name)
{
	const struct nlattr *set[ETHTOOL_A_BITSET_BITS + 1], *bit[ETHTOOL_A_BITSET_BIT_VALUE + 1];
	const struct nlattr *at;

	nested_attributes(bitset, set, ETHTOOL_A_BITSET_BITS);
	if (!set[ETHTOOL_A_BITSET_BITS])
		return false;
	mnl_attr_for_each_nested(at, set[ETHTOOL_A_BITSET_BITS]) {
		nested_attributes(at, bit, ETHTOOL_A_BITSET_BIT_VALUE);
		if (bit[ETHTOOL_A_BITSET_BIT_NAME] &&
		    strcmp(mnl_attr_get_str(bit[ETHTOOL_A_BITSET_BIT_NAME]), name) == 0)
			return set[ETHTOOL_A_BITSET_NOMASK] || bit[ETHTOOL_A_BITSET_BIT_VALUE];
	}
	return false;
}

/* The features whose state tells anything here; names as `ethtool -k` has them below GRO. */
static const char *const told[] = {
	"rx-checksum", "rx-vlan-hw-parse", "rx-vlan-stag-hw-parse", "rx-lro",	  "rx-gro",
	"rx-gro-hw",   "rx-gro-list",	   "rx-udp-gro-forwarding", "rx-hashing", "hw-tc-offload"
};

/*
 * rx-gro: on
 * rx-lro: off [fixed]
 */
static int on_features(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attrs[ETHTOOL_A_FEATURES_NOCHANGE + 1];
	const struct nlattr *hw, *active, *never;

	genl_attributes(header, attrs, ETHTOOL_A_FEATURES_NOCHANGE);
	for (int i = ETHTOOL_A_FEATURES_HW; i <= ETHTOOL_A_FEATURES_NOCHANGE; i++)
		if (!attrs[i])
			return MNL_CB_OK;
	hw = attrs[ETHTOOL_A_FEATURES_HW];
	active = attrs[ETHTOOL_A_FEATURES_ACTIVE];
	never = attrs[ETHTOOL_A_FEATURES_NOCHANGE];
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		fprintf(data, "%s: %s%s\n", told[i], has_bit(active, told[i]) ? "on" : "off",
			has_bit(hw, told[i]) && !has_bit(never, told[i]) ? "" : " [fixed]");
	return MNL_CB_OK;
}

void ask_features(const struct source *source, const char *iface, FILE *out)
{
	get(iface, ETHTOOL_MSG_FEATURES_GET, on_features, out);
}

/* A number of a reply, and the most it can be; no_max: 0. */
struct number {
	const char *name;
	uint16_t attr, max;
};

static void print_numbers(const struct nlmsghdr *header, const struct number *numbers, size_t count,
			  FILE *out)
{
	enum { HIGHEST = 32 };
	const struct nlattr *attrs[HIGHEST + 1];

	genl_attributes(header, attrs, HIGHEST);
	for (size_t i = 0; i < count; i++) {
		if (!attrs[numbers[i].attr])
			continue;
		fprintf(out, "%s: %u", numbers[i].name, mnl_attr_get_u32(attrs[numbers[i].attr]));
		if (numbers[i].max && attrs[numbers[i].max])
			fprintf(out, " of %u", mnl_attr_get_u32(attrs[numbers[i].max]));
		fputc('\n', out);
	}
}

/* combined: 4 of 8 */
static int on_channels(const struct nlmsghdr *header, void *data)
{
	static const struct number numbers[] = {
		{ "rx", ETHTOOL_A_CHANNELS_RX_COUNT, ETHTOOL_A_CHANNELS_RX_MAX },
		{ "tx", ETHTOOL_A_CHANNELS_TX_COUNT, ETHTOOL_A_CHANNELS_TX_MAX },
		{ "combined", ETHTOOL_A_CHANNELS_COMBINED_COUNT, ETHTOOL_A_CHANNELS_COMBINED_MAX },
	};

	print_numbers(header, numbers, sizeof(numbers) / sizeof(numbers[0]), data);
	return MNL_CB_OK;
}

void ask_channels(const struct source *source, const char *iface, FILE *out)
{
	get(iface, ETHTOOL_MSG_CHANNELS_GET, on_channels, out);
}

/* rx: 256 of 4096 */
static int on_rings(const struct nlmsghdr *header, void *data)
{
	static const struct number numbers[] = {
		{ "rx", ETHTOOL_A_RINGS_RX, ETHTOOL_A_RINGS_RX_MAX },
		{ "tx", ETHTOOL_A_RINGS_TX, ETHTOOL_A_RINGS_TX_MAX },
	};

	print_numbers(header, numbers, sizeof(numbers) / sizeof(numbers[0]), data);
	return MNL_CB_OK;
}

void ask_rings(const struct source *source, const char *iface, FILE *out)
{
	get(iface, ETHTOOL_MSG_RINGS_GET, on_rings, out);
}

/* rx-usecs: 50 */
static int on_coalesce(const struct nlmsghdr *header, void *data)
{
	static const struct number numbers[] = {
		{ "rx-usecs", ETHTOOL_A_COALESCE_RX_USECS, 0 },
		{ "rx-frames", ETHTOOL_A_COALESCE_RX_MAX_FRAMES, 0 },
	};

	print_numbers(header, numbers, sizeof(numbers) / sizeof(numbers[0]), data);
	return MNL_CB_OK;
}

void ask_coalesce(const struct source *source, const char *iface, FILE *out)
{
	get(iface, ETHTOOL_MSG_COALESCE_GET, on_coalesce, out);
}

/* udp4: sdfn, in the letters of `ethtool -N IFACE rx-flow-hash` */
void ask_flow_hash(const struct source *source, const char *iface, FILE *out)
{
	static const struct {
		uint64_t bit;
		char letter;
	} parts[] = {
		{ RXH_IP_SRC, 's' },
		{ RXH_IP_DST, 'd' },
		{ RXH_L4_B_0_1, 'f' },
		{ RXH_L4_B_2_3, 'n' },
	};
	cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ethtool_rxnfc rule = { .cmd = ETHTOOL_GRXFH, .flow_type = UDP_V4_FLOW };
	struct ifreq request = { .ifr_data = (void *)&rule };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", iface);
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request) < 0)
		return;
	fprintf(out, "udp4: ");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (rule.data & parts[i].bit)
			fputc(parts[i].letter, out);
	fputc('\n', out);
}
