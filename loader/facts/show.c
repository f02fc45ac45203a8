// SPDX-License-Identifier: GPL-2.0
/* Facts as text, a fact a line. */
#include <string.h>

#include "facts/facts.h"
#include "lib/text.h"

static void line(FILE *out, const char *key, const char *value)
{
	if (value[0])
		fprintf(out, "  %-22s %s\n", key, value);
}

static void number(FILE *out, const char *key, uint64_t value, const char *unit)
{
	if (value)
		fprintf(out, "  %-22s %llu%s%s\n", key, (unsigned long long)value, *unit ? " " : "",
			unit);
}

static void set(FILE *out, const char *key, const struct cpuset *cpus)
{
	char list[512];

	if (cpuset_count(cpus))
		line(out, key, cpuset_format(cpus, list, sizeof(list)));
}

/* "1024: 4-7; 446: 0-3" */
static void show_capacities(const struct cpu_facts *cpus, FILE *out)
{
	struct cpuset left = cpus->online;
	char text[256] = "", list[192];

	while (cpuset_count(&left)) {
		struct cpuset same = { 0 };
		uint16_t most = 0;

		cpuset_for_each(&left, cpu)
			if (cpus->capacity[cpu] > most)
				most = cpus->capacity[cpu];
		cpuset_for_each(&left, cpu)
			if (cpus->capacity[cpu] == most) {
				cpuset_add(&same, cpu);
				cpuset_remove(&left, cpu);
			}
		if (most)
			text_append(text, sizeof(text), "%s%u: %s", *text ? "; " : "", most,
				    cpuset_format(&same, list, sizeof(list)));
	}
	line(out, "capacity", text);
}

static void show_cpus(const struct cpu_facts *cpus, FILE *out)
{
	unsigned int siblings = 0;

	fprintf(out, "cpus\n");
	set(out, "possible", &cpus->possible);
	set(out, "online", &cpus->online);
	set(out, "allowed", &cpus->allowed);
	set(out, "isolated", &cpus->isolated);
	set(out, "nohz_full", &cpus->nohz_full);
	show_capacities(cpus, out);
	cpuset_for_each(&cpus->online, cpu)
		siblings += cpus->core[cpu] != cpu;
	number(out, "SMT siblings", siblings, "");
	number(out, "NUMA nodes", cpus->nodes, "");
	number(out, "last-level cache", cpus->cache_kib, "KiB");
	number(out, "deepest idle exit", cpus->idle_exit_us, "us");
	number(out, "memory", cpus->memory >> 20, "MiB");
	number(out, "page", cpus->page_size, "bytes");
}

static void show_kernel(const struct kernel_facts *kernel, FILE *out)
{
	const struct {
		const char *key;
		enum answer answer;
	} rows[] = {
		{ "may load BPF", kernel->bpf },
		{ "second stage", kernel->second_stage },
		{ "cpumap in skb mode", kernel->generic },
		{ "frags", kernel->frags },
		{ "bpf_link", kernel->link },
		{ "extensions", kernel->extensions },
		{ "unaligned loads", kernel->unaligned },
		{ "JIT", kernel->jit },
		{ "BTF", kernel->btf },
		{ "bpffs mounted", kernel->bpffs },
	};

	fprintf(out, "kernel\n");
	line(out, "release", kernel->release);
	fprintf(out, "  %-22s %s (%s)\n", "cpumap GRO", answer_names[kernel->gro], kernel->gro_why);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		line(out, rows[i].key, answer_names[rows[i].answer]);
	line(out, "lockdown", kernel->lockdown);
}

static void show_features(const struct feature_fact *features, FILE *out)
{
	for (int i = 0; i < FEATURES; i++)
		if (features[i].on != UNKNOWN)
			fprintf(out, "  %-22s %s%s\n", feature_names[i],
				features[i].on == YES ? "on" : "off",
				features[i].fixed ? ", fixed" : "");
}

static void show_names(const char *key, const struct iface_names *names, FILE *out)
{
	char text[NEIGHBOURS_MAX * IFNAMSIZ] = "";

	for (unsigned int i = 0; i < names->count; i++)
		text_append(text, sizeof(text), "%s%s", i ? " " : "", names->at[i]);
	line(out, key, text);
}

static void show_napis(const struct iface_facts *iface, FILE *out)
{
	for (unsigned int i = 0; i < iface->napi_count; i++) {
		const struct napi_fact *napi = &iface->napis[i];
		char text[128];

		snprintf(text, sizeof(text), "%u", napi->id);
		if (napi->threaded != UNKNOWN)
			text_append(text, sizeof(text), ", %s",
				    napi->threaded == YES ? "threaded" : "softirq");
		if (napi->pid)
			text_append(text, sizeof(text), ", thread %u on %s", napi->pid, napi->cpus);
		line(out, "NAPI", text);
	}
}

static void show_irqs(const struct iface_facts *iface, FILE *out)
{
	char list[192];

	line(out, "interrupts found by", iface->irqs_by);
	for (unsigned int i = 0; i < iface->irq_count; i++)
		fprintf(out, "  %-22s %u on %s, may go to %s%s%s\n", "interrupt",
			iface->irqs[i].irq, cpuset_format(&iface->irqs[i].cpus, list, sizeof(list)),
			iface->irqs[i].allowed, iface->irqs[i].fixed ? ", fixed" : "",
			iface->irqs[i].idle ? ", idle" : "");
}

static void show_port(const struct port_fact *port, FILE *out)
{
	fprintf(out, "port %s\n", port->name);
	line(out, "RPS of rx-0", port->rps.cpus);
	line(out, "gro_flush_timeout", port->gro_flush_timeout);
	show_features(port->features, out);
}

static void show_iface(const struct iface_facts *iface, FILE *out)
{
	fprintf(out, "interface %s\n", iface->name);
	line(out, "kind", iface->kind);
	line(out, "driver", iface->driver);
	line(out, "bus", iface->bus);
	line(out, "device", iface->bus_info);
	number(out, "MTU", iface->mtu, "");
	number(out, "speed", iface->speed_mbps, "Mbit/s");
	line(out, "carrier", answer_names[iface->carrier]);
	line(out, "native XDP", answer_names[iface->native]);
	line(out, "XDP with frags", answer_names[iface->rx_frags]);
	number(out, "RX queues", iface->rx_queues, "");
	number(out, "TX queues", iface->tx_queues, "");
	number(out, "channels at most", iface->channels_max, "");
	number(out, "RX ring", iface->ring_rx, "");
	number(out, "RX ring at most", iface->ring_rx_max, "");
	number(out, "rx-usecs", iface->rx_usecs, "");
	line(out, "RSS of UDP", iface->rss_udp4);
	line(out, "RPS of rx-0", iface->rps.cpus);
	line(out, "rps_flow_cnt of rx-0", iface->rps.flows);
	line(out, "XPS of tx-0", iface->xps);
	line(out, "threaded", iface->threaded);
	line(out, "gro_flush_timeout", iface->gro_flush_timeout);
	line(out, "napi_defer_hard_irqs", iface->napi_defer_hard_irqs);
	line(out, "DSA tagging", iface->dsa_tagging);
	show_names("below it", &iface->lowers, out);
	show_names("above it", &iface->uppers, out);
	show_features(iface->features, out);
	show_napis(iface, out);
	show_irqs(iface, out);
	line(out, "buffer manager", iface->hw_buffers ? "yes" : "");
	line(out, "default route", iface->default_route ? "yes" : "");
	line(out, "SSH session", iface->session ? "yes" : "");
	if (iface->xdp.prog_id)
		fprintf(out, "  %-22s id %u, name %s, tag %s, %s\n", "XDP program",
			iface->xdp.prog_id, iface->xdp.prog_name, iface->xdp.prog_tag,
			iface->xdp.generic ? "skb" : "native");
	for (unsigned int i = 0; i < iface->port_count; i++)
		show_port(&iface->ports[i], out);
}

static void show_host(const struct host_facts *host, FILE *out)
{
	fprintf(out, "host\n");
	line(out, "irqbalance", answer_names[host->irqbalance]);
	line(out, "others that steer", host->services);
	line(out, "their pins", host->pins);
	line(out, "rps_sock_flow_entries", host->rps_sock_flow_entries);
	line(out, "gro_normal_batch", host->gro_normal_batch);
	for (unsigned int i = 0; i < host->shaper_count; i++)
		fprintf(out, "  %-22s %s on %s, %llu kbit/s%s\n", "shaper", host->shapers[i].kind,
			host->shapers[i].iface,
			(unsigned long long)host->shapers[i].bytes_per_s / 125,
			host->shapers[i].splits ? ", splits GSO" : "");
}

void facts_show(const struct facts *facts, FILE *out)
{
	show_iface(&facts->iface, out);
	show_cpus(&facts->cpus, out);
	show_kernel(&facts->kernel, out);
	show_host(&facts->host, out);
}
