#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Another hash, another key, other rules while packets flow: flows get other slots, and none is lost,
# none overtakes another of its flow. The same all at once must reorder, or this proves nothing.
. "$(dirname "$0")/../lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || skip_all 'needs two CPUs to move between'
topo
stream="${O:-$TOP/build}/selftests/tools/stream"
[[ $stream = /* ]] || stream=$TOP/$stream
[ -x "$stream" ] || skip_all "build it first: make ${stream#"$TOP"/}"

fast="$stream $tx $rx --flows 300 --rate 40000"
flow="$stream $tx $rx --flows 300 --rate $(scaled 40000 4000)"
tool load rx0 --cpus 0-1 --qsize 16384 2>/dev/null
is 'the hash is that of a load' "$(bpftool -j map dump pinned "$pins/rx0/config" | jq length)" 1
$flow --seconds 600 >"$work/said" &
flowing=$!
sleep 0.5
failures=
churn() { tool "$@" 2>"$work/stderr" || failures+="$*: $(<"$work/stderr")"$'\n'; }
hits_of() { tool rule list rx0 --json | jq -r ".rules[] | select(.name == \"$1\") | .packets"; }
for _ in $(seq "$(scaled 3 1)"); do
	churn set rx0 --hash siphash
	churn rule add rx0 all proto udp cpus 0-1
	churn rule add rx0 low sport 1-45000 cpu 1 --before all
	churn set rx0 --rekey
	churn rule del rx0 all
	echo 'high sport 45001-65535 cpu 0' >"$work/rules"
	churn set rx0 --rules "$work/rules" --hash l4
	churn rule add rx0 stays sport 45001-50000 pass --before high
	check 'the rule that lets flows stay has some' test "$(sleep 0.2; hits_of stays)" -gt 100
	churn rule del rx0 stays
	churn rule del rx0 high
done
is 'the hash, its key and the rules change while packets flow' "$failures" ''
is 'all flows go by the new ones' "$(query .moves.leaving)" 0
check 'most slots were left for others' test "$(query .moves.committed)" -gt 500
is 'none by force' "$(query .moves.forced)" 0
sleep 0.3
kill $flowing
wait $flowing
said=$(<"$work/said")
is 'of all frames none came out of order' "$(jq .reordered <<<"$said")" 0
arrived=$(bpftool -j map dump pinned "$pins/rx0/targets" | jq '[.[].formatted.value.packets] | add')
dropped=$(($(query .verdicts.redirected) - arrived))
check "and none was lost but in full queues ($dropped there)" test "$(jq .lost <<<"$said")" -le $dropped

# The whole of it, all at once: new maps are what does not wait.
tool load rx0 --cpus 0-1 --qsize 16384 --hash l4 2>/dev/null
$fast --seconds 600 >"$work/said" &
flowing=$!
sleep 0.5
for _ in $(seq "$(scaled 8 4)"); do
	for inner in always auto; do
		tool set rx0 --rekey --inner $inner 2>/dev/null
	done
done
kill $flowing
wait $flowing
check "all at once reorders ($(jq .reordered "$work/said"))" test "$(jq .reordered "$work/said")" -gt 0

# Dead at each of its calls that changes something: the next one goes on from there.
if strace -o /dev/null true 2>/dev/null; then
	changing='bpf,unlink,unlinkat,rename,renameat,mkdir,fdatasync'
	wrong='' died=0 half=0
	for n in $(seq 1 "$(scaled 1 3)" 12); do
		tool load rx0 --cpus 0-1 --hash l4 2>/dev/null
		traffic flows --ports 20 >/dev/null
		(in_rx strace -f -qqq -o /dev/null -e trace="$changing" \
			-e inject="$changing:signal=KILL:when=$((450 * n))" \
			"$TOOL" set rx0 --hash siphash >/dev/null 2>&1) 2>/dev/null
		[ $? -ge 128 ] && ((++died))
		bpftool -j map dump pinned "$pins/rx0/config" | grep -q '"in_transition": *1' && ((++half))
		tool load rx0 --cpus 0-1 --hash siphash 2>"$work/stderr" || wrong+="call $n: $(<"$work/stderr")"$'\n'
		[ "$(tool load rx0 --cpus 0-1 --hash siphash --json 2>/dev/null | jq .changed)" = false ] ||
			wrong+="call $n: not there yet"$'\n'
	done
	is "set, killed $died times ($half within): the next verb puts it right" "$wrong" ''
	check 'and it was killed, also within' test $half -gt 0
else
	skip 'set, killed' 'strace cannot trace here'
fi
finish
