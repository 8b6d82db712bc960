#!/usr/bin/env python3
"""speed.t - bench/speed on a few documents: it measures every job on the right
documents, fills in the page, and stops if rows differ."""

import itertools
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, ended, false_build, ok  # noqa: E402

JOBS = ["reading", "formats", "counting", "size", "large", "memory", "exports",
        "ranking", "queries"]


def speed(*args, build=BUILD):
    return subprocess.run([SRC + "/bench/speed", "--documents", "30",
                           "--large", "40", "--repeat", "1", "--dir", ".",
                           "--results", "kept", "--out", ".", *args, build],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


def table_lines(text):
    """The cells of each line of all tables."""
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
parts = {job: page.split(f"<!-- speed:{job}:begin -->\n")[1]
        .split(f"<!-- speed:{job}:end -->\nafter {job}\n")[0]
        for job in JOBS}
ok(page.startswith("before\n") and "old" not in page and
   all(len(table_lines(parts[job])) > 3 for job in JOBS),
   "every table is in its place and the rest of the page is unchanged", page)
with open("kept/speed.json") as f:
    kept = {part: found["rows"] for part, found in json.load(f).items()}
ok([(r["collection"], r["documents"]) for r in kept["counting"]] ==
   [("30 generated documents", 30), ("large", 20), ("small", 10)] and
   kept["counting"][1]["pairs"] == pairs and
   all(r[k] > 0 for r in kept["counting"]
       for k in ("base_s", "one_s", "all_s", "bytes", "written")),
   "the two largest files of a directory are measured", kept["counting"])
ok(kept["large"]["documents"] == 40 and
   kept["large"]["pairs"] > 0 and "| documents | 40 |" in parts["large"],
   "the large collection has its own size", kept["large"])
ok([len(r["runs"]) for r in kept["reading"]] == [4, 4] and
   all(run["MB_per_s"] > 0 for r in kept["reading"] for run in r["runs"]) and
   "`cooc index -j 2`" in parts["reading"],
   "reading text is compared with wc", kept["reading"])
ok([[run["memory"] for run in r["runs"]] for r in kept["memory"]] ==
   3 * [[None, "256M", "64M"]], "every memory limit is measured",
   kept["memory"])
entries = {r["export"]: r["entries"] for r in kept["exports"]["exports"]}
ok(kept["exports"]["collection"] == "large" and
   entries["raw"] == entries["tsv"] == pairs and
   entries["npz"] == 2 * pairs and
   [line[0] for line in table_lines(parts["exports"])[2:]] ==
   [f"`{name}`" for name in entries],
   "exports write all pairs", kept["exports"])
ok([r["pairs"] for r in kept["ranking"]][0] == pairs and
   all(s > 0 for r in kept["ranking"] for s in r["wall_s"].values()) and
   {"npmi", "llr"} <= {line[0] for line in table_lines(parts["ranking"])},
   "pairs are ranked by measures", kept["ranking"])
classes = table_lines(parts["queries"])
ok(all(len(line) == 8 for line in classes
       if line[:2] == ["1", "1"]) and
   [r["collection"] for r in kept["queries"]] ==
   ["generated", "large", "small"] and
   all(r["opening"] for r in kept["queries"]) and
   all(kept["queries"][0][what] for what in ("pairs", "rows", "top")) and
   "generated, by npmi" in parts["queries"],
   "single queries are measured on each collection", parts["queries"])

done = speed("--corpora", "texts", "--reference", BUILD, "--commit", "old")
with open("RESULTS.md") as f:
    page = f.read()


def part(name):
    return table_lines(page.split(f"<!-- speed:{name}:begin -->")[1]
                       .split(f"<!-- speed:{name}:end -->")[0])


compared = part("reference")
ok(done.returncode == 0 and len(compared) == 2 + 3 * 28 and
   {line[0] for line in compared[2:]} ==
   {"30 generated documents", "large", "small"} and
   all(float(line[4]) > 0 for line in compared[2:]),
   "a reference build does every job on every collection", done.stdout)
ok(len(part("words")) == 2 + 4 and len(part("compact")) == 2 + 9 and
   part("phases")[-1][0] == "in all",
   "ratios within this build have tables of their own", page)
with open("kept/speed.json") as f:
    ok(json.load(f)["counting"]["rows"] == kept["counting"],
       "a comparison with a reference build measures nothing else")

# A program that loses a byte with one of the methods.
false = false_build('*"--method bit-scan -j 1"* | *"--memory 64M"*')
for part, what in (("counting", "the rows of run 'one' differ"),
                   ("memory", "rows differ between memory limits")):
    done = speed("--corpora", "texts", "--parts", part, build=false)
    ok(done.returncode != 0 and what in done.stdout,
       f"{part} stops if rows differ", done.stdout)
done = speed("--parts", "sizes")
ok(done.returncode == 2 and "choose from reading, formats" in done.stdout,
   "an unknown part is reported", done.stdout)
done = speed("--corpora", "none")
ok(done.returncode == 2 and "'none' is not a directory" in done.stdout,
   "a missing directory is reported before anything is measured",
   done.stdout)
ended()
