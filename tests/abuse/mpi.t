#!/usr/bin/env python3
"""mpi.t - ranks are killed at random moments, or stopped for nine tenths of the
time; mpirun itself is killed or interrupted.  The same command then makes the
same bytes.

    make abuse ABUSE=mpi
    KILL_SEED=7 KILLS=20 ...    repeat the moments; number of kills
"""

import os
import random
import shutil
import signal
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import cooc, ended, ok, run  # noqa: E402
from parts import parts, same, write_collection  # noqa: E402
from ranks import (children, end_of, mpirun, need_mpi, start,  # noqa: E402
                   stats, wait_for_ranks)

need_mpi()
SEED = int(os.environ.get("KILL_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("KILLS") or 24)
draw = random.Random(SEED)
print(f"# KILL_SEED={SEED}", flush=True)
write_collection("docs.txt")
SLOW = ["--rows", "full", "--method", "naive", "-j1"]
COMMAND = ["count", "docs.txt", "-o", "n.cooc", *SLOW]
cooc("count", "docs.txt", "-o", "want.cooc", "-q", "--rows", "full")


def clean():
    for path in ("n.cooc", "n.cooc.part", ".n.cooc.parts"):
        shutil.rmtree(path, ignore_errors=True)


def alive():
    """Processes of killed jobs that still run here."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/cwd") == os.getcwd() and \
                    "cooc-mpi" in open(f"/proc/{pid}/comm").read():
                found.append(int(pid))
        except OSError:
            pass
    return found


def wait_until_dead():
    end = time.monotonic() + 30
    while alive() and time.monotonic() < end:
        time.sleep(0.05)
    left = alive()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return not left


def left_over():
    return [n for n in os.listdir(".") if n.startswith(".") or
            n.endswith(".part")] + \
        [n for n in os.listdir("n.cooc") if n.startswith(".")]


clean()
begin = time.monotonic()
done = mpirun(3, *COMMAND, "-q")
whole = time.monotonic() - begin
ok(done.returncode == 0 and same("n.cooc", "want.cooc"), "3 ranks count",
   done.stderr.decode())

# ---- kills

TARGETS = ("a rank", "rank 0", "mpirun", "Ctrl-C")
wrong, hits, kept, states = [], 0, 0, {"parts": 0, "counting": 0}
for i in range(KILLS):
    clean()
    ranks = draw.choice((1, 2, 3, 5))
    what = TARGETS[i % len(TARGETS)]
    moment = draw.uniform(0, (0.2, 0.95)[i // len(TARGETS) % 2] * whole)
    where = f"{i}: {what} of {ranks} after {moment:.3f} s"
    child = start(ranks, *COMMAND)
    found = wait_for_ranks(child, ranks)
    time.sleep(moment)
    if what == "Ctrl-C":
        child.send_signal(signal.SIGINT)
    elif what == "mpirun":
        child.kill()
    elif found:
        target = found[0] if what == "rank 0" else draw.choice(found)
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            pass                # it had finished
    status, err = end_of(child)
    if status is None:
        wrong.append(f"{where}: hangs: {err}")
    if not wait_until_dead():
        wrong.append(f"{where}: ranks are left")
    hits += status != 0
    before = {}
    if os.path.exists("n.cooc"):
        if run("check", "n.cooc", "-q").returncode:
            wrong.append(f"{where}: the store is damaged")
        before = parts("n.cooc")
        states["counting"] += status != 0
    elif os.path.exists(".n.cooc.parts"):
        states["parts"] += 1
    # Ranks may finish although mpirun was killed.
    complete = os.path.exists("n.cooc") and same("n.cooc", "want.cooc")
    done = mpirun(draw.choice((1, 2, 3, 5)), *COMMAND)
    if status == 0 or complete:
        good = done.returncode == 1 and b"already" in done.stderr
    else:
        good = done.returncode == 0
    after = parts("n.cooc") if os.path.exists("n.cooc") else {}
    if any(after.get(n) != before[n] for n in before):
        wrong.append(f"{where}: a finished row file was counted again")
    kept += len(before) if status else 0
    if not good or not same("n.cooc", "want.cooc") or left_over():
        wrong.append(f"{where}: {err}, then {done}, {os.listdir('.')}, "
                     f"{os.listdir('n.cooc')}")
ok(not wrong, f"the same command continues after {hits} of {KILLS} kills",
   *wrong)
ok(hits > KILLS / 2 and kept > 0, f"{kept} finished row files were kept",
   hits, kept)
print(f"# {hits} of {KILLS} jobs were killed, {states['parts']} while indexing,"
      f" {states['counting']} while counting; {kept} row files were kept")

# ---- a rank that is stopped for nine tenths of the time

clean()
child = start(3, *COMMAND, "--stats-json", "stats.json")
found = wait_for_ranks(child, 3)
slow = 0
with open(f"/proc/{found[2]}/environ", "rb") as f:
    for entry in f.read().split(b"\0"):
        if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
            slow = int(entry.split(b"=")[1])
begin = time.monotonic()
while child.poll() is None and time.monotonic() - begin < 60:
    for number, seconds in ((signal.SIGSTOP, 0.18), (signal.SIGCONT, 0.02)):
        if found[2] in children(child.pid):
            os.kill(found[2], number)
        time.sleep(seconds)
if child.poll() is None and found[2] in children(child.pid):
    os.kill(found[2], signal.SIGCONT)
status, err = end_of(child)
ok(status == 0 and same("n.cooc", "want.cooc") and not left_over(),
   "a rank that is stopped for nine tenths of the time does no harm", status,
   err)
each = stats()["per_rank"]
print("# units made by rank: " + ", ".join(
    f"{r['units']}{' (stopped)' if r['rank'] == slow else ''}" for r in each))
ok(each[slow]["units"] <= min(r["units"] for r in each),
   "the other ranks take over its work", each)
ended()
