#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Captures for the oracle, made by scapy: captures.py DIRECTORY. One kind of traffic a file, flows both ways."""

import random
import sys

from scapy.contrib.geneve import GENEVE
from scapy.contrib.gtp import GTP_U_Header
from scapy.contrib.mpls import MPLS
from scapy.layers.inet import GRE, ICMP, IP, TCP, UDP, fragment
from scapy.layers.inet6 import (ICMPv6EchoRequest, ICMPv6TimeExceeded, IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment,
                                IPv6ExtHdrHopByHop, IPv6ExtHdrRouting, fragment6)
from scapy.layers.ipsec import AH, ESP
from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.layers.ppp import PPP, PPPoE
from scapy.layers.sctp import SCTP
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw
from scapy.utils import wrpcap

rng = random.Random(4711)
A, B = "02:00:00:00:00:0a", "02:00:00:00:00:0b"


def eth(there):
    return Ether(src=A, dst=B) if there else Ether(src=B, dst=A)


def ends(v6):
    """Two addresses and two ports, never used before."""
    host = [rng.randrange(1, 0xFFFE) for _ in range(2)]
    if v6:
        addresses = ["2001:db8::%x" % h for h in host]
    else:
        addresses = ["10.%d.%d.%d" % (i, h >> 8, h & 255) for i, h in enumerate(host)]
    return addresses, [rng.randrange(1024, 65536) for _ in range(2)]


def ip(addresses, there, v6, **fields):
    src, dst = addresses if there else addresses[::-1]
    return (IPv6 if v6 else IP)(src=src, dst=dst, **fields)


def transport(kind, ports, there):
    sport, dport = ports if there else ports[::-1]
    if kind is UDP:
        return UDP(sport=sport, dport=dport, chksum=0)
    return kind(sport=sport, dport=dport)


def conversations(count, kind=None, v6=None):
    """Packets of some flows, in both directions and mixed: (there, IP packet)."""
    packets = []
    for _ in range(count):
        six = rng.random() < 0.4 if v6 is None else v6
        what = kind or rng.choice([TCP, UDP])
        addresses, ports = ends(six)
        for _ in range(rng.randrange(2, 7)):
            there = rng.random() < 0.6
            data = Raw(bytes(rng.randrange(256) for _ in range(rng.randrange(0, 40))))
            packets.append((there, ip(addresses, there, six) / transport(what, ports, there) / data))
    rng.shuffle(packets)
    return packets


def etype(packet):
    return 0x86DD if packet.version == 6 else 0x0800


def plain():
    return [eth(t) / p for t, p in conversations(120)]


def vlans():
    out = []
    for there, packet in conversations(80):
        tags = rng.randrange(1, 6)
        frame = eth(there)
        for i in range(tags):
            frame /= rng.choice([Dot1Q, Dot1AD])(vlan=rng.randrange(4096), prio=rng.randrange(8))
        out.append(frame / packet)
    return out


def pppoe():
    return [eth(t) / PPPoE(sessionid=7) / PPP(proto=0x57 if p.version == 6 else 0x21) / p for t, p in conversations(60)]


def mpls():
    out = []
    for there, packet in conversations(60):
        frame = eth(there)
        depth = rng.randrange(1, 6)
        for i in range(depth):
            frame /= MPLS(label=rng.randrange(16, 1 << 20), s=i == depth - 1, ttl=64)
        out.append(frame / packet)
    return out


def gre():
    out = []
    for there, packet in conversations(60):
        flags = {"key_present": 1, "key": 9} if rng.random() < 0.5 else {}
        out.append(eth(there) / ip(("192.0.2.1", "192.0.2.2"), there, False) / GRE(proto=etype(packet), **flags) / packet)
    return out


def ipip():
    out = []
    for there, packet in conversations(60):
        v6 = rng.random() < 0.5
        outer = ("2001:db8:f::1", "2001:db8:f::2") if v6 else ("192.0.2.1", "192.0.2.2")
        fields = {"nh" if v6 else "proto": 41 if packet.version == 6 else 4}
        out.append(eth(there) / ip(outer, there, v6, **fields) / packet)
    return out


def overlay(port, header, inner_ethernet):
    """As a VTEP does it: the outer source port says which flow is inside, one for each direction."""
    out = []
    for there, packet in conversations(50):
        layer = packet[TCP] if TCP in packet else packet[UDP]
        entropy = 49152 + hash_ports(layer, packet) % 16384
        inner = (eth(there) if inner_ethernet else Raw(b"")) / packet if inner_ethernet else packet
        out.append((eth(there) / ip(("192.0.2.1", "192.0.2.2"), there, False) /
                    UDP(sport=entropy, dport=port, chksum=0) / header / inner, there))
    return out


def hash_ports(layer, packet):
    return layer.sport * layer.dport + sum(packet.src.encode()) + sum(packet.dst.encode())


def one_way(pairs):
    """Outer ports differ in the two directions, and so may the CPU: one direction of each."""
    return [frame for frame, there in pairs if there]


def vxlan():
    return one_way(overlay(4789, VXLAN(vni=5, flags="Instance"), True))


def geneve():
    return one_way(overlay(6081, GENEVE(vni=5, proto=0x6558), True))


def gtpu():
    out = []
    for there, packet in conversations(50):
        out.append(eth(there) / ip(("192.0.2.1", "192.0.2.2"), there, False) / UDP(sport=2152, dport=2152, chksum=0) /
                   GTP_U_Header(teid=99 if there else 77, gtp_type=255) / packet)
    return out


def fragments():
    out = []
    for there, packet in conversations(20, UDP, v6=False):
        packet = IP(src=packet.src, dst=packet.dst, id=rng.randrange(1, 65536)) / packet[UDP]
        packet[UDP].remove_payload()
        packet /= Raw(b"x" * rng.randrange(1500, 4000))
        packet[UDP].len = None
        out += [eth(there) / p for p in fragment(IP(bytes(packet)), fragsize=800)]
    for there, packet in conversations(20, UDP, v6=True):
        ident = rng.randrange(1, 1 << 32)
        big = IPv6(src=packet.src, dst=packet.dst) / IPv6ExtHdrFragment(id=ident) / UDP(sport=1, dport=2) / Raw(b"y" * 3000)
        out += [eth(there) / p for p in fragment6(big, 1000)]
    rng.shuffle(out)
    return out


def extensions():
    out = []
    for there, packet in conversations(60, v6=True):
        chain = IPv6(src=packet.src, dst=packet.dst)
        for _ in range(rng.randrange(1, 6)):
            chain /= rng.choice([IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop])()
        out.append(eth(there) / chain / packet.payload)
    return out


def options():
    return [eth(t) / IP(src=p.src, dst=p.dst, options=b"\x01" * 4 * rng.randrange(1, 11)) / p.payload
            for t, p in conversations(40, v6=False)]


def icmp_errors():
    out = []
    for there, packet in conversations(40):
        out.append(eth(there) / packet)
        router = "2001:db8:9::9" if packet.version == 6 else "198.51.100.9"
        error = ICMPv6TimeExceeded() if packet.version == 6 else ICMP(type=11)
        back = (IPv6 if packet.version == 6 else IP)(src=router, dst=packet.src) / error
        out.append(eth(not there) / back / Raw(bytes(packet)[:64]))
    return out


def others():
    out = []
    for i in range(30):
        addresses, ports = ends(False)
        for there in (True, False, True):
            out.append(eth(there) / ip(addresses, there, False) / transport(SCTP, ports, there))
            out.append(eth(there) / ip(addresses, there, False) / ICMP(type=8 if there else 0, id=i, seq=1))
            out.append(eth(there) / ip(addresses, there, False, proto=50) / ESP(spi=i + 256, seq=1))
            out.append(eth(there) / ip(addresses, there, False, proto=89) / Raw(b"ospf"))
    for i in range(10):
        out.append(eth(True) / IPv6(src="2001:db8::1", dst="2001:db8::2") / ICMPv6EchoRequest(id=i))
        out.append(eth(True) / IPv6(src="2001:db8::1", dst="2001:db8::2") / IPv6ExtHdrRouting() / TCP(sport=i, dport=5))
    return out


def stays():
    return [eth(True) / ARP(psrc="10.0.0.1", pdst="10.0.0.2") for _ in range(3)]


def main():
    kinds = [plain, vlans, pppoe, mpls, gre, ipip, vxlan, geneve, gtpu, fragments, extensions, options, icmp_errors, others,
             stays]
    for kind in kinds:
        wrpcap("%s/%s.pcap" % (sys.argv[1], kind.__name__), kind())


main()
