#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real TCP and UDP through native and generic mode: whole, and on the CPU that was chosen.
. "$(dirname "$0")/../lib.sh"

topo

# csum_errors: TCP segments the receiving stack threw away, IPv4 and IPv6
csum_errors() {
	in_rx cat /proc/net/snmp /proc/net/snmp6 | awk '
		/^Tcp:.*InCsumErrors/ { for (i = 2; i <= NF; i++) if ($i == "InCsumErrors") column = i; next }
		/^Tcp:/ { print $column }'
}

# whole NAME CPUS ARGS...: all streams arrive whole, and TCP ran on exactly these CPUs
whole() {
	local name=$1 cpus=$2 said

	shift 2
	said=$(traffic copy --streams 4 --size 4000000 "$@")
	is "$name: four streams of random bytes arrive whole" "$(jq .intact <<<"$said")" 4
	is "$name: the stack saw them on CPU $cpus" "$(jq -c .cpus <<<"$said")" "[$cpus]"
}

iperf() {
	in_rx iperf3 -s -1 -D -I "$work/iperf.pid" --logfile "$work/iperf.log"
	eventually in_rx sh -c 'ss -ltnH sport = :5201 | grep -q .'
	in_tx iperf3 -c 192.0.2.2 -t 1 -P 4 -J "$@" | jq '.end.sum_received.bytes // 0'
}

for mode in native skb; do
	if [ $mode = skb ] && lacks_skb; then
		skip 'skb' "the kernel has no generic cpumap: $(uname -r)"
		continue
	fi
	for cpu in 0 1; do
		[ -d /sys/devices/system/cpu/cpu$cpu ] ||
			{ skip "$mode, CPU $cpu" "this machine has no CPU $cpu"; continue; }
		exits 0 "$mode: load on CPU $cpu" tool load rx0 --cpus $cpu --mode $mode
		is "$mode: status says so" "$(query .mode)" $mode
		is "$mode: and so does the kernel" \
			"$(ip -n $rx -j link show rx0 | jq '.[0].xdp.mode')" "$([ $mode = native ] && echo 1 || echo 2)"
		before=$(csum_errors)
		whole "$mode, towards the interface" $cpu
		whole "$mode, from the interface (ACKs only come in)" $cpu --back
		whole "$mode, IPv6" $cpu --v6
		is "$mode: no segment had a wrong checksum" "$(csum_errors)" "$before"
		is "$mode: only CPU $cpu is a target" "$(query '[.targets[].cpu] | join(" ")')" $cpu
		is "$mode: the second-stage program saw them" \
			"$(query '.targets[0].packets | . > 1000')" true
		is "$mode: and no more than were sent to it" \
			"$(query '.targets[0] | .packets <= .sent_packets')" true
		is "$mode: which is all that was redirected" \
			"$(query '.targets[0].sent_packets == .verdicts.redirected')" true
		is "$mode: and on CPU $cpu alone" "$(bpftool -j map dump pinned "$pins/rx0/targets" |
			jq -c '[.[].formatted | select(.value.packets > 0) | .key]')" "[$cpu]"
		exits 0 "$mode: unload" tool unload rx0
	done
	tool load rx0 --mode $mode --cpus "$(cat /sys/devices/system/cpu/online)" 2>/dev/null
	for direction in '' -R; do
		bytes=$(iperf $direction)
		check "$mode: iperf3 ${direction:-forward} moves data ($bytes bytes)" test "${bytes:-0}" -gt 1000000
	done
	exits 0 "$mode: unload" tool unload rx0
done
finish
