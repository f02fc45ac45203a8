// SPDX-License-Identifier: GPL-2.0
/* Checks of the CPUs: which would be targets, and what they do besides. */
#include <string.h>

#include "check/check.h"
#include "lib/text.h"

enum { LIST = 192 };

static struct cpuset common(const struct cpuset *a, const struct cpuset *b)
{
	struct cpuset both = { 0 };

	cpuset_for_each(a, cpu)
		if (cpuset_has(b, cpu))
			cpuset_add(&both, cpu);
	return both;
}

static bool one(const struct scene *scene, struct finding *finding)
{
	if (cpuset_count(&scene->facts->cpus.online) != 1)
		return false;
	found(finding, "there is one CPU");
	so_that(finding, "there is nobody to hand frames to: steering costs and gains nothing");
	return cured_by(finding, "ethtool -K %s gro on", scene->facts->iface.name);
}

static bool named(const struct scene *scene, struct finding *finding)
{
	const struct cpu_shares *wanted = &scene->policy->cpus;
	const struct cpu_facts *cpus = &scene->facts->cpus;
	char list[LIST];

	for (unsigned int i = 0; i < wanted->count; i++) {
		if (cpuset_has(&cpus->online, wanted->at[i].cpu))
			continue;
		found(finding, "CPU %u %s", wanted->at[i].cpu,
		      cpuset_has(&cpus->possible, wanted->at[i].cpu) ? "is offline"
								     : "does not exist");
		so_that(finding, "the kernel could not bind a thread to it");
		return cured_by(finding, "--cpus with some of %s",
				cpuset_format(&cpus->online, list, sizeof(list)));
	}
	return false;
}

static bool none(const struct scene *scene, struct finding *finding)
{
	char list[LIST];

	if (cpuset_count(&scene->targets) || scene->policy->cpus.count ||
	    cpuset_count(&scene->facts->cpus.online) < 2)
		return false;
	found(finding, "each CPU we may use serves interrupts of %s", scene->facts->iface.name);
	so_that(finding, "--cpus auto finds no free one");
	return cured_by(finding, "xdp-cpumap load %s --cpus LIST, of %s; or --irq-cpus",
			scene->facts->iface.name,
			cpuset_format(&scene->facts->cpus.allowed, list, sizeof(list)));
}

static bool not_allowed(const struct scene *scene, struct finding *finding)
{
	const struct cpu_facts *cpus = &scene->facts->cpus;
	struct cpuset outside = scene->targets;
	char list[LIST], allowed[LIST];

	cpuset_for_each(&cpus->allowed, cpu)
		cpuset_remove(&outside, cpu);
	if (!cpuset_count(&outside))
		return false;
	found(finding, "CPUs %s are outside of this process's cpuset (%s)",
	      cpuset_format(&outside, list, sizeof(list)),
	      cpuset_format(&cpus->allowed, allowed, sizeof(allowed)));
	return so_that(finding, "kernel threads run there all the same, in a partition of others");
}

static bool irq(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = &scene->facts->iface;
	struct cpuset irqs = plan_irq_cpus(scene->policy, scene->facts);
	struct cpuset both = common(&scene->targets, &irqs);
	char list[LIST];

	if (!cpuset_count(&both))
		return false;
	found(finding, "targets that serve interrupts of %s, too: CPU %s", iface->name,
	      cpuset_format(&both, list, sizeof(list)));
	so_that(finding, "there, receiving and the stack compete, and the queue overflows first");
	return cured_by(finding, "xdp-cpumap load %s --cpus auto   (or move them: --irq-cpus LIST)",
			iface->name);
}

static bool fixed_irq(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = &scene->facts->iface;
	unsigned int fixed = 0;
	char list[LIST];

	for (unsigned int i = 0; i < iface->irq_count; i++)
		fixed += iface->irqs[i].fixed;
	if (!fixed)
		return false;
	found(finding, "%u of %u interrupts cannot be moved, they are on CPU %s", fixed,
	      iface->irq_count, cpuset_format(&iface->irq_cpus, list, sizeof(list)));
	return so_that(finding, "irqbalance and smp_affinity do nothing here; steering does");
}

static bool capacity(const struct scene *scene, struct finding *finding)
{
	const struct cpu_facts *cpus = &scene->facts->cpus;
	uint16_t least = UINT16_MAX, most = 0;
	struct cpuset big = { 0 };
	char list[LIST];

	cpuset_for_each(&scene->targets, cpu) {
		least = cpus->capacity[cpu] < least ? cpus->capacity[cpu] : least;
		most = cpus->capacity[cpu] > most ? cpus->capacity[cpu] : most;
	}
	if (!least || least >= most)
		return false;
	cpuset_for_each(&cpus->online, cpu)
		if (cpus->capacity[cpu] == most && !cpuset_has(&scene->facts->iface.irq_cpus, cpu))
			cpuset_add(&big, cpu);
	found(finding, "the targets are of different speed (capacity %u to %u)", least, most);
	so_that(finding, "a flow that falls on a slow CPU stays slow");
	return cured_by(finding, "--cpus %s   (the fast ones; or weights)",
			cpuset_format(&big, list, sizeof(list)));
}

static bool siblings(const struct scene *scene, struct finding *finding)
{
	const struct cpu_facts *cpus = &scene->facts->cpus;
	struct cpuset cores = { 0 };
	unsigned int shared = 0;

	cpuset_for_each(&scene->targets, cpu) {
		shared += cpuset_has(&cores, cpus->core[cpu]);
		cpuset_add(&cores, cpus->core[cpu]);
	}
	if (!shared)
		return false;
	found(finding, "%u of the targets share a core with another (SMT)", shared);
	return so_that(finding, "two of them carry less than twice what one carries");
}

static bool nodes(const struct scene *scene, struct finding *finding)
{
	const struct cpu_facts *cpus = &scene->facts->cpus;
	uint16_t home = scene->facts->iface.node;
	struct cpuset near = { 0 };
	unsigned int far = 0;
	char list[LIST];

	cpuset_for_each(&scene->targets, cpu)
		far += cpus->node[cpu] != home;
	if (!far || cpus->nodes < 2)
		return false;
	cpuset_for_each(&cpus->online, cpu)
		if (cpus->node[cpu] == home && !cpuset_has(&scene->facts->iface.irq_cpus, cpu))
			cpuset_add(&near, cpu);
	found(finding, "%u targets are on another NUMA node than the NIC (node %u)", far, home);
	so_that(finding, "each frame crosses the link between the sockets");
	return cured_by(finding, "--cpus with some of %s",
			cpuset_format(&near, list, sizeof(list)));
}

static bool isolated(const struct scene *scene, struct finding *finding)
{
	const struct cpu_facts *cpus = &scene->facts->cpus;
	struct cpuset both = common(&scene->targets, &cpus->isolated);
	char list[LIST];

	cpuset_for_each(&scene->targets, cpu)
		if (cpuset_has(&cpus->nohz_full, cpu))
			cpuset_add(&both, cpu);
	if (!cpuset_count(&both))
		return false;
	found(finding, "CPUs %s are isolated (isolcpus or nohz_full)",
	      cpuset_format(&both, list, sizeof(list)));
	return so_that(finding,
		       "the threads are bound, so they run there, beside what you isolated "
		       "them for");
}

static bool threaded(const struct scene *scene, struct finding *finding)
{
	const struct iface_facts *iface = &scene->facts->iface;
	struct cpuset cpus = { 0 }, both;
	char list[LIST];

	for (unsigned int i = 0; i < iface->napi_count; i++)
		if (iface->napis[i].pid && cpuset_parse(iface->napis[i].cpus, &cpus) == 0)
			break;
	both = common(&scene->targets, &cpus);
	if (!cpuset_count(&both) || scene->policy->napi_cpus.set)
		return false;
	found(finding, "NAPI threads of %s may run on targets (%s)", iface->name,
	      cpuset_format(&both, list, sizeof(list)));
	so_that(finding, "the thread that receives and the one that is handed frames compete");
	return cured_by(finding, "xdp-cpumap load %s --napi-cpus LIST   (CPUs that are no targets)",
			iface->name);
}

const struct check cpu_checks[] = {
	{ "CPU-ONE", SEVERITY_ERROR, one },
	{ "CPU-OFFLINE", SEVERITY_ERROR, named },
	{ "CPU-NONE", SEVERITY_ERROR, none },
	{ "CPU-CPUSET", SEVERITY_WARNING, not_allowed },
	{ "CPU-IRQ", SEVERITY_WARNING, irq },
	{ "IRQ-FIXED", SEVERITY_INFO, fixed_irq },
	{ "CPU-CAP", SEVERITY_WARNING, capacity },
	{ "CPU-SMT", SEVERITY_INFO, siblings },
	{ "CPU-NUMA", SEVERITY_WARNING, nodes },
	{ "CPU-NOHZ", SEVERITY_INFO, isolated },
	{ "CONF-THREADED", SEVERITY_WARNING, threaded },
	{ 0 },
};
