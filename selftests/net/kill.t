#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# kill -9 of load, and of unload, at each of their system calls that changes something; then
# unload must find and remove everything.
. "$(dirname "$0")/../lib.sh"

topo
strace -o /dev/null true 2>/dev/null || skip_all 'strace cannot trace here'

# Every kind of system call by which the tool changes the machine. A process killed at the
# entry of one has done all those before it, and not this one.
changing='bpf,mkdir,mkdirat,unlink,unlinkat,rmdir,rename,renameat,renameat2,write,pwrite64,fdatasync,sendto,sendmsg,mount'

# die_at N VERB...: kill -9 at the Nth changing call. False when it came to its end before.
die_at() {
	local n=$1

	shift
	# A process of its own between us and the dead, so that the shell does not tell of it.
	(in_rx strace -f -qqq -o /dev/null -e trace="$changing" -e inject="$changing:signal=KILL:when=$n" \
		"$TOOL" "$@" >/dev/null 2>&1) 2>/dev/null
	[ $? -ge 128 ]
}

calls_of() {
	in_rx strace -f -qqq -o "$work/calls" -e trace="$changing" "$TOOL" "$@" >/dev/null 2>&1
	wc -l <"$work/calls"
}

# sweep_through NAME VERB...: die at every call of it, all in all in well under a minute
died_at_all() {
	local name=$1 total=$2 prepare=$3 n=1 died=0 left objects

	shift 3
	while :; do
		$prepare
		die_at $n "$@" || break
		((++died))
		objects=$(footprint)
		run tool unload rx0
		left=$(leaves_nothing x "$objects" 2>&1)
		if [ $rc != 0 ] || [[ $left = not* ]]; then
			fail "$name, killed at call $n of $total: unload puts it right" \
				"unload: exit code $rc" "$err" "$left"
			return
		fi
		((n += 1 + total / 120))
	done
	pass "$name, killed at $died of its $total calls: unload puts it right each time"
	check "$name, killed: that was at most of them" test $((died * (1 + total / 120))) -gt $((total / 2))
}

load() { tool load rx0 --cpus 0 2>/dev/null; }

total=$(calls_of load rx0 --cpus 0)
tool unload rx0 2>/dev/null
died_at_all load "$total" true load rx0 --cpus 0

load
total=$(calls_of load rx0 --cpus 0 --qsize 1024)
tool unload rx0 2>/dev/null
died_at_all 'a second load' "$total" load load rx0 --cpus 0 --qsize 1024

load
total=$(calls_of unload rx0)
died_at_all unload "$total" load unload rx0

exits 0 'and a load after all that works' tool load rx0 --cpus 0
is 'with traffic' "$(traffic copy | jq .intact)" 4
finish
