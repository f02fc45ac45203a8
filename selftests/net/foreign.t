#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A program of somebody else is never replaced, and the message names it.
. "$(dirname "$0")/../lib.sh"

topo
mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
theirs=/sys/fs/bpf/foreign-$$
trap 'rm -rf $theirs; sweep' EXIT
mkdir $theirs

clang -target bpf -O2 -c -x c -o "$work/theirs.o" - <<'C'
__attribute__((section("xdp"), used)) int somebody(void *ctx)
{
	return 2; /* XDP_PASS */
}
C
bpftool prog load "$work/theirs.o" $theirs/prog type xdp
id=$(bpftool -j prog show pinned $theirs/prog | jq .id)
tag=$(bpftool -j prog show pinned $theirs/prog | jq -r .tag)

# refused HOW: load is, in all modes, says whose the program is, and leaves it there
refused() {
	local mode

	is "$1: their program is on the interface" "$(attached)" "$id"
	for mode in auto native skb; do
		exits 4 "$1: load --mode $mode is refused" tool load rx0 --cpus 0 --mode $mode
		like "$1: the message has their program's id" "$err" "\\b$id\\b"
		like "$1: and its name" "$err" '\bsomebody\b'
		like "$1: and its tag" "$err" "$tag"
		is "$1: their program is still there" "$(attached)" "$id"
	done
	check "$1: nothing of ours is" test ! -e "$pins" -a ! -e "$journals"
	exits 0 "$1: unload has nothing to do" tool unload rx0
	is "$1: and leaves their program there" "$(attached)" "$id"
}

for mode in xdpdrv xdpgeneric; do
	in_rx bpftool net attach $mode id "$id" dev rx0
	refused $mode
	in_rx bpftool net detach $mode dev rx0
done

# The link is theirs as long as this process runs, which is until its stdin ends.
mkfifo "$work/hold"
in_rx "$python" "$TOP/selftests/net/bpf.py" link rx0 "$id" cat <"$work/hold" &
exec {hold}>"$work/hold"
is_taken() { [ -n "$(attached)" ]; }
eventually is_taken
refused bpf_link
exec {hold}>&-
wait

exits 0 'without their program, load works' tool load rx0 --cpus 0
is 'and the program is ours' "$(attached)" "$(query .steer.id)"

# What if they took the interface from us, and we are to unload? Theirs stays.
objects=$(footprint)
rm "$pins/rx0/link"
is_free() { ! is_taken; }
eventually is_free
in_rx bpftool net attach xdpdrv id "$id" dev rx0
exits 0 'unload, with theirs in the place of ours' tool unload rx0
is 'their program is still there' "$(attached)" "$id"
in_rx bpftool net detach xdpdrv dev rx0
leaves_nothing 'and nothing of ours' "$objects"
finish
