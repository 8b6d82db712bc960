#!/usr/bin/env python3
"""kills.t - SIGKILL in place of every write, sync, rename and so on of small
jobs, and at 240 random moments of larger jobs: files are complete, old or new,
and the same command makes the same bytes.

    make abuse ABUSE=kills
    KILL_SEED=7 KILLS=20 ...    repeat the moments; number per job
    KILL_CALLS=no ...           only random moments
"""

import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
if os.access("/dev/shm", os.W_OK):
    os.environ["TMPDIR"] = "/dev/shm"
from tap import cooc, ended, ok, skip  # noqa: E402
from fault_jobs import make_jobs  # noqa: E402
from faulty import (KILLED, KINDS, Job, available, kills_of,  # noqa: E402
                    summary, tree, try_all, unhit)
from parts import kill_after, timed, write_collection  # noqa: E402

SEED = int(os.environ.get("KILL_SEED") or random.randrange(10**6))
KILLS = int(os.environ.get("KILLS") or 20)
CALLS = os.environ.get("KILL_CALLS")
draw = random.Random(SEED)
print(f"# KILL_SEED={SEED}", flush=True)
SMALL = ["index lines", "index --force", "index part", "count bit-scan",
         "count batches",
         "count naive", "count again", "count compact again", "count parts",
          "part", "part of several row files", "part in batches",
          "count of finished parts", "count of half the parts",
          "count -o", "merge rows", "merge --force", "merge parts",
         "add rows, sorted in batches", "add with a list", "export npz",
         "export sqlite", "export replaces", "export replaces two"]
FULL = ["--rows", "full"]
BATCHES = ["--batch-postings", "40000", *FULL]
ROWS = ["--pairs-from", "rows", "--batch-pairs", "500000"]
# name, existing files, command, files that it makes, counted in place
LARGE = [
    ("index", ["a.txt"], ["index", "a.txt", "-o", "n.cooc"], ["n.cooc"], 0),
    ("index --force", ["a.txt", "b.cooc:n.cooc"],
     ["index", "a.txt", "-o", "n.cooc", "-f"], ["n.cooc"], 0),
    ("count", ["i.cooc:n.cooc"], ["count", "n.cooc", *FULL], ["n.cooc"], 1),
    ("count in batches", ["i.cooc:n.cooc"], ["count", "n.cooc", *BATCHES],
     ["n.cooc"], 1),
    ("count again", ["a.cooc:n.cooc"], ["count", "n.cooc", "-f"],
     ["n.cooc"], 1),
    ("count -o in batches", ["a.txt"],
     ["count", "a.txt", "-o", "n.cooc", *BATCHES], ["n.cooc"], 1),
    ("merge rows", ["a.cooc", "b.cooc"],
     ["merge", "a.cooc", "b.cooc", "-o", "n.cooc", *ROWS], ["n.cooc"], 0),
    ("merge documents", ["a.cooc", "b.cooc"],
     ["merge", "a.cooc", "b.cooc", "-o", "n.cooc", "--pairs-from",
      "documents"], ["n.cooc"], 0),
    ("merge parts", ["p1.cooc", "p2.cooc", "p3.cooc"],
     ["merge", "p3.cooc", "p1.cooc", "p2.cooc", "-o", "n.cooc", "--min-df",
      "3"], ["n.cooc"], 0),
    ("add rows", ["a.cooc:n.cooc", "b.txt"],
     ["add", "n.cooc", "b.txt", *ROWS], ["n.cooc"], 0),
    ("add documents", ["a.cooc:n.cooc", "b.txt"],
     ["add", "n.cooc", "b.txt", "--pairs-from", "documents"], ["n.cooc"], 0),
    ("export npz", ["b.cooc"],
     ["export", "b.cooc", "--format", "npz", "-o", "n.npz", "--symmetric"],
     ["n.npz", "n.npz.terms.txt"], 0),
    ("export sqlite", ["b.cooc"],
     ["export", "b.cooc", "--format", "sqlite", "-o", "n.sqlite",
      "--top-terms", "300"], ["n.sqlite"], 0),
]


def make_large():
    os.mkdir("large")
    write_collection("large/a.txt", documents=600)
    write_collection("large/b.txt", documents=100, seed=2)
    cooc("index", "large/a.txt", "-o", "large/i.cooc", "-q")
    for i in "123":
        cooc("index", "large/a.txt", "--part", f"{i}/3", "-o",
             f"large/p{i}.cooc", "-q")
    for name in "ab":
        cooc("count", f"large/{name}.txt", "-o", f"large/{name}.cooc", "-q",
             *FULL)
    for i, (name, start, args, makes, grows) in enumerate(LARGE):
        here = f"large/{i:02}"
        os.mkdir(here)
        for item in start:
            source, _, target = item.partition(":")
            copy = shutil.copytree if source.endswith(".cooc") else \
                shutil.copy
            copy(f"large/{source}", f"{here}/{target or source}")
        yield Job(name, here, [*args, "-q"], makes, grows=bool(grows),
                  pair=len(makes) == 2)


def kill_at_random(job, kills):
    """Kill it KILLS times, every second time with its process group; it may
    have ended before."""
    wrong, hits, i = [], 0, 0
    while hits < kills and i < 4 * kills:
        i += 1
        at = job.place()
        moment = draw.uniform(0, 1.05 * job.seconds)
        hits += kill_after(moment, *job.args, cwd=at, group=i % 2 == 1)
        here = tree(at)
        wrong += [f"{job.name}: {moment:.4f} s: {w}" for w in
                  job.state(at, here, tidy=False) + job.once_more(at)]
        job.local.clean = None
    return wrong, hits


why = available()
if why:
    skip("kills", why)
    ended()
total = dict.fromkeys(KINDS, 0)
for job in make_jobs("small", SMALL) if CALLS != "no" else []:
    wrong, hits = try_all(job.learn().judge_kill, kills_of(job))
    wrong += unhit(hits, ("write", "sync", "rename", "open", "close"))
    job.clear()
    for kind in KINDS:
        total[kind] += hits[kind]
    ok(not wrong and sum(hits.values()) > 0,
       f"{job.name} survives kills at {sum(hits.values())} calls "
       f"({summary(hits)})",
       *wrong[:20])
if CALLS != "no":
    missed = unhit(total, KILLED)
    ok(not missed, "calls of every kind were killed", *missed)
kills = 0
for job in make_large():
    job.learn()
    job.seconds = timed(*job.args, cwd=job.place())
    job.local.clean = None
    wrong, hits = kill_at_random(job, KILLS)
    job.clear()
    kills += hits
    ok(not wrong and hits == KILLS,
       f"{job.name} survives kills at {hits} random moments",
       *wrong[:20])
print(f"# killed at {sum(total.values())} calls: {summary(total)}")
print(f"# killed at {kills} random moments, half of them with the process "
      "group")
ended()
