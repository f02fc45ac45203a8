#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Several at once on one interface: they wait for each other, and the end is whole.
. "$(dirname "$0")/../lib.sh"

topo

for round in $(seq "$(scaled 3 1)"); do
	pids=()
	for qsize in 64 128 256 512; do
		tool load rx0 --cpus 0 --qsize $qsize >/dev/null 2>"$work/load.$qsize" &
		pids+=($!)
	done
	failed=0
	for pid in "${pids[@]}"; do
		wait "$pid" || ((++failed))
	done
	is "round $round: four loads at once all end well" $failed 0
	is "round $round: one interface is loaded" "$(query '[.targets[].cpu] | join(" ")')" 0
	like "round $round: with the qsize of one of them" "$(query '.targets[0].qsize')" '^(64|128|256|512)$'
	is "round $round: traffic flows" "$(traffic copy | jq .intact)" 4
	objects=$(footprint)
	for _ in 1 2; do
		tool unload rx0 >/dev/null 2>&1 &
	done
	wait
	leaves_nothing "round $round: two unloads at once leave nothing" "$objects"
done

# A load and an unload at once: whichever came last, the result is whole.
for round in $(seq "$(scaled 4 2)"); do
	tool load rx0 --cpus 0 >/dev/null 2>&1 &
	tool unload rx0 >/dev/null 2>&1 &
	wait
	if [ -n "$(attached)" ]; then
		is "load against unload, round $round: loaded, and traffic flows" "$(traffic copy | jq .intact)" 4
	else
		check "load against unload, round $round: unloaded, no pin" test ! -e "$pins/rx0"
	fi
	objects=$(footprint)
	tool unload rx0 >/dev/null 2>&1
done
leaves_nothing 'nothing is left' "$objects"
finish
