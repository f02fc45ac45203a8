// SPDX-License-Identifier: GPL-2.0
/* The steps that tune the host: what steering is wrong without, and what is asked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

/* What all the parts need, in one hand. */
struct tuning {
	const struct policy *policy;
	const struct facts *facts;
	struct plan *plan;
	struct reason *why;
};

static int full(struct tuning *tuning)
{
	if (tuning->plan->step_count + STEP_KINDS < STEPS_MAX)
		return 0;
	return because(tuning->why, -E2BIG, "%s: more than %u steps to tune the host",
		       tuning->facts->iface.name, HOST_STEPS_MAX);
}

/* A value that becomes another, unless it is that already. */
static int change(struct tuning *tuning, enum step_kind kind, const char *target,
		  const char *before, const char *after, const char *why)
{
	struct step *step;

	if (strcmp(before, after) == 0)
		return 0;
	if (full(tuning) < 0)
		return -E2BIG;
	step = plan_step(tuning->plan, kind, target, why);
	snprintf(step->before, sizeof(step->before), "%s", before);
	snprintf(step->after, sizeof(step->after), "%s", after);
	return 0;
}

/* option: what asked for it; NULL: correctness does. */
static int feature(struct tuning *tuning, const char *iface, const struct feature_fact *features,
		   enum feature which, bool on, const char *option, const char *why)
{
	const struct feature_fact *now = &features[which];
	char target[64];

	if (now->on == UNKNOWN && option)
		return because(tuning->why, -EOPNOTSUPP,
			       "%s: %s needs the feature %s, and the kernel does not tell of it",
			       iface, option, feature_names[which]);
	if (now->on == UNKNOWN || now->on == (on ? YES : NO))
		return 0;
	if (now->fixed && option)
		return because(tuning->why, -EOPNOTSUPP,
			       "%s: %s cannot be, the driver does not let %s be changed", iface,
			       option, feature_names[which]);
	if (now->fixed) {
		plan_note(tuning->plan, "%s: %s should be off (%s), and the driver fixes it on",
			  iface, feature_names[which], why);
		return 0;
	}
	snprintf(target, sizeof(target), "%s %s", iface, feature_names[which]);
	return change(tuning, STEP_FEATURE, target, now->on == YES ? "on" : "off",
		      on ? "on" : "off", why);
}

/* A tag that the NIC took off goes with the descriptor, which a redirect leaves behind. */
static int vlan(struct tuning *tuning)
{
	static const char why[] = "a VLAN tag that the NIC strips is lost on redirect";
	const struct iface_facts *iface = &tuning->facts->iface;
	int r;

	if (tuning->plan->generic)
		return 0; /* the skb keeps it */
	if (iface->features[FEATURE_RXVLAN].on == YES && iface->features[FEATURE_RXVLAN].fixed &&
	    iface->has_vlans && !tuning->policy->force)
		return because(tuning->why, -EOPNOTSUPP,
			       "%s: the NIC strips VLAN tags, the driver does not let that be "
			       "turned off, and there are VLANs above: their frames would arrive "
			       "untagged; --mode skb keeps the tags, --force does it all the same",
			       iface->name);
	r = feature(tuning, iface->name, iface->features, FEATURE_RXVLAN, false, NULL, why);
	return r < 0 ? r
		     : feature(tuning, iface->name, iface->features, FEATURE_RXVLAN_STAG, false,
			       NULL, why);
}

static int merging(struct tuning *tuning)
{
	const struct iface_facts *iface = &tuning->facts->iface;
	int r = feature(tuning, iface->name, iface->features, FEATURE_LRO, false, NULL,
			"frames merged by the NIC are none that XDP can take, or a router forward");

	return r < 0 ? r
		     : feature(tuning, iface->name, iface->features, FEATURE_GRO_HW, false, NULL,
			       "frames merged by the NIC are none that XDP can take");
}

static int rps_of(struct tuning *tuning, const char *iface, const struct rps_fact *rps)
{
	static const char why[] = "what a target CPU receives would be steered a second time";
	char target[64];
	int r = 0;

	if (rps->cpus[0])
		r = change(tuning, STEP_RPS, iface, rps->cpus, "none", why);
	snprintf(target, sizeof(target), "%s/queues/rx-0/rps_flow_cnt", iface);
	if (r == 0 && rps->flows[0])
		r = change(tuning, STEP_ATTRIBUTE, target, rps->flows, "0", why);
	return r;
}

static int rps(struct tuning *tuning)
{
	const struct iface_facts *iface = &tuning->facts->iface;
	int r;

	if (tuning->policy->keep_rps)
		return 0;
	r = rps_of(tuning, iface->name, &iface->rps);
	for (unsigned int i = 0; r == 0 && i < iface->port_count; i++)
		r = rps_of(tuning, iface->ports[i].name, &iface->ports[i].rps);
	return r;
}

/* Behind a DSA conduit GRO is at the user ports, in gro_cells. */
static int feature_where_gro_is(struct tuning *tuning, enum feature which, bool on,
				const char *option, const char *why)
{
	const struct iface_facts *iface = &tuning->facts->iface;
	int r = 0;

	if (!iface->port_count)
		return feature(tuning, iface->name, iface->features, which, on, option, why);
	for (unsigned int i = 0; r == 0 && i < iface->port_count; i++)
		r = feature(tuning, iface->ports[i].name, iface->ports[i].features, which, on,
			    option, why);
	return r;
}

enum { SMALL_CACHE_KIB = 512 };

enum keep plan_gro(const struct policy *policy, const struct facts *facts, const char **ret_why)
{
	const struct iface_facts *iface = &facts->iface;

	*ret_why = "asked for: --gro";
	if (policy->gro != KEEP)
		return policy->gro;
	*ret_why = "--role host: merged segments are cheaper for the sockets";
	if (policy->role == ROLE_HOST)
		return KEEP_ON;
	*ret_why = "--role router: no receive checksum from the NIC and a small cache, so summing "
		   "each byte costs more than merging saves; `bench` measures it";
	if (policy->role == ROLE_ROUTER && iface->features[FEATURE_RXCSUM].on == NO &&
	    facts->cpus.cache_kib && facts->cpus.cache_kib <= SMALL_CACHE_KIB)
		return KEEP_OFF;
	return KEEP;
}

static int gro(struct tuning *tuning)
{
	const struct policy *policy = tuning->policy;
	const char *why, *option = policy->gro == KEEP ? "--role" : "--gro";
	enum keep gro = plan_gro(policy, tuning->facts, &why);
	int r = 0;

	if (gro == KEEP_ON && tuning->plan->generic && !tuning->facts->iface.port_count)
		plan_note(tuning->plan,
			  "%s: %s, but the kernel does no GRO behind generic (skb) XDP",
			  tuning->facts->iface.name, option);
	if (gro != KEEP)
		r = feature_where_gro_is(tuning, FEATURE_GRO, gro == KEEP_ON, option, why);
	if (r == 0 && policy->udp_gro != KEEP)
		r = feature_where_gro_is(tuning, FEATURE_UDP_GRO, policy->udp_gro == KEEP_ON,
					 "--udp-gro", "asked for: --udp-gro");
	return r;
}

static int online(struct tuning *tuning, const struct cpu_list *list, const char *option)
{
	const struct cpuset *online = &tuning->facts->cpus.online;
	char text[256];

	cpuset_for_each(&list->cpus, cpu)
		if (!cpuset_has(online, cpu))
			return because(tuning->why, -E_USAGE,
				       "%s: CPU %u is not online; online here: %s", option, cpu,
				       cpuset_format(online, text, sizeof(text)));
	return 0;
}

struct cpuset plan_irq_cpus(const struct policy *policy, const struct facts *facts)
{
	const struct iface_facts *iface = &facts->iface;
	struct cpuset cpus = policy->irq_cpus.cpus;

	if (!policy->irq_cpus.set)
		return iface->irq_cpus;
	for (unsigned int i = 0; i < iface->irq_count; i++)
		if (iface->irqs[i].fixed && !iface->irqs[i].idle)
			cpuset_for_each(&iface->irqs[i].cpus, cpu)
				cpuset_add(&cpus, cpu);
	return cpus;
}

static int irqs(struct tuning *tuning)
{
	const struct iface_facts *iface = &tuning->facts->iface;
	unsigned int movable = 0;
	char list[STEP_VALUE], target[16];
	int r;

	if (!tuning->policy->irq_cpus.set)
		return 0;
	r = online(tuning, &tuning->policy->irq_cpus, "--irq-cpus");
	if (r < 0)
		return r;
	cpuset_format(&tuning->policy->irq_cpus.cpus, list, sizeof(list));
	for (unsigned int i = 0; i < iface->irq_count; i++) {
		if (iface->irqs[i].fixed)
			continue;
		movable++;
		snprintf(target, sizeof(target), "%u", iface->irqs[i].irq);
		r = change(tuning, STEP_IRQ, target, iface->irqs[i].allowed, list,
			   "asked for: --irq-cpus");
		if (r < 0)
			return r;
	}
	if (movable)
		return 0;
	return because(tuning->why, -EOPNOTSUPP, "%s: --irq-cpus: %s", iface->name,
		       iface->irq_count ? "the kernel lets none of its interrupts be moved"
					: "it has no interrupt of its own");
}

static int number(struct tuning *tuning, const struct number *wanted, enum step_kind kind,
		  const char *target, const char *before, int64_t scale, const char *option)
{
	char after[24], why[64];

	if (!wanted->set)
		return 0;
	if (!before[0])
		return because(tuning->why, -EOPNOTSUPP, "%s: the kernel has no %s here", option,
			       target);
	snprintf(after, sizeof(after), "%lld", (long long)(wanted->value * scale));
	snprintf(why, sizeof(why), "asked for: %s", option);
	return change(tuning, kind, target, before, after, why);
}

/* The timer is the NAPI's own; behind a DSA conduit that of each user port. */
static int flush_timeout(struct tuning *tuning)
{
	const struct number *wanted = &tuning->policy->gro_flush_timeout_us;
	const struct iface_facts *iface = &tuning->facts->iface;
	char target[64];
	int r;

	snprintf(target, sizeof(target), "%s/gro_flush_timeout", iface->name);
	r = number(tuning, wanted, STEP_ATTRIBUTE, target, iface->gro_flush_timeout, 1000,
		   "--gro-flush-timeout");
	for (unsigned int i = 0; r == 0 && i < iface->port_count; i++) {
		snprintf(target, sizeof(target), "%s/gro_flush_timeout", iface->ports[i].name);
		r = number(tuning, wanted, STEP_ATTRIBUTE, target,
			   iface->ports[i].gro_flush_timeout, 1000, "--gro-flush-timeout");
	}
	return r;
}

static int numbers(struct tuning *tuning)
{
	const struct iface_facts *iface = &tuning->facts->iface;
	char target[64];
	int r;

	r = number(tuning, &tuning->policy->gro_normal_batch, STEP_SYSCTL,
		   "net.core.gro_normal_batch", tuning->facts->host.gro_normal_batch, 1,
		   "--gro-normal-batch");
	if (r == 0)
		r = flush_timeout(tuning);
	snprintf(target, sizeof(target), "%s/napi_defer_hard_irqs", iface->name);
	return r < 0 ? r
		     : number(tuning, &tuning->policy->napi_defer_hard_irqs, STEP_ATTRIBUTE, target,
			      iface->napi_defer_hard_irqs, 1, "--napi-defer-hard-irqs");
}

/* "threaded", "softirq", or when they differ "257=threaded;258=softirq". */
static const char *napi_now(const struct iface_facts *iface, char *text, size_t size)
{
	enum answer all = strcmp(iface->threaded, "0") == 0 ? NO : YES;
	bool differ = false;

	for (unsigned int i = 0; i < iface->napi_count; i++) {
		enum answer one = iface->napis[i].threaded;

		if (one == UNKNOWN)
			continue;
		differ |= i && one != all;
		all = one;
	}
	if (!differ)
		return all == YES ? "threaded" : "softirq";
	*text = '\0';
	for (unsigned int i = 0; i < iface->napi_count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%u=%s", i ? ";" : "",
			 iface->napis[i].id,
			 iface->napis[i].threaded == YES ? "threaded" : "softirq");
	return text;
}

static int napi_possible(struct tuning *tuning)
{
	const struct policy *policy = tuning->policy;
	const struct iface_facts *iface = &tuning->facts->iface;
	char text[STEP_VALUE];

	if (policy->napi == NAPI_THREADED && !iface->threaded[0])
		return because(tuning->why, -EOPNOTSUPP,
			       "%s: --napi threaded: the kernel has no threaded NAPI (Linux 5.12)",
			       iface->name);
	if (!policy->napi_cpus.set)
		return 0;
	if (policy->napi == NAPI_SOFTIRQ ||
	    (policy->napi == NAPI_KEEP &&
	     strcmp(napi_now(iface, text, sizeof(text)), "softirq") == 0))
		return because(tuning->why, -E_USAGE,
			       "%s: --napi-cpus places threads, and NAPI has none here; add --napi "
			       "threaded",
			       iface->name);
	return online(tuning, &policy->napi_cpus, "--napi-cpus");
}

static const char *threads_now(const struct iface_facts *iface, const char *wanted)
{
	const char *other = NULL;

	for (unsigned int i = 0; i < iface->napi_count; i++)
		if (iface->napis[i].pid && strcmp(iface->napis[i].cpus, wanted) != 0)
			other = iface->napis[i].cpus;
	if (other)
		return other;
	for (unsigned int i = 0; i < iface->napi_count; i++)
		if (!iface->napis[i].pid)
			return "-";
	return iface->napi_count ? wanted : "-";
}

void plan_threads(const struct policy *policy, const struct facts *facts, struct plan *plan)
{
	struct reason ignored; /* there is room: plan_host() leaves some */
	struct tuning tuning = { policy, facts, plan, &ignored };
	const struct iface_facts *iface = &facts->iface;
	char text[STEP_VALUE], list[STEP_VALUE];

	if (policy->napi != NAPI_KEEP)
		change(&tuning, STEP_NAPI, iface->name, napi_now(iface, text, sizeof(text)),
		       napi_names[policy->napi], "asked for: --napi");
	if (!policy->napi_cpus.set)
		return;
	cpuset_format(&policy->napi_cpus.cpus, list, sizeof(list));
	change(&tuning, STEP_THREADS, iface->name, threads_now(iface, list), list,
	       "asked for: --napi-cpus");
}

int plan_host(const struct policy *policy, const struct facts *facts, struct plan *plan,
	      struct reason *why)
{
	int (*const parts[])(struct tuning * tuning) = { vlan, merging, rps,	      gro,
							 irqs, numbers, napi_possible };
	struct tuning tuning = { policy, facts, plan, why };
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		r = parts[i](&tuning);
	return r;
}
