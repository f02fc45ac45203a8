/* SPDX-License-Identifier: GPL-2.0 */
/* Runs frames through the loaded program, and tells what became of each. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdbool.h>
#include <stdint.h>
#include <cpumap/abi.h>

#include "prog/frame.h"

#define RUNNER_SLOTS 1024
#define RUNNER_MARKS (16 * RUNNER_SLOTS)

struct steer;

extern const struct move_rules runner_rules;

struct runner {
	struct steer *skel;
	struct counters counters; /* as they were after the last frame */
};

struct outcome {
	uint32_t action;
	int verdict;  /* enum verdict; negative: not exactly one counter moved */
	int fallback; /* enum fallback; -1: more than one counter moved */
};

/* Loads steer with this configuration, all slots going to CPU 0. */
void runner_open(struct runner *runner, const struct steer_config *config);
void runner_close(struct runner *runner);
struct outcome runner_run(struct runner *runner, const void *data, size_t len);

/* What the program, in explain mode, says of this frame. */
struct explained runner_explain(struct runner *runner, const void *data, size_t len);
/*
 * The same for the second-stage program, in a frame with this many bytes of
 * metadata; says what it answered, or -1 if metadata was left.
 */
#define RUNNER_NO_METADATA (-2) /* BPF_PROG_TEST_RUN of XDP takes none before v5.14 */
int runner_pass(struct runner *runner, const void *data, size_t len, uint32_t meta);

/* Where frames of this slot are to go. */
void runner_aim(struct runner *runner, uint32_t slot, struct place place);
void runner_want(struct runner *runner, uint32_t slot, struct slot want);

/* What the programs know of moves: set, and read for the CPU that we are on, and stay on. */
void runner_rule(struct runner *runner, const struct move_rules *rules);
struct slot_state runner_slot_here(const struct runner *runner, uint32_t slot);
struct pending runner_pending(const struct runner *runner, uint32_t slot);
struct moves runner_moves(const struct runner *runner);
/* The rest of the test runs on this CPU, whose counts are its own. */
void runner_stay_here(void);
/* CPU 0 has seen the stamp with its nth frame, and has had so many. */
void runner_seen(struct runner *runner, uint32_t slot, uint32_t stamp, uint32_t nth, uint64_t had);
void runner_slept(struct runner *runner, const struct asleep *asleep);

/* The slot that flow.h and hash.h, compiled for user space, give this flow. */
uint32_t runner_slot(const struct runner *runner, const struct flow *flow);
/* Frames and bytes this slot has had, on all CPUs. */
struct slot_state runner_slot_state(const struct runner *runner, uint32_t slot);
struct counters runner_counters(const struct runner *runner);
/* What moved slots had sent to this CPU, and what its second stage has seen. */
struct sent runner_sent(const struct runner *runner, uint32_t cpu);
struct target runner_target(const struct runner *runner);

#endif
