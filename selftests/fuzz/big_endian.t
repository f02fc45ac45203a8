#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The rows on a big-endian machine (s390x, under qemu-user): the same verdicts, the same hashes.
. "$(dirname "$0")/../lib.sh"

cross=${CROSS_BE:-s390x-linux-gnu-gcc}
qemu=${QEMU_BE:-qemu-s390x}
for need in "$cross" "$qemu"; do
	command -v "$need" >/dev/null || skip_all "needs $need (gcc-s390x-linux-gnu, qemu-user)"
done
cd "$TOP" || exit

# build COMPILER... : the rows, to $work/COMPILER
build() {
	"$@" -std=gnu11 -O2 -Iinclude -Iselftests selftests/fuzz/rows.c selftests/prog/native.c \
		selftests/prog/frame.c selftests/prog/rows*.c -o "$work/$1"
}

check 'the rows compile here' build "${CC:-cc}"
check "the rows compile with $cross" build "$cross" -static
check 'they hold here' sh -c "'$work/${CC:-cc}' >'$work/little'"
check 'they hold on s390x' sh -c "$qemu '$work/$cross' >'$work/big'"
check 'all hashes are the same' cmp "$work/little" "$work/big"
finish
