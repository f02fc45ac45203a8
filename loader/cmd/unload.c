// SPDX-License-Identifier: GPL-2.0
/* xdp-cpumap unload IFACE: stop steering and put everything back. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "apply/apply.h"
#include "lib/clean.h"
#include "lib/json.h"
#include "policy/options.h"
#include "verb.h"

static int unload(const struct home *home)
{
	cleanup(freep) struct loaded *loaded = calloc(1, sizeof(*loaded));
	/* The interface may be gone: what it left is removed all the same. */
	uint32_t ifindex = if_nametoindex(home->iface);
	struct xdp_facts xdp = { 0 };

	if (!loaded)
		return fail(-ENOMEM, "out of memory");
	if (ifindex)
		facts_xdp(ifindex, &xdp);
	facts_loaded(home, ifindex, &xdp, loaded);
	return apply_undo(home, ifindex, loaded);
}

int cmd_unload(int argc, char **argv)
{
	cleanup(closep) int lock = -1;
	struct policy policy;
	struct home home;
	int r;

	r = verb_begin(VERB_UNLOAD, true, argc, argv, &policy);
	if (r < 0)
		return r;
	home_of(policy.iface, &home);
	lock = home_lock(&home);
	if (lock < 0)
		return lock;
	r = unload(&home);
	if (r < 0)
		return r;
	if (r == 0)
		note("%s: nothing was loaded", home.iface);
	if (policy.json) {
		struct json_object *json = json_object_new_object();

		json_put_text(json, "interface", home.iface);
		json_put(json, "unloaded", json_object_new_boolean(r));
		json_print(json);
	}
	return 0;
}
