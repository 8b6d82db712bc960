#!/usr/bin/python3
"""example.t - the example finds words that occur in similar contexts."""

import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok, skip  # noqa: E402
import pyhelp  # noqa: E402, F401

EXAMPLE = SRC + "/python/examples/neighbours.py"
draw = random.Random(2)
subjects = {"sea": "ship sail wave harbour captain anchor mast crew tide reef "
            "oar net gull storm", "kitchen": "oven pan flour sugar butter "
            "spoon salt dough recipe knife pepper onion stove plate"}
with open("texts.tsv", "w") as f:
    for i in range(400):
        words = subjects[("sea", "kitchen")[i % 2]].split()
        f.write(f"d{i}\t" + " ".join(draw.sample(words, 5) +
                                     draw.choices("the of and to".split(),
                                                  k=3)) + "\n")
done = subprocess.run([sys.executable, EXAMPLE, "texts.tsv", "ship", "oven"],
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
said = done.stdout.decode()
ok(done.returncode == 0 and "400 documents" in said, "the example runs", said)
blocks = [b.split("\n") for b in said.split("\n\n")]
near = {b[0].split()[0]: [line.split()[0] for line in b[1:]]
        for b in blocks if "documents)" in b[0]}
for word, subject in ("ship", "sea"), ("oven", "kitchen"):
    ok(set(near.get(word, "-")[:8]) < set(subjects[subject].split()),
       f"neighbours of {word} belong to the {subject}", near)
if "matplotlib is not installed" in said:
    skip("the example draws a picture", "no python3-matplotlib here")
else:
    with open("neighbours.png", "rb") as f:
        ok(f.read(8) == b"\x89PNG\r\n\x1a\n", "the example draws a picture")
with open("matplotlib.py", "w") as f:
    f.write("raise ImportError\n")
done = subprocess.run([sys.executable, EXAMPLE, "texts.tsv", "ship"],
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      env=dict(os.environ, PYTHONPATH="."))
ok(done.returncode == 0 and b"matplotlib is not installed" in done.stdout,
   "without matplotlib, the example says so", done.stdout.decode())
ended()
