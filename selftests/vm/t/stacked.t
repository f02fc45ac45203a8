#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Names of what stands on a port: a bond is steered, a VLAN and a bridge are not, and the port is named instead.
. "$(dirname "$0")/../../lib.sh"

topo

# refuses WHAT NAME COMMANDS: an interface of that name on rx0 is no port
refuses()
{
	check "a $1 on rx0" in_rx sh -ec "$3"
	exits 3 "load $2 is refused" tool load "$2" --cpus 1
	like "as it is a $1" "$err" "IF-STACKED"
	like 'and the port below is named' "$err" 'load rx0'
	is 'nothing is on it' "$(in_rx ip -j link show "$2" | jq '.[0].xdp.prog.id')" null
	in_rx ip link del "$2"
}

refuses VLAN rx0.100 'ip link add link rx0 name rx0.100 type vlan id 100'
refuses bridge br0 'ip link add br0 type bridge; ip link set rx0 master br0'

check 'a bond of rx0' in_rx sh -ec 'ip link add bond0 type bond mode active-backup miimon 100
	ip link set rx0 down; ip link set rx0 master bond0
	ip addr flush dev rx0; ip addr add 192.0.2.2/24 dev bond0; ip link set bond0 up'
eventually ip netns exec $tx ping -c 1 -W 2 -q 192.0.2.2 >/dev/null
like 'check says that it is one, and of what' "$(tool check bond0 2>&1)" 'bond0 is a bond of rx0'
exits 0 'load bond0' tool load bond0 --cpus 1
echo "# ${err//$'\n'/$'\n'# }"
is 'in native mode' "$(query .mode bond0)" native
eventually ip netns exec $tx ping -c 1 -W 2 -q 192.0.2.2 >/dev/null
said=$(traffic copy --streams 4 --size 400000)
is 'four streams arrive whole' "$(jq .intact <<<"$said")" 4
is 'on CPU 1' "$(jq -c .cpus <<<"$said")" '[1]'
exits 4 'load rx0, which the bond has taken' tool load rx0 --cpus 1
exits 0 'unload bond0' tool unload bond0
finish
