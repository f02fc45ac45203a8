// SPDX-License-Identifier: GPL-2.0
/* The interface: driver, MTU, and the CPUs that its interrupts go to. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"

#define NET "sys/class/net"

static int ethtool(const char *name, void *command)
{
	cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_data = command };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	return fd >= 0 && ioctl(fd, SIOCETHTOOL, &request) == 0 ? 0 : -errno;
}

static enum answer read_gro(const char *name)
{
	struct ethtool_value value = { .cmd = ETHTOOL_GGRO };

	if (ethtool(name, &value) < 0)
		return UNKNOWN;
	return value.data ? YES : NO;
}

/*
 * The name that `ethtool -i` shows: the sysfs driver of an SoC port is its glue
 * (dwmac-sun8i), the same MAC driver behind it has one name. EBUSY on some
 * while the interface is down: then the sysfs name has to do.
 */
static void read_driver(int root, const char *name, char *ret, size_t size)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	if (ethtool(name, &info) == 0)
		snprintf(ret, size, "%.31s", info.driver);
	else if (file_link_name(root, ret, size, NET "/%s/device/driver", name) < 0)
		snprintf(ret, size, "unknown");
}

/* The CPUs of one interrupt: where it goes, or where it may go. */
static void add_irq(int root, const char *irq, struct cpuset *cpus)
{
	static const char *const files[] = { "effective_affinity_list", "smp_affinity_list" };
	struct cpuset set;
	char line[4096];

	for (size_t i = 0; i < 2; i++) {
		if (file_read_line(root, line, sizeof(line), "proc/irq/%s/%s", irq, files[i]) < 0 ||
		    !line[0] || cpuset_parse(line, &set) < 0)
			continue;
		cpuset_for_each(&set, cpu)
			cpuset_add(cpus, cpu);
		return;
	}
}

/*
 * The message interrupts of the device, or of the bus device above it (a
 * virtio port's belong to its PCI function). A plain one is in "irq".
 */
void facts_irq_cpus(int root, const char *iface, struct cpuset *ret)
{
	char path[PATH_MAX];
	uint32_t irq;

	*ret = (struct cpuset){ 0 };
	for (int up = 0; up < 2; up++) {
		cleanup(closedirp) DIR *dir = NULL;
		struct dirent *entry;
		int fd;

		snprintf(path, sizeof(path), NET "/%s/device/%smsi_irqs", iface, up ? "../" : "");
		fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			continue;
		dir = fdopendir(fd);
		while (dir && (entry = readdir(dir)))
			if (entry->d_name[0] != '.')
				add_irq(root, entry->d_name, ret);
		return;
	}
	if (file_read_u32(root, &irq, NET "/%s/device/irq", iface) == 0 && irq) {
		snprintf(path, sizeof(path), "%u", irq);
		add_irq(root, path, ret);
	}
}

int facts_iface(int root, const char *name, struct iface_facts *ret)
{
	*ret = (struct iface_facts){ 0 };
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	if (file_read_u32(root, &ret->index, NET "/%s/ifindex", name) < 0)
		return fail(-ENODEV, "there is no interface '%s' here (see `ip link`)", name);
	if (file_read_u32(root, &ret->mtu, NET "/%s/mtu", name) < 0)
		ret->mtu = 0;
	if (file_read_u32(root, &ret->speed_mbps, NET "/%s/speed", name) < 0)
		ret->speed_mbps = 0; /* "-1", or EINVAL while the link is down */
	read_driver(root, name, ret->driver, sizeof(ret->driver));
	ret->gro = read_gro(name);
	facts_irq_cpus(root, name, &ret->irq_cpus);
	ret->bridge_port = file_exists(root, NET "/%s/brport", name);
	if (file_read_line(root, ret->dsa_tagging, sizeof(ret->dsa_tagging), NET "/%s/dsa/tagging",
			   name) < 0)
		ret->dsa_tagging[0] = '\0';
	facts_netdev(ret->index, &ret->native, &ret->rx_frags);
	return 0;
}
