#!/usr/bin/env python3
"""power.t - a power failure at every call that changes files: in every state
that the disk may be in (tests/power_loss.py), files that look complete are
complete, old or new, and the same command makes the same bytes.

    make abuse ABUSE=power
    POWER_SEED=7 ...        a different sample where there are too many states
    POWER_JOBS='merge rows,export npz' ...          only these jobs
"""

import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
if os.access("/dev/shm", os.W_OK):
    os.environ["TMPDIR"] = "/dev/shm"
from tap import ended, ok, skip  # noqa: E402
from fault_jobs import make_jobs, names  # noqa: E402
from faulty import available  # noqa: E402

SEED = int(os.environ.get("POWER_SEED") or 1)
ONLY = os.environ.get("POWER_JOBS")
JOBS = ["index lines", "index statistics", "index --force",
        "count bit-scan", "count naive", "count batches", "count parts",
        "part", "part of several row files", "part in batches",
        "count of finished parts", "count of half the parts",
        "count again", "count compact again", "count -o", "merge rows",
        "merge documents", "merge --force", "add rows", "add documents",
        "add with a list", "export tsv", "export npz", "export sqlite",
        "export gephi-csv", "export replaces", "export replaces two"]

why = available()
if why:
    skip("power failures are survived", why)
    ended()
all_calls = all_trees = 0
for job in make_jobs("jobs", names(ONLY) if ONLY else JOBS):
    begin = time.monotonic()
    calls, trees, wrong = job.learn().lose_power(SEED)
    job.clear()
    all_calls, all_trees = all_calls + calls, all_trees + trees
    ok(not wrong and trees > 1, f"{job.name} survives power failures: "
       f"{calls} calls, {trees} trees, "
       f"{time.monotonic() - begin:.0f} s", f"{len(wrong)} wrong", *wrong[:20])
print(f"# {all_calls} calls, {all_trees} different trees")
ended()
