#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What tshark calls a stream or a datagram, explain sends to one CPU.
. "$(dirname "$0")/../lib.sh"

here=$(dirname "$0")
command -v tshark >/dev/null || skip_all 'tshark is not installed (make deps)'
/usr/bin/python3 -c 'import scapy' 2>/dev/null || skip_all 'python3-scapy is not installed (make deps)'

"$here/captures.py" "$work" 2>"$work/said" || {
	cat "$work/said" >&2
	echo 'Bail out! no captures'
	exit 1
}
"$here/oracle.py" "$TOOL" "$work"/*.pcap
