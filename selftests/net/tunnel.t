#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# TCP through tunnel devices whose outer packets are steered, as far as this kernel has the devices.
. "$(dirname "$0")/../lib.sh"

topo
exits 0 'load --inner always' tool load rx0 --cpus "$(cat /sys/devices/system/cpu/online)" --inner always
sha_of() { sha256sum | cut -d ' ' -f 1; }
head -c 3000000 /dev/urandom >"$work/data"
sum=$(sha_of <"$work/data")

# through NAME PREFIX OPTIONS...: a device of this kind at both ends, and a file sent through it
through() {
	local name=$1 net=$2 before after got

	shift 2
	if ! ip -n $rx link add tun0 type "$@" local 192.0.2.2 remote 192.0.2.1 2>/dev/null; then
		skip "$name" "this kernel has no such device"
		return
	fi
	ip -n $tx link add tun0 type "$@" local 192.0.2.1 remote 192.0.2.2
	ip -n $tx addr add "$net.1/24" dev tun0
	ip -n $rx addr add "$net.2/24" dev tun0
	# The inner checksums, too, must be whole when the outer frame is redirected.
	in_tx ethtool -K tun0 tx off >/dev/null 2>&1
	ip -n $tx link set tun0 up mtu 1400
	ip -n $rx link set tun0 up mtu 1400
	before=$(query .verdicts.redirected)
	in_rx timeout 20 python3 -c '
import socket, sys
listener = socket.create_server(("0.0.0.0", 7777))
open(sys.argv[1], "w").close()
peer, _ = listener.accept()
while data := peer.recv(65536):
	sys.stdout.buffer.write(data)' "$work/ready" >"$work/got" &
	eventually test -e "$work/ready"
	in_tx timeout 20 python3 -c '
import socket, sys
with socket.create_connection((sys.argv[1], 7777), 10) as peer:
	peer.sendall(sys.stdin.buffer.read())' "$net.2" <"$work/data"
	wait $!
	got=$(sha_of <"$work/got")
	after=$(query .verdicts.redirected)
	is "$name: the file arrived whole" "$got" "$sum"
	# GRO merges behind the redirect: the frames were at least as many as the segments.
	check "$name: its frames were redirected ($((after - before)))" [ $((after - before)) -ge 1000 ]
	ip -n $tx link del tun0
	ip -n $rx link del tun0
	rm -f "$work/ready"
}

through VXLAN 198.51.100 vxlan id 7 dstport 4789
through GRETAP 198.51.100 gretap
through GRE 198.51.100 gre
through IPIP 198.51.100 ipip
through SIT 198.51.100 sit mode any
finish
