#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tuning of the host: every value that a plan can touch is afterwards what it was before, to the
# bit; after unload, after kill -9 behind each step, and whatever else happens in between.
. "$(dirname "$0")/../lib.sh"
# shellcheck disable=SC2119 # load is called with and without more options

topo
strace -o /dev/null true 2>/dev/null || skip_all 'strace cannot trace here'

# All that steps can touch here. veth has no interrupt of its own; sysctls of net.core that are not
# per namespace are not in this one (they are tried on captured hosts).
everything='--gro off --udp-gro on --napi threaded --napi-cpus 0 --gro-flush-timeout 50 --napi-defer-hard-irqs 3 --priority -5'
steps=10 # of these, those that leave something behind: see the journal

# snapshot [IFACE]: each value that a plan can touch, a line each
snapshot() {
	local iface=${1:-rx0}

	in_rx ethtool -k "$iface" | sort
	in_rx grep -r . /sys/class/net/"$iface"/queues/rx-0/ /sys/class/net/"$iface"/threaded \
		/sys/class/net/"$iface"/gro_flush_timeout /sys/class/net/"$iface"/napi_defer_hard_irqs
}
prepare() {
	in_rx sh -c 'echo 3 >/sys/class/net/rx0/queues/rx-0/rps_cpus; echo 64 >/sys/class/net/rx0/queues/rx-0/rps_flow_cnt'
	in_rx ethtool -K rx0 gro on rx-udp-gro-forwarding off >/dev/null
}
# shellcheck disable=SC2086,SC2119,SC2120 # options; with and without more
load() {
	tool load rx0 --cpus 0 $everything "$@"
}

prepare
before=$(snapshot)
exits 0 'load with everything' load
differs=$(diff <(echo "$before") <(snapshot) | grep -c '^>')
check "it changed $differs values" test "$differs" -ge 7
is 'the journal has a line for each' "$(wc -l <"$journals/rx0.journal")" $((steps + 2))
pid=$(query '.targets[0].kthread_pid')
is 'the kthread has its nice value' "$(ps -o ni= -p "$pid" | tr -d ' ')" -5
napi=$(pgrep -f '^\[napi/rx0-' | head -n 1)
is 'NAPI has a thread, on its CPU' "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$napi/status")" 0
exits 0 'load again' load --dry-run
is 'and there is nothing to do' "$out" 'nothing to do'

# An interface that goes down and up has new threads.
ip -n $rx link set rx0 down
ip -n $rx link set rx0 up
exits 0 'load after down and up' load
napi=$(pgrep -f '^\[napi/rx0-' | head -n 1)
is 'the new thread is on its CPU' "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$napi/status")" 0

exits 0 'unload' tool unload rx0
like 'it tells what it restored' "$err" 'restored feature rx0 rx-gro: on'
is 'everything is as before, to the bit' "$(snapshot)" "$before"

# ---- kill -9 behind each step -----------------------------------------------------------------
# At each system call by which load changes something, from the first line of the journal on. The
# journal is synced before a step is done, so that is before each step, amid it and behind it.
changing='write fdatasync sendto sched_setaffinity setpriority mkdir unlink rename bpf'
# shellcheck disable=SC2086 # options
in_rx strace -f -qqq -o "$work/calls" -e trace="${changing// /,}" "$TOOL" load rx0 --cpus 0 $everything >/dev/null 2>&1
tool unload rx0 2>/dev/null
first=$(grep -n 'fdatasync(' "$work/calls" | sed -n '1s/:.*//p')
calls_of() { grep -c " $1(" "$2"; }
killed=0 restored=0
declare -A seen
die_at() { # CALL N
	local noted

	# shellcheck disable=SC2086 # options
	(in_rx strace -f -qqq -o /dev/null -e trace="$1" -e inject="$1:signal=KILL:when=$2" \
		"$TOOL" load rx0 --cpus 0 $everything >/dev/null 2>&1) 2>/dev/null
	[ $? -ge 128 ] || return
	((++killed))
	noted=$(wc -l <"$journals/rx0.journal")
	((seen[$noted]++))
	tool unload rx0 2>/dev/null
	if [ "$(snapshot)" = "$before" ] && [ ! -e "$pins" ] && [ ! -e "$journals" ]; then
		((++restored))
		return
	fi
	fail "killed at $1 $2, with $noted steps noted" "$(diff <(echo "$before") <(snapshot))"
	prepare
}
# The first step, the programs, has many calls of bpf(): kill.t dies at them.
second=$(grep -n 'fdatasync(' "$work/calls" | sed -n '2s/:.*//p')
for call in $changing; do
	[ "$call" = bpf ] && first=$((second - 8))
	for ((n = $(calls_of "$call" <(head -n "$first" "$work/calls")) + 1; n <= $(calls_of "$call" "$work/calls"); n += $(scaled 1 6))); do
		die_at "$call" $n
	done
done
is "killed at $killed calls: all restored, to the bit" "$restored" "$killed"
[ "${VM_CELL:-}" ] || for ((n = 1; n <= steps + 2; n++)); do
	check "killed with $n steps in the journal: ${seen[$n]:-0} times" test "${seen[$n]:-0}" -gt 0
done

# ---- others -----------------------------------------------------------------------------------
load 2>/dev/null
in_rx sh -c 'echo 2 >/sys/class/net/rx0/queues/rx-0/rps_cpus'
in_rx ethtool -K rx0 gro on >/dev/null
exits 0 'unload, when somebody changed values in between' tool unload rx0
like 'his value is left alone, and it says so' "$err" "rps rx0: changed by someone else to '1', left alone"
is 'his value is there' "$(in_rx cat /sys/class/net/rx0/queues/rx-0/rps_cpus)" 2
is 'what he set back himself is no matter' "$(grep -c 'rx-gro:' <<<"$err")" 0
prepare
is 'all else is as before' "$(snapshot)" "$before"

# ---- a failure is rolled back -----------------------------------------------------------------
# The kernel refuses the write of the last value: by strace, that of the thread's affinity.
# shellcheck disable=SC2086 # options
run in_rx strace -f -qqq -o /dev/null -e inject=sched_setaffinity:error=EINVAL "$TOOL" load rx0 --cpus 0 $everything
is 'a step that the kernel refuses: exit code' "$rc" 1
like 'it is named' "$err" 'threads rx0'
is 'all before it is rolled back, to the bit' "$(snapshot)" "$before"
is 'and the program is gone' "$(attached)" ''
check 'and the journal' test ! -e "$journals"
# shellcheck disable=SC2086 # options
run in_rx strace -f -qqq -o /dev/null -e inject=fdatasync:error=ENOSPC:when=5 "$TOOL" load rx0 --cpus 0 $everything
is 'a journal that cannot be synced: exit code' "$rc" 1
is 'all is rolled back' "$(snapshot)" "$before"

# /run is full: a small tmpfs where the journals of this namespace are.
mkdir -p "$journals"
mount -t tmpfs -o size=4k tmpfs "$journals"
head -c 8192 /dev/zero >"$journals/full" 2>/dev/null
exits 1 'no space for the journal' load
like 'it says so' "$err" 'journal.*No space left'
is 'nothing is loaded' "$(attached)" ''
is 'and nothing is changed' "$(snapshot)" "$before"
rm "$journals/full"
exits 0 'with space, the next load works' load
exits 0 'and unload' tool unload rx0
umount "$journals"
rmdir "$journals"
is 'and all is as before' "$(snapshot)" "$before"

# ---- two interfaces, in either order; the same name in another namespace ------------------------
ip -n $tx link add tx1 type veth peer name rx1 netns $rx
in_rx ethtool -K rx1 gro on >/dev/null
in_rx sh -c 'echo 1 >/sys/class/net/rx1/queues/rx-0/rps_cpus'
ip -n $tx link set tx1 up
ip -n $rx link set rx1 up
both=$(snapshot; snapshot rx1)
for order in 'rx0 rx1' 'rx1 rx0'; do
	load 2>/dev/null
	tool load rx1 --cpus 0 --gro off 2>/dev/null
	for iface in $order; do
		tool unload "$iface" 2>/dev/null
	done
	is "two interfaces, unloaded in the order $order" "$(snapshot; snapshot rx1)" "$both"
done
ip -n $tx link add rx0 type veth peer name other
ip netns exec $tx sh -c 'echo 1 >/sys/class/net/rx0/queues/rx-0/rps_cpus'
load 2>/dev/null
ip netns exec $tx "$TOOL" load rx0 --cpus 0 2>/dev/null
is 'the same name in another namespace: both are loaded' \
	"$(ip netns exec $tx "$TOOL" status --json | jq -r '.interfaces[0].interface')$(query .interface)" rx0rx0
tool unload rx0 2>/dev/null
is 'unloading one leaves the other' "$(ip netns exec $tx cat /sys/class/net/rx0/queues/rx-0/rps_cpus)" 0
is 'and restores its own' "$(snapshot)" "$before"
ip netns exec $tx "$TOOL" unload rx0 2>/dev/null
is 'then the other' "$(ip netns exec $tx cat /sys/class/net/rx0/queues/rx-0/rps_cpus)" 1

# ---- an interface that disappears midway ---------------------------------------------------------
load 2>/dev/null
ip -n $rx link del rx0
exits 0 'unload of an interface that is gone' tool unload rx0
check 'leaves no file' test ! -e "$journals/rx0.journal" -a ! -e "$pins/rx0"
finish
