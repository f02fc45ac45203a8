#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The guest is what the other tests take for granted.

n=0
check()
{
	n=$((n + 1))
	name=$1
	shift
	if "$@" >/tmp/smoke.out 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' /tmp/smoke.out
	fi
}

veth_carries_a_ping()
{
	ip netns add smoke && ip link add smoke0 type veth peer name smoke1 netns smoke &&
		ip addr add 10.99.0.1/24 dev smoke0 && ip link set smoke0 up &&
		ip -n smoke addr add 10.99.0.2/24 dev smoke1 && ip -n smoke link set smoke1 up &&
		busybox ping -c 1 -W 5 10.99.0.2
}

echo "1..3"
echo "# $(uname -srm)"
check "it has the CPUs that were asked for" [ "$(grep -c '^processor' /proc/cpuinfo)" = "$VM_CPUS" ]
check "bpffs is mounted" mkdir /sys/fs/bpf/smoke
check "a veth pair carries a ping to a namespace" veth_carries_a_ping
