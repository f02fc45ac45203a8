/* SPDX-License-Identifier: GPL-2.0 */
/* The parser of bpf/, compiled for user space: any byte order, sanitizers, no kernel. */
#ifndef NATIVE_H
#define NATIVE_H

#include <stddef.h>
#include <cpumap/abi.h>

/* What explain mode of the program says of this frame, but for slots and places. */
struct explained native_explain(const void *frame, size_t len, const struct steer_config *config,
				const struct flow_key *key);

/* The key that the tests use. */
struct flow_key native_key(void);

#endif
