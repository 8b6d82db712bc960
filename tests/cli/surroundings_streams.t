#!/usr/bin/env python3
"""surroundings_streams.t - standard streams that are closed, full, broken or
not a terminal, and signals: no crash, no incomplete file, the right status.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import (left_over, same, stop_in,  # noqa: E402
                   write_collection)
from tap import COOC, DATA, cooc, ended, ok  # noqa: E402



def start(*args, **how):
    how.setdefault("stdin", subprocess.DEVNULL)
    how.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([COOC, *args], **how)


def head(*args, **how):
    """cooc | head -1: exit status, first line and standard error."""
    child = start(*args, stdout=subprocess.PIPE, **how)
    line = child.stdout.readline()
    child.stdout.close()
    said = child.stderr.read()
    return child.wait(), line, said


def shell(command):
    """Run a command line: exit status and standard error."""
    done = subprocess.run(["sh", "-c", command.replace("cooc ", '"$COOC" ', 1)],
                          env=dict(os.environ, COOC=COOC),
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL)
    return done.returncode, done.stderr.decode()


made = subprocess.run([sys.executable, DATA + "/collection.py", "400", "3000",
                       "30"], stdout=subprocess.PIPE, check=True).stdout
with open("many.txt", "wb") as f:
    f.write(made)
cooc("count", "many.txt", "-o", "s.cooc", "-q")

# ---- a pipe that is closed early

LONG = [["export", "s.cooc"], ["export", "s.cooc", "--format", "raw"],
        ["pairs", "s.cooc", "-n0"], ["terms", "s.cooc", "-n0"],
        ["top", "s.cooc", "w0", "-n0"], ["docs", "s.cooc", "w0"]]
for args in LONG[:3]:
    status, line, said = head(*args)
    ok(status == -signal.SIGPIPE and line and not said,
       f"{' '.join(args)}: a broken pipe ends it without a message", status,
       said)
# Python or a parent process may have ignored SIGPIPE.
for args in LONG:
    status, line, said = head(
        *args, restore_signals=False, preexec_fn=lambda:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN))
    short = status == 0     # everything was already in the pipe
    ok(line and (short or (status == 1 and said == b"cooc: cannot write to "
                           b"standard output: Broken pipe\n")),
       f"{' '.join(args)}: a broken pipe is an error if SIGPIPE is ignored",
       status, said)

# ---- closed and full

for command, status in (
        ("cooc stats s.cooc <&- >&- 2>&-", 1), ("cooc check s.cooc -q <&-", 0),
        ("cooc export s.cooc -o x.tsv -q <&- >&- 2>&-", 0),
        ("cooc index many.txt -o c.cooc -q -f <&- >&- 2>&-", 0),
        ("cooc count c.cooc -q <&- >&- 2>&-", 0),
        ("cooc --help >/dev/full", 1), ("cooc top s.cooc w0 >/dev/full", 1),
        ("cooc pair s.cooc w0 w1 2>/dev/full", 0),
        ("cooc none 2>/dev/full", 2), ("cooc stats none.cooc 2>/dev/full", 1),
        ("cooc export s.cooc >/dev/full", 1),
        ("cooc export s.cooc --format raw >/dev/full", 1),
        ("cooc export s.cooc -o /dev/full", 1),
        ("cooc index many.txt -o e.cooc -f >/dev/full", 1)):
    got = shell(command)
    ok(got[0] == status and ("/dev/full" not in command or "2>" in command
                             or "No space left" in got[1] or
                             "the disk is full" in got[1]),
       f"'{command}' exits with {status}", got)
ok(same("c.cooc", "s.cooc"), "a store made without any stream is the same")
ok(shell("cooc index - -o f.cooc <&-")[0] == 1 and
   not os.path.exists("f.cooc"), "a closed standard input is an error")
ok(shell("cooc index - -o f.cooc </tmp")[0] == 1 and
   not os.path.exists("f.cooc"), "a directory as standard input is an error")

# ---- without a terminal

done = subprocess.run([COOC, "count", "many.txt", "-o", "t.cooc"],
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, start_new_session=True)
ok(done.returncode == 0 and b"\r" not in done.stderr and
   b"\x1b" not in done.stdout + done.stderr,
   "without a terminal no progress is drawn", done.stderr)

# ---- signals

write_collection("docs.txt", documents=1500)
cooc("index", "docs.txt", "-o", "indexed.cooc", "-q")
cooc("count", "docs.txt", "-o", "s2.cooc", "-q")
write_collection("more.txt", documents=1500, seed=2)
cooc("count", "more.txt", "-o", "s3.cooc", "-q")
COUNT = ["count", "indexed.cooc", "-f", "-j1", "--method", "list-scan"]
OLD = "a file of old\n"


def stop_export(number, wait, *args):
    """Send the signal wait seconds after the first temporary file appears;
    return the status and standard error."""
    with open("out.mtx", "w") as f:
        f.write(OLD)
    child = start(*args, stdout=subprocess.DEVNULL)
    while not left_over(".") and child.poll() is None:
        time.sleep(0.001)
    time.sleep(wait)
    child.send_signal(number)
    said = child.stderr.read().decode()
    status = child.wait()
    with open("out.mtx") as f:
        if status and f.readline() != OLD:
            said += "but out.mtx has changed"
    return status, said


def stop_merge(number, wait):
    """Send the signal to a merge wait seconds after its store appears."""
    shutil.rmtree("m.cooc", ignore_errors=True)
    child = start("merge", "s2.cooc", "s3.cooc", "-o", "m.cooc", "-j1",
                  stdout=subprocess.DEVNULL)
    while not os.path.exists("m.cooc.part") and child.poll() is None:
        time.sleep(0.001)
    time.sleep(wait)
    child.send_signal(number)
    said = child.stderr.read().decode()
    return child.wait(), said


# Each job waits until signals are caught, so that no signal kills it.
JOBS = {"index": lambda number, wait: stop_in(
            "reading", number, wait, "index", "docs.txt", "-o", "i.cooc",
            "-f", "-j1")[::2],
        "count": lambda number, wait: stop_in("counting", number, wait,
                                              *COUNT)[::2],
        "export": lambda number, wait: stop_export(
            number, wait, "export", "s2.cooc", "-o", "out.mtx", "--format",
            "mtx"),
        "merge": stop_merge}
SAID = {"index": "cooc: interrupted; nothing was stored\n",
        "count": r"cooc: interrupted( at \d+%)?; .*\n",
        "export": "cooc: interrupted; nothing was exported\n",
        "merge": "(cooc: .* increments? to count; .*\n)?"
                 "cooc: interrupted; nothing was stored\n"}
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # undo nohup
for name, job in JOBS.items():
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        wrong, stopped = [], 0
        # On a busy machine some signals may come too late, but not all.
        for wait in (0.1, 0.02, 0, 0, 0, 0, 0, 0):
            status, said = job(number, wait)
            stopped += status == 128 + number
            if status and (status != 128 + number or
                           not re.fullmatch(SAID[name], said)):
                wrong.append(f"{wait}: {status} {said}")
            if there := left_over(".", "i.cooc", "indexed.cooc"):
                wrong.append(f"{wait}: {there}")
            if wrong or (stopped and wait == 0):
                break
        ok(stopped and not wrong,
           f"{number.name} ends {name} and leaves nothing behind", stopped,
           wrong)
status, now, said = stop_in(
    "counting", signal.SIGHUP, 0, *COUNT, preexec_fn=lambda:
    signal.signal(signal.SIGHUP, signal.SIG_IGN))
ok(status == 0, "SIGHUP is ignored under nohup", said)
cooc("count", "indexed.cooc", "-f", "-q")
ok(same("indexed.cooc", "s2.cooc"),
   "a count after signals makes the same bytes")
ended()
