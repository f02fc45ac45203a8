#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""streams.py FROM TO ADDRESS [BYTES]: four TCP streams between two network namespaces, to an address of the second.

Says how many arrived whole, and on which CPUs the receiving stack saw them.
"""
import ctypes
import hashlib
import json
import os
import socket
import sys
import threading

STREAMS = 4
SO_INCOMING_CPU = 49
PATIENCE_S = 20


def enter(netns):
    with open(f"/run/netns/{netns}", encoding="ascii") as there:
        if ctypes.CDLL(None, use_errno=True).setns(there.fileno(), 0):
            raise OSError(ctypes.get_errno(), netns)


def receive(connection, got):
    digest = hashlib.sha256()
    cpus = set()
    try:
        while data := connection.recv(65536):
            digest.update(data)
            cpus.add(connection.getsockopt(socket.SOL_SOCKET, SO_INCOMING_CPU))
    except OSError:
        pass
    got.append((digest.hexdigest(), cpus))


def main():
    source, sink, address = sys.argv[1:4]
    data = os.urandom(int(sys.argv[4]) if len(sys.argv) > 4 else 300000)
    got, threads = [], []
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    enter(sink)
    listener = socket.socket(family)
    listener.settimeout(PATIENCE_S)
    listener.bind((address, 0))
    listener.listen()
    enter(source)
    for _ in range(STREAMS):
        sender = socket.socket(family)
        sender.settimeout(PATIENCE_S)
        try:
            sender.connect(listener.getsockname()[:2])
            receiver, _ = listener.accept()
        except OSError as error:
            print(f"{address}: {error}", file=sys.stderr)
            break
        receiver.settimeout(PATIENCE_S)
        threads.append(threading.Thread(target=receive, args=(receiver, got)))
        threads.append(threading.Thread(target=lambda end=sender: (end.sendall(data), end.close())))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    want = hashlib.sha256(data).hexdigest()
    print(json.dumps({"intact": sum(digest == want for digest, _ in got),
                      "cpus": sorted(set().union(*(cpus for _, cpus in got)))}))


main()
