#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Frames that must stay on the RX CPU do, and arrive there unchanged.
. "$(dirname "$0")/../lib.sh"

topo
exits 0 'load' tool load rx0 --cpus 0

in_tx ip neigh flush all
in_rx ip neigh flush all
is 'ARP resolves' "$(traffic flows | jq .lost)" 0
is 'and was counted' "$(query '.verdicts.arp > 0')" true
in_tx ip neigh flush all
is 'IPv6 neighbours resolve' "$(traffic flows --v6 | jq .lost)" 0

# stays VERDICT NAME DESTINATION-MAC ETHERTYPE-AND-ON
stays() {
	local verdict=$1 before

	before=$(query ".verdicts.$verdict")
	is "$2 arrives" "$(traffic frame "${3}020000000001$4" | jq .arrived)" 1
	is "$2 is counted as $verdict" "$(query ".verdicts.$verdict - $before")" 1
}

mac=$(in_rx cat /sys/class/net/rx0/address)
mac=${mac//:/}
stays arp 'a gratuitous ARP' ffffffffffff 0806000108000604000102000000000ac0000201ffffffffffffc0000201
stays link_local 'LLDP' 0180c200000e 88cc0207
stays link_local 'LACP' 0180c2000002 88090101
stays link_local 'EAPOL' 0180c2000003 888e0101
stays link_local 'STP' 0180c2000000 0026424203000000
stays llc 'an IS-IS hello' 09002b000005 0026fefe03830000
stays ptp 'PTP over Ethernet' 011b19000000 88f70002
stays ptp 'a PTP event over UDP' 01005e000181 08004500003000004000011100000a000001e0000181013f013f001c0000
stays not_ip 'an unknown protocol' "$mac" 88b50000
stays too_deep 'a frame with six VLAN tags' "$mac" 81000001810000018100000181000001810000018100000108004500
exits 0 'unload' tool unload rx0
finish
