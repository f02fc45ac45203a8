// SPDX-License-Identifier: GPL-2.0
/* What is known of drivers, from reading them: used where facts do not tell. */
#include <string.h>

#include "plan/plan.h"

#define RESTARTS "the driver stops and starts the port: the link is away for a second or more"

static const struct profile profiles[] = {
	{ .driver = "st_gmac", .native_mtu = 1500, .resets_link = true, .attach = RESTARTS },
	{ .driver = "st_xgmac", .native_mtu = 1500, .resets_link = true, .attach = RESTARTS },
	{ .driver = "st_mac100", .native_mtu = 1500, .resets_link = true, .attach = RESTARTS },
	{ .driver = "cpsw",
	  .instead = "the driver hands over each frame by itself, so a target CPU is woken for "
		     "each and merges little: compare with RPS" },
	{ .driver = "cpsw-switch",
	  .loses = "the mark that the switch forwarded the frame already: a bridge floods it again "
		   "in software",
	  .instead = "the driver hands over each frame by itself, so a target CPU is woken for "
		     "each and merges little: compare with RPS" },
	{ .driver = "am65-cpsw-nuss",
	  .resets_link = true,
	  .attach = "the driver stops and starts the port at each change of the program, also when "
		    "one replaces another",
	  .loses = "in switch mode, the mark that the switch forwarded the frame already" },
	{ .driver = "ag71xx",
	  .no_help = true,
	  .instead = "the driver has no native XDP and generic XDP copies every frame: "
		     "`ethtool -K %s gro on` and threaded NAPI do more" },
	{ .driver = "mvneta", .resets_link = true, .attach = RESTARTS },
	{ .driver = "mtk_eth_soc",
	  .resets_link = true,
	  .attach = "the driver stops and starts all its ports, and one program serves them all",
	  .loses = "the switch port, where the hardware took the DSA tag off, and what its flow "
		   "offload learns from" },
	{ .driver = "igb", .resets_link = true, .attach = RESTARTS },
	{ .driver = "virtio_net", .attach = "the driver sets its queues up anew; the link stays" },
	{ .driver = "veth",
	  .instead = "the peer must finish its checksums itself: `ethtool -K PEER tx off`" },
};

const struct profile *profile_of(const struct iface_facts *iface)
{
	static const struct profile unknown;

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)
		if (strcmp(profiles[i].driver, iface->driver) == 0)
			return &profiles[i];
	return &unknown;
}

/*
 * Without frags a frame must fit a page, beside XDP's headroom (256) and the
 * skb_shared_info (320); 22 bytes are for Ethernet and two VLAN tags.
 */
uint32_t plan_native_mtu(const struct facts *facts)
{
	const struct iface_facts *iface = &facts->iface;

	if (iface->rx_frags == YES && facts->kernel.frags != NO)
		return 0;
	if (profile_of(iface)->native_mtu)
		return profile_of(iface)->native_mtu;
	if (iface->rx_frags == NO || facts->kernel.frags == NO)
		return facts->cpus.page_size - 256 - 320 - 22;
	return 0;
}
