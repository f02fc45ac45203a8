#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Beside xdp-filter in libxdp's dispatcher, whoever came first, and each leaves without the other.
. "$(dirname "$0")/../../lib.sh"

command -v xdp-filter >/dev/null || skip_all 'needs xdp-filter (xdp-tools)'
topo
# Not `ip netns exec`, which hides the bpffs where libxdp keeps its pins.
in_net() { nsenter --net=/run/netns/$rx "$@"; }
filter() { in_net xdp-filter "$@"; }
trap 'filter unload --all >/dev/null 2>&1; sweep' EXIT

programs() { in_net xdp-loader status rx0 | sed -n 's/^ => *[0-9]* *\([a-z_]*\).*/\1/p' | tr '\n' ' '; }
answers() { ip netns exec "$tx" ping -c 1 -W 5 -q 192.0.2.2; }

# steers NAME: whole streams, on CPU 1
steers()
{
	local said

	said=$(traffic copy --streams 4 --size 400000)
	is "$1: four streams arrive whole" "$(jq .intact <<<"$said")" 4
	is "$1: on CPU 1" "$(jq -c .cpus <<<"$said")" '[1]'
}

# blocks NAME: what the filter is told to drop does not arrive
blocks()
{
	filter ip --mode src 192.0.2.1
	check "$1: the filter drops" eval '! answers'
	filter ip --remove --mode src 192.0.2.1
	check "$1: and passes what it should" answers
}

load() { tool load rx0 --cpus 1 "$@"; }

# ---- they were first ------------------------------------------------------------------------
exits 0 'xdp-filter load' filter load rx0 --mode native
exits 0 'load joins the dispatcher' load
is 'status says so' "$(query .attach)" dispatcher
is 'the filter runs first' "$(programs)" 'xdpfilt_alw_all steer_chained '
steers 'second'
blocks 'second'
objects=$(bpftool -j map show pinned "$pins/rx0/cpus" | jq -r '"map \(.id)"')
exits 0 'unload' tool unload rx0
is 'the filter stays' "$(programs)" 'xdpfilt_alw_all '
blocks 'alone again'
is 'our maps are gone' "$(py bpf.py gone <<<"$objects")" ''
exits 0 'load joins once more' load
exits 0 'now the filter leaves first' filter unload rx0
is 'we stay' "$(programs)" 'steer_chained '
steers 'left alone'
exits 0 'unload the last' tool unload rx0
leaves_nothing 'and nothing is left' "$objects"

# ---- we were first --------------------------------------------------------------------------
exits 0 'load --dispatcher yes' load --dispatcher yes
is 'status says dispatcher' "$(query .attach)" dispatcher
steers 'first'
exits 0 'the filter joins us' filter load rx0 --mode native
is 'and runs before us' "$(programs)" 'xdpfilt_alw_all steer_chained '
steers 'joined'
blocks 'joined'
exits 0 'load again changes the CPU beside the filter' tool load rx0 --cpus 2 --dispatcher yes
is 'flows go to CPU 2' "$(traffic copy --streams 2 --size 100000 | jq -c .cpus)" '[2]'
exits 0 'a rule, and with it other programs' tool rule add rx0 streams proto tcp cpu 3
is 'beside the filter' "$(programs)" 'xdpfilt_alw_all steer_chained '
is 'sends flows to CPU 3' "$(traffic copy --streams 2 --size 100000 | jq -c .cpus)" '[3]'
exits 0 'unload' tool unload rx0
is 'the filter stays' "$(programs)" 'xdpfilt_alw_all '
exits 0 'the filter leaves' filter unload rx0
leaves_nothing 'nothing is left' "$objects"

# ---- without a dispatcher there is no joining ---------------------------------------------------
exits 0 'load --dispatcher no' load --dispatcher no
check 'xdp-filter cannot join a program that is alone' eval '! filter load rx0 --mode native 2>/dev/null'
steers 'alone'
exits 0 'unload' tool unload rx0
finish
