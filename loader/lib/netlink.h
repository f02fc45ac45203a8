/* SPDX-License-Identifier: GPL-2.0 */
/* Ask the kernel by netlink: one socket, one question at a time. */
#ifndef LIB_NETLINK_H
#define LIB_NETLINK_H

#include <libmnl/libmnl.h>
#include <stdbool.h>
#include <stdint.h>

struct netlink {
	struct mnl_socket *socket;
	uint16_t family; /* of generic netlink; else 0 */
	char said[160];	 /* the kernel's words about the last failure, "" when it had none */
	char buffer[4096];
};

int netlink_open(int bus, struct netlink *ret);
void netlink_close(struct netlink *netlink);

/* Generic netlink: -ENOENT when the kernel does not have the family. */
int genl_open(const char *family, struct netlink *ret);

/* A message to be filled in; it is in the buffer. */
struct nlmsghdr *genl_message(struct netlink *netlink, uint8_t command, bool dump);

/* Send it, and run callback over what comes back: 0 or a negative errno. */
int netlink_ask(struct netlink *netlink, struct nlmsghdr *header, mnl_cb_t callback, void *data);

/* The attributes of a generic netlink message, or those nested in one, by number. */
void genl_attributes(const struct nlmsghdr *header, const struct nlattr **ret, uint16_t max);
void nested_attributes(const struct nlattr *nest, const struct nlattr **ret, uint16_t max);

#endif
