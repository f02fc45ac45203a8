#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# explain: its words, its JSON, and that it leaves a live interface alone.
. "$(dirname "$0")/../lib.sh"

/usr/bin/python3 -c 'import scapy' 2>/dev/null || skip_all 'python3-scapy is not installed (make deps)'

# frames FILE EXPRESSION: a capture of these scapy packets
frames() {
	/usr/bin/python3 -c "
from scapy.all import *
wrpcap('$1', $2)" 2>/dev/null
}

frames "$work/mix.pcap" "[
	Ether(src='02:00:00:00:00:01', dst='02:00:00:00:00:02') / Dot1Q(vlan=5) / IP(src='192.0.2.1', dst='192.0.2.2') / TCP(sport=1, dport=2),
	Ether(src='02:00:00:00:00:02', dst='02:00:00:00:00:01') / IP(src='192.0.2.2', dst='192.0.2.1') / TCP(sport=2, dport=1),
	Ether(dst='ff:ff:ff:ff:ff:ff') / ARP(),
	Raw(b'short')]"
explain() { run "$TOOL" explain --pcap "$work/mix.pcap" --cpus 0-3 "$@"; }

explain --json
is 'explain --json: exit 0' "$rc" 0
is 'one document, all frames numbered from 1' "$(jq -c '[.frames[].number]' <<<"$out")" '[1,2,3,4]'
is 'the verdicts' "$(jq -c '[.frames[].verdict]' <<<"$out")" '["redirect","redirect","pass","pass"]'
is 'the reasons' "$(jq -c '[.frames[].reason]' <<<"$out")" '["flow","flow","arp","truncated"]'
is 'the layers' "$(jq -c '.frames[0].layers' <<<"$out")" '["ethernet","vlan","ipv4","tcp"]'
is 'both directions, with a tag and without: one slot' "$(jq '.frames[0].slot == .frames[1].slot' <<<"$out")" true
is 'what stays has no hash, slot, CPU or lane' "$(jq -c '.frames[2] | [.hash, .slot, .cpu, .lane]' <<<"$out")" \
	'[null,null,null,null]'
is 'the keys are those of the manual' "$(jq -r '.frames[0] | keys_unsorted | join(" ")' <<<"$out")" \
	'number length verdict reason layers flow hash slot cpu lane'
is 'the sums are there' "$(jq -c '.summary | [.frames, .verdicts.redirected, .verdicts.arp]' <<<"$out")" '[4,2,1]'
slot=$(jq '.frames[0].slot' <<<"$out")

explain --json
is 'the same seed, the same slot' "$(jq '.frames[0].slot' <<<"$out")" "$slot"
moved=0
for seed in 1 2 3 4; do
	explain --json --seed $seed
	[ "$(jq '.frames[0].slot' <<<"$out")" = "$slot" ] || ((++moved))
done
check 'another seed, another slot' [ $moved -ge 3 ]

explain
is 'text: a line a frame' "$(wc -l <<<"$out")" 4
like 'text: it says why one stays' "$out" '^ +3 .*stays: arp'
explain --summary
like '--summary: the share of each CPU' "$out" 'CPU 3$'
like '--summary: the evenness to hope for' "$out" 'times the mean'

frames "$work/raw.pcap" "[IP() / UDP()]"
exits 1 'a link type that is not Ethernet' "$TOOL" explain --pcap "$work/raw.pcap"
like 'the sentence says what it is' "$err" 'link type'
exits 1 'no such file' "$TOOL" explain --pcap "$work/none.pcap"
exits 2 'no capture named' "$TOOL" explain
exits 2 'an unknown tag' "$TOOL" explain --pcap "$work/mix.pcap" --dsa nope
like 'the sentence has the known ones' "$err" 'edsa .*ocelot'

# A live interface: its key and slots decide, its counters stay.
topo
exits 0 'load' tool load rx0 --cpus 0
in_tx ip link set tx0 down # nothing but explain may count from here on
exits 1 'an interface that is not steered' tool explain lo --pcap "$work/mix.pcap"
before=$(tool status rx0 --json | jq -c '.interfaces[0] | [.verdicts, .fallbacks, .targets]')
exits 0 'explain rx0' tool explain rx0 --pcap "$work/mix.pcap" --json
is 'the CPU is one that the interface has' "$(jq '.frames[0].cpu' <<<"$out")" 0
is 'its counters are as before' "$(tool status rx0 --json | jq -c '.interfaces[0] | [.verdicts, .fallbacks, .targets]')" "$before"

# A prefix decides before the hash does, and whatever the hash leaves of the flow.
tool unload rx0 2>/dev/null
exits 0 'load with prefixes' tool load rx0 --cpus 0-1 --match dst --hash src
exits 0 'one of them' tool prefix add rx0 192.0.2.2/32 1
exits 0 'explain rx0' tool explain rx0 --pcap "$work/mix.pcap" --json
is 'the prefix decides where it matches, the hash elsewhere' "$(jq -c '[.frames[].reason]' <<<"$out")" \
	'["prefix","flow","arp","truncated"]'
is 'its CPU' "$(jq '.frames[0].cpu' <<<"$out")" 1

# And a rule before either: the frames of the one direction, the others as before.
exits 0 'a rule' tool rule add rx0 back src 192.0.2.2 cpu 0
exits 0 'explain rx0' tool explain rx0 --pcap "$work/mix.pcap" --json
is 'the rule decides where it matches' "$(jq -c '[.frames[].reason]' <<<"$out")" \
	'["prefix","rule","arp","truncated"]'
is 'its CPU' "$(jq '.frames[1].cpu' <<<"$out")" 0
exits 0 'in words' tool explain rx0 --pcap "$work/mix.pcap"
like 'it says that a rule did' "$out" '^ +2 .*CPU 0.*\(by a rule\)'

finish
