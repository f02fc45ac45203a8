#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Attached through libxdp's dispatcher, where the kernel can; elsewhere the refusal is clean.
. "$(dirname "$0")/../lib.sh"

topo
run tool load rx0 --cpus 0 --dispatcher yes
if [ $rc = 0 ]; then
	is 'status says so' "$(query .attach)" dispatcher
	is 'traffic flows' "$(traffic copy | jq .intact)" 4
	objects=$(footprint)
	exits 0 'unload' tool unload rx0
	leaves_nothing 'leaves nothing, the dispatcher neither' "$objects"
	exits 0 'load once more' tool load rx0 --cpus 0 --dispatcher yes
	exits 0 'and with other settings' tool load rx0 --cpus 0 --dispatcher yes --qsize 64
	is 'which are in force' "$(query '.targets[0].qsize')" 64
else
	skip 'the dispatcher' "this kernel cannot: $(head -n 1 <<<"$err" | tr -s ' ')"
	like 'check says so, with a way out' "$err" '--dispatcher no'
	exits 1 'forced, it fails' tool load rx0 --cpus 0 --dispatcher yes --force
	like 'libxdp says the same' "$(grep '^xdp-cpumap: ' <<<"$err")" '--dispatcher no'
	is 'nobody is sent to generic mode' "$(grep -c -e '--mode skb' <<<"$err")" 0
	is 'nothing is attached' "$(attached)" ''
	check 'no pin, no journal' test ! -e "$pins" -a ! -e "$journals"
fi
tool unload rx0 2>/dev/null
exits 0 'auto, with nobody else there' tool load rx0 --cpus 0 --dispatcher auto
is 'attaches without it' "$(query .attach)" link
finish
