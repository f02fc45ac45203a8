# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced after lib.sh, whose namespaces it fills
# The machine's own network port, cabled to a virtio device in the same guest: rx0 and tx0 of the namespaces.

# port_take MAC NAMESPACE NAME
port_take()
{
	local file

	for file in /sys/class/net/*/address; do
		if [ "$(cat "$file")" = "$1" ]; then
			file=$(basename "$(dirname "$file")")
			ip link set "$file" down
			ip link set "$file" netns "$2" name "$3"
			return
		fi
	done
	echo "Bail out! no port with the address $1"
	exit 1
}

port_topo()
{
	driver=$(for file in /sys/class/net/*/address; do
		grep -q 52:54:00:00:00:01 "$file" && basename "$(readlink "${file%address}device/driver")"
	done)
	ip netns add $tx
	ip netns add $rx
	port_take 52:54:00:00:00:02 $tx tx0
	port_take 52:54:00:00:00:01 $rx rx0
	# The models of the emulator compute no checksum inside a tunnel, though the drivers ask for it.
	in_tx ethtool -K tx0 tx off >/dev/null
	in_rx ethtool -K rx0 tx off >/dev/null
	ip -n $tx addr add 192.0.2.1/24 dev tx0
	ip -n $rx addr add 192.0.2.2/24 dev rx0
	ip -n $tx addr add 2001:db8::1/64 dev tx0 nodad
	ip -n $rx addr add 2001:db8::2/64 dev rx0 nodad
	ip -n $tx link set tx0 up
	ip -n $rx link set rx0 up
	ip -n $rx link set lo up
	ip -n $tx link set lo up
	netns_inode=$(stat -L -c %i /run/netns/$rx)
	pins=/sys/fs/bpf/xdp-cpumap/netns-$netns_inode
	journals=/run/xdp-cpumap/netns-$netns_inode
	port_ready
}

# Attaching makes some drivers open anew: the carrier goes and comes.
has_carrier() { [ "$(in_rx cat /sys/class/net/rx0/carrier 2>/dev/null)" = 1 ]; }
reaches() { ip netns exec $tx ping -c 1 -W 2 -q "$1" >/dev/null; }
port_ready()
{
	eventually has_carrier
	eventually reaches 192.0.2.2
}

# carry NAME ADDRESS [CPU]: TCP in four streams to that address of the steered side arrives whole, on that CPU alone
carry()
{
	local said

	eventually reaches "$2"
	said=$("$python" "$TOP/selftests/vm/t/streams.py" $tx $rx "$2")
	is "$1: four streams arrive whole" "$(jq .intact <<<"$said")" 4
	[ -z "${3:-}" ] || is "$1: on CPU $3" "$(jq -c .cpus <<<"$said")" "[$3]"
}
