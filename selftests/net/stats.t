#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# stats against what was sent: counts, rates, drops, and that a load in between loses none of them.
. "$(dirname "$0")/../lib.sh"

topo
# Nobody speaks but us.
in_tx sysctl -qw net.ipv6.conf.all.disable_ipv6=1
in_rx sysctl -qw net.ipv6.conf.all.disable_ipv6=1
last=$(($(getconf _NPROCESSORS_ONLN) - 1))

# stat FILTER: of the interface's object
stat() { tool stats rx0 --json | jq -r ".interfaces[0] | $1"; }
burst() { in_tx python3 "$TOP/selftests/net/burst.py" "$@" >/dev/null; }
sum() { stat "[.$1[].$2] | add"; }
all_arrived() { [ "$(sum queues dequeued_packets)" = "$(($(sum targets sent_packets) - $(sum queues enqueue_dropped_packets)))" ]; }

exits 0 'load' tool load rx0 --cpus $last --qsize 64
is 'nothing was sent, nothing is counted' "$(stat .totals.redirected_packets)" 0
is 'traffic: 400 flows of a datagram' "$(traffic flows --ports 20 | jq -c '[.flows, .lost]')" '[400,0]'
check 'the queue runs empty' eventually all_arrived
is 'rx_cpus: 400 redirected' "$(sum rx_cpus redirected_packets)" 400
is 'targets: 400 sent' "$(sum targets sent_packets)" 400
is 'targets: 400 arrived' "$(sum targets arrived_packets)" 400
is 'queues: 400 offered by the tracepoint' "$(sum queues enqueue_packets)" 400
is 'queues: 400 taken by the kthread' "$(sum queues dequeued_packets)" 400
is 'queues: 400 passed by the second stage' "$(sum queues stage_passed_packets)" 400
is 'bytes: 43 a frame' "$(sum targets arrived_bytes)" $((400 * 43))
is 'no drop' "$(sum queues enqueue_dropped_packets)" 0
is 'the queue is empty' "$(sum queues fill_packets)" 0
is 'the totals are the sum' "$(stat .totals.redirected_packets)" 400

# fits NAME FRAMES QSIZE: what a queue takes in of a burst. The kernel frees up to 15 places
# only later (batches of struct ptr_ring).
fits() { check "$1 ($2 of at most $3)" test "$2" -le "$3" -a "$2" -gt $(($3 - 16)); }

# The sender keeps the target CPU to itself: 64 frames fit the queue, the others do not.
burst 1000 $last
check 'the queue runs empty' eventually all_arrived
arrived=$(($(sum targets arrived_packets) - 400))
fits 'a burst of 1000 into a queue of 64' $arrived 64
is 'the others are drops' "$(sum queues enqueue_dropped_packets)" $((1000 - arrived))
is 'sent are all' "$(sum targets sent_packets)" 1400
is 'the first finding is about it' "$(stat '.findings[0].kind')" drops
like 'which names the CPU' "$(stat '.findings[0].text')" "^CPU $last drops [0-9.]+ % at enqueue.*raise --qsize"

# Rates over one second, of a known number of frames sent in it.
ip netns exec $rx "$TOOL" stats --watch=1 --json >"$work/lines" &
watcher=$!
sleep 1.3
burst 500 $last
sleep 1.9
# The shell's child is `ip netns exec`, which has become the tool.
kill -INT $watcher
wait $watcher
is 'watch ends well by SIGINT' $? 0
check 'watch --json: a document a line' test "$(jq -s length "$work/lines")" -ge 2
rates=$(jq -s '[.[].interfaces[0] | .interval_s * .totals.redirected_packets_per_s] | add' "$work/lines")
is 'rates times seconds are what was sent' "$(jq -n "$rates | round")" 500
jq -e -s '[.[].interfaces[0].interval_s] | all(. > 0.7 and . < 3)' "$work/lines" >/dev/null
is 'the intervals are about a second' $? 0

# A load that changes the queue, one that changes the CPUs, one that builds new maps.
before=$(stat '[.totals.redirected_packets, ([.queues[].dequeued_packets] | add)] | join(" ")')
exits 0 'load: another queue' tool load rx0 --cpus $last --qsize 128
is 'no count is lost' "$(stat '[.totals.redirected_packets, ([.queues[].dequeued_packets] | add)] | join(" ")')" "$before"
if [ $last != 0 ]; then
	exits 0 'load: another CPU' tool load rx0 --cpus 0,$last
	is 'no count is lost' "$(stat .totals.redirected_packets)" "${before% *}"
	traffic flows --ports 20 >/dev/null
	check 'the queues run empty' eventually all_arrived
	is 'counts go on' "$(stat .totals.redirected_packets)" $((${before% *} + 400))
fi
before=$(stat .totals.redirected_packets)
arrived=$(stat "[.targets[] | select(.cpu == $last).arrived_packets] | add")
dropped=$(stat "[.queues[] | select(.cpu == $last).enqueue_dropped_packets] | add")
offered=$(stat "[.queues[] | select(.cpu == $last).enqueue_packets] | add")
ip -n $rx link set rx0 mtu 9000
exits 0 'load: frames of several buffers need new maps and programs' tool load rx0 --cpus $last
if [ "$(query .frags)" = true ]; then
	is 'redirects: no count is lost' "$(stat .totals.redirected_packets)" "$before"
	is 'arrivals: no count is lost' "$(sum targets arrived_packets)" "$arrived"
	is 'drops: no count is lost' "$(sum queues enqueue_dropped_packets)" "$dropped"
	traffic flows --ports 10 >/dev/null
	check 'the queue runs empty' eventually all_arrived
	is 'redirects: counts go on' "$(stat .totals.redirected_packets)" $((before + 100))
	is 'the new queue is watched' "$(stat '[.queues[].enqueue_packets] | add')" $((offered + 100))
else
	skip 'counts survive new maps' 'this kernel or driver has no frags, so none were built'
fi

# The kthreads are noted: nobody looks at every process of the machine for them, until they have gone.
kthreads() { stat '[.queues[].busy_ns] | all(. != null)'; }
is 'the time of the kthreads is known' "$(kthreads)" true
if in_rx strace -o "$work/calls" -e trace=openat "$TOOL" stats rx0 --json >/dev/null 2>&1; then
	is 'with one look at each' "$(grep -c '/comm"' "$work/calls")" "$(stat '.queues | length')"
	# struct target: two counts, the pid, and five words of nothing.
	mapfile -t value < <(printf '00\n%.0s' {1..16}; echo 01; printf '00\n%.0s' {1..47})
	bpftool map update pinned "$pins/rx0/targets" key $last 0 0 0 value hex "${value[@]}"
	in_rx strace -o "$work/calls" -e trace=openat "$TOOL" stats rx0 --json >/dev/null 2>&1
	check 'one that is another process by now is looked for' \
		test "$(grep -c '/comm"' "$work/calls")" -gt "$(stat '.queues | length')"
	is 'and found' "$(kthreads)" true
else
	skip 'looks for kthreads' 'strace cannot trace here'
fi

# Without the tracepoints drops are what was sent and did not arrive.
rm "$pins/rx0/watch_enqueue" "$pins/rx0/watch_kthread"
is 'without the tracepoint its numbers are unknown' "$(stat '.queues[0].enqueue_dropped_packets')" null
traffic flows --ports 10 >/dev/null
ip netns exec $rx "$TOOL" stats --watch=1 --json >"$work/lines" &
watcher=$!
sleep 1.3
burst 900 $last
sleep 1.9
kill -INT $watcher
wait $watcher
qsize=$(query '[.targets[].qsize] | max')
lost=$(jq -s '[.[].interfaces[0] | .interval_s * .totals.drops_per_s] | add | round' "$work/lines")
fits 'and the loss is what did not arrive' $((900 - lost)) "$qsize"
objects=$(footprint)
exits 0 'unload' tool unload rx0
leaves_nothing 'unload leaves nothing' "$objects"

# Generic mode: a full queue is an error of the redirect, and a drop.
if lacks_skb; then
	skip 'generic mode' "the kernel has no generic cpumap: $(uname -r)"
	finish
fi
exits 0 'load in generic mode' tool load rx0 --cpus $last --qsize 64 --mode skb
burst 1000 $last
check 'the queue runs empty' eventually all_arrived
dropped=$(sum queues enqueue_dropped_packets)
fits 'generic: a burst of 1000' $((1000 - dropped)) 64
is 'generic: each drop is a redirect that failed' "$(sum queues redirect_failed_packets)" "$dropped"
is 'generic: one finding about it' "$(stat '[.findings[] | select(.kind | IN("drops", "redirect"))] | length')" 1
finish
