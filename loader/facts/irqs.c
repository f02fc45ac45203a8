// SPDX-License-Identifier: GPL-2.0
/* The interrupts of an interface, found from its device, and the CPUs they go to. */
#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/text.h"

#define NET "sys/class/net"
#define IRQS "sys/kernel/irq"

struct search {
	int root;
	struct iface_facts *iface;
	uint32_t hwirq;	  /* what the device tree says */
	const char *chip; /* part of the name of the controller, NULL: any */
	const char *name; /* or the name that the driver gave */
};

/* Where it goes, or where it may go. */
static void read_cpus(int root, struct irq_fact *irq)
{
	char line[4096];

	file_read_line(root, irq->allowed, sizeof(irq->allowed), "proc/irq/%u/smp_affinity_list",
		       irq->irq);
	if (file_read_line(root, line, sizeof(line), "proc/irq/%u/effective_affinity_list",
			   irq->irq) < 0 ||
	    !line[0] || cpuset_parse(line, &irq->cpus) < 0)
		cpuset_parse(irq->allowed, &irq->cpus);
}

/* "0,0,17,0": how often it came, on each CPU. */
static bool never_came(int root, uint32_t number)
{
	char line[4096];

	return file_read_line(root, line, sizeof(line), IRQS "/%u/per_cpu_count", number) == 0 &&
	       !line[strspn(line, "0,")];
}

static void add_irq(int root, struct iface_facts *iface, uint32_t number)
{
	struct irq_fact *irq = &iface->irqs[iface->irq_count];

	if (iface->irq_count == FACT_IRQS_MAX || !file_exists(root, "proc/irq/%u", number))
		return;
	for (unsigned int i = 0; i < iface->irq_count; i++)
		if (iface->irqs[i].irq == number)
			return;
	irq->irq = number;
	irq->idle = never_came(root, number);
	read_cpus(root, irq);
	iface->irq_count++;
}

/* The driver told its NAPI instances' interrupts. */
static bool find_by_napi(int root, struct iface_facts *iface)
{
	for (unsigned int i = 0; i < iface->napi_count; i++)
		if (iface->napis[i].irq)
			add_irq(root, iface, iface->napis[i].irq);
	return iface->irq_count;
}

static void on_msi(const char *name, void *data)
{
	struct search *search = data;
	uint32_t number;

	if (text_to_u32(name, UINT32_MAX, &number) == 0)
		add_irq(search->root, search->iface, number);
}

/*
 * The message interrupts of the device, or of the bus device above it (a
 * virtio port's belong to its PCI function).
 */
static bool find_msi(int root, struct iface_facts *iface)
{
	struct search search = { .root = root, .iface = iface };
	char path[PATH_MAX];

	for (int up = 0; up < 2 && !iface->irq_count; up++) {
		snprintf(path, sizeof(path), NET "/%s/device/%smsi_irqs", iface->name,
			 up ? "../" : "");
		directory_visit(root, path, on_msi, &search);
	}
	return iface->irq_count;
}

static bool find_plain(int root, struct iface_facts *iface)
{
	uint32_t number;

	if (file_read_u32(root, &number, NET "/%s/device/irq", iface->name) == 0 && number)
		add_irq(root, iface, number);
	return iface->irq_count;
}

static bool has_action(int root, const char *irq, const char *wanted)
{
	char line[256] = "", *rest = line, *action;

	file_read_line(root, line, sizeof(line), IRQS "/%s/actions", irq);
	while ((action = strsep(&rest, ",")))
		if (*action && (!wanted || strcmp(action, wanted) == 0))
			return true;
	return false;
}

static void on_irq(const char *name, void *data)
{
	struct search *search = data;
	uint32_t number, hwirq;
	char chip[64] = "";

	if (text_to_u32(name, UINT32_MAX, &number) < 0)
		return;
	if (search->name) {
		if (has_action(search->root, name, search->name))
			add_irq(search->root, search->iface, number);
		return;
	}
	file_read_line(search->root, chip, sizeof(chip), IRQS "/%s/chip_name", name);
	if (file_read_u32(search->root, &hwirq, IRQS "/%s/hwirq", name) == 0 &&
	    hwirq == search->hwirq && (!search->chip || strstr(chip, search->chip)) &&
	    has_action(search->root, name, NULL))
		add_irq(search->root, search->iface, number);
}

/*
 * A port of an SoC: what the device tree says of its wires. Three cells are
 * those of an ARM GIC (shared ones count from 32); else the first is the
 * number, and it takes the driver's name to know which controller is meant.
 */
static bool find_by_tree(int root, struct iface_facts *iface)
{
	struct search search = { .root = root, .iface = iface, .chip = "GIC" };
	uint32_t cells[3 * 16];
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), NET "/%s/device/of_node/interrupts", iface->name);
	fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, cells, sizeof(cells)) / (ssize_t)sizeof(cells[0]);
	close(fd);
	for (ssize_t i = 0; n % 3 == 0 && i < n; i += 3) {
		search.hwirq = be32toh(cells[i + 1]) + (be32toh(cells[i]) ? 16 : 32);
		directory_visit(root, IRQS, on_irq, &search);
	}
	return iface->irq_count;
}

/* The name that the driver gave when it asked for the interrupt: the device's or the port's. */
static bool find_by_name(int root, struct iface_facts *iface)
{
	const char *const names[] = { iface->bus_info, iface->name };
	struct search search = { .root = root, .iface = iface };

	if (!file_exists(root, NET "/%s/device", iface->name))
		return false;
	for (size_t i = 0; i < 2 && !iface->irq_count; i++) {
		search.name = names[i];
		if (*search.name)
			directory_visit(root, IRQS, on_irq, &search);
	}
	return iface->irq_count;
}

struct listing {
	int root;
	FILE *out;
};

static void on_mode(const char *name, void *data)
{
	struct listing *listing = data;
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "proc/irq/%s/smp_affinity_list", name);
	if (fstatat(listing->root, path, &st, 0) == 0 && !(st.st_mode & 0222))
		fprintf(listing->out, "%s\n", name);
}

/* Those that the kernel does not let anybody move: their file cannot be written. */
void ask_fixed_irqs(const struct source *source, const char *iface, FILE *out)
{
	struct listing listing = { source->root, out };

	directory_visit(source->root, "proc/irq", on_mode, &listing);
}

static void mark_fixed(const struct source *source, struct iface_facts *iface)
{
	cleanup(freep) char *text = source_ask(source, "fixed-irqs", NULL);
	char *rest = text, *line;
	uint32_t number;

	while ((line = text_next_line(&rest)))
		for (unsigned int i = 0; i < iface->irq_count; i++)
			if (text_to_u32(line, UINT32_MAX, &number) == 0 &&
			    iface->irqs[i].irq == number)
				iface->irqs[i].fixed = true;
}

/* One for errors, or for changes of the link, keeps no CPU busy; at boot none has come yet. */
static void sum_up(struct iface_facts *iface)
{
	bool any = false;

	for (unsigned int i = 0; i < iface->irq_count; i++)
		any |= !iface->irqs[i].idle;
	for (unsigned int i = 0; i < iface->irq_count; i++) {
		iface->irqs[i].idle &= any;
		if (iface->irqs[i].idle)
			continue;
		cpuset_for_each(&iface->irqs[i].cpus, cpu)
			cpuset_add(&iface->irq_cpus, cpu);
	}
}

void facts_irqs(const struct source *source, struct iface_facts *iface)
{
	static const struct {
		const char *by;
		bool (*find)(int root, struct iface_facts *iface);
	} ways[] = {
		{ "napi", find_by_napi },	   { "msi", find_msi },
		{ "device", find_plain },	   { "device tree", find_by_tree },
		{ "driver's name", find_by_name },
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && !iface->irq_count; i++)
		if (ways[i].find(source->root, iface))
			snprintf(iface->irqs_by, sizeof(iface->irqs_by), "%s", ways[i].by);
	mark_fixed(source, iface);
	sum_up(iface);
}
