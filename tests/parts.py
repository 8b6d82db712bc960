"""parts.py - a collection that is counted in several parts, for tests that
interrupt a count between the first and the last part."""

import filecmp
import json
import os
import random
import signal
import subprocess
import time

from tap import COOC, cooc

WAIT = 60       # seconds, more than any run needs


def write_collection(path, documents=2600, terms=6000, length=300, seed=1):
    """Write lines of distinct words, frequent and rare: about 100 million
    increments, which are about seven parts."""
    draw = random.Random(seed)
    words = [f"w{i}" for i in range(terms)]
    weights = [1 / (i + 60) for i in range(terms)]
    with open(path, "w") as f:
        for i in range(documents):
            some = set(draw.choices(words, weights, k=length + 60))
            f.write(" ".join(sorted(some)) + f" only{i}\n")


def same(a, b):
    """Whether two directories contain the same files with the same bytes."""
    names = sorted(os.listdir(a))
    return names == sorted(os.listdir(b)) and \
        len(filecmp.cmpfiles(a, b, names, shallow=False)[0]) == len(names)


def parts(store):
    """The finished parts: name to inode and time."""
    return {n: (os.stat(f"{store}/{n}").st_ino,
                os.stat(f"{store}/{n}").st_mtime_ns)
            for n in os.listdir(store)
            if n.startswith("rows-") and n.endswith(".bin")}


def left_over(*paths):
    """Temporary files, which must not be left behind."""
    return [f"{p}/{n}" for p in paths if os.path.isdir(p)
            for n in os.listdir(p)
            if n.endswith((".tmp", ".part")) or n.startswith("tmp-") or
            ".tmp-" in n]


def start(*args, **how):
    """Start cooc without output."""
    return subprocess.Popen([COOC, *args], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **how)


def kill_after(seconds, *args, cwd=None, group=False):
    """Start cooc and kill it, or its process group; return whether it was
    still running."""
    child = start(*args, cwd=cwd, start_new_session=group)
    time.sleep(seconds)
    if group:
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    return child.wait() < 0


def stop_in(phase, number, wait, *args, **how):
    """Send the signal wait seconds after the phase has begun: exit status, the
    last phase, the last line of stderr."""
    child = subprocess.Popen([COOC, *args, "--progress-json"],
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, **how)
    last, now = b"", ""
    for line in child.stderr:
        last = line
        if line.startswith(b"{"):
            now = json.loads(line)["phase"]
            if now == phase and number:
                time.sleep(wait)
                child.send_signal(number)
                number = 0
    return child.wait(timeout=WAIT), now, last.decode()


def timed(*args, cwd=None):
    """The run time of cooc in seconds; a failure ends the test."""
    begin = time.monotonic()
    cooc(*args, cwd=cwd)
    return time.monotonic() - begin
