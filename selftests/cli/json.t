#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# --json is one document with the keys that README.md promises; --dry-run changes nothing.
. "$(dirname "$0")/../lib.sh"

topo

# json NAME FILTER TEXT: one document, for which the filter is true
json() {
	is "$1: one document" "$(jq -s length <<<"$3" 2>&1)" 1
	is "$1: $2" "$(jq "$2" <<<"$3" 2>&1)" true
}

exits 0 'status --json with nothing loaded' tool status --json
json 'nothing loaded' '. == {"interfaces": []}' "$out"
exits 0 'no verb is status' tool
is 'and says that nothing is loaded' "$(tool 2>&1 | wc -l)" 1
exits 0 'status of an interface that is not loaded' tool status rx0 --json
json 'not loaded' '. == {"interfaces": []}' "$out"
exits 5 'status of an interface that is not there' tool status no0

exits 0 'load --dry-run' tool load rx0 --cpus 0 --dry-run
like 'the plan is on stdout' "$out" 'attach'
exits 0 'load --dry-run --json' tool load rx0 --cpus 0 --dry-run --json
json 'dry run' '.interface == "rx0"' "$out"
json 'dry run' '.steps | length > 3' "$out"
json 'dry run' '[.steps[] | has("kind", "target", "before", "after", "why")] | all' "$out"
json 'dry run' '[.steps[].why | length > 10] | all' "$out"
json 'dry run' '[.steps[].kind] | index("attach") > index("slots")' "$out"
exits 0 'an option may be cut short where only one is meant' tool load rx0 --cpus 0 --dry
is 'a dry run leaves nothing' "$(footprint)" ''
check 'no pin, no journal, no lock' test ! -e "$pins" -a ! -e "$journals"

exits 0 'load --json' tool load rx0 --cpus 0 --json
json 'load' '.interface == "rx0"' "$out"
sleep 1.1 # uptime is in seconds
exits 0 'status --json' tool status --json
status=$out
json 'status' '.interfaces | length == 1' "$status"
status=$(jq '.interfaces[0]' <<<"$status")
for filter in '.interface == "rx0"' '.ifindex > 0' '.netns | type == "string"' '.mode == "native"' \
	'.attach == "link"' '.since | fromdate | (now - . | 0 <= . and . < 60)' '.uptime_s >= 1' \
	'.steer.id > 0' '.steer.tag | test("^[0-9a-f]{16}$")' '.steer.jited | type == "boolean"' \
	'.second_stage.program == "pass"' '.second_stage.id > 0' '.frags | type == "boolean"' \
	'.slots == 256' '.gro.answer | IN("yes", "no", "unknown")' '.gro.why | length > 0' \
	'.targets | length == 1' '.targets[0].cpu == 0' \
	'.targets[0].slots == 256' '.targets[0].qsize > 0' '.targets[0].lane == 0' \
	'.targets[0].kthread_pid > 0' '.targets[0].kthread_cpus == "0"' \
	'[.targets[0] | .packets, .bytes, .sent_packets, .sent_bytes | type == "number"] | all' \
	'.targets[0].share_pct | 0 <= . and . <= 100' '.verdicts.redirected >= 0' '.verdicts.arp >= 0' \
	'.fallbacks.fragments >= 0' '.rules == []'; do
	json status "$filter" "$status"
done
# names LIST: the X(name, ...) of a list in abi.h, up to the empty line behind it
names() { sed -n "/^#define $1/,/^\$/s/^.*\bX(\([a-z_]*\),.*/\1/p" "$TOP/include/cpumap/abi.h"; }
is 'the verdicts are those of abi.h' "$(jq -r '.verdicts | keys[]' <<<"$status")" \
	"$({ names VERDICTS; names STAY_REASONS; } | sort)"
is 'the fallbacks, too' "$(jq -r '.fallbacks | keys[]' <<<"$status")" "$(names FALLBACKS | sort)"

exits 0 'a second load --dry-run --json' tool load rx0 --cpus 0 --dry-run --json
json 'nothing to do' '.steps == []' "$out"
exits 0 'with another qsize' tool load rx0 --cpus 0 --qsize 99 --dry-run --json
json 'one step' '[.steps[] | .after] | tostring | test("99")' "$out"
json 'it does not attach anew' '[.steps[].kind] | index("attach") == null' "$out"

exits 0 'unload --json' tool unload rx0 --json
json 'unload' '.interface == "rx0"' "$out"
exits 0 'unload --json again' tool unload rx0 --json
json 'unload again' '.interface == "rx0"' "$out"
finish
