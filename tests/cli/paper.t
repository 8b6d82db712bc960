#!/usr/bin/env python3
"""paper.t - bench/paper, the experiment of the paper, on few documents:
every method is in its tables and figures, and it stops if rows differ."""

import itertools
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, COOC, SRC, ended, ok, skip  # noqa: E402

METHODS = ["naive", "list-pairs", "multi-scan", "list-blocks", "list-scan",
           "bit-scan"]


def paper(*args, build=BUILD):
    return subprocess.run([SRC + "/bench/paper", "--limit", "60", "--repeat",
                           "1", "--dir", ".", "--results", "kept",
                           *args[:-1], build, *args[-1]],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


with open("RESULTS.md", "w") as f:
    f.write("before\n<!-- paper:time:begin -->\nold\n"
            "<!-- paper:time:end -->\nafter\n")
done = paper("--parts", "sizes", "--documents", "100", "--out", ".", [])
ok(done.returncode == 0, "documents are made up and counted", done.stdout)
with open("RESULTS.md") as f:
    page = f.read()
ok(page.startswith("before\n<!-- paper:time:begin -->\nWall time:")
   and "\nold\n" not in page and "<!-- paper:time:end -->\nafter\n" in page,
   "the figures go between the markers, all else stays", page)
with open("kept/paper.json") as f:
    rows = json.load(f)["sizes"]["rows"]
ok([r["documents"] for r in rows] == [1, 10, 100], "sizes are the paper's")
ok(all(m in r["methods"] and r["methods"][m]["wall_s"] > 0
       and r["methods"][m]["peak_MB"] > 1 for r in rows for m in METHODS),
   "every method has its time and its memory at every size", rows)
ok(all(f"\n| {m} | " in page for m in METHODS)
   and "| 100 | here | " in page and "| paper | 251.5 | " in page,
   "and they are in the tables, the paper's figures beside them", page)

if shutil.which("gnuplot"):
    figures = sorted(os.listdir("figures"))
    ok(figures == ["paper-memory.png", "paper-memory.svg", "paper-time.png",
                   "paper-time.svg"], "there are two figures", figures)
    with open("figures/paper-time.svg") as f:
        svg = f.read()
    ok(all(m in svg for m in METHODS) and "wall time, seconds" in svg,
       "with a name at each line", svg)
else:
    skip("there are two figures", "no gnuplot")

# The first documents of a collection, whatever it is.
docs = [[f"a{i % 3}", f"b{i % 5}", f"c{i % 7}"] for i in range(20)]
with open("docs.txt", "w") as f:
    f.writelines(" ".join(d) + "\n" for d in docs)
done = paper("--documents", "12", ["docs.txt"])
ok(done.returncode == 0, "a collection can be given", done.stdout)
with open("kept/paper-docs.json") as f:
    rows = json.load(f)["sizes"]["rows"]
ok([(r["documents"], r["terms"], r["pairs"]) for r in rows] ==
   [(n, len({t for d in docs[:n] for t in d}),
     len({p for d in docs[:n] for p in itertools.combinations(d, 2)}))
    for n in (1, 10, 12)] and
   os.path.exists("kept/paper-docs/RESULTS.md"),
   "and its first documents are counted", rows)

# A program one of whose methods loses a byte.
os.makedirs("false/bench")
os.symlink(BUILD + "/bench/cooc-generate", "false/bench/cooc-generate")
with open("false/cooc", "w") as f:
    f.write(f"""#!/bin/sh
'{COOC}' "$@" || exit
case "$*" in
*"--method list-scan "*)
    for last; do :; done
    truncate -s -1 "$last"/rows-0000.bin ;;
esac
""")
os.chmod("false/cooc", 0o755)
done = paper("--parts", "sizes", "--documents", "10", "--out", "wrong", [],
             build=os.path.abspath("false"))
ok(done.returncode != 0 and
   "list-scan made other rows than those before" in done.stdout,
   "a method that makes other rows ends it", done.stdout)
ended()
