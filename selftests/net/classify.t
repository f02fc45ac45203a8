#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# --hash and --multicast: what they say of a flow, and that a change of them replaces the program without a detach.
. "$(dirname "$0")/../lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || skip_all 'needs two CPUs to spread over'
topo

# cpus_used: on how many CPUs 400 flows of one address pair are seen by the stack
cpus_used() { traffic flows --ports 20 | jq '.cpus | length'; }

exits 0 'load --hash l4' tool load rx0 --cpus 0-1 --hash l4
is 'by ports: one address pair is on both CPUs' "$(cpus_used)" 2
link=$(query .link_id)
program=$(query .steer.id)
slot_counts=$(query '[.targets[].slots] | join(" ")')

for hash in l3 src dst; do
	exits 0 "load --hash $hash, while loaded" tool load rx0 --cpus 0-1 --hash $hash
	is "$hash: one address pair is on one CPU" "$(cpus_used)" 1
	is "$hash: the link is still the same" "$(query .link_id)" "$link"
	check "$hash: the program is a new one" [ "$(query .steer.id)" != "$program" ]
	is "$hash: what is attached is what is pinned" "$(attached)" "$(query .steer.id)"
	is "$hash: the slots are shared as before" "$(query '[.targets[].slots] | join(" ")')" "$slot_counts"
done
exits 0 'load --hash siphash' tool load rx0 --cpus 0-1 --hash siphash
is 'siphash: one address pair is on both CPUs' "$(cpus_used)" 2
check 'only the pins of one set are left' [ ! -e "$pins/rx0/next" ]

exits 0 'load --multicast pass' tool load rx0 --cpus 0-1 --multicast pass
in_tx ping -c 2 -i 0.2 -W 1 -I tx0 224.0.0.251 >/dev/null 2>&1
check 'multicast stays on the RX CPU, counted' [ "$(query .verdicts.multicast)" -ge 2 ]
exits 0 'load --multicast steer' tool load rx0 --cpus 0-1 --multicast steer
stayed=$(query .verdicts.multicast)
in_tx ping -c 2 -i 0.2 -W 1 -I tx0 224.0.0.251 >/dev/null 2>&1
is 'or is steered' "$(query .verdicts.multicast)" "$stayed"

before=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'nothing is left' "$before"
finish
