#!/usr/bin/env python3
"""scale.t - bench/scale measures every step of a count in parts, finds the costs
that made-up measurements were made with, and fills in the page."""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, ended, ok  # noqa: E402

sys.path.insert(0, SRC + "/bench")
from scale_model import Model  # noqa: E402
from scale_page import CLUSTER  # noqa: E402

done = subprocess.run(
    [SRC + "/bench/scale", "--sizes", "30,60,90", "--repeat", "1", "--dir",
     ".", "--results", "kept", "--out", ".", BUILD],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
ok(done.returncode == 0, "every step is measured", done.stdout)
with open("SCALE.md") as f:
    page = f.read()
ok(all(f"<!-- scale:{part}:begin -->" in page
       for part in ("costs", "check", "clusters")),
   "the page has every table", page)
with open("kept/scale.json") as f:
    kept = json.load(f)["runs"]["rows"]
ok([r["documents"] for r in kept] == [30, 60, 90] and
   all(sum(p["postings"] for p in r["parts"]) == r["postings"] and
       [len(r["counts"][n]) for n in ("1", "4")] == [1, 4] for r in kept),
   "the parts of each collection have all of its postings", kept)


def made_up(postings):
    """Measurements of a machine with known costs, in seconds."""
    r = {"documents": postings // 200, "postings": postings,
         "terms": round(postings ** 0.7), "pairs": round(postings ** 1.1),
         "row_bytes": round(postings ** 1.2), "bytes": 8 * postings}
    r["parts"] = [{"postings": n, "terms": round(n ** 0.7), "bytes": 8 * n,
                   "text_bytes": 5 * n,
                   "cpu_s": 7e-8 * n + 3e-7 * round(n ** 0.7)}
                  for n in (postings // 4, postings - postings // 4)]
    r["merge_cpu_s"] = 2e-8 * postings + \
        1e-7 * sum(p["terms"] for p in r["parts"])
    r["counts"] = {
        str(n): [{"start_cpu_s": 4e-9 * postings, "peak": 20 * postings,
                  "counting_cpu_s": (n * 6e-9 * postings + 5e-8 * postings +
                                     2e-9 * r["pairs"]) / n}] * n
        for n in (1, 4)}
    r["finish_cpu_s"] = 4e-9 * postings + 3e-10 * r["row_bytes"]
    r["short_of_memory"] = [{"counting_cpu_s":
                             3 * r["counts"]["1"][0]["counting_cpu_s"]}]
    return r


def near(a, b):
    return abs(a - b) <= 1e-3 * abs(b)


model = Model([made_up(n) for n in (10**5, 10**6, 10**7, 10**8)])
want = {"index": (7e-8, 3e-7), "merge": (2e-8, 1e-7), "open": (4e-9,),
        "count": (6e-9, 5e-8, 2e-9), "finish": (3e-10,)}
ok(all(near(x, y) for step, costs in want.items()
       for x, y in zip(getattr(model, step).values(), costs, strict=True)),
   "the costs of made-up measurements are found",
   [getattr(model, step) for step in want])
ok(all(near(p, m) for _, m, p in [*model.check(), *model.check_laws()]),
   "they predict the largest collection",
   [*model.check(), *model.check_laws()])
one, ten = (model.simulate(10**6, n, CLUSTER) for n in (1, 10))
ok(one["steps"]["merge"] == 0 < ten["steps"]["merge"] and
   near(ten["read"], 11 / 2 * one["read"]) and
   ten["steps"]["count"] < one["steps"]["count"],
   "more nodes share the count, and each reads the index", [one, ten])
ok(not one["batches"] and
   model.simulate(10**9, 1, CLUSTER)["batches"],
   "batches are used when memory is too small")
ended()
