#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A virtio port whose host merges frames, and does not let the guest turn that off: no native mode, and why.
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/port.bash"

port_topo
offloads() { in_rx ethtool -k rx0; }
offloads_were=$(offloads)
like 'the host merges frames, whatever we want' "$offloads_were" '^rx-gro-hw: on \[fixed\]'
run tool check rx0
like 'check says so' "$out" 'OFF-GROHW'
like 'and how a host is told' "$out" 'libvirt'
exits 1 'native mode is refused' tool load rx0 --cpus 1 --mode native
like 'with the reason' "$err" 'rx-gro-hw|GRO_HW|merge'
is 'nothing is on the port' "$(attached)" ''
exits 0 'load, in what mode there is' tool load rx0 --cpus 1
echo "# ${err//$'\n'/$'\n'# }"
is 'that is generic' "$(query .mode)" skb
carry 'generic mode' 192.0.2.2 1
carry 'generic mode, IPv6' 2001:db8::2 1
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'nothing is left' "$objects"
is 'the offloads are what they were' "$(offloads)" "$offloads_were"
finish
