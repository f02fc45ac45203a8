// SPDX-License-Identifier: GPL-2.0
/* The place of the interface: what is above and below it, and the switch behind it. */
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/process.h"
#include "lib/text.h"

#define NET "sys/class/net"

struct walk {
	const struct source *source;
	struct iface_facts *iface;
};

/*
 * What the kernel calls it (DEVTYPE of the uevent); a port of a driver has no
 * such name, nor have some that no device is behind.
 */
static void read_kind(int root, const char *name, char *ret, size_t size)
{
	cleanup(freep) char *text = NULL;
	char *rest, *line;

	snprintf(ret, size, "ethernet");
	if (file_read_text(root, &text, NET "/%s/uevent", name) < 0)
		return;
	rest = text;
	while ((line = text_next_line(&rest)))
		if (text_starts(line, "DEVTYPE="))
			snprintf(ret, size, "%s", line + strlen("DEVTYPE="));
	if (file_exists(root, NET "/%s/bonding", name))
		snprintf(ret, size, "bond");
	else if (file_exists(root, NET "/%s/bridge", name))
		snprintf(ret, size, "bridge");
	else if (file_exists(root, NET "/%s/tun_flags", name))
		snprintf(ret, size, "tun");
	else if (strcmp(name, "lo") == 0)
		snprintf(ret, size, "loopback");
}

static void add_name(struct iface_names *names, const char *name)
{
	if (names->count < NEIGHBOURS_MAX)
		snprintf(names->at[names->count++], IFNAMSIZ, "%s", name);
}

static void on_link(const char *name, void *data)
{
	struct walk *walk = data;
	char kind[16];

	if (text_starts(name, "lower_"))
		add_name(&walk->iface->lowers, name + strlen("lower_"));
	if (!text_starts(name, "upper_"))
		return;
	name += strlen("upper_");
	add_name(&walk->iface->uppers, name);
	read_kind(walk->source->root, name, kind, sizeof(kind));
	walk->iface->has_vlans |= strcmp(kind, "vlan") == 0;
}

void facts_stack(const struct source *source, struct iface_facts *iface)
{
	struct walk walk = { source, iface };
	char path[64];

	read_kind(source->root, iface->name, iface->kind, sizeof(iface->kind));
	snprintf(path, sizeof(path), NET "/%s", iface->name);
	directory_visit(source->root, path, on_link, &walk);
}

/* The user ports of a conduit are above it. */
void facts_ports(const struct source *source, struct iface_facts *iface)
{
	char kind[16];

	file_read_line(source->root, iface->dsa_tagging, sizeof(iface->dsa_tagging),
		       NET "/%s/dsa/tagging", iface->name);
	for (unsigned int i = 0; iface->dsa_tagging[0] && i < iface->uppers.count; i++) {
		struct port_fact *port = &iface->ports[iface->port_count];

		read_kind(source->root, iface->uppers.at[i], kind, sizeof(kind));
		if (strcmp(kind, "dsa") != 0)
			continue;
		memcpy(port->name, iface->uppers.at[i], IFNAMSIZ);
		facts_features(source, port->name, port->features);
		facts_rps(source, port->name, &port->rps);
		file_read_line(source->root, port->gro_flush_timeout,
			       sizeof(port->gro_flush_timeout), NET "/%s/gro_flush_timeout",
			       port->name);
		iface->port_count++;
	}
}

/* id 257 irq 25 pid 1234 threaded 1 */
static void take_napi(const struct source *source, char *line, struct napi_fact *ret)
{
	uint32_t threaded;
	char *key, *value;

	*ret = (struct napi_fact){ 0 };
	while ((key = text_next_word(&line)) && (value = text_next_word(&line))) {
		if (strcmp(key, "id") == 0)
			text_to_u32(value, UINT32_MAX, &ret->id);
		else if (strcmp(key, "irq") == 0)
			text_to_u32(value, UINT32_MAX, &ret->irq);
		else if (strcmp(key, "pid") == 0)
			text_to_u32(value, UINT32_MAX, &ret->pid);
		else if (strcmp(key, "threaded") == 0 && text_to_u32(value, 2, &threaded) == 0)
			ret->threaded = threaded ? YES : NO;
	}
	if (ret->pid)
		process_status(source->root, ret->pid, "Cpus_allowed_list:", ret->cpus,
			       sizeof(ret->cpus));
}

void facts_napis(const struct source *source, struct iface_facts *iface)
{
	cleanup(freep) char *text = source_ask(source, "napis", iface->name);
	char *rest = text, *line;

	while ((line = text_next_line(&rest)) && iface->napi_count < FACT_NAPIS_MAX)
		take_napi(source, line, &iface->napis[iface->napi_count++]);
}

/* "eth0	00000000	0102A8C0 ..." of proc/net/route: the name, the destination. */
static bool has_default_route(int root, const char *iface)
{
	cleanup(freep) char *text = NULL;
	char *rest, *line;

	if (file_read_text(root, &text, "proc/net/route") < 0)
		return false;
	rest = text;
	while ((line = text_next_line(&rest))) {
		char *name = text_next_word(&line);
		char *destination = line ? text_next_word(&line) : NULL;

		if (name && destination && strcmp(name, iface) == 0 &&
		    strcmp(destination, "00000000") == 0)
			return true;
	}
	return false;
}

/*
 * "DESTINATION 00 SOURCE 00 NEXT-HOP METRIC REFERENCES USES FLAGS      eth0" of
 * proc/net/ipv6_route. The one of `lo` refuses what no other takes.
 */
static bool has_default_route_6(int root, const char *iface)
{
	static const char any[] = "00000000000000000000000000000000 00 ";
	cleanup(freep) char *text = NULL;
	char *rest, *line;

	if (file_read_text(root, &text, "proc/net/ipv6_route") < 0)
		return false;
	rest = text;
	while ((line = text_next_line(&rest))) {
		const char *name = strrchr(line, ' ');

		if (name && text_starts(line, any) && strcmp(name + 1, iface) == 0)
			return true;
	}
	return false;
}

static bool leads_out(int root, const char *iface)
{
	return has_default_route(root, iface) || has_default_route_6(root, iface);
}

/* What runs over it runs over those above it, too. */
static bool is_on(const struct iface_facts *iface, const char *name)
{
	for (unsigned int i = 0; i < iface->uppers.count; i++)
		if (strcmp(iface->uppers.at[i], name) == 0)
			return true;
	return strcmp(iface->name, name) == 0;
}

void facts_routes(const struct source *source, struct iface_facts *iface)
{
	cleanup(freep) char *text = source_ask(source, "session", NULL);
	char *rest = text, *line;

	iface->default_route = leads_out(source->root, iface->name);
	for (unsigned int i = 0; i < iface->uppers.count; i++)
		iface->default_route |= leads_out(source->root, iface->uppers.at[i]);
	while ((line = text_next_line(&rest)))
		iface->session |= is_on(iface, line);
}
