// SPDX-License-Identifier: GPL-2.0
/* Copy what facts are made of to a folder: a captured host. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/text.h"

struct copy {
	const struct source *source;
	const char *to;
	const char *below; /* the directory that is walked */
	const char *iface;
	int r;
};

static int write_file(struct copy *copy, const char *path, const char *text)
{
	cleanup(fclosep) FILE *file = NULL;
	char where[PATH_MAX];

	snprintf(where, sizeof(where), "%s/%s", copy->to, path);
	*strrchr(where, '/') = '\0';
	copy->r = directory_make(where);
	snprintf(where, sizeof(where), "%s/%s", copy->to, path);
	file = copy->r < 0 ? NULL : fopen(where, "we");
	if (!file || fputs(text, file) < 0)
		copy->r = fail(copy->r < 0 ? copy->r : -errno, "cannot write '%s': %s", where,
			       strerror(copy->r < 0 ? -copy->r : errno));
	return copy->r;
}

/* A file that is not there or cannot be read now is none of the host's. */
static void copy_file(struct copy *copy, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void copy_file(struct copy *copy, const char *format, ...)
{
	cleanup(freep) char *text = NULL;
	char path[PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (copy->r == 0 && file_read_text(copy->source->root, &text, "%s", path) == 0)
		write_file(copy, path, text);
}

/* A symbolic link whose last component is all that matters. */
static void copy_link(struct copy *copy, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void copy_link(struct copy *copy, const char *format, ...)
{
	char path[PATH_MAX], to[PATH_MAX], where[2 * PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (copy->r < 0 || file_link_name(copy->source->root, to, sizeof(to), "%s", path) < 0)
		return;
	snprintf(where, sizeof(where), "%s/%s", copy->to, path);
	*strrchr(where, '/') = '\0';
	directory_make(where);
	snprintf(where, sizeof(where), "%s/%s", copy->to, path);
	if (symlink(to, where) < 0 && errno != EEXIST)
		copy->r = fail(-errno, "cannot make '%s': %s", where, strerror(errno));
}

static void walk(struct copy *copy, const char *below, void (*visit)(const char *name, void *data))
{
	copy->below = below;
	directory_visit(copy->source->root, below, visit, copy);
}

static void on_queue(const char *name, void *data)
{
	static const char *const files[] = { "rps_cpus", "rps_flow_cnt", "xps_cpus" };
	struct copy *copy = data;
	char path[PATH_MAX];

	/* Queues are counted: an empty one is a queue, too. */
	snprintf(path, sizeof(path), "%s/sys/class/net/%s/queues/%s", copy->to, copy->iface, name);
	directory_make(path);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		copy_file(copy, "sys/class/net/%s/queues/%s/%s", copy->iface, name, files[i]);
}

static void on_msi(const char *name, void *data)
{
	struct copy *copy = data;

	/* As if they were the device's own: what is above it is not copied. */
	copy_file(copy, "%s/%s", copy->below, name);
}

static void on_attribute(const char *name, void *data)
{
	struct copy *copy = data;
	char path[PATH_MAX];

	if (!text_starts(name, "upper_") && !text_starts(name, "lower_"))
		return;
	snprintf(path, sizeof(path), "sys/class/net/%s/%s", copy->iface, name);
	write_file(copy, path, "");
}

static void copy_iface(struct copy *copy)
{
	static const char *const files[] = {
		"ifindex",
		"mtu",
		"speed",
		"carrier",
		"uevent",
		"threaded",
		"gro_flush_timeout",
		"napi_defer_hard_irqs",
		"dsa/tagging",
		"bonding/mode",
		"brport/port_id",
		"bridge/bridge_id",
		"tun_flags",
		"device/irq",
		"device/numa_node",
		"device/of_node/interrupts",
		"device/of_node/buffer-manager",
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		copy_file(copy, "sys/class/net/%s/%s", copy->iface, files[i]);
	copy_link(copy, "sys/class/net/%s/device/driver", copy->iface);
	copy_link(copy, "sys/class/net/%s/device/subsystem", copy->iface);
	for (int up = 0; up < 2; up++) {
		snprintf(path, sizeof(path), "sys/class/net/%s/device/%smsi_irqs", copy->iface,
			 up ? "../" : "");
		walk(copy, path, on_msi);
	}
	snprintf(path, sizeof(path), "sys/class/net/%s/queues", copy->iface);
	walk(copy, path, on_queue);
	snprintf(path, sizeof(path), "sys/class/net/%s", copy->iface);
	walk(copy, path, on_attribute);
}

static void copy_answers(struct copy *copy, const char *iface)
{
	for (const struct question *question = questions; question->name; question++) {
		cleanup(freep) char *text = NULL;
		char path[PATH_MAX];

		if (question->of_iface != (iface != NULL) || copy->r < 0)
			continue;
		text = source_ask(copy->source, question->name, iface);
		snprintf(path, sizeof(path), "asked/%s%s%s", iface ? iface : "", iface ? "/" : "",
			 question->name);
		if (text && *text)
			write_file(copy, path, text);
	}
}

static void on_iface(const char *name, void *data)
{
	struct copy *copy = data;

	/* A file of the bonding driver is among them. */
	if (!file_exists(copy->source->root, "sys/class/net/%s/ifindex", name))
		return;
	copy->iface = name;
	copy_iface(copy);
	copy_answers(copy, name);
}

static void on_cpu(const char *name, void *data)
{
	struct copy *copy = data;
	char cpu[PATH_MAX];

	if (!text_starts(name, "cpu") || name[3] < '0' || name[3] > '9')
		return;
	snprintf(cpu, sizeof(cpu), "sys/devices/system/cpu/%s", name);
	copy_file(copy, "%s/cpu_capacity", cpu);
	copy_file(copy, "%s/topology/thread_siblings_list", cpu);
	for (int i = 0; i < 8; i++) {
		copy_file(copy, "%s/cpuidle/state%d/latency", cpu, i);
		copy_file(copy, "%s/cache/index%d/level", cpu, i);
		copy_file(copy, "%s/cache/index%d/size", cpu, i);
	}
}

static void on_node(const char *name, void *data)
{
	if (text_starts(name, "node"))
		copy_file(data, "sys/devices/system/node/%s/cpulist", name);
}

static void on_irq(const char *name, void *data)
{
	copy_file(data, "proc/irq/%s/smp_affinity_list", name);
	copy_file(data, "proc/irq/%s/effective_affinity_list", name);
	copy_file(data, "sys/kernel/irq/%s/actions", name);
	copy_file(data, "sys/kernel/irq/%s/hwirq", name);
	copy_file(data, "sys/kernel/irq/%s/per_cpu_count", name);
	copy_file(data, "sys/kernel/irq/%s/chip_name", name);
}

/* Only those that have a say: who else runs here is nobody's business. */
static void on_process(const char *name, void *data)
{
	struct copy *copy = data;
	struct host_facts host = { 0 };
	char comm[32];

	if (*name < '0' || *name > '9' ||
	    file_read_line(copy->source->root, comm, sizeof(comm), "proc/%s/comm", name) < 0)
		return;
	facts_competitor(comm, &host);
	if (host.irqbalance == YES || host.services[0])
		copy_file(copy, "proc/%s/comm", name);
	if (text_starts(comm, "napi/"))
		copy_file(copy, "proc/%s/status", name);
}

int facts_capture(const struct source *source, const char *directory)
{
	static const char *const files[] = {
		"sys/devices/system/cpu/possible",
		"sys/devices/system/cpu/online",
		"sys/devices/system/cpu/isolated",
		"sys/devices/system/cpu/nohz_full",
		"sys/devices/cpu_core/cpus",
		"sys/devices/cpu_atom/cpus",
		"sys/devices/system/node/online",
		"sys/kernel/security/lockdown",
		"proc/meminfo",
		"proc/mounts",
		"proc/net/route",
		"proc/net/ipv6_route",
		"proc/net/snmp",

		"proc/sys/net/core/bpf_jit_enable",
		"proc/sys/net/core/gro_normal_batch",
		"proc/sys/net/core/rps_sock_flow_entries",
	};
	struct copy copy = { .source = source, .to = directory };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		copy_file(&copy, "%s", files[i]);
	if (file_exists(source->root, "sys/kernel/btf/vmlinux"))
		write_file(&copy, "sys/kernel/btf/vmlinux", "");
	copy_answers(&copy, NULL);
	walk(&copy, "sys/class/net", on_iface);
	walk(&copy, "sys/devices/system/cpu", on_cpu);
	walk(&copy, "sys/devices/system/node", on_node);
	walk(&copy, "proc/irq", on_irq);
	walk(&copy, "proc", on_process);
	return copy.r;
}
