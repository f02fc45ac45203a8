#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Compare `xdp-cpumap explain --json` with what tshark says of the same capture: oracle.py BINARY CAPTURE...

What is checked, a line of TAP each and a "#" line for each frame that breaks it:
- all packets of one tshark stream (the innermost that it sees) go to one CPU;
- all fragments of a datagram go to one CPU;
- a packet that tshark calls IP does not stay as unclassified, unless it is link-local multicast or PTP.
"""

import collections
import json
import subprocess
import sys

FIELDS = ["frame.number", "frame.protocols", "tcp.stream", "udp.stream", "eth.dst", "udp.dstport", "ip.src", "ip.dst",
          "ip.proto", "ip.id", "ip.flags.mf", "ip.frag_offset", "ipv6.src", "ipv6.dst", "ipv6.fraghdr.ident"]


def tshark(capture):
    command = ["tshark", "-n", "-r", capture, "-T", "fields", "-E", "separator=|", "-E", "occurrence=a",
               "-E", "aggregator=,", "-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"]
    for field in FIELDS:
        command += ["-e", field]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [dict(zip(FIELDS, line.split("|"))) for line in lines]


def explain(binary, capture):
    command = [binary, "explain", "--pcap", capture, "--cpus", "0-7", "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads(answer)["frames"]


def first(text):
    return text.split(",")[0]


def last(text):
    return text.split(",")[-1]


def fragment_of(packet):
    """What the fragments of one datagram share, or None. The outermost IP header counts."""
    if packet["ip.src"] and (first(packet["ip.flags.mf"]) in ("1", "True") or first(packet["ip.frag_offset"]) != "0"):
        return tuple(first(packet[f]) for f in ("ip.src", "ip.dst", "ip.proto", "ip.id"))
    if packet["ipv6.fraghdr.ident"]:
        return tuple(first(packet[f]) for f in ("ipv6.src", "ipv6.dst", "ipv6.fraghdr.ident"))
    return None


def stream_of(packet):
    protocols = packet["frame.protocols"].split(":")
    transports = [p for p in protocols if p in ("tcp", "udp")]
    if not transports or fragment_of(packet):
        return None
    return transports[-1], last(packet[transports[-1] + ".stream"])


def may_stay(packet):
    return packet["eth.dst"].startswith("01:80:c2:00:00:0") or first(packet["udp.dstport"]) in ("319", "320")


def groups_split(packets, frames, key):
    """Lines about the groups of frames that are on more than one CPU, and the number of groups."""
    groups = collections.defaultdict(list)
    for packet, frame in zip(packets, frames):
        if key(packet) is not None:
            groups[key(packet)].append((frame["cpu"], frame["number"]))
    split = ["%s: %s" % (group, places) for group, places in groups.items() if len({cpu for cpu, _ in places}) > 1]
    return split, len(groups)


def unclassified(packets, frames):
    out = []
    for packet, frame in zip(packets, frames):
        is_ip = {"ip", "ipv6"} & set(packet["frame.protocols"].split(":"))
        if is_ip and frame["verdict"] != "redirect" and not may_stay(packet):
            out.append("frame %d stays: %s (%s)" % (frame["number"], frame["reason"], packet["frame.protocols"]))
    return out


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def say(self, name, wrong):
        self.count += 1
        print("%sok %d - %s" % ("not " if wrong else "", self.count, name))
        self.failed += bool(wrong)
        for line in wrong[:5]:
            print("# " + line)


def main():
    tap = Tap()
    for capture in sys.argv[2:]:
        name = capture.rsplit("/", 1)[-1]
        packets, frames = tshark(capture), explain(sys.argv[1], capture)
        tap.say("%s: %d frames explained" % (name, len(frames)), [] if len(packets) == len(frames) else ["not all"])
        split, count = groups_split(packets, frames, stream_of)
        tap.say("%s: each of %d streams has one CPU" % (name, count), split)
        split, count = groups_split(packets, frames, fragment_of)
        tap.say("%s: each of %d fragmented datagrams has one CPU" % (name, count), split)
        tap.say("%s: no IP packet is unclassified" % name, unclassified(packets, frames))
    print("1..%d" % tap.count)
    return 1 if tap.failed else 0


sys.exit(main())
