// SPDX-License-Identifier: GPL-2.0
/* Attach by a bpf_link: it is ours alone, and the pin keeps it when we are gone. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <string.h>

#include "dataplane/dataplane.h"
#include "lib/clean.h"
#include "lib/say.h"

/*
 * A link that fails gives an errno alone, netlink also the driver's words. So
 * ask the same by netlink, which fails the same way; if it does not, undo it.
 */
static void ask_why(int prog, uint32_t ifindex, uint32_t mode)
{
	LIBBPF_OPTS(bpf_xdp_attach_opts, ours, .old_prog_fd = prog);

	kernel_said_clear();
	if (bpf_xdp_attach((int)ifindex, prog, mode | XDP_FLAGS_UPDATE_IF_NOEXIST, NULL) == 0)
		bpf_xdp_detach((int)ifindex, mode | XDP_FLAGS_REPLACE, &ours);
}

static int attach_failed(const struct home *home, int err)
{
	const char *words = kernel_said();

	if (!*words)
		words = strerror(-err);
	if (err == -EBUSY || err == -EEXIST)
		return fail(-E_REFUSED, "%s: the kernel refuses a second program: %s", home->iface,
			    words);
	return fail(err, "%s: the kernel refuses to attach: %s (errno %d)", home->iface, words,
		    -err);
}

int link_attach(const struct home *home, const struct dataplane *dataplane, uint32_t ifindex,
		bool generic)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .flags = generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE);
	cleanup(closep) int link = bpf_link_create(dataplane->steer, (int)ifindex, BPF_XDP, &opts);
	struct pin_path path = home_pin(home, "link");
	int r;

	if (link < 0) {
		r = link;
		ask_why(dataplane->steer, ifindex, opts.flags);
		return r == -EOPNOTSUPP && !generic ? r : attach_failed(home, r);
	}
	r = bpf_obj_pin(link, path.text);
	return r < 0 ? fail(r, "cannot pin '%s': %s", path.text, strerror(-r)) : 0;
}

int link_replace(const struct home *home, const struct dataplane *dataplane)
{
	cleanup(closep) int link = bpf_obj_get(home_pin(home, "link").text);
	cleanup(closep) int old = bpf_obj_get(home_pin(home, "steer").text);
	LIBBPF_OPTS(bpf_link_update_opts, opts, .flags = BPF_F_REPLACE,
		    .old_prog_fd = (uint32_t)old);
	int r;

	if (link < 0 || old < 0)
		return fail(-ENOENT, "%s: our link is gone", home->iface);
	r = bpf_link_update(link, dataplane->steer, &opts);
	return r < 0 ? fail(r, "%s: the kernel refuses to replace the program: %s", home->iface,
			    strerror(-r))
		     : 0;
}

int link_detach(const struct home *home)
{
	struct pin_path path = home_pin(home, "link");
	cleanup(closep) int link = bpf_obj_get(path.text);
	int r;

	if (link < 0)
		return link == -ENOENT
			       ? 0
			       : fail(link, "cannot open '%s': %s", path.text, strerror(-link));
	/* Not by closing it: another process may hold the link, too. */
	r = bpf_link_detach(link);
	if (r < 0)
		return fail(r, "%s: cannot detach: %s", home->iface, strerror(-r));
	return unlink(path.text) < 0
		       ? fail(-errno, "cannot remove '%s': %s", path.text, strerror(errno))
		       : 0;
}
