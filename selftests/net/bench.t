#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bench: every arm delivers, GRO merges where it is on, and nothing stays behind, not by Ctrl-C either.
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" = 0 ] || skip_all 'needs root: makes network namespaces and loads BPF'
[ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || skip_all 'one CPU: there is nothing to spread to'

# Folders of namespaces that are no more: those of other tests have a name or a process.
left() {
	local folder inode

	for folder in /sys/fs/bpf/xdp-cpumap/netns-* /run/xdp-cpumap/netns-*; do
		inode=${folder##*-}
		{ stat -L -c %i /run/netns/* && lsns -t net -n -o NS; } 2>/dev/null | grep -qw "$inode" ||
			[ ! -e "$folder" ] || echo "$folder"
	done | sort
}
before=$(left)

exits 0 'bench --rounds 1' "$TOOL" bench --rounds 1 --force --json --svg "$work/bench.svg"
json=$out
is 'one document' "$(jq -s length <<<"$json")" 1
is 'six arms, four kinds of traffic' "$(jq '.cells | length' <<<"$json")" 24
is 'each delivers' "$(jq '[.cells[] | select(.packets_per_s.median > 0 | not)] | length' <<<"$json")" 0
is 'each costs CPU time where it is received' \
	"$(jq '[.cells[] | select(.rx_cpu_ns_per_packet.median > 0 | not)] | length' <<<"$json")" 0
# Without steering a quiet target CPU has nothing to do, and in so short a time no tick to count.
is 'each that steers costs CPU time on the targets, too' \
	"$(jq '[.cells[] | select(.arm | test("rps|cpumap|lanes")) |
		select(.target_cpus_ns_per_packet.median > 0 | not)] | length' <<<"$json")" 0
cell() { jq ".cells[] | select(.arm == \"$1\" and .traffic == \"$2\") | $3" <<<"$json"; }
for arm in plain cpumap+gro lanes; do
	is "$arm merges UDP for a socket that asks" "$(cell $arm udp-gro '.frames_per_skb.median > 1.5')" true
done
for kind in udp-drop udp-gro; do
	is "cpumap without GRO merges nothing: $kind" "$(cell cpumap $kind '.frames_per_skb.median < 1.1')" true
done
for arm in plain rps cpumap cpumap+gro lanes; do
	is "$arm keeps the order of each flow" "$(cell "$arm" udp-gro .reorders.median)" 0
done
is 'one round is too little for a verdict' \
	"$(jq '[.cells[].packets_beside_plain.verdict | select(IN("more", "less"))] | length' <<<"$json")" 0
like 'and the advice says so' "$(jq -r .advice <<<"$json")" 'too few to tell'
check 'the picture is well-formed' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' \
	"$work/bench.svg"
is 'nothing stays behind' "$(comm -13 <(echo "$before") <(left))" ''

"$TOOL" bench --rounds 5 --force >/dev/null 2>"$work/stderr" &
bench=$!
sleep 4
kill -TERM $bench
wait $bench
is 'a signal ends it' $? 1
like 'and it says so' "$(cat "$work/stderr")" 'interrupted'
is 'then nothing stays behind either' "$(comm -13 <(echo "$before") <(left))" ''

# Killed, it can clear up nothing. The next verb that changes something does, and leaves alone what
# a bench that runs has.
marks() { find /run/xdp-cpumap -name 'bench-rx.process' 2>/dev/null; }
ours() { local now; now=$(marks); comm -13 <(echo "$marked" | sort) <(echo "$now" | sort); }
has_pins() { [ -n "$(find "/sys/fs/bpf/xdp-cpumap/${1##*/}/bench-rx" -name slots 2>/dev/null)" ]; }
killed_with_pins() { # ends in one of the arms that steer, with the pins of its load
	"$TOOL" bench --rounds 20 --force >/dev/null 2>&1 &
	bench=$!
	for ((i = 0; i < 2000; i++)); do
		folder=$(dirname "$(ours)")
		has_pins "$folder" && break
		sleep 0.02
	done
	sleep 1 # a load that is not done yet would undo itself
	kill -KILL $bench
	wait $bench 2>/dev/null
	has_pins "$folder"
}
marked=$(marks)
killed_with_pins
is 'SIGKILL leaves pins of a namespace that is no more' $? 0
killed=$folder
exits 0 'status' "$TOOL" status
check 'changes nothing of it' has_pins "$killed"
check 'its processes end' eventually flock -n "$killed/bench-rx.process" true
marked=$(marks)
"$TOOL" bench --rounds 20 --force >/dev/null 2>&1 &
bench=$!
check 'the next bench runs' eventually eval '[ -n "$(ours)" ]'
check 'and has cleared up before' test ! -e "$killed/bench-rx.process" -o "$(dirname "$(ours)")" = "$killed"
running=$(dirname "$(ours)")
# Three of the six arms make none.
soon() { eventually has_pins "$running" || eventually has_pins "$running" || eventually has_pins "$running"; }
check 'it has pins' soon
exits 0 'any unload' "$TOOL" unload nowhere0
is 'leaves those of a bench that runs' "$(ours)" "$running/bench-rx.process"
kill -KILL $bench
wait $bench 2>/dev/null
cleared() { "$TOOL" unload nowhere0 2>/dev/null && [ -z "$(ours)" ]; }
check 'and clears up after one that was killed' eventually cleared
is 'so that nothing is left' "$(comm -13 <(echo "$before") <(left))$(ours)" ''

exits 2 '--rounds 0' "$TOOL" bench --rounds 0
exits 2 'rounds in words' "$TOOL" bench --rounds many
finish
