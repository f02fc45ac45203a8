// SPDX-License-Identifier: GPL-2.0
/* The interface: what it is, its driver, its queues, what its driver offers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/text.h"

#define NET "sys/class/net"

const char *const feature_names[] = {
	[FEATURE_RXCSUM] = "rx-checksum",
	[FEATURE_RXVLAN] = "rx-vlan-hw-parse",
	[FEATURE_RXVLAN_STAG] = "rx-vlan-stag-hw-parse",
	[FEATURE_LRO] = "rx-lro",
	[FEATURE_GRO] = "rx-gro",
	[FEATURE_GRO_HW] = "rx-gro-hw",
	[FEATURE_GRO_LIST] = "rx-gro-list",
	[FEATURE_UDP_GRO] = "rx-udp-gro-forwarding",
	[FEATURE_HW_TC] = "hw-tc-offload",
	[FEATURES] = NULL,
};

/* rx-lro: off [fixed] */
void facts_features(const struct source *source, const char *iface, struct feature_fact *ret)
{
	cleanup(freep) char *text = source_ask(source, "features", iface);
	char *rest = text, *line;

	memset(ret, 0, FEATURES * sizeof(*ret));
	while ((line = text_next_line(&rest))) {
		int i = text_in(strsep(&line, ":"), feature_names);

		if (i < 0 || !line)
			continue;
		line += strspn(line, " ");
		ret[i].on = text_starts(line, "on") ? YES : NO;
		ret[i].fixed = strstr(line, "[fixed]");
	}
}

/* "key: 256 of 4096" */
static bool read_number(const char *text, const char *key, uint32_t *ret, uint32_t *ret_max)
{
	size_t length = strlen(key);

	for (const char *at = text; at && *at;
	     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		if (!text_starts(at, key) || at[length] != ':')
			continue;
		at += length + 2;
		if (text_take_u32(&at, UINT32_MAX, ret) < 0)
			return false;
		if (ret_max && text_starts(at, " of ")) {
			at += strlen(" of ");
			text_take_u32(&at, UINT32_MAX, ret_max);
		}
		return true;
	}
	return false;
}

static void read_numbers(const struct source *source, struct iface_facts *ret)
{
	cleanup(freep) char *channels = source_ask(source, "channels", ret->name);
	cleanup(freep) char *rings = source_ask(source, "rings", ret->name);
	cleanup(freep) char *coalesce = source_ask(source, "coalesce", ret->name);
	cleanup(freep) char *hash = source_ask(source, "flow-hash", ret->name);
	uint32_t rx = 0, rx_max = 0, both = 0, both_max = 0;

	read_number(channels, "rx", &rx, &rx_max);
	read_number(channels, "combined", &both, &both_max);
	ret->channels_max = rx_max + both_max;
	read_number(rings, "rx", &ret->ring_rx, &ret->ring_rx_max);
	read_number(coalesce, "rx-usecs", &ret->rx_usecs, NULL);
	if (hash && text_starts(hash, "udp4: "))
		snprintf(ret->rss_udp4, sizeof(ret->rss_udp4), "%.*s", (int)strcspn(hash + 6, "\n"),
			 hash + 6);
}

/*
 * The name that `ethtool -i` shows: the sysfs driver of an SoC port is its glue
 * (dwmac-sun8i), the same MAC driver behind it has one name. EBUSY on some
 * while the interface is down: then the sysfs name has to do.
 */
static void read_driver(const struct source *source, struct iface_facts *ret)
{
	cleanup(freep) char *text = source_ask(source, "driver", ret->name);
	char *rest = text, *line;

	snprintf(ret->driver, sizeof(ret->driver), "unknown");
	file_link_name(source->root, ret->driver, sizeof(ret->driver), NET "/%s/device/driver",
		       ret->name);
	while ((line = text_next_line(&rest))) {
		if (text_starts(line, "driver: "))
			snprintf(ret->driver, sizeof(ret->driver), "%s", line + strlen("driver: "));
		if (text_starts(line, "bus-info: "))
			snprintf(ret->bus_info, sizeof(ret->bus_info), "%s",
				 line + strlen("bus-info: "));
	}
	file_link_name(source->root, ret->bus, sizeof(ret->bus), NET "/%s/device/subsystem",
		       ret->name);
}

static void read_xdp_features(const struct source *source, struct iface_facts *ret)
{
	cleanup(freep) char *text = source_ask(source, "xdp-features", ret->name);
	bool basic = false, redirect = false, frags = false;
	char *rest = text, *word;

	if (!text || !*text)
		return;
	text[strcspn(text, "\n")] = '\0';
	while ((word = text_next_word(&rest))) {
		basic |= strcmp(word, "basic") == 0;
		redirect |= strcmp(word, "redirect") == 0;
		frags |= strcmp(word, "rx-sg") == 0;
	}
	ret->native = basic && redirect ? YES : NO;
	ret->rx_frags = frags ? YES : NO;
}

/* A mask as sysfs has it, "00000000,0000000f", to a list of CPUs. */
static void mask_to_list(const char *mask, char *ret, size_t size)
{
	struct cpuset set;

	if (cpuset_parse_mask(mask, &set) == 0)
		cpuset_format(&set, ret, size);
}

void facts_rps(const struct source *source, const char *iface, struct rps_fact *ret)
{
	char line[4096];

	*ret = (struct rps_fact){ 0 };
	if (file_read_line(source->root, line, sizeof(line), NET "/%s/queues/rx-0/rps_cpus",
			   iface) == 0)
		mask_to_list(line, ret->cpus, sizeof(ret->cpus));
	file_read_line(source->root, ret->flows, sizeof(ret->flows),
		       NET "/%s/queues/rx-0/rps_flow_cnt", iface);
}

static void read_queues(int root, struct iface_facts *ret)
{
	char line[4096];

	while (file_exists(root, NET "/%s/queues/rx-%u", ret->name, ret->rx_queues))
		ret->rx_queues++;
	while (file_exists(root, NET "/%s/queues/tx-%u", ret->name, ret->tx_queues))
		ret->tx_queues++;
	/* ENOENT with one queue. */
	if (file_read_line(root, line, sizeof(line), NET "/%s/queues/tx-0/xps_cpus", ret->name) ==
	    0)
		mask_to_list(line, ret->xps, sizeof(ret->xps));
}

static void read_attributes(int root, struct iface_facts *ret)
{
	uint32_t carrier, node;

	if (file_read_u32(root, &ret->mtu, NET "/%s/mtu", ret->name) < 0)
		ret->mtu = 0;
	if (file_read_u32(root, &ret->speed_mbps, NET "/%s/speed", ret->name) < 0)
		ret->speed_mbps = 0; /* "-1", or EINVAL while the link is down */
	if (file_read_u32(root, &carrier, NET "/%s/carrier", ret->name) == 0)
		ret->carrier = carrier ? YES : NO;
	if (file_read_u32(root, &node, NET "/%s/device/numa_node", ret->name) == 0)
		ret->node = (uint16_t)node;
	file_read_line(root, ret->threaded, sizeof(ret->threaded), NET "/%s/threaded", ret->name);
	file_read_line(root, ret->gro_flush_timeout, sizeof(ret->gro_flush_timeout),
		       NET "/%s/gro_flush_timeout", ret->name);
	file_read_line(root, ret->napi_defer_hard_irqs, sizeof(ret->napi_defer_hard_irqs),
		       NET "/%s/napi_defer_hard_irqs", ret->name);
	ret->bridge_port = file_exists(root, NET "/%s/brport", ret->name);
	ret->hw_buffers = file_exists(root, NET "/%s/device/of_node/buffer-manager", ret->name);
}

int facts_iface(const struct source *source, const char *name, struct iface_facts *ret)
{
	*ret = (struct iface_facts){ 0 };
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	if (file_read_u32(source->root, &ret->index, NET "/%s/ifindex", name) < 0)
		return fail(-ENODEV, "there is no interface '%s' here (see `ip link`)", name);
	read_driver(source, ret);
	read_attributes(source->root, ret);
	read_queues(source->root, ret);
	read_numbers(source, ret);
	read_xdp_features(source, ret);
	facts_features(source, name, ret->features);
	facts_rps(source, name, &ret->rps);
	facts_stack(source, ret);
	facts_ports(source, ret);
	facts_napis(source, ret);
	facts_irqs(source, ret);
	facts_routes(source, ret);
	facts_program(source, name, &ret->xdp);
	return 0;
}
