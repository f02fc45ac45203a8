// SPDX-License-Identifier: GPL-2.0
/* The XDP program that is on an interface, ours or not. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "facts/facts.h"
#include "lib/clean.h"
#include "lib/text.h"

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

static void print_program(uint32_t id, FILE *out)
{
	cleanup(closep) int fd = bpf_prog_get_fd_by_id(id);
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	fprintf(out, "id: %u\n", id);
	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return;
	fprintf(out, "name: %s\ntag: ", info.name);
	for (int i = 0; i < BPF_TAG_SIZE; i++)
		fprintf(out, "%02x", info.tag[i]);
	fputc('\n', out);
}

/*
 * id: 42
 * name: xdp_dispatcher
 * tag: 90f686eb86991928
 * mode: native
 * link: 3
 */
void ask_program(const struct source *source, const char *iface, FILE *out)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	uint32_t index = if_nametoindex(iface), id, link;

	if (bpf_xdp_query((int)index, 0, &query) < 0 || query.attach_mode == XDP_ATTACHED_NONE)
		return;
	id = query.prog_id;
	if (!id) /* XDP_ATTACHED_MULTI: the driver's goes first */
		id = query.drv_prog_id ? query.drv_prog_id : query.hw_prog_id;
	print_program(id, out);
	fprintf(out, "mode: %s\n", query.attach_mode == XDP_ATTACHED_SKB ? "skb" : "native");
	link = find_link(index);
	if (link)
		fprintf(out, "link: %u\n", link);
}

static void take_line(struct xdp_facts *xdp, const char *key, const char *value)
{
	if (strcmp(key, "id") == 0)
		text_to_u32(value, UINT32_MAX, &xdp->prog_id);
	else if (strcmp(key, "name") == 0)
		snprintf(xdp->prog_name, sizeof(xdp->prog_name), "%s", value);
	else if (strcmp(key, "tag") == 0)
		snprintf(xdp->prog_tag, sizeof(xdp->prog_tag), "%s", value);
	else if (strcmp(key, "mode") == 0)
		xdp->generic = strcmp(value, "skb") == 0;
	else if (strcmp(key, "link") == 0)
		text_to_u32(value, UINT32_MAX, &xdp->link_id);
}

void facts_program(const struct source *source, const char *iface, struct xdp_facts *ret)
{
	cleanup(freep) char *text = source_ask(source, "program", iface);
	char *rest = text, *line;

	*ret = (struct xdp_facts){ 0 };
	while ((line = text_next_line(&rest))) {
		char *key = strsep(&line, ":");

		if (line)
			take_line(ret, key, line + strspn(line, " "));
	}
	/* The name that libxdp gives to its own program. */
	ret->dispatcher = strcmp(ret->prog_name, "xdp_dispatcher") == 0;
}
