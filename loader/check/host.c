// SPDX-License-Identifier: GPL-2.0
/* Checks of the kernel, and of what else on the machine has a say in where packets go. */
#include <string.h>

#include "check/check.h"
#include "lib/text.h"

static bool may_bpf(const struct scene *scene, struct finding *finding)
{
	const struct kernel_facts *kernel = &scene->facts->kernel;

	if (kernel->bpf != NO)
		return false;
	found(finding, "the kernel lets us load no BPF program%s%s",
	      strcmp(kernel->lockdown, "confidentiality") == 0 ? ", it is locked down: " : "",
	      strcmp(kernel->lockdown, "confidentiality") == 0 ? kernel->lockdown : "");
	so_that(finding, "load fails");
	return cured_by(finding, "run it as root, with CAP_BPF and CAP_NET_ADMIN");
}

static bool memlock(const struct scene *scene, struct finding *finding)
{
	if (scene->facts->kernel.memlock != YES)
		return false;
	found(finding, "this kernel charges maps to RLIMIT_MEMLOCK, and we may not raise it");
	so_that(finding, "load fails for want of memory");
	return cured_by(finding, "run it with CAP_SYS_RESOURCE, or after ulimit -l unlimited");
}

static bool second_stage(const struct scene *scene, struct finding *finding)
{
	if (scene->facts->kernel.second_stage != NO)
		return false;
	found(finding, "cpumap entries take no program (Linux 5.9)");
	so_that(finding, "load fails");
	return cured_by(finding, "a newer kernel");
}

static bool generic(const struct scene *scene, struct finding *finding)
{
	if (!scene->generic || scene->facts->kernel.generic != NO)
		return false;
	found(finding, "this kernel has no cpumap behind generic (skb) XDP (Linux 5.15)");
	so_that(finding, "it refuses the program");
	return cured_by(finding, "a newer kernel, or a driver with native XDP");
}

static bool gro(const struct scene *scene, struct finding *finding)
{
	const struct facts *facts = scene->facts;

	if (facts->kernel.gro != NO || scene->generic || facts->iface.port_count)
		return false;
	found(finding, "the kernel's cpumap does no GRO (Linux 6.15)");
	so_that(finding, "TCP to this machine may be slower than without steering; small packets "
			 "and UDP gain all the same");
	return cured_by(finding, "a newer kernel; or compare: xdp-cpumap bench");
}

static bool jit(const struct scene *scene, struct finding *finding)
{
	const struct kernel_facts *kernel = &scene->facts->kernel;

	if (kernel->jit != NO)
		return false;
	so_that(finding, "the program costs several times as much for each frame");
	if (strcmp(kernel->jit_enable, "0") == 0) {
		found(finding, "BPF programs are interpreted (net.core.bpf_jit_enable is 0)");
		return cured_by(finding, "sysctl net.core.bpf_jit_enable=1");
	}
	found(finding,
	      "BPF programs are interpreted: this kernel has no JIT for them, or it fails");
	return cured_by(finding, "a kernel with CONFIG_BPF_JIT; or compare: xdp-cpumap bench");
}

static bool bpffs(const struct scene *scene, struct finding *finding)
{
	if (scene->facts->kernel.bpffs != NO)
		return false;
	found(finding, "the BPF file system is not mounted");
	so_that(finding, "load mounts it");
	return cured_by(finding, "mount -t bpf bpf /sys/fs/bpf");
}

static bool dispatcher(const struct scene *scene, struct finding *finding)
{
	if (scene->policy->dispatcher != ASK_YES || scene->facts->kernel.extensions != NO)
		return false;
	found(finding, "no program can replace another here (freplace)");
	so_that(finding, "libxdp's dispatcher cannot work");
	return cured_by(finding, "--dispatcher no");
}

static bool steers_at(const struct rps_fact *rps)
{
	return rps->cpus[0] && strcmp(rps->cpus, "none") != 0;
}

static bool rps(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = &scene->facts->iface;
	const char *name = steers_at(&iface->rps) ? iface->name : NULL;
	const char *cpus = iface->rps.cpus;

	for (unsigned int i = 0; !name && i < iface->port_count; i++)
		if (steers_at(&iface->ports[i].rps)) {
			name = iface->ports[i].name;
			cpus = iface->ports[i].rps.cpus;
		}
	if (!name)
		return false;
	if (scene->policy->keep_rps)
		finding->severity = SEVERITY_WARNING;
	found(finding, "RPS of %s steers rx-0 to CPUs %s", name, cpus);
	so_that(finding, "what a target CPU takes would be steered a second time");
	return cured_by(finding, "echo 0 >/sys/class/net/%s/queues/rx-0/rps_cpus", name);
}

static bool packet_steering(const struct scene *scene, struct finding *finding)
{
	if (!strstr(scene->facts->host.services, "packet_steering"))
		return false;
	found(finding, "OpenWrt's packet_steering is on");
	so_that(finding, "it rewrites rps_cpus a second after each event of an interface");
	return cured_by(finding,
			"uci set network.@globals[0].packet_steering=0; uci commit network");
}

static bool services(const struct scene *scene, struct finding *finding)
{
	const struct host_facts *host = &scene->facts->host;

	if ((!host->services[0] || strcmp(host->services, "packet_steering") == 0) &&
	    !host->pins[0])
		return false;
	found(finding, "somebody else may steer here: %s%s%s", host->services,
	      host->services[0] && host->pins[0] ? ", " : "", host->pins);
	return so_that(finding, "two that change the same interface undo each other");
}

static bool irqbalance(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = &scene->facts->iface;

	if (scene->facts->host.irqbalance != YES || !iface->irq_count)
		return false;
	found(finding, "irqbalance runs, and may move interrupt %u of %s", iface->irqs[0].irq,
	      iface->name);
	so_that(finding, "the RX CPU may become one of the targets");
	return cured_by(finding, "IRQBALANCE_ARGS=\"--banirq=%u\" in /etc/default/irqbalance",
			iface->irqs[0].irq);
}

static bool hw_offload(const struct scene *scene, struct finding *finding)
{
	if (scene->facts->iface.features[FEATURE_HW_TC].on != YES)
		return false;
	found(finding, "hardware flow offload may be in use (hw-tc-offload)");
	return so_that(finding, "flows that the hardware forwards never reach a CPU, or us");
}

/* A merged packet of 64 KiB on a line of 40 Mbit/s holds all others up for 13 ms. */
static bool shaper(const struct scene *scene, struct finding *finding)
{
	enum { SLOW = 40000000 / 8, PACKET = 65536 };
	const struct host_facts *host = &scene->facts->host;

	for (unsigned int i = 0; i < host->shaper_count; i++) {
		const struct shaper *shaper = &host->shapers[i];

		if (shaper->splits || shaper->bytes_per_s >= SLOW || !shaper->bytes_per_s)
			continue;
		found(finding, "%s on %s shapes to %llu kbit/s and does not split merged packets",
		      shaper->kind, shaper->iface, (unsigned long long)shaper->bytes_per_s / 125);
		so_that(finding, "a merged packet of 64 KiB holds all others up for %llu ms",
			PACKET * 1000ULL / shaper->bytes_per_s);
		return cured_by(finding,
				"cake with split-gso instead, or xdp-cpumap load %s --gro off",
				scene->facts->iface.name);
	}
	return false;
}

const struct check host_checks[] = {
	{ "BPF-UNPRIV", SEVERITY_ERROR, may_bpf },
	{ "BPF-FS", SEVERITY_FIX, bpffs },
	{ "BPF-JIT", SEVERITY_WARNING, jit },
	{ "BPF-MEMLOCK", SEVERITY_ERROR, memlock },
	{ "KRN-STAGE", SEVERITY_ERROR, second_stage },
	{ "KRN-GENERIC", SEVERITY_ERROR, generic },
	{ "KRN-GRO", SEVERITY_WARNING, gro },
	{ "KRN-EXT", SEVERITY_ERROR, dispatcher },
	{ "CONF-RPS", SEVERITY_FIX, rps },
	{ "CONF-STEERING", SEVERITY_WARNING, packet_steering },
	{ "CONF-OTHERS", SEVERITY_WARNING, services },
	{ "CONF-IRQB", SEVERITY_WARNING, irqbalance },
	{ "CONF-HWOFF", SEVERITY_HINT, hw_offload },
	{ "CONF-SHAPER", SEVERITY_WARNING, shaper },
	{ 0 },
};
