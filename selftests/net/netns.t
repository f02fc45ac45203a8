#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Namespaces: the pins are the same from inside and outside, with and without a bpffs in sight.
. "$(dirname "$0")/../lib.sh"

topo

is '`ip netns exec` hides the bpffs' "$(in_rx sh -c 'ls -A /sys/fs/bpf')" ''
exits 0 'load from inside' in_rx "$TOOL" load rx0 --cpus 0
check 'the pins are in the bpffs of the machine' test -e "$pins/rx0/steer"
inside=$(in_rx "$TOOL" status rx0 --json)
outside=$("$TOOL" status rx0 --netns $rx --json)
same='.interfaces[0] | [.interface, .ifindex, .netns, .since, .steer.id]'
is 'status says the same from inside and from outside' "$(jq -c "$same" <<<"$inside")" \
	"$(jq -c "$same" <<<"$outside")"
is 'status of the machine does not list it' \
	"$("$TOOL" status --json | jq '[.interfaces[] | select(.interface == "rx0")] | length')" 0
objects=$(footprint)
exits 0 'unload from outside' "$TOOL" unload rx0 --netns $rx
leaves_nothing 'leaves nothing' "$objects"

exits 0 'load from outside' "$TOOL" load rx0 --cpus 0 --netns $rx
is 'traffic flows' "$(traffic copy | jq .intact)" 4
objects=$(footprint)
exits 0 'unload from inside' in_rx "$TOOL" unload rx0
leaves_nothing 'leaves nothing' "$objects"
exits 5 'a namespace that is not there is a temporary failure' "$TOOL" load rx0 --netns no-$$
exits 5 'so is an interface that is in another namespace' "$TOOL" load rx0 --cpus 0
exits 2 'a path is no name of a namespace' "$TOOL" load rx0 --cpus 0 --netns ../netns/$rx

# The machine's own namespace, where the pins have short paths.
own=xco$$
trap 'ip link del $own 2>/dev/null; sweep' EXIT
ip -n $tx link add peer0 type veth peer name $own netns 1
exits 0 'load in the namespace of process 1' "$TOOL" load $own --cpus 0
check 'the pins are under the name of the interface alone' test -e /sys/fs/bpf/xdp-cpumap/$own/steer
check 'so is the journal' test -e /run/xdp-cpumap/$own.journal
is 'status has no namespace to tell' "$("$TOOL" status $own --json | jq '.interfaces[0].netns')" null
exits 0 'unload' "$TOOL" unload $own
check 'no pin is left' test ! -e /sys/fs/bpf/xdp-cpumap/$own
check 'no journal and no lock is left' test ! -e /run/xdp-cpumap/$own.journal -a ! -e /run/xdp-cpumap/$own.lock
ip link del $own

# A small machine of our own: process 1 is ours, and so are its mounts.
exits 0 'load mounts the bpffs where there is none' in_rx unshare --mount --pid --fork --mount-proc sh -c '
	umount -q /sys/fs/bpf
	[ "$(stat -f -c %T /sys/fs/bpf)" = bpf_fs ] && exit 90
	"$1" load rx0 --cpus 0 || exit 91
	[ "$(stat -f -c %T /sys/fs/bpf)" = bpf_fs ] || exit 92
	"$1" unload rx0 || exit 93
	[ ! -e /sys/fs/bpf/xdp-cpumap ] || exit 94' sh "$TOOL"
is 'and nothing is left on the interface' "$(attached)" ''
finish
