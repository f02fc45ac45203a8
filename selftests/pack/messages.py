#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""messages.py FILE...: the sentences of fail(), because() and warn(), as a user sees them.

One a line; what is filled in is "…", and so is the interface in front.
"""
import re
import sys

CALL = re.compile(r"\b(fail|because|warn)\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
FILLED = re.compile(r"%[-0 #]*[0-9.*]*(?:hh|h|ll|l|j|z)?[a-zA-Z]")


def arguments(text, at):
    """The text between the parentheses that open before at."""
    depth, end, quoted = 1, at, False
    while depth:
        char = text[end]
        if char == "\\" and quoted:
            end += 1
        elif char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char == "(") - (char == ")")
        end += 1
    return text[at:end - 1]


def sentences(text):
    """The string literals of the calls; neighbours are one, macros in between are filled in."""
    for call in CALL.finditer(text):
        inside = arguments(text, call.end())
        literals = list(LITERAL.finditer(inside))
        if not literals:
            continue
        said, end = "", literals[0].start()
        for literal in literals:
            between = inside[end:literal.start()].strip()
            if re.search(r"[,?:()]", between):
                # Behind a comma, it is no format any more; "a ? b : c" is two formats.
                if between.strip() != ":":
                    break
                yield said
                said = ""
            elif between:
                said += "%s"
            said += literal.group(1)
            end = literal.end()
        yield said


def main():
    found = set()
    for name in sys.argv[1:]:
        with open(name) as source:
            text = re.sub(r"/\*.*?\*/", "", source.read(), flags=re.S)
        for said in sentences(text):
            said = FILLED.sub("…", said.replace("%%", "\0")).replace("\0", "%").replace('\\"', '"')
            said = re.sub("(… ?)*…", "…", said)
            found.add(re.sub("^…: ", "", said))
    print("\n".join(sorted(found)))


main()
