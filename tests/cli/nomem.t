#!/usr/bin/env python3
"""nomem.t - the library when an allocation fails: the right result or
COOC_ENOMEM, and nothing is printed.  A sample of the allocations;
tests/abuse/nomem.t tries all of them."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import ended, ok, skip  # noqa: E402
from no_memory import PROGRAM, try_all  # noqa: E402

STRIDE = 23

if not os.path.exists(PROGRAM):
    skip("an allocation fails", "a sanitizer needs memory of its own")
    ended()
for kind, n, notes in try_all(STRIDE, 1):
    ok(n and not n["other"] and n["nomem"] > 10,
       f"{kind}: one of {n.get('allocations')} allocations fails", n, notes)
ended()
