#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""notify.py SOCKET: what a service sends to its manager (sd_notify), a line a datagram."""
import socket
import sys

manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(sys.argv[1])
while True:
    print(manager.recv(4096).decode().replace("\n", " | "), flush=True)
