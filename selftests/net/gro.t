#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Frames per skb: the target CPU merges TCP segments, where the kernel can (6.15, native mode).
. "$(dirname "$0")/../lib.sh"

topo

ip_in() { in_rx awk '/^Ip:/ && $3 ~ /^[0-9]/ { print $4 }' /proc/net/snmp; }

# tenths MODE [OPTIONS...]: ten times the frames per packet of the stack, for one TCP stream
tenths() {
	local frames packets

	tool load rx0 --cpus 0 --mode "$@" 2>/dev/null
	frames=$(query '.targets[0].packets')
	packets=$(ip_in)
	traffic copy --streams 1 --size 40000000 >/dev/null
	frames=$(($(query '.targets[0].packets') - frames))
	packets=$(($(ip_in) - packets))
	tool unload rx0 2>/dev/null
	echo $((10 * frames / packets))
}

tool load rx0 --cpus 0 2>/dev/null
answer=$(query .gro.answer)
like 'status says whether cpumap does GRO, and why' "$(query '.gro | "\(.answer): \(.why)"')" '^(yes|no): .+'
tool unload rx0 2>/dev/null

if [ "$answer" = yes ]; then
	got=$(tenths native)
	check "native mode merges ($got tenths of a frame per packet, more than 20)" test "$got" -gt 20
	in_rx ethtool -K rx0 gro off >/dev/null
	got=$(tenths native)
	check "and does not with the feature off ($got, 10)" test "$got" -le 10
	in_rx ethtool -K rx0 gro on >/dev/null
else
	skip 'native mode merges' "this kernel's cpumap does no GRO: $(uname -r)"
fi
if lacks_skb; then
	skip 'generic mode does not merge' "the kernel has no generic cpumap: $(uname -r)"
else
	got=$(tenths skb)
	check "generic mode does not merge ($got, 10)" test "$got" -le 10
fi
finish
