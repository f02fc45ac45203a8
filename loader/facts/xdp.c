// SPDX-License-Identifier: GPL-2.0
/* The XDP program that is on an interface, ours or not. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>

#include "facts/facts.h"
#include "lib/clean.h"

static void read_program(uint32_t id, struct xdp_facts *ret)
{
	cleanup(closep) int fd = bpf_prog_get_fd_by_id(id);
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return;
	snprintf(ret->prog_name, sizeof(ret->prog_name), "%s", info.name);
	for (int i = 0; i < BPF_TAG_SIZE; i++)
		snprintf(ret->prog_tag + 2 * i, 3, "%02x", info.tag[i]);
	/* The name that libxdp gives to its own program. */
	ret->dispatcher = strcmp(info.name, "xdp_dispatcher") == 0;
}

/* The link that holds a program on the interface; 0 when netlink put it there. */
static uint32_t find_link(uint32_t ifindex)
{
	uint32_t id = 0;

	while (bpf_link_get_next_id(id, &id) == 0) {
		cleanup(closep) int fd = bpf_link_get_fd_by_id(id);
		struct bpf_link_info info = { 0 };
		uint32_t size = sizeof(info);

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
		    info.type == BPF_LINK_TYPE_XDP && info.xdp.ifindex == ifindex)
			return id;
	}
	return 0;
}

void facts_xdp(uint32_t ifindex, struct xdp_facts *ret)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);

	*ret = (struct xdp_facts){ 0 };
	if (bpf_xdp_query((int)ifindex, 0, &query) < 0 || query.attach_mode == XDP_ATTACHED_NONE)
		return;
	ret->generic = query.attach_mode == XDP_ATTACHED_SKB;
	ret->prog_id = query.prog_id;
	if (!ret->prog_id) /* XDP_ATTACHED_MULTI: the driver's goes first */
		ret->prog_id = query.drv_prog_id ? query.drv_prog_id : query.hw_prog_id;
	read_program(ret->prog_id, ret);
	ret->link_id = find_link(ifindex);
}
