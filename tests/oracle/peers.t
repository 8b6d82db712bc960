#!/usr/bin/python3
"""peers.t - the installed peers find the same pairs as cooc, and the
comparison detects errors."""

import json
import os
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, cooc, ended, ok, skip  # noqa: E402

COMPARE = BUILD + "/bench/peers/compare-pairs"
PEERS = ["scipy, A.T @ A", "scipy, in blocks",
         "scikit-learn and scipy in blocks, from text", "GraphBLAS, A'A",
         "GraphBLAS, in blocks", "DuckDB, self-join",
         "DuckDB, self-joins in blocks", "ClickHouse, self-join",
         "ClickHouse, array join", "SQLite, self-join",
         "mawk | sort | uniq -c"]


def compare(kind, data, *truth):
    """The exit status of compare-pairs, and its result or error message."""
    done = subprocess.run([COMPARE, kind, "-", *truth], input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    told = json.loads(done.stdout) if done.stdout else done.stderr
    return done.returncode, told


# ---- the comparison

with open("docs.txt", "w") as f:
    f.write("a b c\na b\nb c\na b d\n")
cooc("count", "-q", "--format", "lines", "docs.txt", "-o", "s.cooc")
cooc("export", "-q", "--format", "raw", "-o", "s.raw", "s.cooc")
with open("s.raw", "rb") as f:
    raw = f.read()
# By frequency: b 0, a 1, c 2, d 3.
text = b"3 0 1\n  2 0 2\n1 1 2\n1 0 3\n1 1 3\n"
pieces = struct.pack("<4Q4I5I5I", 0, 4, 0, 5, 3, 2, 0, 0,
                     1, 2, 3, 2, 3, 3, 2, 1, 1, 1)
whole = compare("raw", raw)
ok(whole[0] == 0 and whole[1]["pairs"] == 5 and whole[1]["increments"] == 8,
   "an export of cooc is read", whole)
for kind, data in ("raw", raw), ("text", text), ("pieces", pieces):
    same = compare(kind, data, "s.raw")
    ok(same == (0, {**whole[1], "wrong": 0, "missing": 0}),
       f"equal pairs are recognised in the format {kind}", same)
for name, data in {
        "a count too high": text.replace(b"3 0 1", b"4 0 1"),
        "two counts exchanged": text.replace(b"3 0 1", b"2 0 1").replace(
            b"2 0 2", b"3 0 2"),
        "a pair that is not there": text + b"1 2 3\n",
        "a pair twice": text.replace(b"1 1 3", b"1 1 2"),
        "a pair missing": text.replace(b"1 1 3\n", b"")}.items():
    told = compare("text", data, "s.raw")
    ok(told[0] == 1 and told[1]["wrong"] + told[1]["missing"] > 0
       and told[1]["checksum"] != whole[1]["checksum"], f"{name} is detected",
       told)
ok(compare("pieces", pieces[:-2])[0] == 1 and compare("raw", raw[:-2])[0] == 1
   and compare("text", b"1 2\n")[0] == 1, "a truncated file is refused")

# ---- the peers


def peers(*args):
    return subprocess.run([SRC + "/bench/peers/run", "--dir", BUILD,
                           "--memory", "2G", "--output", "peers.json", *args,
                           BUILD],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


done = peers("--sizes", "50")
if b"is in memory, not on a disk" in done.stderr:
    skip("every row of the peers equals cooc's",
         "the build directory is not on a disk")
    ended()
ok(done.returncode == 0, "the peers run", done.stderr.decode())
cells = []
if done.returncode == 0:
    with open("peers.json") as f:
        cells = json.load(f)["cells"]
ok({c["peer"].split(",")[0] for c in cells} >= {"cooc count"}
   and all("failed" not in c and "stopped" not in c for c in cells),
   "no peer fails", cells)
for peer in PEERS:
    mine = [c for c in cells if c["peer"] == peer]
    if mine:
        ok(all(c["every_row"] and c["pairs"] == cells[0]["pairs"] > 100000
               for c in mine), f"{peer}: every row equals cooc's", mine)
    else:
        skip(f"{peer}: every row equals cooc's", "not installed")

# A peer that exceeded its limit is skipped; all sizes are in the table.
with open("peers.json") as f:
    told = json.load(f)
scipy = False
for c in told["cells"]:
    if c["peer"] == "scipy, in blocks":
        scipy = True
        c["stopped"] = "time"
with open("peers.json", "w") as f:
    json.dump(told, f)
done = peers("--resume", "--sizes", "50,20", "--peers", "scipy", "--limit",
             "77")
with open("peers.json") as f:
    now = json.load(f)
added = now["cells"][len(told["cells"]):]
more = peers("--resume", "--sizes", "50,20", "--peers", "scipy", "--limit",
             "400")
with open("peers.json") as f:
    late = [c["documents"] for c in json.load(f)["cells"]
            if c["peer"] == "scipy, in blocks" and "stopped" not in c]
ok(more.returncode == 0 and (late == [50, 20] or not scipy),
   "peers that were stopped are measured again with a higher limit",
   more.stderr.decode())
ok(done.returncode == 0 and now["cells"][:len(told["cells"])] == told["cells"]
   and {c["documents"] for c in added} == {20}
   and "scipy, in blocks" not in {c["peer"] for c in added}
   and b"| 50 | 20 |" in done.stdout and b"at most 300 s and" in done.stdout,
   "an interrupted run is resumed", done.stderr.decode(),
   done.stdout.decode())

with open(SRC + "/docs/RESULTS.md", "rb") as f:
    page = f.read()
done = peers("--page", "--sizes", "20", "--peers", "cooc")
with open(SRC + "/docs/RESULTS.md", "rb") as f:
    ok(done.returncode == 0 and page == f.read() and
       b"partial results are in peers.json only" in done.stderr,
       "a partial run does not change the page", done.stderr.decode())
ended()
