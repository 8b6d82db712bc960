#!/usr/bin/env python3
"""speed.t - bench/speed on few documents: every job is measured and told,
on the right documents, and it stops if rows differ."""

import itertools
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, ended, false_build, ok  # noqa: E402

JOBS = ["reading", "counting", "size", "large", "memory", "exports",
        "ranking", "questions"]


def speed(*args, build=BUILD):
    return subprocess.run([SRC + "/bench/speed", "--documents", "30",
                           "--large", "40", "--repeat", "1", "--dir", ".",
                           "--results", "kept", "--out", ".", *args, build],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


def table_lines(text):
    """The cells of all lines of all tables."""
    return [[c.strip() for c in line.strip("|").split("|")]
            for line in text.splitlines() if line.startswith("|")]


os.mkdir("texts")
docs = [[f"a{i % 3}", f"b{i % 5}", f"c{i % 7}"] for i in range(20)]
pairs = len({p for d in docs for p in itertools.combinations(d, 2)})
with open("texts/large.txt", "w") as f:
    f.writelines(" ".join(d) + "\n" for d in docs)
with open("texts/small.txt", "w") as f:
    f.writelines(" ".join(d) + "\n" for d in docs[:10])
with open("texts/least.txt", "w") as f:
    f.write("one two\n")
with open("RESULTS.md", "w") as f:
    f.write("before\n")
    f.writelines(f"<!-- speed:{job}:begin -->\nold\n<!-- speed:{job}:end -->"
                 f"\nafter {job}\n" for job in JOBS)
done = speed("--corpora", "texts")
ok(done.returncode == 0, "every job is measured", done.stdout)
with open("RESULTS.md") as f:
    page = f.read()
told = {job: page.split(f"<!-- speed:{job}:begin -->\n")[1]
        .split(f"<!-- speed:{job}:end -->\nafter {job}\n")[0]
        for job in JOBS}
ok(page.startswith("before\n") and "old" not in page and
   all(len(table_lines(told[job])) > 3 for job in JOBS),
   "and has a table in its place of the page, all else stays", page)
with open("kept/speed.json") as f:
    kept = {part: found["rows"] for part, found in json.load(f).items()}
ok([(r["collection"], r["documents"]) for r in kept["counting"]] ==
   [("30 generated documents", 30), ("large", 20), ("small", 10)] and
   kept["counting"][1]["pairs"] == pairs and
   all(r[k] > 0 for r in kept["counting"]
       for k in ("base_s", "one_s", "all_s", "bytes", "written")),
   "of a directory the two largest files are taken", kept["counting"])
ok(kept["large"]["documents"] == 40 and
   kept["large"]["pairs"] > 0 and "| documents | 40 |" in told["large"],
   "the large collection has its own size", kept["large"])
ok([len(r["runs"]) for r in kept["reading"]] == [4, 4] and
   all(run["MB_a_s"] > 0 for r in kept["reading"] for run in r["runs"]) and
   "`cooc index -j 2`" in told["reading"],
   "reading is beside wc, for text alone", kept["reading"])
ok([[run["memory"] for run in r["runs"]] for r in kept["memory"]] ==
   3 * [[None, "256M", "64M"]], "memory has each limit", kept["memory"])
entries = {r["export"]: r["entries"] for r in kept["exports"]["exports"]}
ok(kept["exports"]["collection"] == "large" and
   entries["raw"] == entries["tsv"] == pairs and
   entries["npz"] == 2 * pairs and
   [line[0] for line in table_lines(told["exports"])[2:]] ==
   [f"`{name}`" for name in entries],
   "exports write all pairs", kept["exports"])
ok([r["pairs"] for r in kept["ranking"]][0] == pairs and
   all(s > 0 for r in kept["ranking"] for s in r["wall_s"].values()) and
   {"npmi", "llr"} <= {line[0] for line in table_lines(told["ranking"])},
   "measures rank them", kept["ranking"])
classes = table_lines(told["questions"])
ok(all(len(line) == 8 for line in classes
       if line[:2] == ["1", "1"]) and
   [r["collection"] for r in kept["questions"]] ==
   ["generated", "large", "small"] and
   all(r["opening"] for r in kept["questions"]) and
   kept["questions"][0]["pairs"] and kept["questions"][0]["rows"],
   "single questions are asked of each", told["questions"])

done = speed("--corpora", "texts", "--reference", BUILD, "--commit", "old")
with open("RESULTS.md") as f:
    page = f.read()
compared = table_lines(page.split("<!-- speed:reference:begin -->")[1])
ok(done.returncode == 0 and len(compared) == 2 + 3 * 12 and
   {line[0] for line in compared[2:]} ==
   {"30 generated documents", "large", "small"} and
   all(float(line[4]) > 0 for line in compared[2:]),
   "a reference build does every job on every collection", done.stdout)
with open("kept/speed.json") as f:
    ok(json.load(f)["counting"]["rows"] == kept["counting"],
       "and nothing else is measured")

# A program that loses a byte with one of the methods.
false = false_build('*"--method bit-scan -j 1"* | *"--memory 64M"*')
for part, what in (("counting", "one made other rows"),
                   ("memory", "less memory makes other rows")):
    done = speed("--corpora", "texts", "--parts", part, build=false)
    ok(done.returncode != 0 and what in done.stdout,
       f"{part} ends if rows differ", done.stdout)
done = speed("--parts", "sizes")
ok(done.returncode == 2 and "parts are reading, counting" in done.stdout,
   "an unknown part is told", done.stdout)
done = speed("--corpora", "none")
ok(done.returncode == 2 and "there is no directory none" in done.stdout,
   "so is a directory that is not there, before anything is measured",
   done.stdout)
ended()
