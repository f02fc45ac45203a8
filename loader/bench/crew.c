// SPDX-License-Identifier: GPL-2.0
/* The processes that send and receive, each in its namespace and on its CPUs. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "lib/say.h"

/* What a kind of traffic needs: who works, where, and who the sender is. */
static const struct role {
	void (*work)(const struct crew *crew);
	unsigned int kinds; /* bits */
	bool sends;	    /* in the sender's namespace, on the RX CPU */
	bool is_load;
} roles[] = {
	{ work_udp_sink, 1 << KIND_GRO, false, false },
	{ work_tcp_sink, 1 << KIND_TCP | 1 << KIND_TCPS, false, false },
	{ work_echo, ~0U, false, false },
	{ work_ping, ~0U, true, false },
	{ work_frames, 1 << KIND_DROP | 1 << KIND_GRO, true, true },
	{ work_tcp_send, 1 << KIND_TCP | 1 << KIND_TCPS, true, true },
};

static void pin(const struct cpuset *set)
{
	cpu_set_t *cpus = CPU_ALLOC(CPUS_MAX);

	if (!cpus)
		return;
	CPU_ZERO_S(CPU_ALLOC_SIZE(CPUS_MAX), cpus);
	cpuset_for_each(set, cpu)
		CPU_SET_S(cpu, CPU_ALLOC_SIZE(CPUS_MAX), cpus);
	sched_setaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), cpus);
	CPU_FREE(cpus);
}

/* Never returns. */
static void become(const struct role *role, const struct crew *crew)
{
	struct cpuset one = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	cpuset_add(&one, crew->rx_cpu);
	/* A load that spins is pinned; a ping may wait for any CPU but it. */
	pin(role->is_load ? &one : crew->targets);
	if (setns(role->sends ? crew->net->sender : crew->net->receiver, CLONE_NEWNET) == 0)
		role->work(crew);
	_exit(1);
}

int crew_start(struct crew *crew)
{
	crew->count = 0;
	crew->tally = mmap(NULL, sizeof(*crew->tally), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crew->tally == MAP_FAILED)
		return fail(-errno, "out of memory");
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		pid_t pid;

		if (!(roles[i].kinds >> crew->kind & 1))
			continue;
		pid = fork();
		if (pid == 0)
			become(&roles[i], crew);
		if (pid < 0)
			return fail(-errno, "cannot start a process: %s", strerror(errno));
		crew->pids[crew->count++] = pid;
		if (roles[i].is_load)
			crew->sender = pid;
	}
	return 0;
}

void crew_stop(struct crew *crew)
{
	for (unsigned int i = 0; i < crew->count; i++)
		kill(crew->pids[i], SIGKILL);
	for (unsigned int i = 0; i < crew->count; i++)
		waitpid(crew->pids[i], NULL, 0);
	if (crew->tally && crew->tally != MAP_FAILED)
		munmap(crew->tally, sizeof(*crew->tally));
	crew->tally = NULL;
	crew->count = 0;
}
