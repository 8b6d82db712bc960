#!/usr/bin/env python3
"""wander.t - every call with relative paths, for a minute, while a thread
changes back and forth between two directories with stores of the same names."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, ended, ok  # noqa: E402

done = subprocess.run([BUILD + "/tests/test_process"],
                      env=dict(os.environ, WANDER="60"), text=True,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
ok(done.returncode == 0, "each call works in the directory in which it began",
   done.stdout)
for line in done.stdout.splitlines():
    if " calls in a, " in line:
        print("#", line)
ended()
