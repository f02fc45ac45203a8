// SPDX-License-Identifier: GPL-2.0
/* How frames are read: the hash, tunnels, multicast, and the tag of a DSA switch. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "plan/plan.h"

static int decide_dsa(const struct policy *policy, const struct facts *facts, struct plan *plan,
		      struct reason *why)
{
	const char *name = policy->dsa[0] ? policy->dsa : facts->iface.dsa_tagging;
	const struct dsa_tag *tag = *name ? dsa_tag_find(name) : NULL;

	if (tag)
		plan->config.dsa = *tag;
	if (tag || !*name)
		return 0;
	if (policy->force) {
		plan_note(plan,
			  "%s: we do not know the DSA tag '%s': its frames will all stay on the RX "
			  "CPU, or all go to one",
			  facts->iface.name, name);
		return 0;
	}
	because(why, -EINVAL,
		"%s: its switch puts tags of the kind '%s' on frames, which we cannot read; --dsa "
		"NAME if it is like one of these, --force to go on without: ",
		facts->iface.name, name);
	dsa_tag_names(why->text, sizeof(why->text));
	return -EINVAL;
}

/*
 * These drivers tell the bridge by a mark on the skb what the switch forwarded
 * already (offload_fwd_mark). A redirect loses it, and the bridge floods again.
 */
static bool loses_mark(const struct facts *facts)
{
	return strcmp(facts->iface.driver, "cpsw-switch") == 0 ||
	       (strcmp(facts->iface.driver, "am65-cpsw-nuss") == 0 && facts->iface.bridge_port);
}

int plan_classifier(const struct policy *policy, const struct facts *facts, struct plan *plan,
		    struct reason *why)
{
	bool mark = policy->multicast == MULTICAST_AUTO && loses_mark(facts);

	plan->config.now.hash = (__u8)policy->hash;
	plan->config.inner = (__u8)policy->inner;
	plan->config.multicast_stays = policy->multicast == MULTICAST_PASS || mark;
	if (mark)
		plan_note(
			plan,
			"%s: multicast and broadcast stay on the RX CPU: the switch has forwarded "
			"them already, and a redirect would lose the mark that says so",
			facts->iface.name);
	return decide_dsa(policy, facts, plan, why);
}
