#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Traffic between two network namespaces, counted where it arrives. One JSON document out.

traffic.py FROM TO copy [--size BYTES] [--streams N] [--back] [--v6]
traffic.py FROM TO flows [--ports N] [--v6]
traffic.py FROM TO pair
traffic.py FROM TO frame HEX...

One process holds both ends: a socket stays in the namespace where it was made.
"""
import argparse
import collections
import ctypes
import hashlib
import itertools
import json
import os
import select
import socket
import struct
import threading

SETNS = ctypes.CDLL(None, use_errno=True).setns
SO_INCOMING_CPU = 49
ETH_P_ALL = 3
ADDRESS = {False: ("192.0.2.1", "192.0.2.2"), True: ("2001:db8::1", "2001:db8::2")}
PATIENCE_S = 60 if os.environ.get("VM_CELL") else 5  # an emulated guest is slow


def socket_in(netns, *args):
    """A socket made in the namespace of that name."""
    with open(f"/run/netns/{netns}") as there:
        if SETNS(there.fileno(), 0):
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {netns}")
    made = socket.socket(*args)
    if made.type != socket.SOCK_RAW:
        made.settimeout(PATIENCE_S)
    return made


def incoming_cpu(sock):
    """The CPU on which the stack handled the last packet of a connected socket."""
    return sock.getsockopt(socket.SOL_SOCKET, SO_INCOMING_CPU)


def copy(args):
    """TCP streams of random bytes; says whether they arrived whole and where TCP ran."""
    family = socket.AF_INET6 if args.v6 else socket.AF_INET
    server_ns, client_ns = args.to, args.sender
    address = ADDRESS[args.v6][1]
    listener = socket_in(server_ns, family, socket.SOCK_STREAM)
    listener.bind((address, 0))
    listener.listen(args.streams)
    cpus = collections.Counter()
    intact = []

    def send(sock, data):
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)

    def receive(sock, digest, stack_side):
        seen = hashlib.sha256()
        while chunk := sock.recv(65536):
            seen.update(chunk)
            cpus[incoming_cpu(stack_side)] += 1
        intact.append(seen.digest() == digest)

    threads = []
    for _ in range(args.streams):
        client = socket_in(client_ns, family, socket.SOCK_STREAM)
        client.connect(listener.getsockname())
        served, _ = listener.accept()
        served.settimeout(PATIENCE_S)
        data = os.urandom(args.size)
        digest = hashlib.sha256(data).digest()
        source, sink = (served, client) if args.back else (client, served)
        threads.append(threading.Thread(target=send, args=(source, data)))
        threads.append(threading.Thread(target=receive, args=(sink, digest, served)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"streams": len(intact), "intact": sum(intact), "cpus": sorted(cpus)}


def flows(args):
    """One datagram on each of ports * ports flows; says how many flows each CPU's stack had."""
    family = socket.AF_INET6 if args.v6 else socket.AF_INET
    source, target = ADDRESS[args.v6]
    senders, receivers = [], []
    for _ in range(args.ports):
        senders.append(socket_in(args.sender, family, socket.SOCK_DGRAM))
        senders[-1].bind((source, 0))
        receivers.append(socket_in(args.to, family, socket.SOCK_DGRAM))
        receivers[-1].bind((target, 0))
    cpus = collections.Counter()
    lost = 0
    for sender, receiver in itertools.product(senders, receivers):
        # Only a connected UDP socket notes the CPU, and only the last packet's.
        receiver.connect(sender.getsockname())
        sender.sendto(b"x", receiver.getsockname())
        try:
            receiver.recv(1)
            cpus[incoming_cpu(receiver)] += 1
        except socket.timeout:
            lost += 1
            if lost == 2:
                break  # it will not get better
    return {"flows": len(senders) * len(receivers), "lost": lost, "cpus": cpus}


def interface(netns, name):
    raw = socket_in(netns, socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    raw.bind((name, ETH_P_ALL))
    return raw


def udp_frame(src, sport, dst, dport):
    """Without a UDP checksum, which RFC 768 allows, and with no IPv4 one: nobody reads it here."""
    udp = struct.pack("!HHHH", sport, dport, 8 + 18, 0) + bytes(18)
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, socket.IPPROTO_UDP, 0)
    return b"\x02" + b"\xff" * 5 + b"\x02" + bytes(5) + b"\x08\x00" + ip + src + dst + udp


def pair(args):
    """One frame of a random flow, and one of the same flow in the other direction."""
    out = interface(args.sender, "tx0")
    src, dst = os.urandom(4), os.urandom(4)
    sport, dport = struct.unpack("!HH", os.urandom(4))
    out.send(udp_frame(src, sport, dst, dport))
    out.send(udp_frame(dst, dport, src, sport))
    return {"sent": 2}


def frame(args):
    """Sends raw frames; says how many arrived as they were sent."""
    out, seen = interface(args.sender, "tx0"), interface(args.to, "rx0")
    arrived = 0
    for text in args.hex:
        data = bytes.fromhex(text).ljust(60, b"\0")
        # The stack takes the outer VLAN tag off before any socket sees the frame.
        wanted = data[:12] + data[16:] if data[12:14] == b"\x81\x00" else data
        out.send(data)
        while select.select([seen], [], [], 1)[0]:
            if seen.recv(65536) == wanted:
                arrived += 1
                break
    return {"sent": len(args.hex), "arrived": arrived}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sender")
    parser.add_argument("to")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in (copy, flows, pair, frame):
        verbs.add_parser(verb.__name__).set_defaults(run=verb)
    for name in ("copy", "flows"):
        verbs.choices[name].add_argument("--v6", action="store_true")
    verbs.choices["copy"].add_argument("--size", type=int, default=1 << 20)
    verbs.choices["copy"].add_argument("--streams", type=int, default=4)
    verbs.choices["copy"].add_argument("--back", action="store_true")
    verbs.choices["flows"].add_argument("--ports", type=int, default=8)
    verbs.choices["frame"].add_argument("hex", nargs="+")
    args = parser.parse_args()
    print(json.dumps(args.run(args)))


main()
