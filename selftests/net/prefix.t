#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# prefix: the CPU of the longest match, tables that are written as a whole, and what outlives what.
. "$(dirname "$0")/../lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || skip_all 'needs two CPUs to choose from'
topo
cpus_of() { traffic flows --ports 8 "$@" | jq -c '.cpus | keys'; }

# Most of the time of a guest would go here.
room=$(scaled 200000 4000) many=$((room / 2))
tool load rx0 --cpus 0-1 2>/dev/null
exits 1 'without --match there are no prefixes' tool prefix add rx0 192.0.2.0/24 1
like 'and the sentence says what to do' "$err" '\-\-match'
exits 0 'load --match src' tool load rx0 --cpus 0-1 --match src --max-prefixes "$room"
is 'without a prefix the hash decides' "$(cpus_of)" '["0","1"]'
exits 0 'prefix add' tool prefix add rx0 192.0.2.0/24 1
is 'all its flows go to its CPU' "$(cpus_of)" '["1"]'
sent=$(query '.targets[] | select(.cpu == 1).sent_packets')
traffic flows --ports 8 >/dev/null
is 'and are counted there' "$(query '.targets[] | select(.cpu == 1).sent_packets')" $((sent + 64))
is 'others do not' "$(cpus_of --v6)" '["0","1"]'
exits 0 'a longer one' tool prefix add rx0 192.0.2.1 0
is 'wins' "$(cpus_of)" '["0"]'
exits 0 'prefix del' tool prefix del rx0 192.0.2.1
is 'and the shorter one is next' "$(cpus_of)" '["1"]'
exits 0 'IPv6' tool prefix add rx0 2001:db8::/64 0
is 'is no different' "$(cpus_of --v6)" '["0"]'
is 'prefix list' "$(tool prefix list rx0 | xargs)" '192.0.2.0/24,1 2001:db8::/64,0'
is 'prefix list --json' "$(tool prefix list rx0 --json | jq -c '[.prefixes[] | .prefix, .cpu]')" \
	'["192.0.2.0/24",1,"2001:db8::/64",0]'

# mistake PATTERN WORDS...
mistake() {
	local pattern=$1

	shift
	exits 2 "prefix $*: refused" tool prefix "$@"
	like "prefix $*: why" "$err" "$pattern"
}
mistake 'bits behind' add rx0 192.0.2.1/24 1
mistake 'no prefix' add rx0 rx0 1
mistake 'CPU 999 is no target' add rx0 10.0.0.0/8 999
mistake 'which CPU' add rx0 10.0.0.0/8
mistake 'IFACE PREFIX' add rx0
mistake 'add, del, list' frob rx0
exits 1 'prefix del of one that is not there' tool prefix del rx0 10.0.0.0/8

before=$(tool prefix list rx0)
printf '10.0.0.0/8,0\n# here\n10.1.0.0/16,0\n192.0.2.0/24,0\n10.1.0/16,1\n' >"$work/list"
exits 2 'import of a list with a mistake' tool prefix import rx0 "$work/list"
like 'names the file and the line' "$err" "list:5: '10\.1\.0/16'"
is 'and imports nothing' "$(tool prefix list rx0)" "$before"
seq $((room + 1)) | awk '{ printf "10.%d.%d.%d/32,0\n", $1 / 65536, $1 / 256 % 256, $1 % 256 }' >"$work/list"
echo 192.0.2.0/24,0 >>"$work/list"
exits 1 'import of more than there is room for' tool prefix import rx0 "$work/list"
like 'says how many there may be' "$err" "$room"
is 'and imports nothing, either' "$(tool prefix list rx0)" "$before"

seq $many | awk '{ printf "10.%d.%d.%d/32\n", $1 / 65536, $1 / 256 % 256, $1 % 256 }' >"$work/list"
exits 2 'import of prefixes without a CPU' tool prefix import rx0 "$work/list"
began=${EPOCHREALTIME/./}
exits 0 'import --balance' tool prefix import rx0 "$work/list" --balance
took=$(((${EPOCHREALTIME/./} - began) / 1000))
is 'gives each CPU half of them' \
	"$(tool prefix list rx0 | awk -F, '{ n[$2]++ } END { print n[0], n[1] }')" "$((many / 2 + 1)) $((many / 2 + 1))"
if (($(cut -d. -f1 /proc/loadavg) < 2)); then
	check "$many take less than two seconds ($took ms)" test $took -lt 2000
else
	skip "$many take less than two seconds" "the machine has more to do; $took ms"
fi

exits 0 'a target leaves' tool set rx0 --cpus 0
is 'its prefixes go to another' "$(cpus_of)" '["0"]'
exits 0 'and comes back, with lanes and other queues' tool set rx0 --cpus 0-1 --lanes 2 --qsize 256
is 'so do they' "$(cpus_of)" '["1"]'
exits 0 'another hash, which takes other programs' \
	tool load rx0 --cpus 0-1 --match src --max-prefixes "$room" --hash l3
is 'keeps the prefixes' "$(tool prefix list rx0 | wc -l)" $((many + 2))
is 'in force' "$(cpus_of)" '["1"]'
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'leaves nothing of them' "$objects"

tool load rx0 --cpus 0-1 --match dst 2>/dev/null
tool prefix add rx0 192.0.2.2 1
is '--match dst looks at the destination' "$(cpus_of)" '["1"]'
finish
