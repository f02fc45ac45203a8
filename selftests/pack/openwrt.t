#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# OpenWrt's init script under a stub of rc.common: UCI becomes settings, and settings are loaded.
. "$(dirname "$0")/../lib.sh"

topo
openwrt=$TOP/packaging/openwrt/files
mkdir "$work/uci" "$work/bin"
export UCI=$work/uci LOG=$work/log
cat >"$work/bin/logger" <<-'END'
	#!/bin/sh
	shift 2
	if [ $# = 0 ]; then cat; else echo "$*"; fi >>"$LOG"
END
chmod +x "$work/bin/logger"

# init ACTION: the script in the namespace, with a /var of its own that stays from one call to the next
mkdir "$work/var"
init() {
	: >"$LOG"
	in_rx unshare -m bash -c '
		mount --bind "$1" /var
		PATH=$2:$PATH
		shift 2
		exec "$@"
	' bash "$work/var" "$work/bin:$(dirname "$TOOL")" dash "$TOP/selftests/pack/openwrt/rc.common" \
		"$openwrt/xdp-cpumap.init" "$1"
}
uci() { printf '%b' "$1" >"$UCI/xdp-cpumap"; }
conf() { cat "$work/var/etc/xdp-cpumap/rx0.conf"; }

# ---- UCI to settings ------------------------------------------------------------------------
# becomes SETTINGS UCI-OPTIONS: what the section of rx0 is as a config file
becomes() {
	uci "config interface\n\toption enabled '1'\n\toption device 'rx0'\n$2"
	init check >/dev/null
	is "UCI '${2//$'\n'/ }'" "$(conf)" "$(printf '%b' "$1")"
}
becomes '' ''
becomes 'cpus = 0' "option cpus '0'\n"
becomes 'cpus = 0-1:2,3' "list cpus '0-1:2'\nlist cpus '3'\n"
becomes 'second-stage = none' "option second_stage 'none'\n"
becomes 'force = yes' "option force '1'\n"
becomes 'force = yes' "option force 'on'\n"
becomes 'force = no' "option force 'false'\n"
becomes 'qsize = 64' "option qsize '64'\noption json '1'\noption comment 'x'\n"
everything=$("$TOOL" help config | sed -n 's/^#\([a-z-]*\) = \(.*\)/\1 \2/p')
becomes "${everything// / = }" \
	"$(while read -r key value; do echo "option ${key//-/_} '$value'"; done <<<"$everything")"$'\n'

# ---- settings to the kernel -----------------------------------------------------------------
uci "config interface\noption enabled '1'\noption device 'rx0'\noption cpus '0'\noption qsize '77'\n"
echo 1 | in_rx tee /sys/class/net/rx0/queues/rx-0/rps_cpus >/dev/null
exits 0 'start' init start
like 'a trigger on a change of the settings' "$out" 'reload trigger: xdp-cpumap'
like 'one on each interface event, behind packet_steering' "$out" 'raw trigger: interface\.\* 3000 .*reload'
is 'the interface is steered' "$(query '.targets[0].qsize')" 77
is 'RPS does not steer a second time' "$(in_rx cat /sys/class/net/rx0/queues/rx-0/rps_cpus)" 0
like 'what load says is logged' "$(<"$LOG")" 'rx0: full queues'
was=$(attached)
exits 0 'reload of the same' init reload
is 'nothing is detached' "$(attached)" "$was"
exits 0 'status' init status
like 'status asks the kernel' "$out" 'rx0'
exits 0 'check' init check
like 'check shows the plan' "$out" 'nothing to do'

sed -i 's/77/99/' "$UCI/xdp-cpumap"
echo "option rps 'keep'" >>"$UCI/xdp-cpumap"
echo 1 | in_rx tee /sys/class/net/rx0/queues/rx-0/rps_cpus >/dev/null
exits 0 'reload of a change' init reload
is 'the change is there' "$(query '.targets[0].qsize')" 99
is 'RPS is kept if wanted' "$(in_rx cat /sys/class/net/rx0/queues/rx-0/rps_cpus)" 1

sed -i "s/'99'/'0'/" "$UCI/xdp-cpumap"
exits 0 'a mistake is no failure of the boot' init reload
like 'but is logged with its place' "$(<"$LOG")" 'rx0.conf:[0-9]*: qsize .0.: .*16384'
is 'and changes nothing' "$(query '.targets[0].qsize')" 99

uci "config interface\noption enabled '1'\noption device 'no0'\noption cpus '0'\n"
was=$(footprint)
exits 0 'another device, which is not there' init reload
like 'that is logged' "$(<"$LOG")" "no interface 'no0'"
leaves_nothing 'the first one is no longer steered' "$was"

uci "config interface\noption enabled '0'\noption device 'rx0'\n"
exits 0 'a section that is switched off' init start
is 'does nothing' "$(attached)" ''
uci "config interface\noption enabled '1'\noption device 'rx0'\noption cpus '0'\n"
init start >/dev/null
was=$(footprint)
check 'it is steered again' test -n "$was"
exits 0 'stop' init stop
leaves_nothing 'nothing is left' "$was"

# ---- the first boot -------------------------------------------------------------------------
# eth0 is the hardware; wan is a port of the switch behind it, wan.7 a VLAN on that
for device in eth0:2:2 wan:3:2 wan.7:4:3; do
	IFS=: read -r name own below <<<"$device"
	mkdir -p "$work/sys/class/net/$name"
	echo "$own" >"$work/sys/class/net/$name/ifindex"
	echo "$below" >"$work/sys/class/net/$name/iflink"
done
cat >"$work/bin/uci" <<-'END'
	#!/bin/sh
	[ "$1" = batch ] && exec cat
	case $3 in
	network.wan.device) [ -n "$WAN" ] && echo "$WAN" ;;
	*) [ -n "$SECTION" ] ;;
	esac
END
chmod +x "$work/bin/uci"
defaults() { env PATH="$work/bin:$PATH" SYS="$work/sys" "$@" dash "$openwrt/xdp-cpumap.defaults"; }
for wan in eth0 wan wan.7; do
	exits 0 "wan is $wan" defaults WAN=$wan
	like "wan is $wan: the section is of eth0" "$out" 'device=eth0$'
	like "wan is $wan: it is switched off" "$out" 'enabled=0'
done
exits 0 'no wan' defaults WAN=
is 'no section' "$out" ''
exits 0 'a section is there' defaults WAN=eth0 SECTION=1
is 'it stays alone' "$out" ''

# ---- the recipe -----------------------------------------------------------------------------
recipe=$TOP/packaging/openwrt/Makefile
is 'the recipe is of this version' "$(sed -n 's/^PKG_VERSION:=//p' "$recipe")" "$("$TOOL" --version | cut -d ' ' -f 2)"
while read -r file; do
	check "the recipe's $file is there" test -s "$TOP/packaging/openwrt/$file"
done < <(grep -o '\./files/[a-z.-]*' "$recipe")
# Its definitions, with OpenWrt's part of make stubbed.
mkdir -p "$work/tree/include"
touch "$work/tree/rules.mk" "$work/tree/include/bpf.mk"
# shellcheck disable=SC2016 # for make
echo 'BuildPackage = $(info $(Package/$(1)))$(info $(MAKE_FLAGS))$(eval all:;)' >"$work/tree/include/package.mk"
run make -f "$recipe" TOPDIR="$work/tree" INCLUDE_DIR="$work/tree/include" STAGING_DIR_HOST=/s CLANG=a-clang BPF_TARGET=bpfeb
is 'make reads the recipe' $rc 0
while read -r library; do
	like "the package depends on $library" "$out" "DEPENDS:=.*\+(lib)?$library\b"
done < <(sed -n 's/^LIBS *:= //p' "$TOP/Makefile" | tr ' ' '\n')
like 'the byte order of the target is that of the programs' "$out" 'BPF_TARGET="bpfeb"'
# dash stood in for it above: Debian's busybox takes its own logger before ours.
if command -v busybox >/dev/null; then
	for script in "$openwrt"/*.init "$openwrt"/*.defaults "$openwrt"/*.hotplug; do
		check "${script##*/}: the shell of busybox can read it" busybox ash -n "$script"
	done
else
	skip 'the shell of busybox can read the scripts' 'busybox is not installed'
fi
if command -v shellcheck >/dev/null; then
	is 'shellcheck finds no fault' "$(shellcheck -f gcc "$openwrt"/*.init "$openwrt"/*.defaults "$openwrt"/*.hotplug)" ''
else
	skip 'shellcheck finds no fault' 'shellcheck is not installed'
fi
finish
