#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""fetch.py STREAMS PORTS: from peer.py, TCP streams and UDP echoes; how many arrived whole, and on which CPUs."""
import hashlib
import json
import socket
import sys
import threading

PEER = "10.0.2.2"
SO_INCOMING_CPU = 49
PATIENCE_S = 30


def read_stream(got):
    cpus, data = set(), b""
    try:
        with socket.create_connection((PEER, 7001), PATIENCE_S) as sock:
            while part := sock.recv(65536):
                data += part
                cpus.add(sock.getsockopt(socket.SOL_SOCKET, SO_INCOMING_CPU))
    except OSError as error:
        print(f"# {error}", file=sys.stderr)
    got.append((hashlib.sha256(data[32:]).digest() == data[:32], cpus))


def count_echoes(ports):
    echoes, cpus = 0, {}
    for port in range(ports):
        with socket.socket(type=socket.SOCK_DGRAM) as sock:
            sock.settimeout(5)
            sock.connect((PEER, 7002))
            for _ in range(3):  # slirp may lose one; it is not what is tested
                sock.send(b"%d" % port)
                try:
                    sock.recv(2048)
                except OSError:
                    continue
                cpu = sock.getsockopt(socket.SOL_SOCKET, SO_INCOMING_CPU)
                echoes += 1
                cpus[cpu] = cpus.get(cpu, 0) + 1
                break
    return echoes, cpus


got = []
threads = [threading.Thread(target=read_stream, args=(got,)) for _ in range(int(sys.argv[1]))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
echoes, udp_cpus = count_echoes(int(sys.argv[2]))
print(json.dumps({"intact": sum(whole for whole, _ in got), "tcp_cpus": sorted(set().union(*(cpus for _, cpus in got))),
                  "echoes": echoes, "udp_cpus": {str(cpu): udp_cpus[cpu] for cpu in sorted(udp_cpus)}}))
