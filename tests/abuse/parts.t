#!/usr/bin/env python3
"""parts.t - a part, or the count that finishes parts, is killed at each of its
file operations, or the operation fails: the next count makes the same bytes.

    make abuse ABUSE=parts
"""

import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
if os.access("/dev/shm", os.W_OK):
    os.environ["TMPDIR"] = "/dev/shm"
from tap import cooc, ended, ok, run, skip  # noqa: E402
from faulty import FAULTS, KILLED, ONCE, Fault, available  # noqa: E402
from parts import same  # noqa: E402

why = available()
if why:
    skip("killed at operations", why)
    ended()
    sys.exit()
with open("docs.txt", "w") as f:
    for i in range(300):
        f.write(f"a{i % 3} b{i % 7} c{i % 50} d{i % 90} e{i}\n")
cooc("index", "docs.txt", "-o", "indexed.cooc", "-q")
ROWS = ["--rows", "compact", "--compact-df", "4"]
shutil.copytree("indexed.cooc", "want.cooc")
cooc("count", "want.cooc", "-q", *ROWS)
shutil.copytree("indexed.cooc", "parts.cooc")
cooc("count", "parts.cooc", "-q", "--part", "1/1", *ROWS)
LIMIT = 2000


def attempt(start, args, fault):
    """Whether the fault was hit, and what is wrong afterwards."""
    shutil.rmtree("c.cooc", ignore_errors=True)
    shutil.copytree(start, "c.cooc")
    env = dict(os.environ, LD_PRELOAD=FAULTS, FAULT_LOG="log",
               **fault.environment())
    open("log", "w").close()
    done = run("count", "c.cooc", "-q", *args, *ROWS, env=env)
    wrong = []
    if done.returncode not in (0, 1, -9):
        wrong.append(done)
    if run("check", "c.cooc", "-q").returncode:
        wrong.append("damaged")
    status = run("count", "c.cooc", "--status", "--json")
    if status.returncode:
        wrong.append(status)
    again = run("count", "c.cooc", "-q", *ROWS)
    counted = again.returncode == 1 and b"already counted" in again.stderr
    if (again.returncode and not counted) or not same("c.cooc", "want.cooc"):
        wrong.append((again, sorted(os.listdir("c.cooc"))))
    return done, wrong


for name, start, args in (("a part", "indexed.cooc", ["--part", "1/1"]),
                          ("the same part again", "parts.cooc",
                           ["--part", "1/1"]),
                          ("the count of finished parts", "parts.cooc", [])):
    tried, wrong = 0, []
    for kind in KILLED:
        for n in range(1, LIMIT):
            fault = Fault(kind, n, "kill")
            done, bad = attempt(start, args, fault)
            wrong += [(str(fault), b) for b in bad]
            tried += done.returncode == -9
            if done.returncode != -9:
                break
    ok(tried > 5 and not wrong, f"{name} is killed at {tried} operations",
       *wrong[:5])
    tried, wrong = 0, []
    for kind in ONCE:
        if kind == "memory":
            continue
        for how in ONCE[kind]:
            quiet = 0
            for n in range(1, LIMIT):
                fault = Fault(kind, n, how)
                done, bad = attempt(start, args, fault)
                wrong += [(str(fault), b) for b in bad]
                tried += 1
                quiet = quiet + 1 if done.returncode == 0 else 0
                if quiet > 12:  # beyond the last, or harmless
                    break
    ok(not wrong, f"{tried} operations of {name} fail", *wrong[:5])
ended()
