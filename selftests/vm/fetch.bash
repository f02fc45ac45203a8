# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2100,SC2154 # sourced by run, which reads what is set here
# Sourced by run: kernels, emulators and small roots, out of Debian packages that are unpacked, never installed.
#
# The cache is filed by version, so a suite that moves on adds a folder and breaks none:
#   apt/ARCH-SUITE/      a package universe of its own; the host's apt and dpkg know nothing of it
#   kernel/ARCH/VERSION/ boot/, lib/modules/, vmlinux (amd64)
#   root/NAME/           packages with all they depend on

cache=${VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/xdp-cpumap-vm}
keyring=${VM_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

# The mirror the host itself uses for Debian's main archive.
debian_mirror()
{
	if [ "${VM_MIRROR:-}" ]; then
		echo "$VM_MIRROR"
		return
	fi
	# shellcheck disable=SC2016 # apt-get's own format
	apt-get indextargets --format '$(LABEL) $(SITE)' 'Created-By: Packages' 2>/dev/null |
		sed -n 's/^Debian \([^ ]*\)$/\1/p' | grep . | head -n 1
}

# apt_in ARCH SUITE[+SUITE] apt-get|apt-cache ARG...: the first suite is preferred
apt_in()
{
	local dir=$cache/apt/$1-$2 arch=$1 suites=${2//+/ } suite mirror

	shift 2
	if [ ! -e "$dir/apt.conf" ]; then
		mirror=$(debian_mirror)
		[ "$mirror" ] || die "no Debian mirror in the host's apt sources; set VM_MIRROR"
		mkdir -p "$dir"/{lists,archives}/partial
		: >"$dir/status"
		for suite in $suites; do
			echo "deb [signed-by=$keyring] $mirror $suite main"
		done >"$dir/sources.list"
		cat >"$dir/apt.conf" <<-END
			APT::Architecture "$arch";
			APT::Architectures { "$arch"; };
			APT::Default-Release "${suites%% *}";
			APT::Sandbox::User "";
			Acquire::Languages "none";
			Dir::Cache "$dir";
			Dir::Cache::archives "$dir/archives";
			Dir::Etc::sourcelist "$dir/sources.list";
			Dir::Etc::sourceparts "/dev/null";
			Dir::Etc::preferencesparts "/dev/null";
			Dir::State::lists "$dir/lists";
			Dir::State::status "$dir/status";
		END
	fi
	APT_CONFIG=$dir/apt.conf "$@"
}

# The index of a suite, at most a day old; an old one is better than none.
apt_refresh()
{
	local dir=$cache/apt/$1-$2

	if [ -e "$dir/fresh" ] && [ -z "$(find "$dir/fresh" -mtime +0)" ]; then
		return
	fi
	if apt_in "$1" "$2" apt-get -qq update >"$cache/apt.log" 2>&1; then
		touch "$dir/fresh"
	elif ! compgen -G "$dir/lists/*_Packages*" >/dev/null; then
		why="the mirror has no $2 for $1: $(grep -m1 '^[EW]:' "$cache/apt.log")"
		return 1
	fi
}

# Names of the packages a kernel comes in: the meta package leads to an image,
# and since 7.2 the image to linux-binary, linux-modules and linux-base.
kernel_packages()
{
	apt_in "$1" "$2" apt-cache depends "$3" |
		sed -n 's/^ *|\{0,1\}Depends: \(linux-[a-z]*-[0-9].*\)/\1/p' | sort -u |
		while read -r package; do
			echo "$package"
			kernel_packages "$1" "$2" "$package"
		done
}

# kernel_get ARCH SUITE[,SUITE] PACKAGE: sets kernel (folder) and kver, or why.
kernel_get()
{
	local arch=$1 suite packages dir

	why="no suite named"
	for suite in ${2//,/ }; do
		apt_refresh "$arch" "$suite" || continue
		packages=$(kernel_packages "$arch" "$suite" "$3" | sort -u)
		why="$suite has no $3 for $arch"
		[ "$packages" ] || continue
		kver=$(sed -n 's/^linux-\(image\|binary\)-//p' <<<"$packages" | head -n 1)
		kernel=$cache/kernel/$arch/$kver
		if [ ! -e "$kernel/complete" ]; then
			say "fetching kernel $kver ($arch, $suite)"
			dir=$(mktemp -d "$cache/tmp.XXXXXX")
			# shellcheck disable=SC2086 # names without blanks
			if ! (cd "$dir" && apt_in "$arch" "$suite" apt-get -qq download $packages) 2>"$cache/apt.log"; then
				why="cannot download $kver: $(grep -m1 '^E:' "$cache/apt.log")"
				rm -rf "$dir"
				continue
			fi
			kernel_unpack "$dir"
			rm -rf "$dir"
		fi
		why=
		return 0
	done
	return 1
}

kernel_unpack()
{
	local deb file

	rm -rf "$kernel"
	mkdir -p "$kernel"
	for deb in "$1"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -C "$kernel" -x --no-same-owner
	done
	rm -rf "${kernel:?}/usr/share"
	[ -e "$kernel/lib" ] || ln -s usr/lib "$kernel/lib"
	for file in "boot/vmlinuz-$kver" "boot/vmlinux-$kver" "lib/modules/$kver/vmlinuz" "lib/modules/$kver/vmlinux"; do
		if [ -e "$kernel/$file" ]; then
			ln -sf "$file" "$kernel/image"
			break
		fi
	done
	depmod -b "$kernel" "$kver"
	# Skipping the decompressor saves seconds of emulation.
	if [ "$arch" = amd64 ]; then
		"$here/extract-vmlinux" "$kernel/image" "$kernel/vmlinux"
	fi
	touch "$kernel/complete"
}

# root_get ARCH SUITE NAME PACKAGE...: packages and their dependencies, as a
# tree. Nothing is configured: good for programs, not for services.
root_get()
{
	local arch=$1 suite=$2 dir want deb

	root=$cache/root/$3
	shift 3
	want="$suite $*"
	if [ -e "$root/.complete" ] && [ "$(cat "$root/.complete")" = "$want" ]; then
		return 0
	fi
	apt_refresh "$arch" "$suite" || return 1
	say "fetching root ${root##*/} ($arch, $suite)"
	dir=$cache/apt/$arch-$suite
	rm -f "$dir"/archives/*.deb
	if ! apt_in "$arch" "$suite" apt-get -qq -y --no-install-recommends --download-only install "$@" \
		>"$cache/apt.log" 2>&1; then
		why="$suite cannot give $*: $(grep -m1 '^E:' "$cache/apt.log")"
		return 1
	fi
	rm -rf "$root"
	mkdir -p "$root"/usr/{bin,sbin,lib}
	for deb in bin sbin lib; do
		ln -s usr/$deb "$root/$deb"
	done
	for deb in "$dir"/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -C "$root" -x --keep-directory-symlink --no-same-owner
	done
	rm -f "$dir"/archives/*.deb
	# No guest runs Perl, and all this travels in an initramfs.
	rm -rf "$root"/usr/share/{doc,man,locale,info,lintian,bug,perl*} "$root"/usr/lib/*/{perl*,gconv,libperl*}
	echo "$want" >"$root/.complete"
}

# in_root ROOT PROGRAM: how to run a program of an unpacked root, on the libraries that are there
in_root()
{
	echo "$(compgen -G "$1/usr/lib*/*/ld-linux*.so.?" | head -n 1) --library-path" \
		"$(find "$1"/usr/lib/*-linux-gnu -maxdepth 1 -type d | paste -sd:) $1/$2"
}

# The host's emulator if it is new enough, else one that is unpacked together
# with its libraries and runs on those. Sets the array qemu, or why.
qemu_get()
{
	local cpu=$1 least=$2 have package=qemu-system-misc suite

	have=$("qemu-system-$cpu" --version 2>/dev/null | sed -n 's/.* version \([0-9.]*\).*/\1/p') || true
	if [ "$have" ] && dpkg --compare-versions "$have" ge "$least"; then
		qemu=("qemu-system-$cpu")
		return
	fi
	case $cpu in
	x86_64) package=qemu-system-x86 ;;
	arm | aarch64) package=qemu-system-arm ;;
	mipsel) package=qemu-system-mips ;;
	esac
	for suite in bookworm-backports+bookworm trixie trixie-backports+trixie; do
		apt_refresh "$host_arch" $suite || continue
		have=$(apt_in "$host_arch" $suite apt-cache show $package | sed -n 's/^Version: //p' | sort -V | tail -n 1)
		dpkg --compare-versions "${have#*:}" ge "$least" && break
		have=
	done
	why="no $package of version $least or newer"
	[ "$have" ] || return 1
	root_get "$host_arch" $suite "$package-${have#*:}" "$package=$have" qemu-system-data || return 1
	why=
	# shellcheck disable=SC2207 # words without blanks
	qemu=(env QEMU_MODULE_DIR=/nonexistent $(in_root "$root" "usr/bin/qemu-system-$cpu")
		-L "$root/usr/share/qemu" -L "$root/usr/share/seabios")
}
