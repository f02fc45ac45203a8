// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap bench: does it help on this machine? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "lib/clean.h"
#include "lib/file.h"
#include "lib/json.h"
#include "policy/options.h"
#include "verb.h"

int cmd_bench(int argc, char **argv)
{
	cleanup(freep) struct bench_result *result = calloc(1, sizeof(*result));
	struct policy policy;
	int r = verb_begin(VERB_BENCH, false, argc, argv, &policy);

	if (r < 0)
		return r;
	if (!result)
		return fail(-ENOMEM, "out of memory");
	r = policy.iface[0] ? bench_interface(&policy, result)
			    : bench_run(policy.rounds ? policy.rounds : 10, policy.force, result);
	if (r < 0)
		return r;
	if (policy.json)
		json_print(bench_json(result));
	else
		bench_table(result, stdout);
	return policy.svg[0] ? file_replace(policy.svg, bench_svg, result) : 0;
}
