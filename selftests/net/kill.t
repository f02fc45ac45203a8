#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kill -9 of load, of a second load and of unload, at each system call that changes something;
# then unload must find and remove everything.
. "$(dirname "$0")/../lib.sh"

topo
strace -o /dev/null true 2>/dev/null || skip_all 'strace cannot trace here'

# The system calls by which the tool could change the machine, and those that only look or make
# what ends with the process. Who dies at the entry of a call has done all those before it.
changing=bpf,mkdir,mkdirat,unlink,unlinkat,rmdir,rename,renameat,renameat2,write,pwrite64,sendto,sendmsg
harmless='^(bpf[(]BPF_(BTF_LOAD|PROG_LOAD|PROG_BIND|MAP_CREATE|MAP_FREEZE|MAP_LOOKUP|OBJ_GET|.*_GET_|.*INFO)|write[(]2,|send.*=(RTM_GET|nlctrl|netdev))'

# points VERB...: a line for each such call, of a row of equal ones for the first and every 64th:
# which system call it is, and the how manieth of its kind.
points() {
	in_rx strace -f -qqq -o "$work/calls" -e trace="$changing" "$TOOL" "$@" >/dev/null 2>&1
	awk -v harmless="$harmless" '{
		sub(/^[0-9]+ +/, "")
		name = $0; sub(/[(].*/, "", name)
		what = $0; sub(/,.*/, "", what)
		nth[name]++
		if ($0 ~ harmless) next
		row = what == last ? row + 1 : 0
		if (row % 64 == 0) print name, nth[name]
		last = what
	}' "$work/calls"
}

# die_at CALL N VERB...: kill -9 at that call. False when the tool came to its end before.
die_at() {
	local call=$1 nth=$2

	shift 2
	# A shell between us and the dead one, or ours would tell of the death.
	(in_rx strace -f -qqq -o /dev/null -e trace="$call" -e inject="$call:signal=KILL:when=$nth" \
		"$TOOL" "$@" >/dev/null 2>&1) 2>/dev/null
	[ $? = 137 ]
}

# survives NAME BEFORE VERB...: BEFORE makes the state that VERB finds
survives() {
	local name=$1 before=$2 call nth died=0 objects left
	local -a all

	shift 2
	"$before"
	mapfile -t all < <(points "$@")
	mapfile -t all < <(printf '%s\n' "${all[@]}" | awk -v each="$(scaled 1 8)" 'NR % each == each / 2 || each == 1')
	tool unload rx0 2>/dev/null
	for point in "${all[@]}"; do
		read -r call nth <<<"$point"
		"$before"
		die_at "$call" "$nth" "$@" && ((++died))
		objects=$(footprint)
		run tool unload rx0
		left=$(leaves_nothing it "$objects" 2>&1)
		if [ $rc != 0 ] || [[ $left = not* ]]; then
			fail "$name, killed at $call number $nth: unload removes everything" \
				"unload: exit code $rc" "$err" "$left"
			rm -rf "$pins" "$journals"
			ip -n $rx link set rx0 xdp off
			return
		fi
	done
	pass "$name, killed at ${#all[@]} points: unload removes everything each time"
	# Not quite at each: it looks at all links of the machine, so those of others move the numbers.
	check "$name: it did die at most of them ($died)" test $died -gt "$(scaled 3 0)" -a $((died * 10)) -ge $((${#all[@]} * 6))
}

loaded() { tool load rx0 --cpus 0 2>/dev/null; }
# Larger frames than a page holds need other programs and maps: the new set takes over.
loaded_for_small_frames() {
	ip -n "$rx" link set rx0 mtu 1500
	loaded
	ip -n "$rx" link set rx0 mtu 4000
}

survives 'load' true load rx0 --cpus 0
if [ -d /sys/devices/system/cpu/cpu1 ]; then
	survives 'load over a load, all slots to another CPU' loaded load rx0 --cpus 1
else
	skip 'load over a load, all slots to another CPU' 'there is one CPU'
fi
survives 'load over a load, new programs and maps' loaded_for_small_frames load rx0 --cpus 0
ip -n $rx link set rx0 mtu 1500
survives 'unload' loaded unload rx0

exits 0 'and after all that, load works' tool load rx0 --cpus 0
is 'with traffic' "$(traffic copy | jq .intact)" 4
finish
