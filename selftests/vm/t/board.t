#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A board's own port, steered away from CPU 0: what the emulator's side sends arrives whole, and only there.
. "$(dirname "$0")/../../lib.sh"

tool() { "$TOOL" "$@"; }
ours() { ip -j link show dev eth0 | jq -r '.[0].xdp.prog.id // empty'; }
has_carrier() { [ "$(cat /sys/class/net/eth0/carrier 2>/dev/null)" = 1 ]; }
fetch() { "$python" "$TOP/selftests/vm/t/fetch.py" 8 48; }
# Emulated, the port takes seconds to come back after it was opened anew.
ready()
{
	local tries

	for tries in 1 2 3 4 5 6; do
		eventually has_carrier && ping -c 1 -W 3 -q 10.0.2.2 >/dev/null && return
	done
	echo "# eth0 does not answer after $tries tries"
}

[ -e /sys/class/net/eth0 ] || skip_all 'this board has no eth0'
echo "# driver $(basename "$(readlink /sys/class/net/eth0/device/driver)"), ethtool says $(ethtool -i eth0 2>&1 | head -n 1)"
[ ! -e /proc/sys/net/core/bpf_jit_enable ] || echo "# bpf_jit_enable is $(cat /proc/sys/net/core/bpf_jit_enable)"
[ ! -w /proc/sys/net/core/bpf_jit_enable ] || echo 1 >/proc/sys/net/core/bpf_jit_enable
ip addr add 10.0.2.15/24 dev eth0
ip link set eth0 up
ready
queues=$(find /sys/class/net/eth0/queues -name 'rx-*' | wc -l)
echo "# $queues receive queues, interrupts: $(grep -cE 'eth0|30be0000' /proc/interrupts)"

exits 0 'load eth0 --cpus 1-3' tool load eth0 --cpus 1-3
echo "# ${err//$'\n'/$'\n'# }"
is 'native' "$(tool status --json | jq -r '.interfaces[0].mode')" native
is 'the program on eth0 is ours' "$(tool status --json | jq -r '.interfaces[0].steer.id')" "$(ours)"
jit=$(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null || echo 0)
is "jited, if the kernel has a JIT" "$(tool status --json | jq -r '.interfaces[0].steer.jited')" \
	"$([ "$jit" = 1 ] && echo true || echo false)"
ready
said=$(fetch)
echo "# $said"
is 'eight TCP streams arrive whole' "$(jq .intact <<<"$said")" 8
is 'on CPUs 1 to 3' "$(jq '.tcp_cpus | length > 1 and all(. > 0)' <<<"$said")" true
is 'forty-eight UDP echoes arrive' "$(jq .echoes <<<"$said")" 48
is 'on all of CPUs 1 to 3 and not on 0' "$(jq -c '.udp_cpus | keys' <<<"$said")" '["1","2","3"]'
tool status eth0 | sed 's/^/# /'

exits 0 'load again, on CPU 2 alone' tool load eth0 --cpus 2
is 'now all on CPU 2' "$(fetch | jq -c '[.intact, .tcp_cpus, .echoes, (.udp_cpus | keys)]')" '[8,[2],48,["2"]]'

exits 0 'unload' tool unload eth0
is 'nothing is on eth0' "$(ours)" ''
check 'no pin is left' test ! -e /sys/fs/bpf/xdp-cpumap
ready
is 'and all works as before' "$(fetch | jq -c '[.intact, .echoes]')" '[8,48]'
if ip link set eth0 mtu 1504 2>/dev/null; then
	run tool load eth0 --cpus 1-3 --mode native
	echo "# with an MTU of 1504: exit code $rc, $(tr "\n" " " <<<"$err")"
	[ "$rc" = 0 ] || like 'a refusal for the MTU carries the words of the driver' "$err" 'mtu|jumbo'
	tool unload eth0
fi
finish
