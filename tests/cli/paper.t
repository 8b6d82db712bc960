#!/usr/bin/env python3
"""paper.t - bench/paper, the experiment of the paper, on a few documents: every
method is in the tables and figures, and the run stops if rows differ."""

import itertools
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, ended, false_build, ok, skip  # noqa: E402

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
ok(done.returncode == 0, "documents are generated and counted", done.stdout)
with open("RESULTS.md") as f:
    page = f.read()
ok(page.startswith("before\n<!-- paper:time:begin -->\nWall time:")
   and "\nold\n" not in page and "<!-- paper:time:end -->\nafter\n" in page,
   "the tables are between the markers, the rest is unchanged", page)
with open("kept/paper.json") as f:
    rows = json.load(f)["sizes"]["rows"]
ok([r["documents"] for r in rows] == [1, 10, 100],
   "the numbers of documents are those of the paper")
ok(all(m in r["methods"] and r["methods"][m]["wall_s"] > 0
       and r["methods"][m]["peak_MB"] > 1 for r in rows for m in METHODS),
   "every method has its time and its memory at every size", rows)
ok(all(f"\n| {m} | " in page for m in METHODS)
   and "| 100 | here | " in page and "| paper | 251.5 | " in page,
   "time and memory are in the tables, next to the paper's numbers", page)

if shutil.which("gnuplot"):
    figures = sorted(os.listdir("figures"))
    ok(figures == ["paper-memory.png", "paper-memory.svg", "paper-time.png",
                   "paper-time.svg"], "there are two figures", figures)
    with open("figures/paper-time.svg") as f:
        svg = f.read()
    ok(all(m in svg for m in METHODS) and "Wall time (s)" in svg,
       "each line of a figure has a name", svg)
else:
    skip("there are two figures", "gnuplot is not installed")

# The first documents of any collection.
docs = [[f"a{i % 3}", f"b{i % 5}", f"c{i % 7}"] for i in range(20)]
with open("docs.txt", "w") as f:
    f.writelines(" ".join(d) + "\n" for d in docs)
done = paper("--documents", "12", ["docs.txt"])
ok(done.returncode == 0, "another collection can be given", done.stdout)
with open("kept/paper-docs.json") as f:
    rows = json.load(f)["sizes"]["rows"]
ok([(r["documents"], r["terms"], r["pairs"]) for r in rows] ==
   [(n, len({t for d in docs[:n] for t in d}),
     len({p for d in docs[:n] for p in itertools.combinations(d, 2)}))
    for n in (1, 10, 12)] and
   os.path.exists("kept/paper-docs/RESULTS.md"),
   "the first documents of a collection are counted", rows)

# The questions that the paper leaves open, with smaller numbers.
SMALL = """
import runpy, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import questions
questions.BASE.update(documents=60, length=10, terms=100)
questions.VARIED.update(documents=[30, 60], length=[10, 20],
                        terms=[100, 200])
sys.argv[:2] = [sys.argv[1] + "/paper"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
VALGRIND = shutil.which("valgrind")
os.makedirs("kinds")
shutil.copy("docs.txt", "kinds/tang-2k.txt")
shutil.copy("docs.txt", "kinds/words.txt")
with open("RESULTS.md", "w") as f:
    f.writelines(f"<!-- paper:{part}:begin -->\n<!-- paper:{part}:end -->\n"
                 for part in ("growth", "caches", "ids", "kinds"))
done = subprocess.run([
    sys.executable, "-c", SMALL, SRC + "/bench", "--limit", "300", "--repeat",
    "1", "--dir", ".", "--results", "open", "--out", ".", "--parts",
    "growth,caches,ids,kinds" if VALGRIND else "growth,ids,kinds",
    "--documents", "40", "--cache-documents", "2", "--corpora", "kinds", BUILD],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
ok(done.returncode == 0, "the open questions are measured", done.stdout)
with open("open/paper.json") as f:
    kept = json.load(f)
with open("RESULTS.md") as f:
    growth, caches, ids, kinds = f.read().split(":end -->\n")[:4]
rows = kept["growth"]["rows"]
ok([(r["varied"], r["documents"], r["postings"] // r["documents"], r["terms"])
    for r in rows] ==
   [("documents", 30, 10, 100), ("documents", 60, 10, 100),
    ("length", 60, 10, 100), ("length", 60, 20, 100),
    ("terms", 60, 10, 100), ("terms", 60, 10, 200)] and
   all("counting_cpu_s" in r["methods"][m] for r in rows for m in METHODS),
   "growth varies one parameter at a time, for every method", rows)
ok(all(f"\n| {m} | " in growth for m in METHODS) and
   "\n| increments | 1.00 | 2.70K at 60 | 2.08 | 11.4K at 20 | 0.00 | " in
   growth and (os.path.exists("figures/paper-growth.svg") or
               not shutil.which("gnuplot")), "the exponents are in the table",
   growth)
if VALGRIND:
    rows = kept["caches"]["rows"]["methods"]
    ok([r["method"] for r in rows] == METHODS and
       all(r["instructions"] > r["accesses"] > r["L1_misses"] >=
           r["L2_misses"] > 0 for r in rows) and
       all(f"\n| {m} | " in caches for m in METHODS),
       "the caches are simulated for every method", rows, caches)
else:
    skip("the caches are simulated for every method",
         "valgrind is not installed")
row, = kept["ids"]["rows"]
ok(row["documents"] == 40 and
   all("wall_s" in row[order][m] for order in ("first-seen", "last-seen")
       for m in METHODS) and
   row["per_loop"]["ranks"]["list-scan"] > 40 and
   all(loops["list-scan"] > loops["list-blocks"] > 1
       for loops in row["per_loop"].values()) and
   all(f"\n| {m} | " in ids for m in METHODS),
   "every method counts with other ids", row, ids)

# Other ids, the same pairs.
subprocess.run([BUILD + "/cooc", "index", "-q", "docs.txt", "-o",
                "ranks.cooc"], check=True)
exported = {}
for order in ("ranks", "first-seen", "last-seen"):
    if order != "ranks":
        subprocess.run([BUILD + "/bench/cooc-renumber", order, "ranks.cooc",
                        order + ".cooc"], check=True)
    subprocess.run([BUILD + "/cooc", "count", "-q", "--rows", "full",
                    order + ".cooc"], check=True)
    subprocess.run([BUILD + "/cooc", "export", "-q", "--format", "tsv",
                    order + ".cooc", "-o", order + ".tsv"], check=True)
    with open(order + ".tsv") as f:
        exported[order] = [line.split("\t")[:3] for line in f][1:]
first = {t: i for i, d in reversed(list(enumerate(docs))) for t in d}
ok(all(sorted([*sorted(p[:2]), p[2]] for p in exported[order]) ==
       sorted([*sorted(p[:2]), p[2]] for p in exported["ranks"])
       for order in exported) and
   all(first[x] <= first[y] for x, y, _ in exported["first-seen"]) and
   all(first[x] >= first[y] for x, y, _ in exported["last-seen"]),
   "renumbering terms changes the order of pairs, not their counts",
   exported)
rows = kept["kinds"]["rows"]
pairs = len({p for d in docs for p in itertools.combinations(d, 2)})
ok([(r["kind"], r["documents"], r["pairs"]) for r in rows] ==
   [("Chinese poems", 20, pairs), ("words", 20, pairs)] and
   all("wall_s" in r["methods"][m] for r in rows for m in METHODS) and
   "\n| Chinese poems (tang-2k) | 20 | 15 | " in kinds and
   "\n| words | 20 | 15 | " in kinds,
   "collections of other kinds are measured", rows, kinds)

# A build in which one method loses a byte.
false = false_build('*"--method list-scan "*')
done = paper("--parts", "sizes", "--documents", "10", "--out", "wrong", [],
             build=false)
ok(done.returncode != 0 and
   "the rows of list-scan differ from those of" in done.stdout,
   "the run stops if a method makes different rows", done.stdout)

# ---- the figure of other programs

sys.path[:0] = [SRC + "/bench", SRC + "/bench/peers"]
import page  # noqa: E402
import plots  # noqa: E402

with open(SRC + "/docs/data/peers.json") as f:
    told = json.load(f)
told["cells"].reverse()         # as after --resume, in any order
lines = list(page.drawn(told))
ok(len(lines) > 6 and all(points == sorted(points) for _, _, points in lines),
   "lines are sorted by number of documents, not by order of measurement",
   lines)
rows = [{"documents": n, "methods": {"naive": {"wall_s": n}}}
        for n in (10, 1, 100)]
ok(plots.points(rows, "documents", "wall_s") ==
   {"naive": [(1, 1), (10, 10), (100, 100)]},
   "points in the paper's figures are sorted by number of documents")
ended()
