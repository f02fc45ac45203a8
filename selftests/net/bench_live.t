#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bench IFACE: arms on real traffic, and everything as it was before: loaded or not, by a signal or not.
. "$(dirname "$0")/../lib.sh"

[ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || skip_all 'one CPU: there is nothing to spread to'
topo
rps=/sys/class/net/rx0/queues/rx-0/rps_cpus

# All that bench changes on the way: what is attached, how many lanes, GRO, RPS, the prefixes.
state() {
	in_rx cat $rps
	in_rx ethtool -k rx0 | grep -E '^generic-receive-offload'
	[ -z "$(attached)" ] || query '[.attach, .mode, (.targets[]? | [.cpu, .lane, .slots, .qsize])] | tostring'
	[ -z "$(attached)" ] || tool prefix list rx0 2>&1
	[ -n "$(attached)" ] || find /run/xdp-cpumap "$pins" -path "*$netns_inode*" 2>/dev/null
}

seed() { bpftool -j map dump pinned "$pins/rx0/key" | jq -c "map(.value)"; }

exits 5 'without traffic it does not begin' tool bench rx0 --rounds 1
like 'and says why' "$err" 'only [0-9]+ packets/s'
is 'and leaves nothing' "$(find "$pins" "$journals" 2>/dev/null)" ''
exits 5 'nor on an interface that is not there' tool bench nowhere0 --rounds 1

# Small datagrams to a port where nobody is, from some flows, as long as the test runs.
ip netns exec $tx "$python" -IS -c '
import socket, time
socks = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(16)]
for sock in socks:
    sock.bind(("192.0.2.1", 0))
while True:
    for sock in socks:
        sock.sendto(b"x" * 64, ("192.0.2.2", 9))
    time.sleep(0.001)
' &
sender=$!
trap 'kill $sender; wait $sender 2>/dev/null; sweep' EXIT
in_rx sysctl -qw net.ipv4.icmp_ratelimit=1000

# ---- not loaded -----------------------------------------------------------------------------
in_rx sh -c "echo 2 >$rps"
before=$(state)
exits 0 'bench IFACE' tool bench rx0 --rounds 2 --cpus 1 --force --json --svg "$work/live.svg"
json=$out
is 'it names the interface' "$(jq -r .interface <<<"$json")" rx0
is 'its arms' "$(jq -c '[.cells[].arm]' <<<"$json")" '["plain","rps","cpumap","cpumap+gro","lanes"]'
is 'on one kind of traffic' "$(jq -c '[.cells[].traffic] | unique' <<<"$json")" '["live"]'
is 'each delivers' "$(jq '[.cells[] | select(.packets_per_s.median > 1000 | not)] | length' <<<"$json")" 0
is 'the traffic is the same in all: it is not saturated' \
	"$(jq '[.cells[].packets_per_s.median] | max / min < 1.5' <<<"$json")" true
is 'steering costs time on the target' \
	"$(jq '[.cells[] | select(.arm | test("cpumap|lanes")) |
		select(.target_cpus_ns_per_packet.median > 0 | not)] | length' <<<"$json")" 0
like 'it ends with advice on that traffic' "$(jq -r .advice <<<"$json")" 'traffic that came in'
check 'the picture is well-formed' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' \
	"$work/live.svg"
is 'then it is as it was' "$(state)" "$before"

# ---- loaded ---------------------------------------------------------------------------------
check 'load' tool load rx0 --cpus 1 --match dst
check 'a prefix' tool prefix add rx0 203.0.113.0/24 1
before=$(state)
seed=$(seed)
like 'it has a hash key' "$seed" '[0-9a-f]'
exits 0 'bench IFACE that is loaded' tool bench rx0 --rounds 1 --force
like 'as a table' "$out" 'cpumap\+gro +[0-9]+'
is 'then it is loaded the same' "$(state)" "$before"
is 'with the same hash key' "$(seed)" "$seed"

for signal in TERM INT; do
	for after in 1.5 4; do
		# Not by a function, whose shell would get the signal.
		ip netns exec $rx "$TOOL" bench rx0 --rounds 20 --force >/dev/null 2>"$work/said" &
		bench=$!
		sleep $after
		kill -$signal $bench
		wait $bench
		is "SIG$signal after $after s ends it" $? 1
		is 'and it is loaded the same' "$(state)" "$before"
	done
done
check 'unload' tool unload rx0
is 'RPS is what it was before load' "$(in_rx cat $rps)" 2
leaves_nothing 'and nothing is left' ''

# ---- killed ---------------------------------------------------------------------------------
# It cannot put anything back then; the journal and the pins can. GRO is off at first, so that
# both ways of it are put back.
in_rx ethtool -K rx0 gro off
host() {
	in_rx cat $rps
	in_rx ethtool -k rx0 | grep -E '^generic-receive-offload'
}
before=$(host)
found=0
for loaded in '' loaded; do
	for after in 1 1.9 3.3 4.6; do
		[ -z "$loaded" ] || tool load rx0 --cpus 1 2>/dev/null
		ip netns exec $rx "$TOOL" bench rx0 --cpus 1 --rounds 20 --force >/dev/null 2>&1 &
		bench=$!
		sleep $after
		kill -KILL $bench
		wait $bench 2>/dev/null
		[ "$(host)" = "$before" ] || found=$((found + 1))
		tree=$(footprint)
		exits 0 "unload after SIGKILL at $after s${loaded:+, loaded before}" tool unload rx0
		is 'puts all back' "$(host)" "$before"
		leaves_nothing 'and leaves nothing' "$tree"
	done
done
check 'there was something to put back' test $found -gt 3
finish
