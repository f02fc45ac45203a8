#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# stats: JSON, Prometheus, the live table; docs/metrics.md and the rows that it is made of.
. "$(dirname "$0")/../lib.sh"

topo
# Nobody speaks but us.
in_tx sysctl -qw net.ipv6.conf.all.disable_ipv6=1
in_rx sysctl -qw net.ipv6.conf.all.disable_ipv6=1
keys() { jq -r 'keys_unsorted | join(" ")' <<<"$1"; }
# documented SCOPE: the JSON names in that section of docs/metrics.md
documented() { sed -n "/^## \`$1\`: /,/^## /s/^| \`\([a-z_]*\)\` |.*/\1/p" "$TOP/docs/metrics.md"; }

is 'docs/metrics.md is what help metrics prints' "$("$TOOL" help metrics)" "$(<"$TOP/docs/metrics.md")"

exits 0 'stats with nothing loaded' tool stats
like 'says so' "$err" 'nothing is steered'
exits 0 'stats --json with nothing loaded' tool stats --json
is 'no interface' "$(jq -c .interfaces <<<"$out")" '[]'
exits 5 'stats of an interface that is not there' tool stats no0
exits 2 'stats --watch=0' tool stats --watch=0
exits 2 'stats --watch=x' tool stats --watch=x
exits 2 'stats --output without a name' tool stats --output ''

tool load rx0 --cpus 0 2>/dev/null
tool rule add rx0 udp proto udp cpu 0
traffic flows --ports 4 >/dev/null
exits 0 'stats --json' tool stats --json
json=$out
is 'one document' "$(jq -s length <<<"$json")" 1
for scope in totals rx_cpus stays fallbacks targets queues rules; do
	row=$(jq ".interfaces[0].$scope | if type == \"array\" then .[0] else . end" <<<"$json")
	said=" $(keys "$row") "
	missing=
	while read -r name; do
		[[ $said = *" $name "* ]] || missing+=" $name"
	done < <(documented $scope)
	is "$scope: each documented number is in the JSON" "$missing" ''
	unknown=
	for name in $said; do
		[[ $name = cpu || $name = lane || $name = reason || $name = rule ]] && continue
		documented $scope | grep -qx "${name%_per_s}" || documented $scope | grep -qx "$name" ||
			unknown+=" $name"
	done
	is "$scope: each number of the JSON is documented" "$unknown" ''
done

missing=
exits 0 'stats --prometheus' tool stats --prometheus
while read -r name; do
	grep -q "^# HELP $name " <<<"$out" || missing+=" $name"
done < <(sed -n 's/^| `[a-z_]*` | `\([a-z_]*\)` .*/\1/p' "$TOP/docs/metrics.md")
is 'each documented metric is exported' "$missing" ''
is 'a sample is what the JSON says' \
	"$(sed -n 's/^xdp_cpumap_sent_packets_total{.*cpu="0".*} //p' <<<"$out")" \
	"$(jq '.interfaces[0].targets[0].sent_packets' <<<"$json")"
if ! command -v promtool >/dev/null; then
	skip 'promtool check metrics' 'promtool is not installed (package prometheus)'
	skip 'promtool check rules' 'promtool is not installed (package prometheus)'
	skip 'promtool takes the expressions of the dashboard' 'promtool is not installed (package prometheus)'
else
	is 'promtool check metrics finds nothing' "$(promtool check metrics <<<"$out" 2>&1)" ''
	check 'promtool check rules' promtool check rules "$TOP"/contrib/prometheus/*.rules.yml
	jq '{groups: [{name: "dashboard", rules: [.panels[].targets[].expr | gsub("\\$__rate_interval"; "5m") |
		{record: "expression", expr: .}]}]}' "$TOP/contrib/grafana/xdp-cpumap.json" >"$work/dashboard.yml"
	check 'promtool takes the expressions of the dashboard' promtool check rules "$work/dashboard.yml"
fi
# The dashboard and the rules ask for nothing that we do not export.
check 'the dashboard is JSON' jq -e .panels "$TOP/contrib/grafana/xdp-cpumap.json"
for file in contrib/grafana/xdp-cpumap.json contrib/prometheus/xdp-cpumap.rules.yml; do
	strangers=
	while read -r name; do
		grep -q "^# HELP $name " <<<"$out" || strangers+=" $name"
	done < <(grep -o 'xdp_cpumap_[a-z_]*' "$TOP/$file" | sort -u)
	is "$file: each metric exists" "$strangers" ''
done

file=$work/xdp-cpumap.prom
echo old >"$file"
inode=$(stat -c %i "$file")
exits 0 '--output replaces the file' tool stats --prometheus --output "$file"
check 'by another one, at once' test "$(stat -c %i "$file")" != "$inode"
is 'that others may read' "$(stat -c %a "$file")" 644
is 'with the same metrics' "$(grep -c '^# TYPE' "$file")" "$(tool stats --prometheus | grep -c '^# TYPE')"
is 'and leaves no other beside it' "$(find "$work" -name 'xdp-cpumap.prom*' | wc -l)" 1
exits 1 '--output into a folder that is not there' tool stats --prometheus --output "$work/no/file"

exits 0 'stats' tool stats rx0
like 'for people: the interface and the interval' "$out" '^rx0: .* redirected/s.* over 1\.'
like 'for people: a line for CPU 0' "$out" '^ +0 .*\[.*\]'
ip netns exec $rx timeout -s INT 2.6 "$TOOL" stats --watch >"$work/piped"
is 'a pipe: a line a second and target CPU' "$(grep -c 'rx0 cpu=0 sent/s=' "$work/piped")" 2
is 'a pipe: nothing for a terminal' "$(grep -c $'\033' "$work/piped")" 0

# In a terminal: redrawn each second until q, which leaves the terminal as it was.
cat >"$work/terminal.py" <<-'PY'
	import os, pty, sys, termios, time
	pid, fd = pty.fork()
	if pid == 0:
	    os.execvp(sys.argv[1], sys.argv[1:])
	before = termios.tcgetattr(fd)
	seen = b""
	while seen.count(b"\033[H") < 2:
	    seen += os.read(fd, 65536)
	during = termios.tcgetattr(fd)
	os.write(fd, b"q")
	status = os.waitpid(pid, 0)[1]
	print("redrawn", seen.count(b"\033[H"))
	print("keys", int(before[3] != during[3]), "restored", int(before[3] == termios.tcgetattr(fd)[3]))
	print("status", os.waitstatus_to_exitcode(status))
PY
is 'a terminal: redrawn, and q ends it' \
	"$(timeout 20 ip netns exec $rx python3 "$work/terminal.py" "$TOOL" stats --watch=1 | paste -sd ' ')" \
	'redrawn 2 keys 1 restored 1 status 0'
finish
