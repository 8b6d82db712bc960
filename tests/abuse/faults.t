#!/usr/bin/env python3
"""faults.t - every call of index, count, merge, add, export and of queries
fails once, and sometimes all later calls as well: the result is right or a
clean error, nothing incomplete looks complete, and the next run makes the same
bytes.

    make abuse ABUSE=faults
    FAULT_EVERY=10 ...      only every tenth allocation
    FAULT_SEED=7 ...        repeat a selection of allocations
    FAULT_JOBS='count batches,export npz' ...       only these jobs
"""

import os
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
if os.access("/dev/shm", os.W_OK):      # a disk would take ten times as long
    os.environ["TMPDIR"] = "/dev/shm"
from tap import ended, ok, skip  # noqa: E402
from fault_jobs import make_jobs, names  # noqa: E402
from faulty import (KINDS, OF_WRITING, available, faults_of,  # noqa: E402
                    summary, try_all, unhit)

EVERY = int(os.environ.get("FAULT_EVERY") or 1)
ONLY = os.environ.get("FAULT_JOBS")
SEED = int(os.environ.get("FAULT_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
print(f"# FAULT_SEED={SEED}", flush=True)
# In these jobs all later allocations fail as well; the other jobs share code.
THOROUGH = ("index lines", "index lists", "count bit-scan", "count batches",
            "merge rows", "export sqlite", "pairs c.cooc -n5 --by pmi",
            "top c.cooc tea --by llr")

why = available()
if why:
    skip("faults", why)
    ended()
total = dict.fromkeys(KINDS, 0)
for job in make_jobs("jobs", ONLY and names(ONLY)):
    job.learn()
    begin = time.monotonic()
    big = "parts" in job.name           # slow: only calls on files matter
    kinds = [k for k in KINDS if not (big and k == "memory")]
    faults = list(faults_of(job, kinds, EVERY, draw=draw))
    if job.name not in THOROUGH:
        faults = [f for f in faults if not (f.on and f.kind == "memory")]
    wrong, hits = try_all(job.judge, faults)
    if job.makes:
        wrong += unhit(hits, set(OF_WRITING) & set(kinds))
    job.clear()
    for kind in KINDS:
        total[kind] += hits[kind]
    ok(not wrong and sum(hits.values()) > 0,
       f"{job.name} survives {sum(hits.values())} faults ({summary(hits)}), "
       f"{time.monotonic() - begin:.0f} s", f"{len(wrong)} wrong", *wrong[:20])
missed = unhit(total, KINDS)
ok(ONLY or not missed, "calls of every kind were made to fail", *missed)
print(f"# {sum(total.values())} faults: {summary(total)}")
ended()
