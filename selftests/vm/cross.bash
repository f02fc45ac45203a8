# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # sourced by run
# Builds the tool and its tests for a guest of another architecture: clang, the linker and the libraries of Debian
# packages that are unpacked, never installed.

# triplet ARCH
triplet()
{
	case $1 in
	armhf) echo arm-linux-gnueabihf ;;
	arm64) echo aarch64-linux-gnu ;;
	amd64) echo x86_64-linux-gnu ;;
	*) echo "$1-linux-gnu" ;;
	esac
}

# cross_build ARCH: sets build to the folder of the results, or why
cross_build()
{
	local arch=$1 triplet sysroot binutils target=bpfel tests=() file
	local suite=bookworm bpftool=bpftool

	triplet=$(triplet "$arch")
	root_get "$host_arch" $suite "binutils-$arch" "binutils-$triplet" || return 1
	binutils=$root
	root_get "$arch" $suite "build-$arch" libc6-dev libgcc-12-dev libxdp-dev libbpf-dev libmnl-dev \
		libjson-c-dev libelf-dev zlib1g-dev libpcap-dev libcmocka-dev || return 1
	sysroot=$root

	printf '#!/bin/sh\nexec %s "$@"\n' "$(in_root "$binutils" "usr/bin/$triplet-ld")" >"$binutils/ld"
	chmod +x "$binutils/ld"

	# An object of the other byte order is opened by libbpf 1.6 or later only.
	if [ "$arch" = s390x ]; then
		target=bpfeb
		root_get "$host_arch" trixie-backports+trixie "bpftool-$host_arch" bpftool || return 1
		bpftool=$(in_root "$root" usr/sbin/bpftool)
	fi
	build=$cache/build/$arch
	for file in "$top"/selftests/{prog,tools}/*.c; do
		[ -e "$file" ] || continue
		case $file in
		*_test.c | */tools/*) tests+=("$build/selftests/$(basename "$(dirname "$file")")/$(basename "$file" .c)") ;;
		esac
	done
	say "building for $arch"
	if ! PKG_CONFIG_SYSROOT_DIR=$sysroot PKG_CONFIG_LIBDIR=$sysroot/usr/lib/$triplet/pkgconfig:$sysroot/usr/share/pkgconfig \
		make -C "$top" O="$build" BPF_TARGET=$target BPFTOOL="$bpftool" \
		CC="clang --target=$triplet --sysroot=$sysroot --ld-path=$binutils/ld -Wno-unused-command-line-argument" \
		all "${tests[@]}" >"$cache/build.log" 2>&1; then
		why="cannot build for $arch: $(grep -m1 -E 'error|Error' "$cache/build.log")"
		return 1
	fi
}
