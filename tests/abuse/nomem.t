#!/usr/bin/env python3
"""nomem.t - every single allocation of a process that uses the library fails
once: the right result or COOC_ENOMEM, and nothing is printed.

    make abuse ABUSE=nomem
    NOMEM_EVERY=10 ...      every tenth allocation
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import ended, ok, skip  # noqa: E402
from no_memory import PROGRAM, try_all  # noqa: E402

EVERY = int(os.environ.get("NOMEM_EVERY") or 1)

if not os.path.exists(PROGRAM):
    skip("an allocation fails", "a sanitizer needs memory of its own")
    ended()
print("# | input | allocations | right | COOC_ENOMEM | other |")
print("# |---|---:|---:|---:|---:|")
for kind, n, notes in try_all(EVERY, 1):
    print(f"# | {kind} | " + " | ".join(f"{v:,}" for v in n.values()) + " |")
    ok(n and not n["other"] and n["nomem"] > 10,
       f"{kind}: each of {n.get('allocations')} allocations fails", notes)
ended()
