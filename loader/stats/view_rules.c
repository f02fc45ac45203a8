// SPDX-License-Identifier: GPL-2.0
/* What two snapshots say of the rules. */
#include <string.h>

#include "stats/view.h"

static const struct rule_count no_rule;

/* One that was not there before began at 0; an id alone may have been another rule's. */
static const struct rule_count *rule_before(const struct view *view, const struct rule_count *now)
{
	for (unsigned int i = 0; i < view->before->rule_count; i++) {
		const struct rule_count *rule = &view->before->rules[i];

		if (rule->id == now->id && strcmp(rule->name, now->name) == 0)
			return rule;
	}
	return &no_rule;
}

static double all_frames(const struct view *view)
{
	const struct iface_count *before = &view->totals[0], *now = &view->totals[1];

	return (double)view_growth(before->redirected_packets, now->redirected_packets) +
	       (double)view_growth(before->stay_packets, now->stay_packets);
}

void view_add_rules(struct view *view)
{
	for (unsigned int i = 0; i < view->now->rule_count; i++) {
		const struct rule_count *now = &view->now->rules[i];
		struct view_row *row = view_add(view, SCOPE_RULE, 0);
		const struct rule_count *before = rule_before(view, now);

		row->rule = now->name;
		row->before = before;
		row->now = now;
		row->rule_gauges.share_pct = view_pct(
			(double)view_growth(before->packets, now->packets), all_frames(view));
	}
}
