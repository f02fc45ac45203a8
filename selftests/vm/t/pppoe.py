#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""pppoe.py DEVICE PEER-MAC SESSION: a PPPoE session without discovery and negotiation, as long as stdin is open.

Prints the name of the ppp interface it makes, in the network namespace it runs in.
"""
import ctypes
import fcntl
import os
import struct
import sys

AF_PPPOX, PX_PROTO_OE, SOCK_STREAM = 24, 0, 1
PPPIOCGCHAN, PPPIOCATTCHAN, PPPIOCCONNECT = 0x80047437, 0x40047438, 0x4004743A
PPPIOCNEWUNIT, PPPIOCSNPMODE = 0xC004743E, 0x4008744B
PPP_IP, NPMODE_PASS = 0x21, 0


def number(fd, request, value):
    return struct.unpack("i", fcntl.ioctl(fd, request, struct.pack("i", value)))[0]


device, mac, session = sys.argv[1:4]
libc = ctypes.CDLL(None, use_errno=True)
sock = libc.socket(AF_PPPOX, SOCK_STREAM, PX_PROTO_OE)
address = struct.pack("=HI", AF_PPPOX, PX_PROTO_OE) + struct.pack(
    "!H6s16s", int(session), bytes.fromhex(mac.replace(":", "")), device.encode())
if sock < 0 or libc.connect(sock, address, len(address)):
    sys.exit(f"pppoe.py: {os.strerror(ctypes.get_errno())}")
channel_number = number(sock, PPPIOCGCHAN, 0)
channel = os.open("/dev/ppp", os.O_RDWR)
number(channel, PPPIOCATTCHAN, channel_number)
unit = os.open("/dev/ppp", os.O_RDWR)
unit_number = number(unit, PPPIOCNEWUNIT, -1)
number(channel, PPPIOCCONNECT, unit_number)
fcntl.ioctl(unit, PPPIOCSNPMODE, struct.pack("ii", PPP_IP, NPMODE_PASS))
print(f"ppp{unit_number}", flush=True)
sys.stdin.read()
