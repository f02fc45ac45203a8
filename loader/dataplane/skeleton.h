/* SPDX-License-Identifier: GPL-2.0 */
/* The BPF object, embedded. Its header needs the types of abi.h before it. */
#ifndef DATAPLANE_SKELETON_H
#define DATAPLANE_SKELETON_H

#include "cpumap/abi.h"

#include "bpf/steer.skel.h"

static inline void steer_destroyp(struct steer **skel)
{
	steer__destroy(*skel);
}

#endif
