#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What tests ask of the kernel about BPF, and bpftool cannot do, or takes long for.

bpf.py ids PIN...                           the object of each pin: "map 12", "prog 7", "link 3"
bpf.py gone                                 wait until the objects on stdin, and the kthreads of
                                            the maps, are gone; print those that stay
bpf.py link INTERFACE PROGRAM-ID COMMAND... attach by a bpf_link that lives as long as COMMAND
"""
import ctypes
import glob
import os
import platform
import re
import socket
import struct
import subprocess
import sys
import time

BPF = {"x86_64": 321, "aarch64": 280, "riscv64": 280, "armv7l": 386, "s390x": 351, "mips": 4355,
       "mips64": 5315}[platform.machine()]
OBJ_GET, LINK_CREATE = 7, 28
GET_FD_BY_ID = {"prog": 13, "map": 14, "link": 30}
BPF_XDP = 37
PATIENCE_S = 60 if os.environ.get("VM_CELL") else 5  # an emulated guest is slow
syscall = ctypes.CDLL(None, use_errno=True).syscall


def bpf(command, attr):
    """The syscall; negative errno, not an exception, when it fails."""
    buffer = ctypes.create_string_buffer(attr, 128)
    fd = syscall(BPF, command, buffer, ctypes.sizeof(buffer))
    return fd if fd >= 0 else -ctypes.get_errno()


def ids(pins):
    for pin in pins:
        path = ctypes.create_string_buffer(pin.encode())
        fd = bpf(OBJ_GET, struct.pack("=Q", ctypes.addressof(path)))
        if fd < 0:
            sys.exit(f"{pin}: {os.strerror(-fd)}")
        with open(f"/proc/self/fdinfo/{fd}") as info:
            # A link tells its program's id, too; its own comes first.
            print(*re.search(r"^(map|prog|link)_id:\s*(\d+)", info.read(), re.M).groups())
        os.close(fd)


def has_kthread(map_id):
    """Before 5.17 the kernel cuts names: one that may be the map's is taken for it."""
    cuts = tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < (5, 17)
    for comm in glob.glob("/proc/[0-9]*/comm"):
        try:
            with open(comm) as name:
                found = re.fullmatch(r"(cpumap/\d+/map:)(\d*)\n", name.read())
                whole = found and found[1] + map_id
                if found and found[1] + found[2] == (whole[:15] if cuts else whole):
                    return True
        except OSError:
            continue  # it has just ended
    return False


def exists(kind, number):
    fd = bpf(GET_FD_BY_ID[kind], struct.pack("=I", int(number)))
    if fd >= 0:
        os.close(fd)
        return True
    return kind == "map" and has_kthread(number)


def gone(objects):
    deadline = time.monotonic() + PATIENCE_S
    while objects := [words for words in objects if exists(*words)]:
        if time.monotonic() > deadline:
            print(*(" ".join(words) for words in objects), sep="\n")
            return 1
        time.sleep(0.01)
    return 0


def link(interface, prog_id, command):
    prog = bpf(GET_FD_BY_ID["prog"], struct.pack("=I", int(prog_id)))
    made = bpf(LINK_CREATE, struct.pack("=III", prog, socket.if_nametoindex(interface), BPF_XDP))
    if made < 0:
        sys.exit(f"no link of program {prog_id} on {interface}: {os.strerror(-made)}")
    return subprocess.run(command, check=False).returncode


match sys.argv[1:]:
    case ["ids", *pins]:
        ids(pins)
    case ["gone"]:
        sys.exit(gone({tuple(line.split()) for line in sys.stdin if line.strip()}))
    case ["link", interface, prog_id, *command]:
        sys.exit(link(interface, prog_id, command))
    case _:
        sys.exit(__doc__)
