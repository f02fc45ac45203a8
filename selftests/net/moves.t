#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Slots move while their packets flow: none is lost, none overtakes another of its flow. The same
# moves by force must reorder, or this proves nothing.
. "$(dirname "$0")/../lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || skip_all 'needs two CPUs to move between'
topo
stream="${O:-$TOP/build}/selftests/tools/stream"
[[ $stream = /* ]] || stream=$TOP/$stream
[ -x "$stream" ] || skip_all "build it first: make ${stream#"$TOP"/}"

# A frame every 25 us, a few hundred a second for each slot. The queues are as long as they may be,
# so that a machine with other things to do loses none.
fast="$stream $tx $rx --flows 300 --rate 40000"
flow="$stream $tx $rx --flows 300 --rate $(scaled 40000 4000)"
tool load rx0 --cpus 0-1 --qsize 16384 2>/dev/null

said=$($flow --seconds 2)
is 'without moves none is reordered' "$(jq .reordered <<<"$said")" 0
said=$($fast --seconds 3 --force "$pins/rx0")
check "moves by force reorder ($(jq -c . <<<"$said"))" test "$(jq .reordered <<<"$said")" -gt 0

tool unload rx0 2>/dev/null
tool load rx0 --cpus 0-1 --qsize 16384 2>/dev/null
$flow --seconds 60 --watch "$pins/rx0" >"$work/said" &
flowing=$!
sleep 0.5

# churn NAME OPTIONS...: set, and what status says of the queues must follow
failures=
churn() { tool set rx0 "$@" 2>"$work/stderr" || failures+="set $*: $(<"$work/stderr")"$'\n'; }
for _ in $(seq "$(scaled 5 2)"); do
	churn --cpus 0
	churn --cpus 1
	churn --cpus 0:1,1:3
done
is 'the CPUs change while packets flow' "$failures" ''
for qsize in 8192 16384; do
	churn --cpus 0-1 --qsize $qsize
	is "so do the queues: $qsize" "$(query '[.targets[].qsize] | unique[]')" $qsize
done
for lanes in 4 8 1; do
	churn --lanes $lanes
	is "so do the lanes: $lanes" "$(query '[.targets[].lane] | max + 1')" $lanes
done
is 'each of them' "$failures" ''
sleep 0.5
kill $flowing
wait $flowing
said=$(<"$work/said")
is 'nothing is left on its way' "$(query .moves.pending)" 0
is 'nothing was forced' "$(query .moves.forced)" 0
read -r moves late < <(jq -r '"\(.moves) \(.late)"' <<<"$said")
least=$(scaled 1000 300)
check "that were more than $least moves ($moves)" test "$moves" -gt "$least"
is 'of all frames none came out of order' "$(jq .reordered <<<"$said")" 0
# A machine with other things to do may let a queue fill: those the queues have dropped.
arrived=$(bpftool -j map dump pinned "$pins/rx0/targets" | jq '[.[].formatted.value.packets] | add')
dropped=$(($(query .verdicts.redirected) - arrived))
check "and none was lost but in full queues ($dropped there)" test "$(jq .lost <<<"$said")" -le $dropped
is 'none stayed for want of a queue' "$(query .verdicts.no_entry)" 0
# The moves of a queue that gets empty wait for its kthread to be seen asleep, and slots with one
# slow flow for its next packet: those are the late ones, and the aim is not reached yet.
aim="95 % of the moves take less than 20 ms ($late of $moves did not)"
if ((20 * late <= moves)); then
	pass "$aim"
elif (($(cut -d. -f1 /proc/loadavg) < 1)); then
	echo "not ok $((++tap_count)) - $aim # TODO the late ones wait for a kthread to be seen asleep"
	check 'three of four do' test $((4 * late)) -le "$moves"
else
	skip "$aim" "the machine has more to do: $(cut -d' ' -f1 /proc/loadavg)"
fi

# Where frames carry no stamp, they move in longer gaps.
for how in '--mode skb' '--second-stage none'; do
	tool unload rx0 2>/dev/null
	if [ "$how" = '--mode skb' ] && lacks_skb; then
		skip "$how" "the kernel has no generic cpumap: $(uname -r)"
		continue
	fi
	# shellcheck disable=SC2086 # two words
	tool load rx0 --cpus 0 --qsize 16384 $how 2>/dev/null
	$stream $tx $rx --flows 30 --rate 2000 --seconds 20 >"$work/said" &
	flowing=$!
	sleep 0.3
	churn --cpus 1
	churn --cpus 0
	sleep 0.2
	kill $flowing
	wait $flowing
	is "$how: the CPUs change, too" "$failures" ''
	is "$how: none came out of order" "$(jq .reordered "$work/said")" 0
	is "$how: none was lost" "$(jq .lost "$work/said")" 0
done
finish
