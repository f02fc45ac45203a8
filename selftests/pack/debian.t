#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Debian package: it builds, lintian finds no fault, and an upgrade stops nothing.
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" = 0 ] || skip_all 'needs root: runs the maintainer scripts in a mount namespace'
command -v dpkg-buildpackage >/dev/null || skip_all 'dpkg-dev is not installed'
command -v dh >/dev/null || skip_all 'debhelper is not installed'
git -C "$TOP" rev-parse HEAD >/dev/null 2>&1 || skip_all 'this is no git checkout'

build() { nice make --no-print-directory -C "$TOP" O="$work/o" deb >"$work/log" 2>&1 || { tail -n 30 "$work/log"; false; }; }
check 'make deb' build
deb=$(compgen -G "$work/o/deb/xdp-cpumap_*.deb")
mkdir "$work/root" "$work/scripts"
check 'it unpacks' dpkg-deb -x "$deb" "$work/root"
check 'it has scripts' dpkg-deb -e "$deb" "$work/scripts"
for file in usr/sbin/xdp-cpumap lib/systemd/system/xdp-cpumap@.service lib/systemd/system/xdp-cpumap-watch@.service \
	usr/share/man/man8/xdp-cpumap.8.gz \
	usr/share/bash-completion/completions/xdp-cpumap usr/share/zsh/vendor-completions/_xdp-cpumap; do
	check "it has /$file" test -s "$work/root/$file"
done
check 'it has the folder of the settings' test -d "$work/root/etc/xdp-cpumap"
check 'its binary runs' "$work/root/usr/sbin/xdp-cpumap" --version
like 'its version is that of the binary' "${deb##*/}" \
	"_$("$TOOL" --version | cut -d ' ' -f 2)-"
echo "# installed: $(dpkg-deb -f "$deb" Installed-Size) KiB, packed: $(($(stat -c %s "$deb") / 1024)) KiB"
if command -v lintian >/dev/null; then
	is 'lintian, pedantic, finds no fault' \
		"$(lintian --allow-root --pedantic -I "$work"/o/deb/*.changes 2>&1 | grep -v '^N:')" ''
else
	skip 'lintian finds no fault' 'lintian is not installed'
fi

# A system of their own: what the scripts call is noted down, in the order of the calls.
mkdir "$work/bin"
for command in systemctl deb-systemd-invoke xdp-cpumap; do
	cat >"$work/bin/$command" <<-'END'
		#!/bin/sh
		echo "${0##*/} $*" >>"$CALLS"
		case "$*" in
		*list-units*) printf '%s loaded active exited x\n' xdp-cpumap@eth0.service 'xdp-cpumap@br\x2dlan.service' ;;
		*) [ "$*" != "${FAILS:-}" ] ;;
		esac
	END
	chmod +x "$work/bin/$command"
done
# script NAME ARGUMENT...: what it called
script() {
	local name=$1

	shift
	: >"$work/calls"
	CALLS=$work/calls unshare -m bash -c '
		mount -t tmpfs tmpfs /run
		mount -t tmpfs tmpfs /sys/fs/bpf
		mount -t tmpfs tmpfs /etc/systemd 2>/dev/null || mount -t tmpfs tmpfs /etc
		[ -z "${SYSTEMD-yes}" ] || mkdir -p /run/systemd/system
		mkdir -p /sys/fs/bpf/xdp-cpumap/eth1 /sys/fs/bpf/xdp-cpumap/netns-1
		PATH=$1:$PATH
		shift
		exec "$@"
	' bash "$work/bin" "$work/scripts/$name" "$@" >"$work/said" 2>&1 || echo "exit code $?"
	grep -v 'daemon-reload\|list-units' "$work/calls"
}
is 'first install: nothing is started' "$(script postinst configure '')" ''
is 'upgrade, before: nothing is stopped' "$(script prerm upgrade 0.2-1)" ''
is 'upgrade, the old scripts: nothing is stopped' "$(script postrm upgrade 0.2-1)" ''
is 'upgrade, after: what runs is loaded anew, without a stop' "$(script postinst configure 0.0-1)" \
	'deb-systemd-invoke reload xdp-cpumap@eth0.service
deb-systemd-invoke reload xdp-cpumap@br\x2dlan.service'
is 'an upgrade is none that fails when a reload does' \
	"$(FAILS='reload xdp-cpumap@eth0.service' script postinst configure 0.0-1 | grep -c 'exit code')" 0
like 'but it says so' "$(<"$work/said")" 'xdp-cpumap@eth0.service goes on'
is 'removal: units stop, then what was loaded by hand' "$(script prerm remove)" \
	'deb-systemd-invoke stop xdp-cpumap*.service
xdp-cpumap unload eth1'
is 'without systemd: only what was loaded by hand' "$(SYSTEMD='' script prerm remove)" 'xdp-cpumap unload eth1'
is 'without systemd: an upgrade does nothing' "$(SYSTEMD='' script postinst configure 0.0-1)" ''
finish
