#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# docs/inspect.md: its commands run, and each field that it shows is there.
. "$(dirname "$0")/../lib.sh"

topo
tool load rx0 --cpus "$(($(getconf _NPROCESSORS_ONLN) - 1))" 2>/dev/null
traffic flows --ports 4 >/dev/null

# fields: the words of the output that stand before a value, each once
fields() { grep -oE '"[a-z_.]+": |^[a-z]+:|\b(name|tag|jited|prog|map_ids|tp) ' | sort -u; }

# A command is a line of "    # ...", its output all behind it until the next command or text.
commands=0
while IFS= read -r command; do
	shown=$(awk -v command="    # $command" '
		$0 == command { on = 1; next }
		/^    # / || /^[^ ]/ { on = 0 }
		on' "$TOP/docs/inspect.md")
	run nsenter --net=/run/netns/$rx sh -c "${command//\/sys\/fs\/bpf\/xdp-cpumap\//$pins/}"
	is "$command" "$rc" 0
	missing=$(comm -23 <(echo "${shown//    /}" | fields) <(fields <<<"$out") | tr -d '\n')
	is '  shows what the page says' "$missing" ''
	((++commands))
done < <(sed -n 's/^    # //p' "$TOP/docs/inspect.md")
check "the page has $commands commands" test $commands -ge 10

# Every map but the cpumap, whose BTF the kernel drops, reads by names.
for map in "$pins"/rx0/*; do
	name=${map##*/}
	bpftool map show pinned "$map" >/dev/null 2>&1 || continue
	[ "$name" != cpus ] || continue
	dump=$(bpftool map dump pinned "$map" 2>&1)
	# A hash without entries shows nothing.
	[ "$dump" = '[]' ] || like "$name has named fields" "$dump" '"[a-z_]{3,}": \[?[{"0-9]'
done
finish
