#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The units: what systemd thinks of them, and that the tool can work with what they leave it.
. "$(dirname "$0")/../lib.sh"

topo
units=$work/units
mkdir "$units"
for unit in "$TOP"/systemd/*.service; do
	sed "s|@SBINDIR@|$(dirname "$TOOL")|" "$unit" >"$units/${unit##*/}"
done
# setting UNIT KEY: all its values
setting() { sed -n "s/^$2=//p" "$units/$1"; }

load=xdp-cpumap@.service
is 'it is before the network' "$(setting $load Before)" network-pre.target
is 'and makes that point be passed' "$(setting $load Wants)" network-pre.target
is 'the device, not the boot, starts it' "$(setting $load WantedBy)" 'sys-subsystem-net-devices-%i.device'
is 'and stops it' "$(setting $load BindsTo)" 'sys-subsystem-net-devices-%i.device'
is 'a reload is a load' "$(setting $load ExecReload)" "$(setting $load ExecStart)"
is 'what does not pass by itself is not tried again' "$(setting $load RestartPreventExitStatus)" '1 2 3 4'

coldplug=xdp-cpumap-coldplug.service
is 'a unit that is enabled brings the one that waits for devices' "$(setting $load Also)" $coldplug
is 'which is before the network, too' "$(setting $coldplug Before)" network-pre.target

watch=xdp-cpumap-watch@.service
is 'the unit that follows is before the network' "$(setting $watch Before)" network-pre.target
is 'and not bound to a device, which may come back' "$(setting $watch BindsTo)" ''
is 'it says when it is ready' "$(setting $watch Type)" notify
check 'and has a watchdog' test "$(setting $watch WatchdogSec)" -gt 0
is 'it loads what the other one loads, and goes on' "$(setting $watch ExecStart)" "$(setting $load ExecStart) --watch"
is 'it stops as that one does' "$(setting $watch ExecStop)" "$(setting $load ExecStop)"
sandbox() { sed -n '/what it may do/,/^\[Install/p' "$units/$1" | grep -v '^#'; }
is 'it may do no more' "$(sandbox $watch | grep -v WantedBy)" "$(sandbox $load | grep -v WantedBy)"

# Every unit, with what it leaves the tool: load, status and unload in a network namespace.
for unit in "$units"/*@.service; do
	unit=${unit##*/}
	caps=$(setting "$unit" CapabilityBoundingSet | sed 's/CAP_\([A-Z_]*\)/+\1/g; s/ /,/g' | tr '[:upper:]' '[:lower:]')
	like "$unit: has capabilities" "$caps" '\+bpf'
	limited() {
		nsenter --net="/run/netns/$rx" setpriv --no-new-privs --bounding-set "-all,$caps" "$TOOL" "$@"
	}
	exits 0 "$unit: load" limited load rx0 --cpus 0
	check "$unit: it is attached" test -n "$(attached)"
	exits 0 "$unit: load again" limited load rx0 --cpus 0 --qsize 77
	was=$(footprint)
	exits 0 "$unit: unload" limited unload rx0
	leaves_nothing "$unit: nothing is left" "$was"
done

if ! command -v systemd-analyze >/dev/null; then
	skip 'what systemd thinks of the units' 'systemd-analyze is not installed'
	finish
fi
exits 0 "$coldplug: systemd finds no fault" \
	env SYSTEMD_UNIT_PATH="$units:" systemd-analyze verify --man=no "$units/$coldplug"
is "$coldplug: nor has it anything to say" "$err" ''
for unit in "$units"/*@.service; do
	unit=${unit##*/}
	for name in eth0 br-lan eth0.100 lan@eth0 0123456789-abcd; do
		instance=${unit%@*}@$(systemd-escape "$name").service
		exits 0 "$instance: systemd finds no fault" \
			env SYSTEMD_UNIT_PATH="$units:" systemd-analyze verify --man=no "$units/$instance"
		is "$instance: nor has it anything to say" "$err" ''
	done
	run systemd-analyze security --offline=true --threshold=40 "$units/$unit"
	is "$unit: exposure is at most 4.0 of 10" $rc 0
	grep -o 'Overall exposure.*' <<<"$out" | sed "s/^/# $unit: /"
done
finish
