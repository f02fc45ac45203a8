#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One version's load over another's, under traffic: other programs, other map layout, and the same.
. "$(dirname "$0")/../lib.sh"

topo
git -C "$TOP" rev-parse HEAD >/dev/null 2>&1 || skip_all 'this is no git checkout'

# version NAME EXPRESSION FILE: a build of the commit with an edit, as $work/NAME
version() {
	local tree=$work/tree-$1

	mkdir "$tree"
	git -C "$TOP" archive HEAD | tar -C "$tree" -x
	sed -i "$2" "$tree/$3"
	! git -C "$TOP" diff --no-index --quiet "$TOP/$3" "$tree/$3" || { echo "'$2' changes nothing"; return 1; }
	nice make --no-print-directory -C "$tree" O=build >"$work/log" 2>&1 || { tail "$work/log"; return 1; }
	cp "$tree/build/xdp-cpumap" "$work/$1"
}
check 'a version with other programs' version programs 's/-mcpu=v3/-mcpu=v2/' Makefile
check 'a version with another layout' version layout 's/\(define ABI_VERSION\) .*/\1 4711/' include/cpumap/abi.h

# under_traffic COMMAND...: its exit code is that of run, what the traffic saw is in $seen
under_traffic() {
	coproc STEADY { python3 "$TOP/selftests/pack/steady.py" $tx $rx 2>"$work/steady"; }
	eventually grep -qs ready "$work/steady"
	sleep 0.3
	run "$@"
	sleep 0.3
	eval "exec ${STEADY[1]}>&-"
	seen=$(cat <&"${STEADY[0]}")
	wait "$STEADY_PID"
	echo "# $seen"
}
old() { in_rx "$work/programs" "$@"; }

exits 0 'the old version loads' old load rx0 --cpus 0 --qsize 4096
link=$(bpftool -j link show pinned "$pins/rx0/link" | jq .id)
was=$(footprint)
under_traffic tool load rx0 --cpus 0 --qsize 4096
is 'the new version loads over it' "$rc$err" "0$err"
is 'no packet is lost' "$(jq .lost <<<"$seen")" 0
is 'none is overtaken by another' "$(jq .reordered <<<"$seen")" 0
check 'there was traffic' test "$(jq .sent <<<"$seen")" -gt 1000
is 'the link is the same' "$(bpftool -j link show pinned "$pins/rx0/link" | jq .id)" "$link"
is 'the programs are the new ones' "$(query .steer.id)" "$(attached)"
check 'and the old ones are gone' eventually bash -c "! bpftool prog show id $(sed -n 's/^prog //p' <<<"$was" | head -n 1)" 
under_traffic tool load rx0 --cpus 0 --qsize 4096
is 'the same version finds nothing to do' "$(tool load rx0 --cpus 0 --qsize 4096 --dry-run)" 'nothing to do'
is 'and loses nothing' "$(jq .lost <<<"$seen")" 0
exits 0 'the old version unloads what the new one loaded' old unload rx0
leaves_nothing 'nothing is left' "$was"

exits 0 'a version with another layout loads' in_rx "$work/layout" load rx0 --cpus 0
was=$(footprint)
exits 0 'status does not fail' tool status rx0
like 'but warns' "$err" 'another version'
under_traffic tool load rx0 --cpus 0
is 'load refuses' "$rc" 4
like 'and says what to do' "$err" 'unload it first'
is 'what was loaded goes on' "$(footprint)" "$was"
is 'and loses nothing' "$(jq .lost <<<"$seen")" 0
exits 0 'unload removes it' tool unload rx0
leaves_nothing 'nothing is left of it' "$was"
finish
