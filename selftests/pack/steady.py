#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A steady stream of numbered datagrams between two network namespaces, until stdin ends.

steady.py FROM TO [--rate PACKETS_PER_SECOND] [--flows N]
Prints one JSON document: sent, lost, reordered (within a flow), rate.
"""
import argparse
import ctypes
import json
import select
import socket
import struct
import sys
import threading
import time

SETNS = ctypes.CDLL(None, use_errno=True).setns
BURST_S = 0.002


def socket_in(netns):
    """A socket stays in the namespace where it was made."""
    with open(f"/run/netns/{netns}") as there:
        if SETNS(there.fileno(), 0):
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {netns}")
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)  # SO_RCVBUFFORCE
    return made


def receive(sock, flows, seen):
    last = [-1] * flows
    sock.settimeout(2)
    while True:
        try:
            flow, number = struct.unpack("!II", sock.recv(64)[:8])
        except socket.timeout:
            return
        if flow >= flows:
            return
        seen["arrived"] += 1
        seen["reordered"] += number < last[flow]
        last[flow] = max(last[flow], number)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sender")
    parser.add_argument("to")
    parser.add_argument("--rate", type=int, default=10000)
    parser.add_argument("--flows", type=int, default=16)
    args = parser.parse_args()
    sink = socket_in(args.to)
    sink.bind(("192.0.2.2", 0))
    sources = [socket_in(args.sender) for _ in range(args.flows)]
    for source in sources:
        source.connect(sink.getsockname())
    seen = {"arrived": 0, "reordered": 0}
    sender_done = struct.pack("!II", args.flows, 0)
    thread = threading.Thread(target=receive, args=(sink, args.flows, seen))
    thread.start()
    print("ready", file=sys.stderr, flush=True)
    began = time.monotonic()
    sent = 0
    while not select.select([sys.stdin], [], [], BURST_S)[0]:
        due = int((time.monotonic() - began) * args.rate)
        # After a pause of this process, no burst that overflows a queue by itself.
        due = min(due, sent + 4 * int(args.rate * BURST_S))
        while sent < due:
            sources[sent % args.flows].send(struct.pack("!II", sent % args.flows, sent // args.flows))
            sent += 1
    seconds = time.monotonic() - began
    time.sleep(0.5)
    sources[0].send(sender_done)
    thread.join()
    print(json.dumps({"sent": sent, "lost": sent - seen["arrived"], "reordered": seen["reordered"],
                      "rate": int(sent / seconds)}))


main()
