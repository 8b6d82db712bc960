#!/usr/bin/env python3
"""merge_kill.t - merge and add after a kill at any moment, an interrupt, or on
a full disk leave a complete store or none, the old store or the new one."""

import os
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import kill_after, same, timed  # noqa: E402
from tap import COOC, DATA, cooc, ended, ok, run, skip  # noqa: E402

ROUNDS = 12
WAYS = [["--pairs-from", "rows", "--batch-pairs", "50000"],
        ["--pairs-from", "documents"]]


def leftovers(store):
    """Files with the name of the store as prefix, without the store."""
    return [n for n in os.listdir(".") if n.startswith(store) and n != store]


def locked(store):
    """Whether a process has locked the store to write it."""
    with open("/proc/locks") as f:
        return any(line.split()[5].endswith(f":{os.stat(store).st_ino}")
                   for line in f)


def write_documents(name, *numbers):
    with open(name, "wb") as f:
        f.write(subprocess.run([sys.executable, DATA + "/collection.py",
                                *map(str, numbers)], stdout=subprocess.PIPE,
                               check=True).stdout)


write_documents("a.txt", 900, 4000, 60)
write_documents("b.txt", 400, 6000, 60)
for name in "ab":
    cooc("count", name + ".txt", "-o", name + ".cooc", "-q")
cooc("count", "a.txt", "b.txt", "--format", "lines", "-o", "want.cooc", "-q")

# ---- merge

wrong, killed = [], 0
for way in WAYS:
    seconds = min(timed("merge", "a.cooc", "b.cooc", "-o", "m.cooc", "-q",
                        "-f", *way) for _ in range(3))
    shutil.rmtree("m.cooc")
    for i in range(ROUNDS):
        killed += kill_after(seconds * (i + 0.5) / ROUNDS, "merge", "a.cooc",
                             "b.cooc", "-o", "m.cooc", "-q", *way)
        if os.path.exists("m.cooc") and not same("m.cooc", "want.cooc"):
            wrong.append(f"{way} round {i}: incomplete store")
        done = run("merge", "a.cooc", "b.cooc", "-o", "m.cooc", "-q", "-f",
                   *way)
        if done.returncode or not same("m.cooc", "want.cooc"):
            wrong.append(f"{way} round {i}: the next run: {done}")
        if leftovers("m.cooc"):
            wrong.append(f"{way} round {i}: left {leftovers('m.cooc')}")
        shutil.rmtree("m.cooc")
ok(killed > ROUNDS, f"merge was killed ({killed} times)")
ok(not wrong, "a killed merge leaves a complete store or none, and the same "
   "command repeats it", *wrong)

# ---- add

wrong, killed, grown = [], 0, 0
for way in WAYS:
    seconds = float("inf")
    for i in range(3):  # after a slow run, no later one would be killed
        shutil.copytree("a.cooc", "g.cooc")
        seconds = min(seconds, timed("add", "g.cooc", "b.txt", "-q", *way))
        shutil.rmtree("g.cooc")
    for i in range(ROUNDS):
        shutil.copytree("a.cooc", "g.cooc")
        killed += kill_after(seconds * (i + 0.5) / ROUNDS, "add", "g.cooc",
                             "b.txt", "-q", *way)
        if not os.path.exists("g.cooc"):
            wrong.append(f"{way} round {i}: no store")
            continue
        if same("g.cooc", "want.cooc"):
            grown += 1
        elif not same("g.cooc", "a.cooc"):
            wrong.append(f"{way} round {i}: neither the old nor the new store")
        else:
            done = run("add", "g.cooc", "b.txt", "-q", *way)
            if done.returncode or not same("g.cooc", "want.cooc"):
                wrong.append(f"{way} round {i}: the next run: {done}")
            if leftovers("g.cooc"):
                wrong.append(f"{way} round {i}: left {leftovers('g.cooc')}")
        shutil.rmtree("g.cooc")
        for name in leftovers("g.cooc"):
            shutil.rmtree(name)
ok(killed > ROUNDS, f"add was killed ({killed} times)")
ok(not wrong, "a killed add leaves the old store or the new one "
   f"({grown} times), and the next run cleans up", *wrong)

# ---- Ctrl-C: the documents are in a pipe that never ends

child = subprocess.Popen([COOC, "add", "a.cooc", "-"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
shutil.copytree("a.cooc", "copy.cooc")
while not locked("a.cooc"):
    time.sleep(0.005)
done = run("add", "a.cooc", "b.txt")
ok(done.returncode == 1 and
   done.stderr.startswith(b"cooc: a.cooc: another process ") and
   done.stderr.endswith(b" is writing this store; wait until it finishes\n"),
   "two processes do not add to the same store", done)
ok(run("top", "a.cooc", "w1").returncode == 0,
   "a store can be queried during add")
child.send_signal(signal.SIGINT)
out, err = child.communicate()
ok((child.returncode, out, err) ==
   (130, b"", b"cooc: interrupted; a.cooc is unchanged\n"),
   "SIGINT ends add with 130 and reports the state of the store",
   child.returncode, err)
ok(same("a.cooc", "copy.cooc") and not leftovers("a.cooc"),
   "an interrupted add leaves the store unchanged and nothing else",
   leftovers("a.cooc"))

# ---- a full disk

os.mkdir("disk")


def size_of(store):
    return sum(os.path.getsize(f"{store}/{n}") for n in os.listdir(store))


room = size_of("a.cooc") + size_of("want.cooc") // 2
if os.geteuid() or subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room}", "cooc-test", "disk"],
        stderr=subprocess.DEVNULL).returncode:
    skip("a full disk", "a small file system cannot be mounted here")
    ended()
try:
    shutil.copytree("a.cooc", "disk/a.cooc")
    for args in (("merge", "a.cooc", "b.cooc", "-o", "disk/m.cooc"),
                 ("add", "disk/a.cooc", "b.txt")):
        done = run(*args, "-q")
        ok(done.returncode == 1 and (b"the rows need about" in done.stderr or
                                     b"the disk is full" in done.stderr) and
           b".part: the rows" not in done.stderr,
           f"{args[0]} reports that the disk is too small", done.stderr)
        done = run(*args, "-q", "--force")
        ok(done.returncode == 1 and b"the disk is full" in done.stderr,
           f"{args[0]} --force reports the full disk", done.stderr)
    ok(os.listdir("disk") == ["a.cooc"] and same("disk/a.cooc", "a.cooc"),
       "merge and add on a full disk leave everything unchanged",
       os.listdir("disk"))
finally:
    subprocess.run(["umount", "disk"])
ended()
