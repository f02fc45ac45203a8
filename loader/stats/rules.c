// SPDX-License-Identifier: GPL-2.0
/* How often each rule decided. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/percpu.h"
#include "stats/snapshot.h"

static int read_rule(struct percpu *map, const struct rule_text *rule, unsigned int cpus,
		     struct rule_count *ret)
{
	int r = percpu_read(map, rule->id);

	memcpy(ret->name, rule->name, sizeof(ret->name));
	ret->id = rule->id;
	for (unsigned int cpu = 0; r == 0 && cpu < cpus; cpu++) {
		const struct rule_hit *hit = percpu_value(map, cpu);

		ret->packets += hit->packets;
		ret->bytes += hit->bytes;
	}
	return r;
}

int snapshot_read_rules(const struct home *home, const struct rule_list *list,
			struct snapshot *snapshot)
{
	cleanup(percpu_done) struct percpu map = { .fd = -1 };
	int r;

	if (!list->count)
		return 0;
	snapshot->rules = calloc(list->count, sizeof(*snapshot->rules));
	if (!snapshot->rules)
		return -ENOMEM;
	r = percpu_open(home, "rule_hits", snapshot->cpu_count, &map);
	for (unsigned int i = 0; r == 0 && i < list->count; i++)
		r = read_rule(&map, &list->at[i], snapshot->cpu_count, &snapshot->rules[i]);
	snapshot->rule_count = list->count;
	return r;
}
