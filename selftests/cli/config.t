#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# --config FILE: read, overruled by the command line, and told where it is wrong.
. "$(dirname "$0")/../lib.sh"

topo
conf=$work/rx0.conf

cat >"$conf" <<-'END'
	# One CPU, and a queue nobody would choose.
	cpus = \
	    0
	qsize = 77   # packets
	second-stage = none
END
exits 0 'load --config' tool load rx0 --config "$conf"
is 'the queue is that of the file' "$(query '.targets[0].qsize')" 77
is 'so is the second stage' "$(query .second_stage)" null
exits 0 'load again, with an option before the file' tool load --qsize 88 --config "$conf" rx0
is 'the option wins' "$(query '.targets[0].qsize')" 88
exits 0 'load again, with an option behind the file' tool load rx0 --config "$conf" --qsize 99 --second-stage pass
is 'the option wins, too' "$(query '.targets[0].qsize, .second_stage.program' | paste -sd ' ')" '99 pass'
exits 0 'load again' tool load rx0 --config "$conf" --dry-run
like 'a dry run shows the way back to the file' "$out" '77'
is 'and does not go it' "$(query '.targets[0].qsize')" 99
tool unload rx0 2>/dev/null

# wrong PATTERN TEXT: exit code 2, nothing done, one sentence with the place
wrong() {
	printf '%b' "$2" >"$conf"
	exits 2 "'$2' is refused" tool load rx0 --config "$conf"
	is "'$2': nothing on stdout" "$out" ''
	is "'$2': one sentence" "$(wc -l <<<"$err")" 1
	like "'$2': it says where and what" "$err" "^xdp-cpumap: $conf:$1"
	was=$err
	exits 2 "'$2': check refuses it, too" tool check --config "$conf"
	is "'$2': with the same sentence" "$err" "$was"
}
wrong "2: there is no setting 'cpsu'; did you mean 'cpus'" '\ncpsu = 0\n'
wrong "1: 'json' is for the command line" 'json = yes\n'
wrong "3: cpus '0-': .*online here: $(cat /sys/devices/system/cpu/online)" '# a\n# b\ncpus = 0-\n'
wrong "1: qsize '0': .*16384" 'qsize = 0\n'
wrong "2: 'mode' was set in line 1" 'mode = skb\nmode = skb\n'
wrong "1: .*is no setting" 'cpus\n'
wrong "1: this is no text" 'cpus\0000= 0\n'
is 'nothing was loaded by all that' "$(attached)" ''

# What only this machine refuses has its place, too, unless the command line asked for it.
printf 'qsize = 64\n\ncpus = 0,4095\n' >"$conf"
exits 2 'a CPU that this machine does not have' tool load rx0 --config "$conf"
like 'the sentence has the line' "$err" "^xdp-cpumap: $conf:3: --cpus: CPU 4095 does not exist"
exits 2 'the same, on the command line' tool load rx0 --config "$conf" --cpus 4094
like 'has none' "$err" '^xdp-cpumap: --cpus: CPU 4094 does not exist'
printf 'cpus = 0\nirq-cpus = 0\n' >"$conf"
exits 1 'a setting that the interface cannot have' tool load rx0 --config "$conf"
like 'has the line' "$err" "^xdp-cpumap: $conf:2: rx0: --irq-cpus: "
printf '# rules\n\nfar dport 53 cpu 4095\n' >"$work/rules"
exits 2 'a rule with such a CPU' tool load rx0 --cpus 0 --rules "$work/rules"
like 'has its line' "$err" "^xdp-cpumap: $work/rules:3: rule 'far': CPU 4095 does not exist"
is 'nothing was loaded by that' "$(attached)" ''

exits 2 'a file that is not there' tool load rx0 --config "$work/none"
like 'the sentence names it' "$err" "'$work/none': No such file"
exits 2 'a folder' tool load rx0 --config "$work"
head -c 1048577 /dev/zero | tr '\0' '\n' >"$conf"
exits 2 'a file larger than a megabyte' tool load rx0 --config "$conf"
like 'the sentence says so' "$err" 'too large'
exits 2 'a file without a name' tool load rx0 --config ''
exits 2 'unload reads no file' tool unload rx0 --config "$conf"

printf 'cpus = 0\n' >"$conf"
exits 0 'check of a file without a mistake' tool check --config "$conf"
like 'it says so' "$err" "$conf: no mistake"
is 'and touches nothing' "$(footprint)" ''
run tool check rx0 --config "$conf"
like 'with an interface, check is about that' "$out" '^rx0: '

is 'the example in docs/ is what help config prints' "$("$TOOL" help config)" \
	"$(<"$TOP/docs/xdp-cpumap.conf")"
sed 's/^#\([a-z-]* =\)/\1/' "$TOP/docs/xdp-cpumap.conf" >"$conf"
exits 0 'the example, uncommented, is a file' tool load rx0 --config "$conf" --cpus 0 --dry-run
check 'and has settings' grep -q '^cpus' "$conf"
finish
