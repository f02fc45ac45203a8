#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""unpack.py HOST.txt DIRECTORY: a captured host from one text to the folder that --host takes.

== PATH              the lines that follow are the file
== PATH -> NAME      a symbolic link
== PATH hex          the lines that follow are bytes (a device tree's cells)
== PATH = TEXT       a file of one line
A path may have a range, cpu{0-3}: a file each.
"""
import os
import re
import sys


def paths(path):
    found = re.search(r"\{(\d+)-(\d+)\}", path)
    if not found:
        return [path]
    first, last = int(found[1]), int(found[2])
    return [path[:found.start()] + str(n) + path[found.end():] for n in range(first, last + 1)]


def write(directory, head, lines):
    path, _, target = head.partition(" -> ")
    path, _, line = path.partition(" = ")
    text = (line + "\n" if line else "".join(lines)).encode()
    if path.endswith(" hex"):
        path, text = path[:-4], bytes.fromhex("".join(lines))
    for one in paths(path):
        where = os.path.join(directory, one)
        os.makedirs(os.path.dirname(where), exist_ok=True)
        if target:
            os.symlink(target, where)
        else:
            with open(where, "wb") as out:
                out.write(text)


def main(name, directory):
    head, lines = None, []
    for line in open(name):
        if not line.startswith("== "):
            lines.append(line)
            continue
        if head:
            write(directory, head, lines)
        head, lines = line[3:].strip(), []
    write(directory, head, lines)


main(*sys.argv[1:])
