#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# load --watch: what happens to the interface is followed, what `set` changed stays, and it sleeps.
# CPUs that go and come are in vm/t/follow.t.
. "$(dirname "$0")/../lib.sh"

topo
follower='' manager=''
end() {
	[ -z "$follower" ] || kill "$follower" 2>/dev/null
	[ -z "$manager" ] || kill "$manager" 2>/dev/null
	sweep
}
trap end EXIT
moment=${VM_CELL:+5}
moment=${moment:-1}

# follow OPTION...: in the background; its lines are in $work/said
follow() {
	: >"$work/said"
	ip netns exec $rx "$TOOL" load rx0 "$@" --watch 2>>"$work/said" &
	follower=$!
}
# says NAME PATTERN: the follower does so, behind the line that it was heard to say last
heard=0
says() {
	local end=$((SECONDS + 5 * moment)) line

	until line=$(tail -n +$((heard + 1)) "$work/said" | grep -nE -m 1 -- "$2"); do
		if ((SECONDS >= end)); then
			fail "$1" "no /$2/ in:" "$(tail -n +$((heard + 1)) "$work/said")"
			return
		fi
		sleep 0.05
	done
	pass "$1"
	heard=$((heard + ${line%%:*}))
}
cable() { # what topo laid
	ip -n $tx link add tx0 type veth peer name rx0 netns $rx
	in_tx ethtool -K tx0 tx off >/dev/null
	in_rx ethtool -K rx0 gro on >/dev/null
	ip -n $tx addr add 192.0.2.1/24 dev tx0
	ip -n $rx addr add 192.0.2.2/24 dev rx0
	ip -n $tx addr add 2001:db8::1/64 dev tx0 nodad
	ip -n $rx addr add 2001:db8::2/64 dev rx0 nodad
	ip -n $tx link set tx0 up
	ip -n $rx link set rx0 up
}
# steered NAME [IFACE]: 400 datagrams, all arrive, and are counted where they were sent to
steered() {
	local before now

	before=$(query '[.targets[].sent_packets] | add' "${2:-rx0}")
	is "$1: traffic arrives" "$(traffic flows --ports 20 | jq .lost)" 0
	now=$(query '[.targets[].sent_packets] | add' "${2:-rx0}")
	check "$1: by its target CPUs" test $((now - before)) -ge 400
}

"$python" "$TOP/selftests/net/notify.py" "$work/manager" >"$work/notified" &
manager=$!
check 'a manager listens' eventually test -S "$work/manager"
for option in --json --dry-run; do
	exits 2 "not with $option" tool load rx0 --cpus 0 --watch $option
done
exits 2 'what load refuses is refused' tool load rx0 --cpus 4095 --watch

# ---- load, and sleep --------------------------------------------------------------------------
printf 'cpus = 0\nqsize = 300\n' >"$work/conf"
NOTIFY_SOCKET=$work/manager WATCHDOG_USEC=400000 follow --config "$work/conf"
says 'it loads' 'rx0: [0-9]+ steps, now on CPUs 0$'
steered 'at the beginning'
check 'it says READY' eventually grep -q '^READY=1 | STATUS=steering rx0 on CPUs 0$' "$work/notified"
check 'and feeds the watchdog' eventually test "$(grep -c '^WATCHDOG=1' "$work/notified")" -ge 2
exits 0 'set works beside it' tool set rx0 --qsize 500
is 'and status' "$(query '.targets[0].qsize')" 500
exits 0 'and rule' tool rule add rx0 dns port 53 cpu 0
exits 0 'both ways' tool rule del rx0 dns

# ---- what happens to a link --------------------------------------------------------------------
ip -n $rx link set rx0 mtu 1400
says 'another MTU is an event' 'rx0: MTU 1400: .*on CPUs 0'
is 'what set changed stays' "$(query '.targets[0].qsize')" 500
ip -n $rx link set rx0 down
says 'so is a link that goes down' 'rx0: link down: '
ip -n $rx link set rx0 up
says 'and up' 'rx0: link up: '
before=$(wc -l <"$work/said")
for mtu in 1300 1310 1320 1330 1340 1350 1360 1370 1380 1390; do
	ip -n $rx link set rx0 mtu $mtu
done
says 'a burst of events' 'rx0: MTU 1390'
check 'is one, or two' test $(($(wc -l <"$work/said") - before)) -le 2
ip -n $rx link set rx0 mtu 1500
says 'the MTU is as before' 'rx0: MTU 1500'
steered 'after all that'

# ---- a signal to read the file again, and one to end -----------------------------------------
program=$(attached)
echo 'qsize = 0' >"$work/conf"
kill -HUP $follower
says 'a file with a mistake' "conf:1: qsize '0'"
says 'changes nothing' 'goes on with the settings it had'
is 'nothing at all' "$(query '.targets[0].qsize')" 500
printf 'cpus = 0\nqsize = 700\n' >"$work/conf"
kill -HUP $follower
says 'SIGHUP: the file is read again' 'rx0: [0-9]+ steps, now on CPUs 0$'
is 'and done' "$(query '.targets[0].qsize')" 700
is 'by the same process' "$(readlink -f /proc/$follower/exe)" "$(readlink -f "$TOOL")"
is 'nothing was detached' "$(attached)" "$program"
like 'it says so' "$(<"$work/notified")" '^RELOADING=1 \| MONOTONIC_USEC=[0-9]+$'
is 'and READY each time' "$(grep -c '^READY=1' "$work/notified")" 3
kill -TERM $follower
wait $follower
is 'SIGTERM: the exit code' $? 0
follower=''
is 'it stays loaded' "$(attached)" "$program"
check 'it says STOPPING' eventually grep -q '^STOPPING=1' "$work/notified"

follow --config "$work/conf"
heard=0
says 'it takes over what is loaded' 'rx0: nothing to change, on CPUs 0$'
is 'the same program' "$(attached)" "$program"
sleep 0.5
asleep() { awk '/voluntary_ctxt/ { n += $2 } END { print n }' "/proc/$follower/status"; }
before=$(asleep)
sleep 2
is 'without an event it does not wake up' "$(asleep)" "$before"
kill -KILL $follower
wait $follower 2>/dev/null
steered 'killed'

# ---- the name -------------------------------------------------------------------------------
exits 0 'unload' tool unload rx0
heard=0
follow --cpus 0 --gro-flush-timeout 50
says 'a load with a host setting' 'now on CPUs 0$'
is 'which is there' "$(in_rx cat /sys/class/net/rx0/gro_flush_timeout)" 50000
program=$(attached)
ip -n $rx link set rx0 down
ip -n $rx link set rx0 name lan0
ip -n $rx link set lan0 up
says 'another name' 'rx0: renamed to lan0'
is 'it is steered under that' "$(query .steer.id lan0)" "$program"
steered 'renamed' lan0
exits 0 'the old name still leads there' tool set rx0 --qsize 600
like 'and is told' "$err" 'rx0 is called lan0 now'
is 'set' "$(query '.targets[0].qsize' lan0)" 600
check 'nothing is left under the old name' test ! -e "$pins/rx0" -a ! -e "$journals/rx0.journal"
ip -n $rx link set lan0 down
ip -n $rx link set lan0 name wan0
ip -n $rx link set wan0 up
says 'and one more' 'lan0: renamed to wan0'
kill -HUP $follower
says 'it knows it after SIGHUP' 'rx0 is called wan0 now'
exits 0 'unload by the old name' tool unload rx0
is 'puts back what is now called otherwise' "$(in_rx cat /sys/class/net/wan0/gro_flush_timeout)" 0
check 'and leaves nothing' test ! -e "$pins" -a ! -e "$journals"

# ---- unloaded by somebody else -------------------------------------------------------------
ip -n $rx link set wan0 mtu 1400
says 'what was unloaded is left alone' 'wan0: MTU 1400: it was unloaded, left alone'
is 'it is' "$(ip -n $rx -j link show dev wan0 | jq '.[0].xdp')" null
exits 0 'until somebody loads it' tool load wan0 --cpus 0 --qsize 123
ip -n $rx link set wan0 mtu 1500
says 'which is followed' 'wan0: MTU 1500: .*on CPUs 0'
is 'as it is' "$(query '.targets[0].qsize' wan0)" 123

# ---- a device that goes and comes back -----------------------------------------------------
kill $follower
wait $follower
exits 0 'unload' tool unload wan0
ip -n $rx link set wan0 down
ip -n $rx link set wan0 name rx0
ip -n $rx link set rx0 up
heard=0
follow --cpus 0 --match dst
says 'a load with prefixes' 'now on CPUs 0$'
exits 0 'set' tool set rx0 --qsize 900
exits 0 'a rule' tool rule add rx0 dns port 53 cpu 0
exits 0 'a prefix' tool prefix add rx0 198.51.100.0/24 0
was=$(footprint)
ip -n $rx link del rx0
says 'it goes' 'rx0: it has gone: waiting for rx0'
leaves_nothing 'and takes all with it' "$was"
cable
says 'it comes back' 'rx0: it is there: [0-9]+ steps, now on CPUs 0$'
is 'as set had made it' "$(query '.targets[0].qsize')" 900
like 'with its rules' "$(tool rule list rx0)" '^dns port 53 cpu 0'
is 'and prefixes' "$(tool prefix list rx0)" 198.51.100.0/24,0
steered 'back again'
ip -n $rx link del rx0
cable
says 'goes and comes at once' 'rx0: it is there: [0-9]+ steps'
is 'that is the new device' "$(query .ifindex)" "$(in_rx cat /sys/class/net/rx0/ifindex)"
steered 'at once'

# ---- new NAPI threads -----------------------------------------------------------------------
kill $follower
wait $follower
exits 0 'unload' tool unload rx0
napi_cpus() {
	local pid

	for pid in $(pgrep '^napi/rx0-'); do
		awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status"
	done | sort -u
}
is_napi_cpus() { [ "$(napi_cpus)" = "$1" ]; }
if [ -e /proc/sys ] && tool load rx0 --cpus 0 --napi threaded --napi-cpus 0 2>/dev/null && is_napi_cpus 0; then
	heard=0
	follow --cpus 0 --napi threaded --napi-cpus 0
	says 'threads of NAPI have their CPUs' 'on CPUs 0$'
	before=$(pgrep -d ' ' '^napi/rx0-')
	ip -n $rx link set rx0 down
	ip -n $rx link set rx0 up
	says 'ifdown and ifup' 'rx0: link down and up: [1-9][0-9]* steps'
	check 'made new ones' test "$(pgrep -d ' ' '^napi/rx0-')" != "$before"
	check 'which are where they belong' is_napi_cpus 0
	kill $follower
	wait $follower
	exits 0 'unload' tool unload rx0
else
	skip 'threads of NAPI have their CPUs' 'threaded NAPI cannot be had here'
fi

# ---- absent at the beginning -----------------------------------------------------------------
ip -n $rx link del rx0
heard=0
NOTIFY_SOCKET=$work/manager follow --cpus 0
says 'an absent device is waited for' 'rx0: waiting for it to come'
check 'and that is no failure' eventually grep -q '^READY=1 | STATUS=waiting for rx0$' "$work/notified"
cable
says 'it comes' 'rx0: it is there: [0-9]+ steps, now on CPUs 0$'
steered 'late'
was=$(footprint)
kill $follower
wait $follower
follower=''
exits 0 'unload' tool unload rx0
leaves_nothing 'unload leaves nothing' "$was"
finish
