#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Attach an XDP program by a bpf_link, as no command line tool of Debian 12 can.

xdp_link.py INTERFACE PROGRAM-ID COMMAND...

The link lives as long as COMMAND runs.
"""
import ctypes
import os
import platform
import socket
import struct
import subprocess
import sys

BPF = {"x86_64": 321, "aarch64": 280, "riscv64": 280, "armv7l": 386}[platform.machine()]
PROG_GET_FD_BY_ID, LINK_CREATE, BPF_XDP = 13, 28, 37
syscall = ctypes.CDLL(None, use_errno=True).syscall


def bpf(command, *words):
    attr = struct.pack(f"={len(words)}I", *words).ljust(64, b"\0")
    fd = syscall(BPF, command, attr, len(attr))
    if fd < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), f"bpf({command})")
    return fd


program = bpf(PROG_GET_FD_BY_ID, int(sys.argv[2]))
link = bpf(LINK_CREATE, program, socket.if_nametoindex(sys.argv[1]), BPF_XDP)
sys.exit(subprocess.run(sys.argv[3:], check=False).returncode)
