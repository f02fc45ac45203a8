#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every value an option takes, and those it must not: the sentence says what would be right.
. "$(dirname "$0")/../lib.sh"

topo
online=$(cat /sys/devices/system/cpu/online)
last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible)

refused() { # WORDS...
	exits 2 "load $* is refused" tool load rx0 "$@"
	is "load $*: nothing on stdout" "$out" ''
	is "load $*: one sentence" "$(wc -l <<<"$err")" 1
}
for list in '' ',' '0,' ',0' 0,,0 - 0- -1 1-0 0--1 0-1-2 a 0a 0x0 '0 ' ' 0' +0 0.5 all 0,0 0-1,1 0: :1 0:0 \
	0:-1 0:x 0:1:2 0:1001 0:99999999999 99999999999 0-99999999999 18446744073709551616 65536; do
	refused --cpus "$list"
done
for list in $((last + 1)) 0-$((last + 1)) 4096; do
	refused --cpus $list
	like "load --cpus $list: the sentence has the valid list, $online" "$err" "\b$online\b"
done
for qsize in 0 16385 -1 '' a 512k 0x10 ' 1' 1.5 4294967296 99999999999999999999; do
	refused --qsize "$qsize" --cpus 0
	like "load --qsize '$qsize': the sentence has the limit" "$err" '16384'
done
for option in mode second-stage dispatcher; do
	for word in '' x PASS yesno 1; do
		refused --$option "$word" --cpus 0
		like "load --$option '$word': the sentence has the words" "$err" 'auto|pass'
	done
done
is 'nothing was loaded by all that' "$(attached)" ''

# What is good is taken, and the entry holds it.
accepted() { # FILTER WANTED WORDS...
	local filter=$1 wanted=$2

	shift 2
	exits 0 "load $*" tool load rx0 "$@"
	is "load $*: status says so" "$(query "$filter")" "$wanted"
}
accepted '.targets[0].qsize' 1 --cpus 0 --qsize 1
accepted '.targets[0].qsize' 16384 --cpus 0 --qsize 16384
accepted '.targets[0].qsize >= 512' true --cpus 0 --qsize auto
accepted '.targets[0].qsize' 64 --cpus=0 --qsize=64
accepted '[.targets[] | .slots] | add' 256 --cpus "$online"
accepted '[.targets[].cpu] | length > 0' true --cpus auto
accepted '.mode' native --cpus 0 --mode auto
accepted '.second_stage' null --cpus 0 --second-stage none
accepted '.second_stage.program' pass --cpus 0 --second-stage pass
accepted '.attach' link --cpus 0 --dispatcher no
tool unload rx0 2>/dev/null
if [ "$last" = 0 ]; then
	skip 'weights' 'one CPU'
else
	# 256 slots by the largest remainder: exact, or one off.
	accepted '[.targets[].slots] | join(" ")' '128 128' --cpus 0-1:2
	accepted '[.targets[].slots] | join(" ")' '85 171' --cpus 0:1,1:2
	accepted '[.targets[] | .cpu, .slots] | join(" ")' '0 171 1 85' --cpus 1,0:2
	accepted '[.targets[].slots] | join(" ")' '1 255' --cpus 0:1,1:200
	exits 2 'a weight too small for one slot is refused' tool load rx0 --cpus 0:1,1:1000
	like 'the sentence names the CPU' "$err" 'CPU 0\b'
fi
tool unload rx0 2>/dev/null
finish
