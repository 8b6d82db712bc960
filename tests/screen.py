"""screen.py - run a program at a terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

END = b"\0the program has ended\0"


def has_terminals():
    """Whether the system has pseudo-terminals."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def at_terminal(command, rows=24, columns=80, saw=None, **how):
    """Run a command with a terminal as standard output, and as standard error
    unless `how` says otherwise: the exit status, what the terminal shows and
    what is in the pipe of standard error.  saw(child, text) is called after
    every piece of output.

    The kernel may drop the last output of a program when the last descriptor of
    the terminal is closed.  So the terminal stays open until a mark that is
    written after the program has ended arrives."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ,
                struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs,
                             **{"stderr": theirs, **how})
    errors = []

    def wait():
        if child.stderr:
            errors.append(child.stderr.read())
        child.wait()
        os.write(theirs, END)

    waiting = threading.Thread(target=wait)
    waiting.start()
    text = b""
    while not text.endswith(END):
        text += os.read(ours, 65536)
        if saw:
            saw(child, text)
    waiting.join()
    os.close(theirs)
    os.close(ours)
    text = text[:-len(END)].decode(errors="replace").replace("\r\n", "\n")
    return child.returncode, text, b"".join(errors).decode()
