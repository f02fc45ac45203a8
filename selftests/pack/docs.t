#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documents: each error message is explained, and none that is gone; links lead somewhere.
. "$(dirname "$0")/../lib.sh"

messages=$(python3 "$TOP/selftests/pack/messages.py" "$TOP"/loader/*.c "$TOP"/loader/*/*.c | grep -vx '…')
explained=$(sed -n 's/^    //p' "$TOP/docs/troubleshooting.md" | sort)
check 'there are messages' test "$(wc -l <<<"$messages")" -gt 50
is 'docs/troubleshooting.md explains each message' "$(comm -23 <(sort <<<"$messages") <(echo "$explained"))" ''
is 'and none that is gone' "$(comm -13 <(sort <<<"$messages") <(echo "$explained"))" ''
is 'none is explained twice' "$(uniq -d <<<"$explained")" ''

while IFS=: read -r file link; do
	check "${file#"$TOP"/}: $link is there" test -e "$(dirname "$file")/${link%%#*}"
done < <(grep -oHE '\]\([^)]+\)' "$TOP"/*.md "$TOP"/docs/*.md "$TOP"/selftests/*.md |
	sed 's/](\(.*\))/\1/' | grep -v ':http')
finish
