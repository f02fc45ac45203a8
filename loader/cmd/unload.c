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

struct told {
	struct json_object *restored; /* NULL: text to stderr */
	struct json_object *left;
};

static void tell(const struct step *step, enum undone undone, const char *now, void *data)
{
	struct told *told = data;
	char text[512];

	undone_format(step, undone, now, text, sizeof(text));
	if (!*text)
		return;
	if (told->restored)
		json_object_array_add(undone == UNDONE ? told->restored : told->left,
				      json_object_new_string(text));
	else if (undone == UNDONE)
		note("%s", text);
	else
		warn("%s", text);
}

static int unload(const struct home *home, struct told *told)
{
	cleanup(freep) struct loaded *loaded = calloc(1, sizeof(*loaded));
	/* The interface may be gone: what it left is removed all the same. */
	uint32_t ifindex = if_nametoindex(home->iface);
	const struct source source = { .root = -1 }; /* no file of it is read */
	struct xdp_facts xdp = { 0 };

	if (!loaded)
		return fail(-ENOMEM, "out of memory");
	if (ifindex)
		facts_program(&source, home->iface, &xdp);
	facts_loaded(home, ifindex, &xdp, loaded);
	return apply_undo(home, ifindex, loaded, tell, told);
}

int cmd_unload(int argc, char **argv)
{
	cleanup(closep) int lock = -1;
	struct told told = { NULL };
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
	if (policy.json)
		told = (struct told){ json_object_new_array(), json_object_new_array() };
	r = unload(&home, &told);
	if (r < 0)
		return r;
	if (r == 0)
		note("%s: nothing was loaded", home.iface);
	if (policy.json) {
		struct json_object *json = json_object_new_object();

		json_put_text(json, "interface", home.iface);
		json_put(json, "unloaded", json_object_new_boolean(r));
		json_put(json, "restored", told.restored);
		json_put(json, "left_alone", told.left);
		json_print(json);
	}
	return 0;
}
