#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# load, status, unload, load: what each leaves, what a second load keeps, what a lost device leaves.
. "$(dirname "$0")/../lib.sh"

topo

is 'nothing is there before' "$(footprint)" ''
# took COMMAND...: runs it, and notes in $best how many ms it took if that is less than before
took() {
	local began=${EPOCHREALTIME/./} ms

	"$@" 2>/dev/null
	ms=$(((${EPOCHREALTIME/./} - began) / 1000))
	((ms < best)) && best=$ms
}
best_load=10000
best_unload=10000
for _ in 1 2 3; do # who else runs here is not to be measured
	best=$best_load
	took tool load rx0 --cpus 0
	best_load=$best best=$best_unload
	took tool unload rx0
	best_unload=$best
done
read -r load _ </proc/loadavg
busy=$((${load%.*} > $(nproc)))
for verb in load unload; do
	best=best_$verb
	if ((${!best} >= 1000)) && [ "${VM_CELL:-}" ]; then
		skip "$verb takes under a second" "${!best} ms, in an emulated guest"
	elif ((${!best} >= 1000 && busy)); then
		skip "$verb takes under a second" "${!best} ms, but the machine has more to do: $load"
	else
		check "$verb takes under a second (${!best} ms)" test ${!best} -lt 1000
	fi
done

exits 0 'load' tool load rx0 --cpus 0
is 'load prints nothing on stdout' "$out" ''
for name in cpus slots slot_state pending sent moves marks asleep move_rules weights counters targets \
	config key steer pass link; do
	check "the pin '$name' is there" test -e "$pins/rx0/$name"
done
check 'the journal is there' test -s "$journals/rx0.journal"
is 'status: the program is the one on the interface' "$(query .steer.id)" "$(attached)"
is 'status: attached by a link' "$(query .attach)" link
is 'status: the ifindex' "$(query .ifindex)" "$(in_rx cat /sys/class/net/rx0/ifindex)"
is 'status: the namespace' "$(query .netns)" "$netns_inode"
# A cpumap has no BTF, so bpftool shows its value as bytes; the first four are the qsize.
read -ra bytes < <(bpftool -j map lookup pinned "$pins/rx0/cpus" key 0 0 0 0 | jq -r '.value | join(" ")')
is 'status: qsize of the entry is what the kernel holds' "$(query '.targets[0].qsize')" \
	$((bytes[0] + (bytes[1] << 8)))
pid=$(query '.targets[0].kthread_pid')
is "status: kthread $pid is the entry's" "$(cat "/proc/$pid/comm")" \
	"$(kthread_name 0 "$(bpftool -j map show pinned "$pins/rx0/cpus" | jq .id)")"
is 'status: where it may run' "$(query '.targets[0].kthread_cpus')" \
	"$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status")"
like 'status for people names the interface and the CPU' "$(tool status rx0)" 'rx0.*'

exits 0 'load again with nothing new' tool load rx0 --cpus 0
steer=$(attached)
link=$(bpftool -j link show pinned "$pins/rx0/link" | jq .id)
since=$(query .since)
exits 0 'load again with another qsize' tool load rx0 --cpus 0 --qsize 1024
is 'the qsize is the new one' "$(query '.targets[0].qsize')" 1024
is 'the program is the old one' "$(attached)" "$steer"
is 'the link is the old one' "$(bpftool -j link show pinned "$pins/rx0/link" | jq .id)" "$link"
is 'still attached since the first load' "$(query .since)" "$since"
if [ -d /sys/devices/system/cpu/cpu1 ]; then
	exits 0 'load again with another CPU' tool load rx0 --cpus 1 --qsize 1024
	is 'the targets are the new ones' "$(query '[.targets[] | select(.slots > 0) | .cpu] | join(" ")')" 1
	is 'the program is still the old one' "$(attached)" "$steer"
	is 'the link is still the old one' \
		"$(bpftool -j link show pinned "$pins/rx0/link" | jq .id)" "$link"
	is 'the flows go to the new CPU' "$(traffic flows | jq -c '.cpus | keys')" '["1"]'
	map=$(bpftool -j map show pinned "$pins/rx0/cpus" | jq .id)
	is_left() { ! grep -qsx "$(kthread_name 0 "$map")" /proc/[0-9]*/comm; }
	check 'the kthread of the old CPU ends' eventually is_left
fi

exits 1 'load again in generic mode, which no kernel can do without detaching' \
	tool load rx0 --cpus 0 --mode skb
like 'says what to do' "$err" 'unload'
is 'and leaves all as it was' "$(query .mode)" native

objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'unload leaves no program, map, link, kthread or file' "$objects"
is 'traffic flows as before' "$(traffic copy | jq .intact)" 4
exits 0 'unload again' tool unload rx0
like 'unload again says there was nothing' "$err" 'not(hing| loaded)'
is 'status --json knows of none' "$(tool status --json | jq -c .interfaces)" '[]'

exits 0 'load after unload' tool load rx0 --cpus 0
objects=$(footprint)
ip -n $rx link del rx0
exits 0 'unload of an interface that went away' tool unload rx0
leaves_nothing 'that leaves nothing either' "$objects"
finish
