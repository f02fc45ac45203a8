#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which flow goes where: by the weights, both directions together, counted by the stack itself.
. "$(dirname "$0")/../lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || skip_all 'needs two CPUs to spread over'
topo

# near NAME GOT WANTED: within 10 % of it
near() {
	if ((10 * $2 >= 9 * $3 && 10 * $2 <= 11 * $3)); then
		pass "$1 ($2 of about $3)"
	else
		fail "$1" "got:    $2" "wanted: $3, give or take 10 %"
	fi
}

# 10 000 flows: the 10 % are then more than three standard deviations wide for every share here
# (a hash throws dice), so that this test does not fail by chance.
spread() {
	local name=$1 cpus=$2 said

	shift 2
	exits 0 "$name: load --cpus $cpus" tool load rx0 --cpus "$cpus"
	read -r sent0 sent1 < <(query '[.targets[].sent_packets] | join(" ")')
	said=$(traffic flows --ports 100 "$@")
	is "$name: every datagram arrived" "$(jq .lost <<<"$said")" 0
	on0=$(jq '.cpus["0"] // 0' <<<"$said")
	on1=$(jq '.cpus["1"] // 0' <<<"$said")
}

for version in '' --v6; do
	spread "equal ${version:-v4}" 0-1 $version
	near 'half of the flows on CPU 0' "$on0" 5000
	near 'half of the flows on CPU 1' "$on1" 5000
	# A neighbour solicitation or two may have come along.
	is 'status counted the same' "$(query "[.targets[].sent_packets] |
		(.[0] - $sent0 - $on0 | 0 <= . and . < 10) and (.[1] - $sent1 - $on1 | 0 <= . and . < 10)")" true

	spread "weights ${version:-v4}" 0:1,1:3 $version
	near 'a quarter of the flows on CPU 0' "$on0" 2500
	near 'three quarters of the flows on CPU 1' "$on1" 7500
	is 'the slots are 1 to 3' "$(query '[.targets[].slots] | join(" ")')" '64 192'
done

# Frames nobody asked for would spoil the count of two.
in_tx sysctl -qw net.ipv6.conf.tx0.disable_ipv6=1
sent() { query '[.targets[].sent_packets] | join(" ")'; }
two_more() {
	read -r now0 now1 < <(sent)
	((now0 + now1 == was0 + was1 + 2))
}
together=0
pairs=$(scaled 16 4)
for _ in $(seq "$pairs"); do
	read -r was0 was1 < <(sent)
	traffic pair >/dev/null
	eventually two_more && ((now0 - was0 != 1)) && ((++together))
done
is "both directions of a flow go to one CPU, for $pairs flows" $together "$pairs"
finish
