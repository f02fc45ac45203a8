// SPDX-License-Identifier: GPL-2.0
/* libFuzzer: any bytes as a config file are a policy within its bounds, or a fault with a line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpumap/abi.h"
#include "lib/cpuset.h"
#include "policy/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hold(bool what)
{
	if (!what)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct policy policy = { .qsize = UINT32_MAX };
	struct config_fault fault;
	char *text = malloc(size + 1);
	unsigned int lines = 1;

	hold(text);
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	if (config_parse(text, size, &policy, &fault) == 0) {
		hold(policy.qsize <= QSIZE_MAX);
		hold(policy.cpus.count <= TARGETS_MAX);
		for (unsigned int i = 0; i < policy.cpus.count; i++)
			hold(policy.cpus.at[i].cpu < CPUS_MAX && policy.cpus.at[i].weight);
	} else {
		hold(policy.qsize == UINT32_MAX);
		hold(fault.line && fault.line <= lines);
		hold(fault.why.text[0]);
	}
	free(text);
	return 0;
}
