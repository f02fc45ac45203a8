# SPDX-License-Identifier: GPL-2.0
"""zsh_tab.py FOLDER LINE: what zsh, with the completions of the folder, makes of LINE and a tab."""
import os
import pty
import re
import select
import sys
import tempfile
import time

RC = """
unsetopt zle_bracketed_paste
PS1='ready> ' fpath=({folder} $fpath)
autoload -Uz compinit && compinit -u -D
show() {{ print -r -- "<<$BUFFER>>"; exit }}
zle -N show && bindkey '^X' show
"""


def read_until(fd, pattern, seconds=20):
    """What the terminal says up to the pattern, or to the end of patience."""
    said, end = b"", time.monotonic() + seconds
    while not re.search(pattern, said) and time.monotonic() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                said += os.read(fd, 4096)
            except OSError:
                break
    return said


def main(folder, line):
    with tempfile.TemporaryDirectory() as home:
        with open(f"{home}/.zshrc", "w") as rc:
            rc.write(RC.format(folder=folder))
        pid, fd = pty.fork()
        if pid == 0:
            os.environ.update(ZDOTDIR=home, TERM="dumb")
            os.execvp("zsh", ["zsh", "-d", "-i"])
        read_until(fd, b"ready> ")
        os.write(fd, line.encode() + b"\t\x18")
        said = read_until(fd, rb"<<[^\n]*>>").decode(errors="replace")
        os.close(fd)
        os.waitpid(pid, 0)
    made = re.search(r"<<(.*)>>", said)
    print(made.group(1).rstrip() if made else f"nothing: {said!r}")


main(*sys.argv[1:])
