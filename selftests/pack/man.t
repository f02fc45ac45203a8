#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The man pages: without a fault, about the options there are, with examples that work.
. "$(dirname "$0")/../lib.sh"

topo
man8=$TOP/man/xdp-cpumap.8
man5=$TOP/man/xdp-cpumap.conf.5

if command -v mandoc >/dev/null; then
	for page in "$man8" "$man5"; do
		# Whether other pages are installed here is no fault of ours.
		is "${page##*/}: mandoc finds no fault" \
			"$(mandoc -Tlint "$page" 2>&1 | grep -vE 'referenced manual not found|outdated mandoc.db')" ''
	done
else
	skip 'mandoc finds no fault' 'mandoc is not installed'
fi

options=$(for verb in $("$TOOL" complete | cut -f 1); do
	"$TOOL" complete "$verb" | sed -n 's/^--\([a-z-]*\).*/\1/p'
done | sort -u)
is 'the options are those of the binary' "$(sed -n 's/^\.It Fl -\([a-z-]*\).*/\1/p' "$man8" | sort -u)" "$options"
for verb in $("$TOOL" complete | cut -f 1); do
	check "the verb $verb is explained" grep -qx "\.It Cm $verb.*" "$man8"
done
while read -r option value; do
	[ -n "$value" ] || continue
	# As the page has it: "Ar LIST Ns | Ns Cm auto" is LIST|auto.
	is "--$option takes what the binary says" \
		"$(sed -n "s/^\.It Fl -$option \(.*\)/\1/p" "$man8" | sed 's/\b\(Ar\|Cm\|Ns\)\b//g; s/[ ]//g')" "$value"
done < <("$TOOL" help load | sed -n 's/^ *--\([a-z-]*\) \([^ ]*\) .*/\1 \2/p')

keys=$("$TOOL" help config | sed -n 's/^#\([a-z-]*\) = .*/\1/p')
is 'the keys are those of the binary' "$(sed -n 's/^\.It Cm \([a-z-]*\) No = .*/\1/p' "$man5")" "$keys"
for key in $keys; do
	default=$("$TOOL" help config | sed -n "s/^#$key = \(.*\)/\1/p")
	is "$key: its default" "$(sed -n "/^\.It Cm $key No/,/^\.\(It\|El\)/{/default is/{n;s/^\.Cm \(.*\) \.$/\1/p}}" "$man5" |
		head -n 1)" "$default"
done

# What a root prompt stands before, on this topology and this machine's CPUs.
examples() {
	sed -n 's/^\(\.Dl \)\{0,1\}# //p' "$1" | sed "s/\beth0\b/rx0/g; s/ 1-3\b/ $(cat /sys/devices/system/cpu/online)/; s|/etc/xdp-cpumap|$work|g"
}
for page in "$man8" "$man5"; do
	check "${page##*/} has examples" test "$(examples "$page" | wc -l)" -gt 0
	while read -r command; do
		case $command in
		*systemctl*@*)
			unit=${command##* }
			check "'$command': there is such a unit" test -e "$TOP/systemd/${unit%@*}@.service"
			;;
		*)
			exits 0 "'$command'" in_rx env PATH="$(dirname "$TOOL"):$PATH" bash -o pipefail -c "$command"
			;;
		esac
	done < <(examples "$page")
done
sed -n '/^\.Bd/,/^\.Ed/{/^\./d;s/\\e/\\/;p}' "$man5" >"$work/page.conf"
exits 0 'the example of a file' tool load rx0 --config "$work/page.conf" --cpus 0 --dry-run
finish
