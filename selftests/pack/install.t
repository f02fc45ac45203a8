#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make install and uninstall in a folder, the source tarball, and two builds that must be the same.
. "$(dirname "$0")/../lib.sh"

quiet_make() { make --no-print-directory -C "$@" >"$work/make" 2>&1 || { cat "$work/make"; false; }; }
listing() { (cd "$1" && find . ! -type d | sort); }

here=$work/root
there() { quiet_make "$TOP" O="${TOOL%/*}" DESTDIR="$here" PREFIX=/usr "$@"; }
check 'make install' there install
for file in sbin/xdp-cpumap lib/systemd/system/xdp-cpumap@.service lib/systemd/system/xdp-cpumap-watch@.service \
	share/man/man8/xdp-cpumap.8 \
	share/man/man5/xdp-cpumap.conf.5 share/bash-completion/completions/xdp-cpumap \
	share/zsh/site-functions/_xdp-cpumap share/doc/xdp-cpumap/xdp-cpumap.conf; do
	check "/usr/$file is there" test -s "$here/usr/$file"
done
is 'nothing is outside the prefix' "$(ls "$here")" usr
is 'the installed binary is the built one' "$(sha256sum <"$here/usr/sbin/xdp-cpumap")" "$(sha256sum <"$TOOL")"
is 'a file is readable by all, the binary can be run' \
	"$(find "$here" -type f ! -perm 644 -printf '%f %m\n')" 'xdp-cpumap 755'
is 'the units call the installed binary' \
	"$(grep -hoE '^Exec[A-Za-z]*=[^ ]*' "$here"/usr/lib/systemd/system/*@.service | sed 's/.*=//' | sort -u | grep -v '^/bin/sh$')" \
	/usr/sbin/xdp-cpumap
echo "# installed: $(du -sk --apparent-size "$here" | cut -f 1) KiB"
touch "$here/usr/share/man/man8/other.8"
check 'make uninstall' there uninstall
is 'leaves what is not ours' "$(listing "$here")" ./usr/share/man/man8/other.8
is 'and no folder of ours' "$(cd "$here" && find . -type d -empty)" ./usr/sbin
check 'make uninstall again' there uninstall

if ! git -C "$TOP" rev-parse HEAD >/dev/null 2>&1; then
	skip 'make dist' 'this is no git checkout'
	finish
fi
version=$("$TOOL" --version | cut -d ' ' -f 2)
check 'make dist' quiet_make "$TOP" O="$work/dist" dist
tarball=$work/dist/xdp-cpumap-$version.tar.gz
sum=$(sha256sum <"$tarball")
sleep 1.1
check 'make dist again' quiet_make "$TOP" O="$work/dist" dist
is 'is the same bytes' "$(sha256sum <"$tarball")" "$sum"
is 'the tarball is what git has' "$(tar -tzf "$tarball" | grep -v '/$' | sed 's|^[^/]*/||' | sort)" \
	"$(git -C "$TOP" ls-tree -r --name-only HEAD | sort)"

# Elsewhere, at another time, for another user: the same bytes.
mkdir "$work/a" "$work/a-longer-name"
tar -C "$work/a" -xzf "$tarball"
tar -C "$work/a-longer-name" -xzf "$tarball"
check 'a build of the tarball' quiet_make "$work/a/xdp-cpumap-$version" -j2
check 'another one, elsewhere' env TZ=Asia/Kathmandu LC_ALL=C.UTF-8 USER=nobody bash -c "
	umask 077; nice make -C '$work/a-longer-name/xdp-cpumap-$version' O=made/here V=1 >'$work/make' 2>&1 || tail '$work/make'"
is 'two builds are the same bytes' "$(sha256sum <"$work/a-longer-name/xdp-cpumap-$version/made/here/xdp-cpumap")" \
	"$(sha256sum <"$work/a/xdp-cpumap-$version/build/xdp-cpumap")"
is 'the binary names no folder of who built it' \
	"$(grep -aoE '(/tmp|/home|/root|/work|/build)/[a-z./-]+' "$work/a/xdp-cpumap-$version/build/xdp-cpumap" | head -n 3)" ''
finish
