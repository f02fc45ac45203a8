// SPDX-License-Identifier: GPL-2.0
/* The options: one table makes the command line, the help and the completion. */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cpumap/abi.h"
#include "policy/values.h"

const char *const mode_names[] = { "auto", "native", "skb", NULL };
const char *const ask_names[] = { "auto", "yes", "no", NULL };
#define NAME(name, help) #name,
const char *const hash_names[] = { HASHES(NAME) NULL };
const char *const match_names[] = { MATCHES(NAME) NULL };
const char *const inner_names[] = { INNERS(NAME) NULL };
static const char *const multicast_names[] = { "auto", "steer", "pass", NULL };
const char *const keep_names[] = { "keep", "on", "off", NULL };
const char *const napi_names[] = { "keep", "threaded", "softirq", NULL };
const char *const role_names[] = { "none", "host", "router", NULL };
static const char *const rps_names[] = { "off", "keep", NULL };
static const char *const stage_names[] = { "pass", "none", NULL };
static const char *const max_prefix_words[] = { "65536", NULL };
static const char *const no_rule_words[] = { "none", NULL };
static const char *const lane_words[] = { "1", "2", "4", "8", "auto", NULL };
static const char *const reorder_names[] = { "strict", "bounded", NULL };

const struct option_row option_rows[] = {
	{ "cpus", "LIST|auto", "target CPUs, with weights if wanted: 1-3 or 1-2:1,3:2",
	  VERB_LOAD | VERB_SET | VERB_EXPLAIN | VERB_CHECK | VERB_BENCH, set_cpus },
	{ "qsize", "N|auto", "packets that wait in one queue, 1 to 16384", VERB_LOAD | VERB_SET,
	  set_qsize },
	{ "lanes", "N|auto", "queues of each target CPU, 1 to 8: each merges 8 flows (GRO)",
	  VERB_LOAD | VERB_SET, set_lanes, lane_words },
	{ "mode", "auto|native|skb", "where XDP runs: in the driver, or behind it (skb)",
	  VERB_LOAD | VERB_CHECK, set_word, mode_names, .at = offsetof(struct policy, mode) },
	{ "second-stage", "pass|none", "the program that runs on the target CPU",
	  VERB_LOAD | VERB_SET, set_second_word, stage_names,
	  .at = offsetof(struct policy, no_second_stage) },
	{ "reorder", "strict|bounded", "flows without a gap stay where they are, or move after 1 s",
	  VERB_LOAD | VERB_SET, set_second_word, reorder_names,
	  .at = offsetof(struct policy, bounded) },
	{ "dispatcher", "auto|yes|no", "share the interface through libxdp's dispatcher",
	  VERB_LOAD | VERB_CHECK, set_word, ask_names, .at = offsetof(struct policy, dispatcher) },
	{ "hash", "l4|l3|src|dst|siphash",
	  "what makes a flow: ports too, addresses, or one of them",
	  VERB_LOAD | VERB_SET | VERB_EXPLAIN, set_word, hash_names,
	  .at = offsetof(struct policy, hash) },
	{ "rekey", NULL, "a new random key for the hash: flows get other slots, none reorders",
	  VERB_SET | ONE_RUN, set_flag, .at = offsetof(struct policy, rekey) },
	{ "inner", "auto|never|always", "tunnels by the flow they carry, or by their own addresses",
	  VERB_LOAD | VERB_SET | VERB_EXPLAIN, set_word, inner_names,
	  .at = offsetof(struct policy, inner) },
	{ "match", "none|dst|src|either", "prefixes decide before the hash does, see `prefix`",
	  VERB_LOAD, set_word, match_names, .at = offsetof(struct policy, match) },
	{ "max-prefixes", "N", "how many prefixes of each IP version there may be", VERB_LOAD,
	  set_max_prefixes, max_prefix_words },
	{ "rules", "FILE", "rules that decide before prefixes and hash do, one a line; see `rule`",
	  VERB_LOAD | VERB_SET, set_rules, no_rule_words },
	{ "before", "NAME", "put the rule before this one, not last", VERB_RULE | ONE_RUN,
	  set_before },
	{ "balance", NULL, "give CPUs to prefixes that name none", VERB_PREFIX | ONE_RUN, set_flag,
	  .at = offsetof(struct policy, balance) },
	{ "multicast", "auto|steer|pass", "a CPU per group, or all groups on the RX CPU",
	  VERB_LOAD | VERB_SET | VERB_EXPLAIN, set_word, multicast_names,
	  .at = offsetof(struct policy, multicast) },
	{ "dsa", "NAME|auto", "the tag that the switch puts on frames (see dsa/tagging in sysfs)",
	  VERB_LOAD | VERB_EXPLAIN, set_dsa },
	{ "pcap", "FILE", "frames to explain, as tcpdump -w writes them", VERB_EXPLAIN | ONE_RUN,
	  set_pcap },
	{ "seed", "HEX", "the hash key to explain with, when no interface has one",
	  VERB_EXPLAIN | ONE_RUN, set_seed },
	{ "summary", NULL, "the sums alone, not a line a frame", VERB_EXPLAIN | ONE_RUN, set_flag,
	  .at = offsetof(struct policy, summary) },
	{ "role", "none|host|router", "what the machine is: decides whether GRO pays",
	  VERB_LOAD | VERB_CHECK, set_word, role_names, .at = offsetof(struct policy, role) },
	{ "gro", "keep|on|off", "merge segments on the target CPUs", VERB_LOAD, set_word,
	  keep_names, .at = offsetof(struct policy, gro) },
	{ "rps", "off|keep", "RPS of the first queue, which would steer a second time", VERB_LOAD,
	  set_second_word, rps_names, .at = offsetof(struct policy, keep_rps) },
	{ "udp-gro", "keep|on|off", "merge forwarded UDP, too", VERB_LOAD, set_word, keep_names,
	  .at = offsetof(struct policy, udp_gro) },
	{ "napi", "keep|threaded|softirq", "where the driver polls: a thread, or softirq",
	  VERB_LOAD, set_word, napi_names, .at = offsetof(struct policy, napi) },
	{ "napi-cpus", "LIST|keep", "CPUs of the NAPI threads", VERB_LOAD, set_napi_cpus },
	{ "irq-cpus", "LIST|keep", "CPUs of the interface's interrupts", VERB_LOAD, set_irq_cpus },
	{ "gro-normal-batch", "N|keep",
	  "packets handed on at once, 1 to 4096 (of the whole machine)", VERB_LOAD,
	  set_gro_normal_batch },
	{ "gro-flush-timeout", "USECS|keep", "how long GRO may hold a packet, 0 to 100000",
	  VERB_LOAD, set_gro_flush_timeout },
	{ "napi-defer-hard-irqs", "N|keep", "empty polls before interrupts come back, 0 to 1000",
	  VERB_LOAD, set_napi_defer_hard_irqs },
	{ "priority", "NICE|keep", "nice value of the target CPUs' threads, -20 to 19", VERB_LOAD,
	  set_priority },
	{ "netns", "NAME", "act in this network namespace (see ip netns)",
	  VERB_LOAD | VERB_UNLOAD | VERB_STATUS | VERB_STATS | VERB_SET | VERB_EXPLAIN |
		  VERB_CHECK | VERB_PREFIX | VERB_RULE | VERB_BENCH | ONE_RUN,
	  set_netns },
	{ "config", "FILE", "settings from this file; options given here win over them",
	  VERB_LOAD | VERB_CHECK | VERB_BENCH | ONE_RUN, set_config },
	{ "force", NULL, "do it although it is advised against", VERB_LOAD | VERB_BENCH | VERB_SET,
	  set_flag, .at = offsetof(struct policy, force) },
	{ "yes", NULL, "do not ask before a link goes down that you may need", VERB_LOAD | ONE_RUN,
	  set_flag, .at = offsetof(struct policy, yes) },
	{ "dry-run", NULL, "show what would be done and why, change nothing",
	  VERB_LOAD | VERB_SET | ONE_RUN, set_flag, .at = offsetof(struct policy, dry_run) },
	{ "host", "DIR", "look at a captured host instead of this one",
	  VERB_LOAD | VERB_CHECK | ONE_RUN, set_host },
	{ "capture", "DIR", "write what is looked at to a folder, for --host", VERB_CHECK | ONE_RUN,
	  set_capture },
	{ "facts", NULL, "show what is looked at, too", VERB_CHECK | ONE_RUN, set_flag,
	  .at = offsetof(struct policy, facts) },
	{ "json", NULL, "one JSON document on stdout",
	  VERB_LOAD | VERB_UNLOAD | VERB_STATUS | VERB_STATS | VERB_BENCH | VERB_SET |
		  VERB_EXPLAIN | VERB_CHECK | VERB_PREFIX | VERB_RULE | ONE_RUN,
	  set_flag, .at = offsetof(struct policy, json) },
	{ "rounds", "N", "how often each way is measured: 10 take four minutes", VERB_BENCH,
	  set_rounds },
	{ "svg", "FILE", "replace FILE with a picture of the result", VERB_BENCH, set_svg },
	{ "watch", "[=SECONDS]", "look again and again, each second or as often as said",
	  VERB_STATS, set_watch },
	{ "watch", NULL, "go on, and follow CPUs and links that come, go or change",
	  VERB_LOAD | ONE_RUN, set_flag, .at = offsetof(struct policy, follow) },
	{ "prometheus", NULL, "the text format of Prometheus", VERB_STATS, set_flag,
	  .at = offsetof(struct policy, prometheus) },
	{ "output", "FILE", "replace FILE, whole, with what --prometheus says", VERB_STATS,
	  set_output },
	{ 0 },
};

bool policy_names(const struct policy *policy, const char *option)
{
	for (unsigned int i = 0; option_rows[i].name; i++)
		if (strcmp(option_rows[i].name, option) == 0)
			return policy->named >> i & 1;
	return false;
}

/* The first option in the sentence that the file has set. */
void policy_line(const struct policy *policy, const char *sentence, char *text, size_t size)
{
	*text = '\0';
	for (const char *at = sentence; (at = strstr(at, "--")); at += 2)
		for (unsigned int i = 0; option_rows[i].name; i++) {
			size_t length = strlen(option_rows[i].name);

			if (!policy->lines[i] || strncmp(at + 2, option_rows[i].name, length) ||
			    isalpha((unsigned char)at[2 + length]) || at[2 + length] == '-')
				continue;
			snprintf(text, size, "%s:%u: ", policy->config, policy->lines[i]);
			return;
		}
}
