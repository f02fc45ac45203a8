/* SPDX-License-Identifier: GPL-2.0 */
/* The rows through the parser compiled for user space; the output is the same on any machine. */
#include <stdio.h>

#include <cpumap/hash.h>

#include "prog/native.h"
#include "prog/rows.h"

static bool row_holds(const struct row *row, const struct steer_config *config, uint32_t *ret_hash)
{
	struct flow_key key = native_key();
	struct explained record;
	struct frame frame;
	struct flow flow;

	frame_build(&frame, row->layers);
	record = native_explain(frame.data, frame.len, config, &key);
	*ret_hash = record.hash;
	if (record.verdict != row->verdict || record.fallback != row->fallback)
		return false;
	if (record.verdict != VERDICT_redirected)
		return true;
	flow = flow_of(&row->flow);
	return record.hash == flow_hash(&flow, &key);
}

int main(void)
{
	int count = 0, failed = 0;

	for (const struct table *const *table = tables; *table; table++)
		for (size_t i = 0; i < (*table)->count; i++) {
			const struct row *row = &(*table)->rows[i];
			struct steer_config config = (*table)->config;
			uint32_t hash;
			bool holds;

			config.dsa = dsa_tag_of(row->dsa);
			holds = row_holds(row, &config, &hash);
			failed += !holds;
			printf("%sok %d - %s: %s # %08x\n", holds ? "" : "not ", ++count,
			       (*table)->name, row->name, hash);
		}
	printf("1..%d\n", count);
	return failed != 0;
}
