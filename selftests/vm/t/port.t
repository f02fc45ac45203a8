#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2016 # commands whose variables are set in each namespace
# Real drivers: native where they have it, TCP whole through VLANs and tunnels that end on the steered port.
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/port.bash"

port_topo
queues=$(in_rx ls /sys/class/net/rx0/queues | grep -c rx-)
echo "# driver $driver, $queues receive queues"
[ "$VM_BOARD" != pc:virtio4 ] || is "$driver: four receive queues" "$queues" 4
offloads() { in_rx ethtool -k rx0; }
offloads_were=$(offloads)
grep -E '^(rx-vlan-offload|rx-gro-hw|large-receive)' <<<"$offloads_were" | sed 's/^/# /'

# ---- VLANs and tunnels over the port --------------------------------------------------------
# both COMMAND...: in both namespaces, with US, THEM, DEV for what differs
both()
{
	local side us them

	for side in tx rx; do
		us=1 them=2
		[ $side = tx ] || us=2 them=1
		(
			# shellcheck disable=SC2030
			export US=$us THEM=$them DEV=${side}0
			ip netns exec "${!side}" sh -ec "$*"
		) || return
	done
}

declare -A works
steered=no

# over NAME CPU COMMANDS: the commands make the interface `over`; TCP through it arrives on that CPU
over()
{
	local name=$1 cpu=$2

	if ! err=$(both "$3; ip addr add 198.51.100.\$US/24 dev over; ip link set over up" 2>&1); then
		[ $steered = no ] || skip "$driver $name" "this kernel cannot make it: $err"
	elif [ $steered = no ]; then
		eventually reaches 198.51.100.2 && works[$name]=1
	elif [ -z "${works[$name]:-}" ]; then
		skip "$driver $name" 'the emulated device cannot, steered or not'
	else
		carry "$driver $name" 198.51.100.2 "$cpu"
	fi
	both 'ip link del over 2>/dev/null || :; ip link del under 2>/dev/null || :; ip xfrm state flush; ip xfrm policy flush'
}

stack()
{
	over 'VLAN' 1 'ip link add link $DEV name over type vlan id 100'
	# Not every model takes a frame of more than 1518 bytes.
	over 'QinQ' 1 'ip link add link $DEV name under type vlan id 200 protocol 802.1ad; ip link set under up
		ip link add link under name over mtu 1492 type vlan id 100'
	over 'GRE' 1 'ip link add over type gre local 192.0.2.$US remote 192.0.2.$THEM'
	over 'GRE over IPv6' 1 'ip link add over type ip6gre local 2001:db8::$US remote 2001:db8::$THEM'
	over 'IPIP' 1 'ip link add over type ipip local 192.0.2.$US remote 192.0.2.$THEM'
	over 'VXLAN' 1 'ip link add over type vxlan id 42 local 192.0.2.$US remote 192.0.2.$THEM dstport 4789'
	over 'Geneve' 1 'ip link add over type geneve id 42 remote 192.0.2.$THEM'
	over 'ESP' 1 'ip link add over type ipip local 192.0.2.$US remote 192.0.2.$THEM
		for way in "$US $THEM out" "$THEM $US in"; do
			set -- $way
			ip xfrm state add src 192.0.2.$1 dst 192.0.2.$2 proto esp spi 0x10$1 mode transport \
				enc "cbc(aes)" 0x00112233445566778899aabbccddeeff auth "hmac(sha256)" 0x0011223344556677889900112233445566778899aabbccddeeff001122334455
			ip xfrm policy add src 192.0.2.$1 dst 192.0.2.$2 proto 4 dir $3 tmpl src 192.0.2.$1 dst 192.0.2.$2 proto esp mode transport
		done'
	if command -v wg >/dev/null; then
		keys=$(mktemp -d)
		for side in 1 2; do
			wg genkey | tee "$keys/$side" | wg pubkey >"$keys/$side.pub"
		done
		# Its own threads choose the CPU for what they decrypted.
		over 'WireGuard' '' "ip link add over type wireguard
			wg set over private-key $keys/\$US listen-port 51820 peer \$(cat $keys/\$THEM.pub) endpoint 192.0.2.\$THEM:51820 allowed-ips 0.0.0.0/0"
		rm -r "$keys"
	else
		[ $steered = no ] || skip "$driver WireGuard" 'needs wg (wireguard-tools)'
	fi
}

carry "$driver as it is" 192.0.2.2
stack
steered=yes

native=$([ "$driver" = e1000e ] && echo no || echo yes)
if [ "$native" = no ]; then
	exits 1 "$driver: native mode is refused" tool load rx0 --cpus 1 --mode native
	like "$driver: with the reason" "$err" 'native'
fi
exits 0 "$driver: load" tool load rx0 --cpus 1
is "$driver: mode" "$(query .mode)" "$([ "$native" = yes ] && echo native || echo skb)"
[ "$native" = yes ] || like "$driver: says what generic mode costs" "$err" 'GRO'
port_ready
carry "$driver IPv4" 192.0.2.2 1
carry "$driver IPv6" 2001:db8::2 1
is "$driver: no frame was sent to a CPU without entry" "$(query .verdicts.no_entry)" 0

# ---- a tag that the driver strips is lost on the way to the target CPU ------------------------
# How many of ten pings the VLAN hears. All are answered: the address is ours, wherever they arrive.
hears()
{
	local before

	both 'ip link add link $DEV name over type vlan id 100; ip addr add 198.51.100.$US/24 dev over; ip link set over up'
	before=$(in_rx cat /sys/class/net/over/statistics/rx_packets)
	eventually reaches 198.51.100.2
	in_tx ping -c 10 -i 0.1 -q 198.51.100.2 >/dev/null
	echo $(($(in_rx cat /sys/class/net/over/statistics/rx_packets) - before))
	both 'ip link del over'
}

if grep -qx 'rx-vlan-offload: on' <<<"$offloads_were"; then
	heard=$(hears)
	check "$driver: as loaded, the VLAN hears $heard of 10 pings" test "$heard" -ge 10
	if [ "$native" = yes ]; then
		in_rx ethtool -K rx0 rxvlan on
		port_ready
		heard=$(hears)
		check "$driver: with rx-vlan-offload turned on again it hears $heard" test "$heard" -lt 10
		in_rx ethtool -K rx0 rxvlan off
		port_ready
	fi
fi
stack

# SIT carries IPv6 only.
both 'ip link add over type sit local 192.0.2.$US remote 192.0.2.$THEM; ip addr add 2001:db8:51::$US/64 dev over nodad; ip link set over up'
carry "$driver 6in4" 2001:db8:51::2 1
both 'ip link del over'

# PPPoE without discovery: the session is agreed on here.
mkfifo "$work/tx" "$work/rx"
mac_tx=$(in_tx cat /sys/class/net/tx0/address) mac_rx=$(in_rx cat /sys/class/net/rx0/address)
modprobe pppoe
in_tx "$python" "$TOP/selftests/vm/t/pppoe.py" tx0 "$mac_rx" 7 <"$work/tx" >"$work/ppp.tx" 2>"$work/ppp.err" &
in_rx "$python" "$TOP/selftests/vm/t/pppoe.py" rx0 "$mac_tx" 7 <"$work/rx" >"$work/ppp.rx" 2>>"$work/ppp.err" &
exec {hold_tx}>"$work/tx" {hold_rx}>"$work/rx"
eventually test -s "$work/ppp.tx" -a -s "$work/ppp.rx"
if [ -s "$work/ppp.tx" ] && [ -s "$work/ppp.rx" ]; then
	ip -n $tx addr add 198.51.100.1 peer 198.51.100.2 dev "$(cat "$work/ppp.tx")"
	ip -n $rx addr add 198.51.100.2 peer 198.51.100.1 dev "$(cat "$work/ppp.rx")"
	ip -n $tx link set "$(cat "$work/ppp.tx")" mtu 1492 up
	ip -n $rx link set "$(cat "$work/ppp.rx")" mtu 1492 up
	carry "$driver PPPoE" 198.51.100.2
else
	skip "$driver PPPoE" "no session: $(cat "$work/ppp.err")"
fi
exec {hold_tx}>&- {hold_rx}>&-
wait

if [ "$queues" = 4 ] && [ "$driver" = virtio_net ]; then
	busy=$(in_rx ethtool -S rx0 | grep -cE '^ *rx(_queue_)?[0-9]+_packets: [1-9]')
	check "$driver: frames came by $busy of four queues" test "$busy" -gt 1
fi

objects=$(footprint)
exits 0 "$driver: unload" tool unload rx0
leaves_nothing "$driver: nothing is left" "$objects"
is "$driver: the offloads are what they were" "$(offloads)" "$offloads_were"
port_ready
carry "$driver as it was" 192.0.2.2

# ---- frames of 9000 bytes ---------------------------------------------------------------------
if both 'ip link set $DEV mtu 9000' 2>/dev/null; then
	port_ready
	exits 0 "$driver: load with an MTU of 9000" tool load rx0 --cpus 1
	echo "# ${err//$'\n'/$'\n'# }"
	is "$driver: mode with an MTU of 9000" "$(query .mode)" "$([ "$driver" = virtio_net ] && echo native || echo skb)"
	port_ready
	eventually in_tx ping -c 1 -W 2 -q -M "do" -s 8900 192.0.2.2 >/dev/null
	check "$driver: a frame of 8942 bytes comes through" in_tx ping -c 1 -W 5 -q -M "do" -s 8900 192.0.2.2
	carry "$driver, MTU 9000" 192.0.2.2 1
	exits 0 "$driver: unload" tool unload rx0
else
	skip "$driver, MTU 9000" 'the driver or its emulated device has no such frames'
fi
finish
