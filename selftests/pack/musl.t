#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Nothing in the loader needs glibc: the C library's headers of musl are enough to compile it.
# Whether it links and runs is not seen here: Debian has no musl builds of the libraries.
. "$(dirname "$0")/../lib.sh"

command -v musl-gcc >/dev/null || skip_all 'musl-tools is not installed'

# musl's own headers come first, by the specs of musl-gcc; of the rest only what they lack.
headers=$work/include
multiarch=$(gcc -print-multiarch)
mkdir "$headers"
for header in linux asm-generic mtd bpf xdp json-c libmnl libelf.h gelf.h elf.h zlib.h zconf.h libpcap pcap pcap.h; do
	[ -e "/usr/include/$header" ] && ln -s "/usr/include/$header" "$headers/$header"
done
[ ! -e "$headers/elf.h" ] || rm "$headers/elf.h" # musl has one
for header in asm zconf.h; do
	[ -e "/usr/include/$multiarch/$header" ] && ln -sfn "/usr/include/$multiarch/$header" "$headers/$header"
done

defines=(-D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 '-DVERSION="x"' "-I$TOP/include" "-I$TOP/loader" "-I$(dirname "$TOOL")")
for source in "$TOP"/loader/*.c "$TOP"/loader/*/*.c; do
	check "${source#"$TOP"/} compiles" musl-gcc -std=gnu11 -Wall -Wextra -Wno-unused-parameter \
		-Wno-missing-field-initializers -Werror -fsyntax-only "${defines[@]}" -isystem "$headers" "$source"
done
finish
