#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Captured hosts: what check and load --dry-run say of each is what a person has read for sense.
# selftests/facts/hosts.t --write   writes what they say now into golden.txt, to be read again.
. "$(dirname "$0")/../lib.sh"

here=$TOP/selftests/facts

# say HOST: the answer to each of its commands, and the exit code
say() {
	python3 "$here/unpack.py" "$here/$1/host.txt" "$work/$1"
	while read -r verb words; do
		echo "\$ xdp-cpumap $verb $words"
		# shellcheck disable=SC2086 # words
		"$TOOL" "$verb" $words --host "$work/$1" 2>&1
		echo "exit code $?"
		echo
	done <"$here/$1/commands"
}

for host in "$here"/*/; do
	host=$(basename "$host")
	if [ "${1:-}" = --write ]; then
		say "$host" >"$here/$host/golden.txt"
		continue
	fi
	if difference=$(diff -u "$here/$host/golden.txt" <(say "$host")); then
		pass "$host"
	else
		fail "$host" "$difference"
	fi
done

# What --capture writes is a host of which check says the same.
run "$TOOL" check --capture "$work/captured"
if [ "$(id -u)" != 0 ]; then
	skip 'a capture of this machine' 'needs root'
else
	is 'check --capture: exit code' "$rc" 0
	for name in /sys/class/net/*/ifindex; do
		name=${name%/ifindex}
		name=${name##*/}
		live=$("$TOOL" check "$name" --facts 2>&1)
		is "captured, $name looks as it does live" "$("$TOOL" check "$name" --facts --host "$work/captured" 2>&1)" "$live"
	done
fi
exits 2 'a host that is not there' "$TOOL" check --host "$work/none" eth0
exits 5 'an interface that the host does not have' "$TOOL" check --host "$work/stmmac" eth7
exits 0 'load --host changes nothing, and needs no root' "$TOOL" load --host "$work/stmmac" eth0 --yes
finish
