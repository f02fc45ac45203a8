#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A machine with one CPU: it is told that steering cannot help it, and all works if it insists.
. "$(dirname "$0")/../../lib.sh"

topo
is 'one CPU' "$(cat /sys/devices/system/cpu/online)" 0
echo "# possible CPUs: $(cat /sys/devices/system/cpu/possible)"
exits 3 'check finds that an error' tool check rx0
like 'CPU-ONE' "$out" 'CPU-ONE'
exits 3 'load is refused for it' tool load rx0 --cpus auto
like 'with the reason' "$err" 'CPU-ONE'
exits 0 'load --cpus 0 --force' tool load rx0 --cpus 0 --force
echo "# ${err//$'\n'/$'\n'# }"
said=$(traffic copy --streams 2 --size 100000)
is 'two streams arrive whole' "$(jq .intact <<<"$said")" 2
is 'all that was sent to CPU 0 came by there' "$(query '.targets[0] | .sent_packets == .packets and .packets > 10')" true
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'nothing is left' "$objects"
finish
