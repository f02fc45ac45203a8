// SPDX-License-Identifier: GPL-2.0
/* What else on the machine has a say in where packets go, and how big they may be. */
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/text.h"

struct walk {
	int root;
	struct host_facts *host;
};

static void add_word(char *list, size_t size, const char *word)
{
	text_append(list, size, "%s%s", *list ? " " : "", word);
}

void facts_competitor(const char *comm, struct host_facts *host)
{
	/* Long names are cut off at 15 letters. */
	static const char *const steerers[] = { "lqosd",    "xdp_iphash_to_c", "tuned",
						"suricata", "packet-steering", NULL };

	if (strcmp(comm, "irqbalance") == 0)
		host->irqbalance = YES;
	if (text_in(comm, steerers) >= 0 && !strstr(host->services, comm))
		add_word(host->services, sizeof(host->services), comm);
}

static void on_process(const char *name, void *data)
{
	struct walk *walk = data;
	char comm[32];

	if (*name >= '0' && *name <= '9' &&
	    file_read_line(walk->root, comm, sizeof(comm), "proc/%s/comm", name) == 0)
		facts_competitor(comm, walk->host);
}

/* OpenWrt: option packet_steering '1' */
static bool steers_packets(int root)
{
	cleanup(freep) char *text = NULL;
	char *rest, *line;

	if (file_read_text(root, &text, "etc/config/network") < 0)
		return false;
	rest = text;
	while ((line = text_next_line(&rest))) {
		char *at = strstr(line, "packet_steering");

		if (!at)
			continue;
		at += strlen("packet_steering");
		at += strspn(at, " \t'\"");
		if (*at == '1' || *at == '2')
			return true;
	}
	return false;
}

/* eth0 cake 2500000 split-gso */
static void take_shaper(char *line, struct shaper *ret)
{
	char *word[4] = { NULL };
	const char *rate;
	uint32_t bytes;

	for (int i = 0; i < 4 && line; i++)
		word[i] = text_next_word(&line);
	if (!word[2])
		return;
	rate = word[2];
	snprintf(ret->iface, sizeof(ret->iface), "%s", word[0]);
	snprintf(ret->kind, sizeof(ret->kind), "%s", word[1]);
	/* What does not fit 32 bits is not slow. */
	ret->bytes_per_s = text_take_u32(&rate, UINT32_MAX, &bytes) < 0 ? UINT32_MAX : bytes;
	ret->splits = word[3] && strcmp(word[3], "split-gso") == 0;
}

static void read_shapers(const struct source *source, struct host_facts *ret)
{
	cleanup(freep) char *text = source_ask(source, "shapers", NULL);
	char *rest = text, *line;

	while ((line = text_next_line(&rest)) && ret->shaper_count < SHAPERS_MAX)
		take_shaper(line, &ret->shapers[ret->shaper_count++]);
}

/*
 * ReasmReqds, the 14th number of the second line "Ip: 2 64 ..." of proc/net/snmp
 * (snmp4_ipstats_list of the kernel, which only grows at its end).
 */
static bool has_fragments(int root)
{
	cleanup(freep) char *text = NULL;
	char *rest, *line, *word = NULL;

	if (file_read_text(root, &text, "proc/net/snmp") < 0)
		return false;
	rest = text;
	text_next_line(&rest);
	line = text_next_line(&rest);
	for (int i = 0; line && i < 15; i++)
		word = text_next_word(&line);
	return word && strcmp(word, "0") != 0;
}

void facts_host(const struct source *source, struct host_facts *ret)
{
	/* Where others that steer by cpumap pin their maps. */
	static const char *const pins[] = { "sys/fs/bpf/cpu_map", "sys/fs/bpf/tc/globals/cpu_map",
					    "sys/fs/bpf/ip_hash" };
	struct walk walk = { source->root, ret };

	*ret = (struct host_facts){ .irqbalance = NO };
	if (directory_visit(source->root, "proc", on_process, &walk) < 0)
		ret->irqbalance = UNKNOWN;
	if (steers_packets(source->root))
		add_word(ret->services, sizeof(ret->services), "packet_steering");
	for (size_t i = 0; i < sizeof(pins) / sizeof(pins[0]); i++)
		if (file_exists(source->root, "%s", pins[i])) {
			add_word(ret->pins, sizeof(ret->pins), "/");
			text_append(ret->pins, sizeof(ret->pins), "%s", pins[i]);
		}
	file_read_line(source->root, ret->rps_sock_flow_entries, sizeof(ret->rps_sock_flow_entries),
		       "proc/sys/net/core/rps_sock_flow_entries");
	file_read_line(source->root, ret->gro_normal_batch, sizeof(ret->gro_normal_batch),
		       "proc/sys/net/core/gro_normal_batch");
	ret->fragments = has_fragments(source->root);
	read_shapers(source, ret);
}
