#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends datagrams to 192.0.2.2 from one CPU, nothing else running there; says how many.

burst.py COUNT CPU [PORTS]     in the sender's namespace

As a real-time task it is alone on the CPU: a kthread there takes no frame before the end.
"""
import os
import socket
import sys

count, cpu = int(sys.argv[1]), int(sys.argv[2])
ports = int(sys.argv[3]) if len(sys.argv) > 3 else 1
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
os.sched_setaffinity(0, {cpu})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
for i in range(count):
    out.sendto(b"x" * 18, ("192.0.2.2", 9 + i % ports))
print(count)
