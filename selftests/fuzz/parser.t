#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The parser in user space, with sanitizers: the corpus, then a bounded run of new frames.
. "$(dirname "$0")/../lib.sh"

fuzz=${O:-build}/selftests/fuzz/parse_fuzz
corpus=$TOP/selftests/fuzz/corpus/parse_fuzz
cd "$TOP" || exit

check 'the corpus' "$fuzz" -runs=0 -artifact_prefix="$work/" "$corpus"
# What is new goes to the first directory.
mkdir "$work/new" "$work/rows"
check '200 000 frames made from it' "$fuzz" -runs=200000 -seed=1 -max_len=600 \
	-artifact_prefix="$work/" "$work/new" "$corpus"

# The corpus is what the rows say today.
check 'the rows can be written' "${O:-build}/selftests/tools/make_corpus" "$work/rows"
check 'and are the corpus (make corpus)' diff -rq "$work/rows" "$corpus"
finish
