#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# set changes what is named and keeps the rest; lanes; and a set that was killed half way.
. "$(dirname "$0")/../lib.sh"

topo
exits 1 'set where nothing is loaded is refused' tool set rx0 --qsize 64
like 'and says what to do' "$err" 'xdp-cpumap load rx0'
exits 2 'lanes are 1 to 8' tool load rx0 --lanes 9
like 'says the sentence' "$err" '1 to 8'

shape() { query '[.targets[] | "\(.cpu)/\(.lane) \(.slots) \(.qsize) \(has("packets"))"] | join(", ")'; }
exits 0 'load' tool load rx0 --cpus 0 --qsize 256
steer=$(attached)
exits 0 'set --qsize' tool set rx0 --qsize 1024
is 'the queue is the new one' "$(shape)" '0/0 256 1024 true'
exits 0 'set --second-stage' tool set rx0 --second-stage none
is 'the queue is kept, the program goes' "$(shape)" '0/0 256 1024 false'
exits 0 'set --second-stage again' tool set rx0 --second-stage pass
exits 0 'set with nothing new' tool set rx0 --json
is 'changes nothing' "$(jq -c '[.changed, .steps]' <<<"$out")" '[false,[]]'
is 'the program on the interface is the first one' "$(attached)" "$steer"

exits 0 'set --lanes' tool set rx0 --lanes 4
is 'the slots are dealt to four lanes' "$(shape)" \
	'0/0 64 1024 true, 0/1 64 1024 true, 0/2 64 1024 true, 0/3 64 1024 true'
mistaken=0
for lane in 0 1 2 3; do
	pid=$(query ".targets[$lane].kthread_pid")
	# As on a kernel before 5.17, which cuts their names.
	unclear=$(in_rx setarch --uname-2.6 "$TOOL" status rx0 --json | jq ".interfaces[0].targets[$lane].kthread_pid")
	[ "$unclear" = null ] || [ "$unclear" = "$pid" ] || ((++mistaken))
	cuts_names && continue
	map=$(bpftool -j map show pinned "$pins/rx0/cpus$([ $lane = 0 ] || echo _$lane)" | jq .id)
	is "lane $lane has a kthread of its own" "$(cat "/proc/$pid/comm")" "$(kthread_name 0 "$map")"
done
is 'where names are cut, none is taken for that of another lane' $mistaken 0
is 'flows arrive' "$(traffic flows --ports 20 | jq -c '[.lost, .cpus["0"]]')" '[0,400]'
is 'on all lanes' "$(query '[.targets[] | select(.packets > 50)] | length')" 4
read -r -a was < <(query '[.targets[].sent_packets] | join(" ")')
traffic copy --streams 1 >/dev/null
read -r -a now < <(query '[.targets[].sent_packets] | join(" ")')
grown=0
for lane in 0 1 2 3; do
	((now[lane] - was[lane] > 50)) && ((++grown))
done
is 'one flow stays on one lane' $grown 1
exits 0 'set --dry-run' tool set rx0 --lanes 1 --dry-run
is 'changes nothing, either' "$(query '.targets | length')" 4
exits 0 'set --lanes 1' tool set rx0 --lanes 1
is 'the further lanes are gone' "$(shape)" '0/0 256 1024 true'
map=$(bpftool -j map show pinned "$pins/rx0/cpus_1" | jq .id)
has_no_kthread() { ! grep -qsx "$(kthread_name 0 "$map")" /proc/[0-9]*/comm; }
# A cut name may as well be that of lane 0.
cuts_names || check 'and their kthreads' eventually has_no_kthread

if [ -d /sys/devices/system/cpu/cpu1 ]; then
	exits 0 'set --cpus with weights' tool set rx0 --cpus 0:1,1:3
	is 'the slots are 1 to 3' "$(shape)" '0/0 64 1024 true, 1/0 192 1024 true'
	exits 0 'set --qsize' tool set rx0 --qsize 2048
	is 'keeps the weights' "$(shape)" '0/0 64 2048 true, 1/0 192 2048 true'
	query .moves >"$work/moves"
	exits 0 'set --cpus with the same' tool set rx0 --cpus 0:2,1:6 --json
	is 'moves nothing' "$(jq .changed <<<"$out")" false

	# Dead at each of its calls that changes something: the next one finishes the work.
	if strace -o /dev/null true 2>/dev/null; then
		changing='bpf,unlink,unlinkat,rename,renameat,renameat2,mkdir,fdatasync'
		wrong='' died=0
		for n in $(seq 1 "$(scaled 3 15)" 60); do
			tool load rx0 --cpus 0:1,1:3 --qsize 256 2>/dev/null
			(in_rx strace -f -qqq -o /dev/null -e trace="$changing" \
				-e inject="$changing:signal=KILL:when=$((8 * n))" \
				"$TOOL" set rx0 --cpus 1:1,0:1 --qsize 512 --lanes 2 >/dev/null 2>&1) 2>/dev/null
			[ $? -ge 128 ] && ((++died))
			tool load rx0 --cpus 0-1 --qsize 512 --lanes 2 2>"$work/stderr" ||
				wrong+="call $n: $(<"$work/stderr")"$'\n'
			[ "$(shape)" = "0/0 64 512 true, 1/0 64 512 true, 0/1 64 512 true, 1/1 64 512 true" ] ||
				wrong+="call $n: $(shape)"$'\n'
		done
		is "set, killed $died times: the next verb puts it right" "$wrong" ''
		check 'and it was killed' test $died -gt "$(scaled 10 1)"
	else
		skip 'set, killed' 'strace cannot trace here'
	fi
fi
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'unload leaves nothing of any lane' "$objects"
finish
