# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What every shell test sources: TAP, the two namespaces of README.md, what the tool left behind.

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOL=${O:-build}/xdp-cpumap
[[ $TOOL = /* ]] || TOOL=$TOP/$TOOL
work=$(mktemp -d)
# The host's own python, bare: a wrapper in the PATH may cost more than the test.
python=$(command -v /usr/bin/python3 || command -v python3)
py() { "$python" -IS "$TOP/selftests/net/$1" "${@:2}"; }

# ---- TAP ------------------------------------------------------------------------------------
tap_count=0
tap_failed=0

pass() { echo "ok $((++tap_count)) - $1"; }

# fail NAME [WHAT IS WRONG]...
fail() {
	echo "not ok $((++tap_count)) - $1"
	((++tap_failed))
	echo "# failed: $1 (${BASH_SOURCE[-1]##*/}:${BASH_LINENO[-2]})" >&2
	shift
	[ $# = 0 ] || printf '%s\n' "$@" | sed 's/^/#   /' >&2
}

# is NAME GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:    $2" "wanted: $3"
	fi
}

# like NAME TEXT PATTERN (an extended regular expression, case ignored)
like() {
	if grep -qiE -- "$3" <<<"$2"; then
		pass "$1"
	else
		fail "$1" "no /$3/ in:" "$2"
	fi
}

# check NAME COMMAND...
check() {
	local name=$1 said

	shift
	if said=$("$@" 2>&1); then
		pass "$name"
	else
		fail "$name" "failed: $*" "$said"
	fi
}

# A skip is loud: prove shows it, and why.
skip() { echo "ok $((++tap_count)) - $1 # SKIP $2"; }
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# The last line of every test: without it, the plan is missing and prove complains.
finish() {
	echo "1..$tap_count"
	[ $tap_failed = 0 ]
	exit
}

# run COMMAND...: its stdout in $out, its stderr in $err, its exit code in $rc
run() {
	out=$("$@" 2>"$work/stderr")
	rc=$?
	err=$(<"$work/stderr")
}

# exits CODE NAME COMMAND...
exits() {
	local wanted=$1 name=$2

	shift 2
	run "$@"
	if [ $rc = "$wanted" ]; then
		pass "$name"
	else
		fail "$name" "exit code $rc, wanted $wanted: $*" "stdout: $out" "stderr: $err"
	fi
}

# scaled HERE GUEST: how many rounds, frames or moments are tried here, and how many in an emulated guest
scaled() { [ "${VM_CELL:-}" ] && echo "$2" || echo "$1"; }

# eventually COMMAND...: for what the kernel does a grace period later; tries for five seconds, or
# for a minute in an emulated guest
eventually() {
	local deadline=$((SECONDS + ${VM_CELL:+5}5))

	until "$@"; do
		((SECONDS < deadline)) || return 1
		sleep 0.02
	done
}

# ---- two namespaces, drawn in README.md -----------------------------------------------------
tx=xct$$
rx=xcr$$

topo() {
	[ "$(id -u)" = 0 ] || skip_all 'needs root: makes network namespaces and loads BPF'
	ip netns add $tx
	ip netns add $rx
	ip -n $tx link add tx0 type veth peer name rx0 netns $rx
	# A half-made checksum does not survive the redirect, see "Checksums" in the main README.
	ip netns exec $tx ethtool -K tx0 tx off >/dev/null
	ip netns exec $rx ethtool -K rx0 gro on >/dev/null
	ip -n $tx addr add 192.0.2.1/24 dev tx0
	ip -n $rx addr add 192.0.2.2/24 dev rx0
	ip -n $tx addr add 2001:db8::1/64 dev tx0 nodad
	ip -n $rx addr add 2001:db8::2/64 dev rx0 nodad
	ip -n $tx link set tx0 up
	ip -n $rx link set rx0 up
	ip -n $rx link set lo up
	# As the tool names them: by the inode of a namespace that is not the machine's own.
	netns_inode=$(stat -L -c %i /run/netns/$rx)
	pins=/sys/fs/bpf/xdp-cpumap/netns-$netns_inode
	journals=/run/xdp-cpumap/netns-$netns_inode
}

in_tx() { ip netns exec $tx "$@"; }
in_rx() { ip netns exec $rx "$@"; }
# lacks_skb: this kernel cannot steer in generic mode (before 5.15), as the tool says itself
lacks_skb() {
	run tool load rx0 --cpus 0 --mode skb --dry-run
	[ $rc = 3 ] && grep -q KRN-GENERIC <<<"$err"
}
# cuts_names: before 5.17 this kernel's kthreads have 15 bytes of their name
cuts_names() { [ "$(printf '%s\n' 5.17 "$(uname -r)" | sort -V | head -n 1)" != 5.17 ]; }
# kthread_name CPU MAP: as it is in /proc
kthread_name() {
	local name="cpumap/$1/map:$2"

	! cuts_names || name=${name:0:15}
	echo "$name"
}
tool() { in_rx "$TOOL" "$@"; }
traffic() { py traffic.py $tx $rx "$@"; }

# query FILTER [IFACE]: one value of `status --json`
query() {
	tool status "${2:-rx0}" --json | jq -r ".interfaces[0] | $1"
}

# The id of the program on the interface, nothing if there is none.
attached() { ip -n $rx -j link show dev rx0 2>/dev/null | jq -r '.[0].xdp.prog.id // empty'; }

sweep() {
	local pin netns

	if [ -n "${pins:-}" ]; then
		for pin in "$pins"/*/; do
			[ -d "$pin" ] && tool unload "$(basename "$pin")" >/dev/null 2>&1
		done
		mountpoint -q "$journals" && umount "$journals"
		rm -rf "$pins" "$journals"
	fi
	for netns in "$tx" "$rx"; do
		[ -e "/run/netns/$netns" ] && ip netns del "$netns"
	done
	rm -rf "$work"
}
trap sweep EXIT
trap 'exit 130' INT TERM

# ---- what the tool left behind --------------------------------------------------------------
# What can be reached from the pins and from the interface, a line each: "map 12", "prog 7".
# Whatever else a dead process made, the kernel has freed. The namespaces are ours alone, so
# nothing here can be of another test on this machine.
footprint() {
	local -a files
	local found id

	mapfile -t files < <([ ! -d "$pins" ] || find "$pins" -type f)
	found=$([ ${#files[@]} = 0 ] || py bpf.py ids "${files[@]}")
	[ -z "$found" ] || echo "$found"
	id=$(attached)
	if [ -n "$id" ] && ! grep -qx "prog $id" <<<"$found"; then
		bpftool -j prog show id "$id" | jq -r '"prog \(.id)", "map \(.map_ids[]?)"'
	fi
}

# leaves_nothing NAME FOOTPRINT: the objects and their kthreads, and every path, are gone
leaves_nothing() {
	local left

	left=$(py bpf.py gone <<<"$2") || [ -n "$left" ] || left='bpf.py does not know'
	[ ! -e "$pins" ] || left+=$'\n'$(find "$pins")
	[ ! -e "$journals" ] || left+=$'\n'$(find "$journals")
	[ -z "$(attached)" ] || left+=$'\n'"program $(attached) on the interface"
	if [ -z "$left" ]; then
		pass "$1"
	else
		fail "$1" 'left behind:' "$left"
	fi
}
