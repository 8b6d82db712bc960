#!/usr/bin/env python3
"""faults.t - for each command, some system calls fail, some kill the process,
and some are followed by a power failure.  tests/abuse/faults.t, kills.t and
power.t try all of them."""

import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import ended, ok, skip  # noqa: E402
from fault_jobs import make_jobs  # noqa: E402
from faulty import (ONCE, SANITIZED, Fault, available, faults_of, kills_of,  # noqa: E402
                    summary, tree, try_all)
from power_loss import Directory, File  # noqa: E402

SEED = int(os.environ.get("FAULT_SEED") or random.randrange(10**6))
FAULTS, KILLS = 16, 4           # per job
draw = random.Random(SEED)
print(f"# FAULT_SEED={SEED}", flush=True)
JOBS = ["index jsonl", "count batches", "count again", "merge rows",
        "add documents", "export replaces two", "pair c.cooc tea coffee",
        "dump x.npz"]
REGRESSIONS = ["index lines", "index tsv", "index --force", "export npz"]

why = available()
if why:
    skip("faults", why)
    ended()
jobs = {job.name: job for job in make_jobs("jobs", JOBS + REGRESSIONS)}
for name in JOBS:
    job = jobs[name].learn()
    kinds = [k for k in ONCE if job.calls[k]]
    some = [draw.choice([f for f in faults_of(job, [k])]) for k in kinds]
    rest = list(faults_of(job, [k for k in kinds if k != "memory"]))
    some += draw.sample(rest, max(0, min(FAULTS - len(some), len(rest))))
    wrong, hits = try_all(job.judge, some)
    kills = list(kills_of(job))
    more, killed = try_all(job.judge_kill,
                           draw.sample(kills, min(KILLS, len(kills))))
    ok(not wrong and not more and sum(hits.values()) > 0,
       f"{name} survives failures of {summary(hits)} and "
       f"{sum(killed.values())} kills",
       *wrong, *more)

# ---- regressions


def without_memory():
    """Libraries that do not check their allocations."""
    job = jobs["index tsv"].learn()
    last = job.calls["memory"]
    for name, first, end, step in (
            ("readers without memory neither crash nor forget a format",
             50, last // 4, 1),
            ("a manifest without memory for its keys is not written",
             last - 30, last, 1)):
        wrong, hits = try_all(job.judge, [
            Fault("memory", n, ONCE["memory"][0])
            for n in range(first, end + 1, step)])
        ok(not wrong and hits["memory"] > 10, name, *wrong)

    job = jobs["index lines"].learn()
    wrong, hits = try_all(job.judge, [
        Fault("memory", n, ONCE["memory"][0])
        for n in range(130, job.calls["memory"] - 60, 29)])
    ok(not wrong and hits["memory"] > 10,
       "ICU splits words the same when memory "
       "runs out", *wrong)


if SANITIZED:
    skip("libraries without memory", "a sanitizer needs memory of its own")
else:
    without_memory()
job = jobs["index lines"].learn()
wrong, hits = try_all(job.judge, [
    Fault("open", 2, e) for e in ONCE["open"]] + [
    Fault("look", n, ONCE["look"][0]) for n in range(5, 9)])
ok(not wrong and hits["open"] == 3, "a directory that cannot be locked is "
   "removed", *wrong)
at = job.place()
done = job.run(at, Fault("sync", job.calls["sync"], ONCE["sync"][0]))
ok(done.returncode == 1 and tree(at) == job.before, "a store with a name that "
   "cannot be synced is removed", done, sorted(tree(at)))

job = jobs["index --force"].learn()
calls, trees, wrong = job.lose_power(first=-25)
ok(not wrong and trees > 1, f"each of {trees} power failures while a store "
   "replaces another leaves one of both", *wrong[:5])
for name in ("export npz", "export replaces two"):
    calls, trees, wrong = jobs[name].learn().lose_power()
    ok(not wrong and trees > 1, f"{name}: {trees} power failures never leave "
       "files of two exports", *wrong[:5])
# Check that the test detects errors: no store and no export is safe on a disk
# that loses synced data.
for name in ("index --force", "export npz"):
    for what in (File, Directory):
        calls, trees, wrong = jobs[name].lose_power(first=-25, lies=what)
        ok(any(": call " in w for w in wrong) and
           any(" was lost: " in w for w in wrong),
           f"{name}: a missing sync of each {what.__name__.lower()} is "
           "detected, during the run and after its end", trees, *wrong[:5])
ended()
