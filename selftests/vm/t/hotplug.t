#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# CPUs that go and come: none is steered to while it is away, and no packet is lost or overtaken for it.
. "$(dirname "$0")/../../lib.sh"

topo
online() { echo "$2" >/sys/devices/system/cpu/cpu"$1"/online; }
trap 'online 1 1; online 2 1; sweep' EXIT
whole() { is "$1: four streams arrive whole" "$(traffic copy --streams 4 --size 400000 | jq .intact)" 4; }

check 'CPU 1 goes' online 1 0
is 'online is a list with a gap' "$(cat /sys/devices/system/cpu/online)" 0,2-3
exits 2 'load --cpus 1-3 is refused' tool load rx0 --cpus 1-3
like 'and says which can be had' "$err" '0,2-3'
exits 0 'load --cpus auto' tool load rx0 --cpus auto
is 'takes none that is away' "$(query '[.targets[].cpu] | index(1)')" null
exits 0 'load --cpus 2-3' tool load rx0 --cpus 2-3
is 'on these two' "$(query '[.targets[].cpu] | join(" ")')" '2 3'
whole 'with the gap'

# ---- a target goes and comes, under numbered packets ------------------------------------------
# The longest queue: an emulated CPU takes seconds to stop.
tool load rx0 --cpus 2-3 --qsize 16384 2>/dev/null
stream=${O:-$TOP/build}/selftests/tools/stream
"$stream" $tx $rx --flows 100 --rate 1000 --seconds 300 --watch "$pins/rx0" >"$work/said" &
flowing=$!
arrived() { query '[.targets[].packets] | add'; }
# flows NAME: packets arrive, now
flows()
{
	local before

	before=$(arrived)
	more() { [ "$(arrived)" -gt "$((before + 100))" ]; }
	check "$1: packets flow" eventually more
}

flows 'before'
for round in first second; do
	check "$round time: CPU 2, a target, goes" online 2 0
	flows 'with a target gone'
	check 'CPU 2 comes back' online 2 1
	flows 'with the target back'
done
kill $flowing
wait $flowing
said=$(<"$work/said")
echo "# $said"
check 'thousands of packets arrived' test "$(jq '.sent' <<<"$said")" -gt 2000
is 'none is lost' "$(jq .lost <<<"$said")" 0
is 'none came out of order' "$(jq .reordered <<<"$said")" 0

check 'CPU 1 comes back' online 1 1
exits 0 'load again on all three' tool load rx0 --cpus 1-3
is 'on these three' "$(query '[.targets[].cpu] | join(" ")')" '1 2 3'
is 'each kthread on its own CPU' "$(query '[.targets[] | .kthread_cpus == (.cpu | tostring)] | all')" true
whole 'with all back'
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'nothing is left' "$objects"
finish
