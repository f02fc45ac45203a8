#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# rule: what matches goes where the rule says, and is counted. rehash.t changes rules while packets flow.
. "$(dirname "$0")/../lib.sh"

[ -d /sys/devices/system/cpu/cpu1 ] || skip_all 'needs two CPUs to choose from'
topo
cpus_of() { traffic flows --ports 8 "$@" | jq -c '.cpus | keys'; }
hits_of() { tool rule list rx0 --json | jq -r ".rules[] | select(.name == \"$1\") | .packets"; }

exits 1 'without load there are no rules' tool rule add rx0 a pass
tool load rx0 --cpus 0 2>/dev/null
is 'the hash has one CPU' "$(cpus_of)" '["0"]'
exits 0 'rule add' tool rule add rx0 one src 192.0.2.0/24 and proto udp cpu 1
is 'what matches goes to its CPU, which is no target' "$(cpus_of)" '["1"]'
is 'what does not, to the targets' "$(cpus_of --v6)" '["0"]'
check 'and is counted' test "$(hits_of one)" -gt 0
# The same number wherever it is shown, and it is that of the frames that were sent.
said() { tool stats rx0 --json | jq -c "[.interfaces[0].rules[] | .rule, .$1]"; }
hits=$(hits_of one)
traffic flows --ports 8 >/dev/null
is '64 datagrams are 64 hits' "$(hits_of one)" $((hits + 64))
is 'what was redirected is what arrived' "$(query .verdicts.redirected)" \
	"$(bpftool -j map dump pinned "$pins/rx0/targets" | jq '[.[].formatted.value.packets] | add')"
is 'stats --json: packets' "$(said rule_packets)" "[\"one\",$(hits_of one)]"
is 'stats --json: bytes, 43 a frame' "$(said rule_bytes)" "[\"one\",$((43 * $(hits_of one)))]"
is 'stats --prometheus' "$(tool stats rx0 --prometheus | sed -n 's/^xdp_cpumap_rule_packets_total{.*rule="one".*} //p')" "$(hits_of one)"
sent() { tool stats rx0 --json | jq ".interfaces[0] | $1"; }
is 'what rules send is redirected, and sent to their CPU' \
	"$(sent '.totals.redirected_packets - (.targets[] | select(.cpu == 0).sent_packets)')" "$(hits_of one)"
is 'and status says so' "$(query '.targets[] | select(.cpu == 1).sent_packets')" "$(hits_of one)"
is 'status --json' "$(query '.rules | map([.name, .rule, .packets] | tostring) | join(" ")')" \
	"[\"one\",\"src 192.0.2.0/24 proto udp cpu 1\",$(hits_of one)]"
like 'status' "$(tool status rx0)" "^ +$(hits_of one)  one src 192\.0\.2\.0/24 proto udp cpu 1$"
tool stats rx0 >"$work/table" &
sleep 0.4
traffic flows --ports 8 >/dev/null
wait $!
like 'stats: a line for the rule, over a second' "$(<"$work/table")" '^  one +[56][0-9](\.[0-9])? +2[0-9]{3} '
counted=$(hits_of one)
exits 0 'a rule before it' tool rule add rx0 both proto udp cpus 0-1 --before one
is 'wins' "$(cpus_of)" '["0","1"]'
is 'the other one keeps its count' "$(hits_of one)" "$counted"
is 'rule list' "$(tool rule list rx0 | sed 's/ #.*//' | paste -sd';')" \
	'both proto udp cpus 0-1;one src 192.0.2.0/24 proto udp cpu 1'
exits 0 'rule del' tool rule del rx0 both
is 'and the next one matches' "$(cpus_of)" '["1"]'
exits 0 'a rule that passes' tool rule add rx0 stay proto udp pass --before one
traffic flows --ports 8 >/dev/null
check 'keeps frames on the RX CPU' test "$(hits_of stay)" -gt 0
is 'and the rule behind it gets none' "$(hits_of one)" \
	"$(traffic flows --ports 8 >/dev/null; hits_of one)"

# mistake PATTERN WORDS...
mistake() {
	local pattern=$1

	shift
	exits 2 "rule $*: refused" tool rule "$@"
	like "rule $*: why" "$err" "$pattern"
}
before=$(tool rule list rx0 | sed 's/ #.*//')
mistake 'already' add rx0 one pass
mistake "'frob' is neither" add rx0 x frob 1 pass
mistake 'CPU 8000 does not exist' add rx0 x cpu 8000
mistake "no rule 'nobody'" add rx0 x pass --before nobody
mistake 'no DSA tag' add rx0 x dsa-port 1 pass
mistake 'add, del, list or load' frob rx0
exits 1 'rule del of one that is not there' tool rule del rx0 nobody
printf 'a pass\n# here\nb dport 99999 cpu 0\n' >"$work/rules"
exits 2 'a file with a mistake' tool rule load rx0 "$work/rules"
like 'names the file and the line' "$err" "rules:3: '99999'"
is 'and nothing has changed' "$(tool rule list rx0 | sed 's/ #.*//')" "$before"

printf 'web dport 80,443 cpu 1\nudp proto udp cpu 1 # all\n' >"$work/rules"
exits 0 'set --rules' tool set rx0 --rules "$work/rules"
is 'replaces them all' "$(tool rule list rx0 | wc -l)" 2
is 'at once' "$(cpus_of)" '["1"]'
exits 0 'load with the same file' tool load rx0 --cpus 0 --rules "$work/rules" --json
is 'has nothing to do' "$(jq -r .changed <<<"$out")" false
exits 0 'set of something else' tool set rx0 --cpus 0-1 --lanes 2
is 'keeps the rules' "$(cpus_of)" '["1"]'
exits 0 'rules none' tool set rx0 --rules none
is 'and there are none' "$(tool rule list rx0 | wc -l)" 0
is 'nor in stats' "$(tool stats rx0 --json | jq -c '.interfaces[0].rules')" '[]'
is 'nor a word of them' \
	"$({ tool stats rx0; tool stats rx0 --prometheus; tool status rx0; } | grep -E '\bRULE$|^ +RULE|xdp_cpumap_rule')" ''
if in_rx strace -o "$work/calls" -e trace=bpf "$TOOL" stats rx0 --json >/dev/null 2>&1; then
	is 'and no hits are read' "$(grep -c 'rule_hits' "$work/calls")" 0
	check 'though it reads other maps' grep -q 'slot_state' "$work/calls"
else
	skip 'no hits are read' 'strace cannot trace here'
fi
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'leaves nothing of them' "$objects"
finish
