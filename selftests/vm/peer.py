#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""peer.py COMMAND...: runs the emulator with somebody to talk to behind its user network, at 10.0.2.2.

TCP port 7001: a digest, then the bytes that have it. UDP port 7002: echo. In a network namespace of their own,
where the peer may listen on the loopback without meeting the machine's services.
"""
import ctypes
import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading

BYTES = 500000
PR_SET_PDEATHSIG = 1


def send(connection):
    data = os.urandom(BYTES)
    with connection:
        try:
            connection.sendall(hashlib.sha256(data).digest() + data)
        except OSError:
            pass  # the guest will miss it


def echo(sock):
    while True:
        data, address = sock.recvfrom(2048)
        sock.sendto(data, address)


def serve(parent):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit()
    udp = socket.socket(type=socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 7002))
    threading.Thread(target=echo, args=(udp,), daemon=True).start()
    tcp = socket.create_server(("127.0.0.1", 7001), backlog=64)
    while True:
        threading.Thread(target=send, args=(tcp.accept()[0],), daemon=True).start()


subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
emulator = os.getpid()
if os.fork() == 0:
    serve(emulator)
os.execvp(sys.argv[1], sys.argv[1:])
