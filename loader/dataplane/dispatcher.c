// SPDX-License-Identifier: GPL-2.0
/* Attach through libxdp's dispatcher, beside the programs of others. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <xdp/libxdp.h>

#include "dataplane/dataplane.h"
#include "dataplane/skeleton.h"
#include "lib/clean.h"
#include "lib/say.h"

/*
 * A redirect ends the chain: whoever filters or counts must come before us.
 * libxdp's default is 50, smaller runs earlier.
 */
#define RUN_PRIO 90

static void program_closep(struct xdp_program **program)
{
	if (!libxdp_get_error(*program))
		xdp_program__close(*program);
}

static void multiprog_closep(struct xdp_multiprog **multiprog)
{
	if (!libxdp_get_error(*multiprog))
		xdp_multiprog__close(*multiprog);
}

/*
 * libxdp loads the program itself, as an extension of its dispatcher, when all
 * maps must be filled already: so it gets the pinned ones.
 */
static int reuse_all(struct steer *skel, const struct home *home, bool next, unsigned int lanes)
{
	struct bpf_program *passes[LANES_MAX] = PASSES_OF(skel);
	struct named_map maps[MAPS_NAMED];
	unsigned int count = maps_named(skel, lanes, maps), n = 0;
	bool has_rules = access(home_pin_of(home, next, "rules").text, F_OK) == 0;

	lanes_restrict(skel, lanes);
	for (unsigned int lane = 0; lane < LANES_MAX; lane++)
		bpf_program__set_autoload(passes[lane], false);
	bpf_program__set_autoload(skel->progs.steer, false);
	bpf_program__set_autoload(skel->progs.steer_chained, true);
	for (unsigned int i = 0; i < count; i++)
		if (has_rules || maps[i].map != skel->maps.rules)
			maps[n++] = maps[i];
	return maps_reuse(home, next, maps, n);
}

static bool has_dispatcher(uint32_t ifindex)
{
	cleanup(multiprog_closep) struct xdp_multiprog *multiprog =
		xdp_multiprog__get_from_ifindex((int)ifindex);

	return !libxdp_get_error(multiprog) && !xdp_multiprog__is_legacy(multiprog);
}

/* The program that libxdp made takes the place of the pinned one. */
static int pin_extension(const struct home *home, bool next, struct xdp_program *program)
{
	struct pin_path path = home_pin_of(home, next, "steer");
	int r;

	if (unlink(path.text) < 0)
		return fail(-errno, "cannot remove '%s': %s", path.text, strerror(errno));
	r = bpf_obj_pin(xdp_program__fd(program), path.text);
	return r < 0 ? fail(r, "cannot pin '%s': %s", path.text, strerror(-r)) : 0;
}

int dispatcher_attach(const struct home *home, const struct dataplane_spec *spec, bool next,
		      uint32_t ifindex, bool generic)
{
	cleanup(steer_destroyp) struct steer *skel = steer_new();
	DECLARE_LIBXDP_OPTS(xdp_program_opts, opts, .prog_name = "steer_chained");
	enum xdp_attach_mode mode = generic ? XDP_MODE_SKB : XDP_MODE_NATIVE;
	cleanup(program_closep) struct xdp_program *program = NULL;
	int r;

	if (!skel)
		return fail(-errno, "cannot open the XDP programs: %s", strerror(errno));
	r = reuse_all(skel, home, next, spec->config.lanes);
	if (r < 0)
		return r;
	opts.obj = skel->obj;
	program = xdp_program__create(&opts);
	r = (int)libxdp_get_error(program);
	if (r < 0)
		return fail(r, "libxdp does not take the program: %s", strerror(-r));
	xdp_program__set_run_prio(program, RUN_PRIO);
	xdp_program__set_chain_call_enabled(program, XDP_PASS, true);
	/* libxdp does not see the flag that libbpf would set by itself. */
	xdp_program__set_xdp_frags_support(program, spec->config.frags);

	kernel_said_clear();
	r = xdp_program__attach(program, (int)ifindex, mode, 0);
	if (r < 0)
		return fail(r,
			    "%s: libxdp cannot attach through its dispatcher: %s; --dispatcher "
			    "no attaches without it",
			    home->iface, *kernel_said() ? kernel_said() : strerror(-r));
	/* Where the kernel cannot extend programs it attached ours alone. */
	if (!has_dispatcher(ifindex)) {
		xdp_program__detach(program, (int)ifindex, mode, 0);
		return fail(-ENOSYS,
			    "%s: the kernel cannot run libxdp's dispatcher (it needs "
			    "BTF and freplace); --dispatcher no attaches without it",
			    home->iface);
	}
	r = pin_extension(home, next, program);
	if (r < 0)
		xdp_program__detach(program, (int)ifindex, mode, 0);
	return r;
}

int dispatcher_detach(uint32_t ifindex, uint32_t prog_id)
{
	cleanup(multiprog_closep) struct xdp_multiprog *multiprog =
		xdp_multiprog__get_from_ifindex((int)ifindex);
	struct xdp_program *program = NULL;
	int r;

	if (libxdp_get_error(multiprog))
		return 0;
	while ((program = xdp_multiprog__next_prog(program, multiprog))) {
		if (xdp_program__id(program) != prog_id)
			continue;
		r = xdp_program__detach(program, (int)ifindex,
					xdp_multiprog__attach_mode(multiprog), 0);
		return r < 0 ? fail(r, "libxdp cannot take our program out of its dispatcher: %s",
				    strerror(-r))
			     : 0;
	}
	return 0;
}
