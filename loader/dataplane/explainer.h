/* SPDX-License-Identifier: GPL-2.0 */
/* The program itself, asked about frames that nobody received. */
#ifndef DATAPLANE_EXPLAINER_H
#define DATAPLANE_EXPLAINER_H

#include <stdint.h>

#include "cpumap/abi.h"
#include "lib/home.h"

struct explainer;

/* A program and a table of its own. Says what failed. */
int explainer_new(const struct steer_config *config, const struct flow_key *key,
		  const struct place *slots, struct explainer **ret);

/* The table and the key of the interface, read as they are, its counters left alone. */
int explainer_live(const struct home *home, const struct steer_config *config,
		   struct explainer **ret);
void explainer_free(struct explainer **explainer);

/* Where the frame would go. */
int explainer_ask(struct explainer *explainer, const uint8_t *data, uint32_t length,
		  struct explained *ret);

#endif
