#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A kernel that does not describe its types: OpenWrt's, Debian's for ARM.
. "$(dirname "$0")/../lib.sh"

topo
[ -e /sys/kernel/btf/vmlinux ] || echo '# this kernel has none anyway'

# /sys is a new mount in each `ip netns exec`, gone with the command.
blind() { in_rx sh -c '! test -e /sys/kernel/btf || mount -t tmpfs none /sys/kernel/btf; exec "$@"' - "$@"; }
tool() { blind "$TOOL" "$@"; }

is 'nothing is left of it there' "$(blind ls /sys/kernel/btf 2>/dev/null)" ''
exits 0 'load' tool load rx0 --cpus 0
is 'four streams arrive whole' "$(traffic copy --streams 4 --size 400000 | jq .intact)" 4
check 'over the target CPU' test "$(query '.targets[0].packets')" -gt 100
like 'which knows of GRO by other means than types' "$(query '.gro | "\(.answer): \(.why)"')" '^(yes|no): .+'
exits 0 'stats' tool stats rx0 --json
exits 0 'set' tool set rx0 --qsize 512
is 'what was set is set' "$(query '.targets[0].qsize')" 512
exits 0 'unload' tool unload rx0
is 'the interface has no program' "$(attached)" ''
finish
