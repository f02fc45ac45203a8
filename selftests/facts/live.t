#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Facts of a live interface against what other tools say of it.
. "$(dirname "$0")/../lib.sh"

topo
# name of the kernel, name of ethtool
names='rx-checksum rx-checksumming
rx-vlan-hw-parse rx-vlan-offload
rx-vlan-stag-hw-parse rx-vlan-stag-hw-parse
rx-lro large-receive-offload
rx-gro generic-receive-offload
rx-gro-hw rx-gro-hw
rx-gro-list rx-gro-list
rx-udp-gro-forwarding rx-udp-gro-forwarding
rx-hashing receive-hashing
hw-tc-offload hw-tc-offload'

# same NETNS IFACE
same() {
	local ours theirs

	rm -rf "$work/host"
	ip netns exec "$1" "$TOOL" check "$2" --capture "$work/host" >/dev/null 2>&1
	ours=$(cat "$work/host/asked/$2"/*features* 2>/dev/null)
	theirs=$(ip netns exec "$1" ethtool -k "$2")
	while read -r kernel ethtool; do
		is "$2: $kernel, and whether it can be changed" "$(sed -n "s/^$kernel: //p" <<<"$ours")" \
			"$(sed -n "s/^[[:space:]]*$ethtool: \([a-z]*\)\( \[fixed\]\)\{0,1\}.*/\1\2/p" <<<"$theirs")"
	done <<<"$names"
}
same $rx rx0
same $rx lo
finish
