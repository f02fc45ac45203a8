// SPDX-License-Identifier: GPL-2.0
/* Checks of the interface: its place, its driver, its offloads, its queues. */
#include <string.h>

#include "check/check.h"
#include "lib/text.h"

static const struct iface_facts *iface_of(const struct scene *scene)
{
	return &scene->facts->iface;
}

static const char *names(const struct iface_names *names, char *text, size_t size)
{
	*text = '\0';
	for (unsigned int i = 0; i < names->count; i++)
		text_append(text, size, "%s%s", i ? " " : "", names->at[i]);
	return text;
}

static bool is_on(const struct scene *scene, enum feature feature)
{
	return iface_of(scene)->features[feature].on == YES;
}

static bool stacked(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	char lowers[NEIGHBOURS_MAX * IFNAMSIZ];

	if (strcmp(iface->kind, "ethernet") == 0 || strcmp(iface->kind, "bond") == 0)
		return false;
	found(finding, "%s is no port but of the kind '%s'", iface->name, iface->kind);
	so_that(finding, "frames reach it when the work that steering saves is done already");
	return iface->lowers.count ? cured_by(finding, "xdp-cpumap load %s   (what is below it)",
					      names(&iface->lowers, lowers, sizeof(lowers)))
				   : cured_by(finding, "load the port that the frames come in by");
}

static bool bond(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	char lowers[NEIGHBOURS_MAX * IFNAMSIZ];

	if (strcmp(iface->kind, "bond") != 0)
		return false;
	found(finding, "%s is a bond of %s", iface->name,
	      names(&iface->lowers, lowers, sizeof(lowers)));
	so_that(finding, "offloads and interrupts are those of its ports: `check` each of them");
	return cured_by(finding, "for port in %s; do xdp-cpumap check $port; done", lowers);
}

static bool dsa(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);

	if (!iface->dsa_tagging[0])
		return false;
	found(finding, "%s is a DSA conduit of %u ports, tagged '%s'", iface->name,
	      iface->port_count, iface->dsa_tagging);
	return so_that(finding, "GRO is at the ports, behind the switch's tag; load the conduit, "
				"not the ports");
}

static bool dsa_hardware_tag(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);

	if (!iface->dsa_tagging[0] || strcmp(iface->driver, "mtk_eth_soc") != 0 || scene->generic)
		return false;
	found(finding, "the driver '%s' takes the DSA tag off and keeps the port beside the frame",
	      iface->driver);
	so_that(finding, "a redirected frame has lost its port, and the switch driver drops it");
	return cured_by(finding, "xdp-cpumap load %s --mode skb", iface->name);
}

static bool native(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);

	if (iface->native != NO)
		return false;
	found(finding, "the driver '%s' has no native XDP here", iface->driver);
	so_that(finding,
		iface->port_count
			? "generic (skb) XDP: the RX CPU builds each skb; GRO is at the ports"
			: "generic (skb) XDP: the RX CPU builds each skb, and there is no GRO");
	return cured_by(finding, "RPS may do as well: compare with `xdp-cpumap bench`");
}

static bool help(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	const struct profile *profile = profile_of(iface);

	if (!profile->no_help || iface->native == YES)
		return false;
	found(finding, "with the driver '%s' steering costs more than it gains", iface->driver);
	so_that(finding, "throughput goes down");
	return cured_by(finding, profile->instead, iface->name);
}

static bool advice(const struct scene *scene, struct finding *finding)
{
	const struct profile *profile = profile_of(iface_of(scene));

	if (profile->no_help || !profile->instead)
		return false;
	found(finding, "driver '%s'", iface_of(scene)->driver);
	return so_that(finding, "%s", profile->instead);
}

static bool loses(const struct scene *scene, struct finding *finding)
{
	const struct profile *profile = profile_of(iface_of(scene));

	if (!profile->loses || scene->generic)
		return false;
	found(finding, "with the driver '%s' a redirected frame loses more than usual",
	      iface_of(scene)->driver);
	return so_that(finding, "lost: %s", profile->loses);
}

static bool mtu(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	uint32_t limit = plan_native_mtu(scene->facts);

	if (scene->generic || !limit || iface->mtu <= limit)
		return false;
	found(finding, "the MTU is %u, and the driver '%s' takes native XDP up to %u", iface->mtu,
	      iface->driver, limit);
	so_that(finding, "the kernel refuses the program");
	if (iface->port_count)
		return cured_by(finding,
				"xdp-cpumap load %s --mode skb   (or lower the MTU of the ports "
				"until that of %s is %u)",
				iface->name, iface->name, limit);
	return cured_by(finding, "ip link set %s mtu %u   (or --mode skb)", iface->name, limit);
}

static bool hw_buffers(const struct scene *scene, struct finding *finding)
{
	if (!iface_of(scene)->hw_buffers || scene->generic)
		return false;
	found(finding, "the hardware manages the buffers (mvneta_bm)");
	so_that(finding, "the driver refuses native XDP");
	return cured_by(finding, "rmmod mvneta_bm, or take buffer-manager out of the device tree");
}

static bool rx_vlan(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);

	if (scene->generic || !is_on(scene, FEATURE_RXVLAN))
		return false;
	found(finding, "the NIC strips VLAN tags (rx-vlan-hw-parse)%s",
	      iface->features[FEATURE_RXVLAN].fixed ? ", and the driver fixes that" : "");
	so_that(finding, "a redirected frame arrives untagged, on the wrong network");
	if (!iface->features[FEATURE_RXVLAN].fixed)
		return cured_by(finding, "ethtool -K %s rxvlan off", iface->name);
	finding->severity = iface->has_vlans ? SEVERITY_ERROR : SEVERITY_WARNING;
	return cured_by(finding, "xdp-cpumap load %s --mode skb", iface->name);
}

/* What must be off, and load turns off where it can. */
static bool must_be_off(const struct scene *scene, enum feature feature, const char *ethtool,
			struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);

	if (!is_on(scene, feature))
		return false;
	found(finding, "the NIC merges frames (%s)%s", feature_names[feature],
	      iface->features[feature].fixed ? ", and the driver fixes that" : "");
	so_that(finding, "XDP refuses merged frames, and a router cannot forward them");
	if (!iface->features[feature].fixed)
		return cured_by(finding, "ethtool -K %s %s off", iface->name, ethtool);
	finding->severity = scene->generic ? SEVERITY_WARNING : SEVERITY_ERROR;
	if (strcmp(iface->driver, "virtio_net") == 0)
		return cured_by(finding,
				"in libvirt's <driver>: <guest tso4='off' tso6='off' ufo='off'/>");
	return cured_by(finding, "xdp-cpumap load %s --mode skb", iface->name);
}

static bool lro(const struct scene *scene, struct finding *finding)
{
	return must_be_off(scene, FEATURE_LRO, "lro", finding);
}

static bool gro_hw(const struct scene *scene, struct finding *finding)
{
	return must_be_off(scene, FEATURE_GRO_HW, "rx-gro-hw", finding);
}

static bool gro_off_at(const struct scene *scene, char *ret, size_t size)
{
	const struct iface_facts *iface = iface_of(scene);

	*ret = '\0';
	if (!iface->port_count && iface->features[FEATURE_GRO].on == NO)
		snprintf(ret, size, "%s", iface->name);
	for (unsigned int i = 0; i < iface->port_count; i++)
		if (iface->ports[i].features[FEATURE_GRO].on == NO)
			text_append(ret, size, "%s%s", *ret ? " " : "", iface->ports[i].name);
	return *ret;
}

static bool gro(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	char where[NEIGHBOURS_MAX * IFNAMSIZ];
	const char *why;

	if (!gro_off_at(scene, where, sizeof(where)) ||
	    plan_gro(scene->policy, scene->facts, &why) == KEEP_OFF ||
	    (!iface->port_count && (scene->generic || scene->facts->kernel.gro != YES)))
		return false;
	found(finding, "GRO is off at %s", where);
	so_that(finding, "each TCP segment goes through the stack by itself");
	return cured_by(finding, "xdp-cpumap load %s --gro on", iface->name);
}

static bool fraglist(const struct scene *scene, struct finding *finding)
{
	if (!is_on(scene, FEATURE_GRO_LIST) && !is_on(scene, FEATURE_UDP_GRO))
		return false;
	found(finding, "UDP is merged for forwarding (%s)",
	      feature_names[is_on(scene, FEATURE_GRO_LIST) ? FEATURE_GRO_LIST : FEATURE_UDP_GRO]);
	so_that(finding, "a shaper behind it cuts packets up again, and sees fewer, larger ones");
	return cured_by(finding, "ethtool -K %s rx-gro-list off rx-udp-gro-forwarding off",
			iface_of(scene)->name);
}

static bool rx_checksum(const struct scene *scene, struct finding *finding)
{
	if (iface_of(scene)->features[FEATURE_RXCSUM].on != NO)
		return false;
	found(finding, "the NIC does not verify checksums");
	so_that(finding, "GRO sums each byte in software, with steering or without");
	return cured_by(finding, "xdp-cpumap bench   (compares GRO on and off)");
}

static bool role(const struct scene *scene, struct finding *finding)
{
	const char *why;

	if (scene->policy->role != ROLE_ROUTER || scene->policy->gro != KEEP ||
	    plan_gro(scene->policy, scene->facts, &why) != KEEP_OFF)
		return false;
	found(finding, "a router with %u KiB of cache and no receive checksum offload",
	      scene->facts->cpus.cache_kib);
	so_that(finding,
		"GRO sums each byte, which can cost more than it saves: load turns it off");
	return cured_by(finding, "xdp-cpumap bench   (and --gro on if it says so)");
}

static bool queues(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	unsigned int targets = cpuset_count(&scene->targets);

	/* Queues that share an interrupt share a CPU; a virtual port's have none. */
	if (iface->rx_queues < 2 || iface->rx_queues < targets ||
	    iface->irq_count < iface->rx_queues)
		return false;
	found(finding, "%u receive queues, as many as CPUs that could be targets",
	      iface->rx_queues);
	so_that(finding, "the NIC spreads what its RSS can hash for nothing; steering gains with "
			 "PPPoE, tunnels, and what lands on one queue");
	return cured_by(finding, "ethtool -S %s | grep rx_queue   (are they even?)", iface->name);
}

/* A fragment has no ports: it is hashed otherwise than the whole packets of its flow. */
static bool rss_order(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);

	if (iface->rx_queues < 2 || !scene->facts->host.fragments ||
	    !strpbrk(iface->rss_udp4, "fn"))
		return false;
	found(finding, "RSS hashes UDP on its ports (%s), and fragments come in", iface->rss_udp4);
	so_that(finding, "a flow with both arrives on two queues, out of order before we see it");
	return cured_by(finding, "ethtool -N %s rx-flow-hash udp4 sd", iface->name);
}

static bool link_resets(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = iface_of(scene);
	const struct profile *profile = profile_of(iface);

	if (scene->generic || scene->facts->loaded.state == LOADED || !profile->resets_link ||
	    (!iface->default_route && !iface->session))
		return false;
	found(finding, "attach takes the link of %s down, and %s over it", iface->name,
	      iface->session ? "your SSH session runs" : "the default route goes");
	so_that(finding, "%s", profile->attach);
	return cured_by(finding, "xdp-cpumap load %s --yes   (in scripts: it is not asked then)",
			iface->name);
}

static bool foreign(const struct scene *scene, struct finding *finding)
{
	const struct xdp_facts *xdp = &iface_of(scene)->xdp;

	if (!xdp->prog_id || scene->facts->loaded.attach != ATTACH_NONE ||
	    (xdp->dispatcher && scene->policy->dispatcher != ASK_NO))
		return false;
	found(finding, "another XDP program is there: id %u, name '%s', tag %s", xdp->prog_id,
	      xdp->prog_name, xdp->prog_tag);
	so_that(finding, "it is not replaced: load refuses (exit code 4)");
	return cured_by(finding, "bpftool net show dev %s; then remove it with the tool it is of",
			iface_of(scene)->name);
}

const struct check place_checks[] = {
	{ "IF-STACKED", SEVERITY_ERROR, stacked },
	{ 0 },
};

const struct check iface_checks[] = {
	{ "IF-BOND", SEVERITY_INFO, bond },
	{ "IF-DSA", SEVERITY_INFO, dsa },
	{ "IF-DSA-HWTAG", SEVERITY_ERROR, dsa_hardware_tag },
	{ "DRV-XDP", SEVERITY_WARNING, native },
	{ "DRV-HELP", SEVERITY_ERROR, help },
	{ "DRV-ADVICE", SEVERITY_HINT, advice },
	{ "DRV-LOSES", SEVERITY_WARNING, loses },
	{ "DRV-MTU", SEVERITY_ERROR, mtu },
	{ "DRV-BM", SEVERITY_ERROR, hw_buffers },
	{ "OFF-RXVLAN", SEVERITY_FIX, rx_vlan },
	{ "OFF-LRO", SEVERITY_FIX, lro },
	{ "OFF-GROHW", SEVERITY_FIX, gro_hw },
	{ "OFF-GRO", SEVERITY_HINT, gro },
	{ "OFF-FRAGLIST", SEVERITY_HINT, fraglist },
	{ "OFF-RXCSUM", SEVERITY_HINT, rx_checksum },
	{ "ROLE-GRO", SEVERITY_FIX, role },
	{ "Q-MULTI", SEVERITY_HINT, queues },
	{ "RSS-ORDER", SEVERITY_WARNING, rss_order },
	{ "RT-LINK", SEVERITY_WARNING, link_resets },
	{ "XDP-FOREIGN", SEVERITY_ERROR, foreign },
	{ 0 },
};
