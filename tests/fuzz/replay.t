#!/usr/bin/env python3
"""replay.t - every fuzz target succeeds on its seeds and on every input that
once failed."""

import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok  # noqa: E402

BUILD = os.environ["BUILD"]
HERE = SRC + "/tests/fuzz"
targets = sorted(p for p in glob.glob(BUILD + "/tests/fuzz/fuzz_*")
                 if os.path.isfile(p))
names = {os.path.basename(p)[5:] for p in targets}
folders = {os.path.basename(p) for p in glob.glob(HERE + "/corpus/*") +
           glob.glob(HERE + "/found/*")}
ok(len(targets) > 30, f"{len(targets)} fuzz targets are found")
ok(names >= folders, "every folder of inputs belongs to a target",
   *sorted(folders - names))
for program in targets:
    name = os.path.basename(program)[5:]
    inputs = [f"{HERE}/{kind}/{name}" for kind in ("corpus", "found")]
    n = sum(len(os.listdir(d)) for d in inputs if os.path.isdir(d))
    done = subprocess.run([program, *inputs], capture_output=True,
                          timeout=300, check=False)
    said = done.stderr.decode(errors="replace")
    ok(done.returncode == 0 and n > 0 and
       re.fullmatch(rf"{n} inputs\n", done.stdout.decode()),
       f"{name}: {n} inputs succeed", said[-2000:])
ended()
