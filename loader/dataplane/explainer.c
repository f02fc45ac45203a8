// SPDX-License-Identifier: GPL-2.0
/* The program itself, asked about frames that nobody received. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dataplane/explainer.h"
#include "dataplane/skeleton.h"
#include "lib/clean.h"
#include "lib/say.h"

/*
 * A test frame lies in one page with the headroom of XDP and the skb_shared_info
 * (net/bpf/test_run.c). No header that we read is that far in.
 */
enum { FRAME_MIN = 14, FRAME_MAX = 4096 - 256 - 512 };

struct explainer {
	struct steer *skel;
	int program;
	int explained;
};

static struct explainer *explainer_open(const struct steer_config *config)
{
	cleanup(explainer_free) struct explainer *explainer = calloc(1, sizeof(*explainer));
	struct steer_config *to;

	if (!explainer)
		return NULL;
	explainer->skel = steer_new();
	if (!explainer->skel)
		return NULL;
	to = (struct steer_config *)&explainer->skel->rodata->steer_config;
	*to = *config;
	to->frags = 0; /* frames as long as that are cut */
	to->explain = 1;
	to->in_transition = 0;
	bpf_program__set_autoload(explainer->skel->progs.pass, false);
	bpf_map__set_max_entries(explainer->skel->maps.slots, config->slot_mask + 1);
	bpf_map__set_max_entries(explainer->skel->maps.slot_state, 1);
	return take(explainer);
}

static int explainer_load(struct explainer *explainer)
{
	int r = steer__load(explainer->skel);

	if (r < 0)
		return fail(r, "the kernel refuses the program: %s", strerror(-r));
	explainer->program = bpf_program__fd(explainer->skel->progs.steer);
	explainer->explained = bpf_map__fd(explainer->skel->maps.explained);
	return 0;
}

int explainer_new(const struct steer_config *config, const struct flow_key *key,
		  const struct place *slots, struct explainer **ret)
{
	cleanup(explainer_free) struct explainer *explainer = explainer_open(config);
	int r;

	if (!explainer)
		return fail(-errno, "cannot open the XDP programs: %s", strerror(errno));
	explainer->skel->data_key->flow_keys.at[0] = *key;
	r = explainer_load(explainer);
	for (uint32_t i = 0; r == 0 && i <= config->slot_mask; i++) {
		struct slot slot = { .want = slots[i] };

		r = bpf_map_update_elem(bpf_map__fd(explainer->skel->maps.slots), &i, &slot, 0);
	}
	if (r == 0)
		*ret = take(explainer);
	return r;
}

int explainer_live(const struct home *home, const struct steer_config *config,
		   struct explainer **ret)
{
	cleanup(explainer_free) struct explainer *explainer = explainer_open(config);
	int r;

	if (!explainer)
		return fail(-errno, "cannot open the XDP programs: %s", strerror(errno));
	const struct named_map theirs[] = {
		{ "slots", explainer->skel->maps.slots },
		{ "key", explainer->skel->maps.data_key },
		{ "prefixes_4", explainer->skel->maps.prefixes_4 },
		{ "prefixes_6", explainer->skel->maps.prefixes_6 },
		{ "rules", explainer->skel->maps.rules }, /* pinned where there are some */
	};

	r = maps_reuse(home, false, theirs,
		       sizeof(theirs) / sizeof(theirs[0]) - (config->rules ? 0 : 1));
	if (r == 0)
		r = explainer_load(explainer);
	if (r == 0)
		*ret = take(explainer);
	return r;
}

void explainer_free(struct explainer **explainer)
{
	if (*explainer)
		steer__destroy((*explainer)->skel);
	free(*explainer);
}

int explainer_ask(struct explainer *explainer, const uint8_t *data, uint32_t length,
		  struct explained *ret)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = data,
		    .data_size_in = length < FRAME_MAX ? length : FRAME_MAX, .repeat = 1);
	uint32_t zero = 0;
	int r;

	*ret = (struct explained){ .verdict = VERDICT_truncated };
	if (length < FRAME_MIN) /* no driver delivers it, and the kernel does not try it */
		return 0;
	r = bpf_prog_test_run_opts(explainer->program, &run);
	if (r == 0)
		r = bpf_map_lookup_elem(explainer->explained, &zero, ret);
	return r < 0 ? fail(r, "the kernel does not run the program: %s", strerror(-r)) : 0;
}
