#!/usr/bin/python3
"""growing.t - merge(), add() and export() give the results of the command
line."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, ended, ok  # noqa: E402
from pyhelp import cooc, raised  # noqa: E402

import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402


def same_store(a, b):
    """Do two stores have the same files, except manifest.json?"""
    names = [{n for n in os.listdir(s) if n != "manifest.json" and
              not n.startswith(".")} for s in (a, b)]
    return names[0] == names[1] and len(names[0]) > 5 and all(
        open(f"{a}/{n}", "rb").read() == open(f"{b}/{n}", "rb").read()
        for n in names[0])


def refused(kind, say, ask, *args, **how):
    e = raised(kind, ask, *args, **how)
    ok(e and say in str(e), f"refused: {say}", repr(e))


def command(*args):
    subprocess.run([COOC, *args], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


lines = [" ".join(f"w{(i * j) % 97}" for j in range(1, 12))
         for i in range(1, 200)]
for name, some in ("one", lines[:120]), ("two", lines[120:]), ("all", lines):
    with open(name + ".txt", "w") as f:
        f.writelines(line + "\n" for line in some)
for name in "one", "two":
    cooc.index(name + ".txt", name + ".cooc", format="lines")
    cooc.count_store(name + ".cooc")
command("count", "one.txt", "two.txt", "--format", "lines", "-o", "want.cooc")

# ---- merge

seen = []
report = cooc.merge(["one.cooc", "two.cooc"], "both.cooc",
                    progress=seen.append, pairs_from="rows", memory="64M")
ok(same_store("both.cooc", "want.cooc"),
   "merging two stores gives the store of all documents")
ok((report["stores"], report["documents"], report["pairs_from"],
    report["count"]["memory"]) == (2, len(lines), "rows", 64 << 20) and
   report["counted"] and seen, "merge() returns a report", report)
refused(cooc.ExistsError, "replace it with replace=True", cooc.merge,
        ["one.cooc", "two.cooc"], "both.cooc")
with cooc.open("one.cooc") as store:
    report = cooc.merge([store, "two.cooc"], "both.cooc", replace=True,
                        pairs_from="documents", threads=1)
ok(same_store("both.cooc", "want.cooc") and
   report["pairs_from"] == "documents", "merge() accepts open stores")
cooc.merge("one.cooc", "alone.cooc")
ok(same_store("alone.cooc", "one.cooc"),
   "a single path is a list of one store")
refused(cooc.InvalidError, "no store given; give at least one store to merge",
        cooc.merge, [], "x.cooc")
refused(cooc.NotFoundError, "none.cooc", cooc.merge,
        ["one.cooc", "none.cooc"], "x.cooc")
refused(cooc.InvalidError, "pairs_from must be 'auto', 'rows' or "
        "'documents', not 'nowhere'", cooc.merge, ["one.cooc"], "x.cooc",
        pairs_from="nowhere")
refused(cooc.InvalidError, "pairs_from='cheaper' is now called "
        "pairs_from='auto'", cooc.merge, ["one.cooc"], "x.cooc",
        pairs_from="cheaper")
refused(TypeError, "merge() has no option 'stem'", cooc.merge, ["one.cooc"],
        "x.cooc", stem="english")
cooc.count(lines, "few.cooc", min_df=30).close()
refused(cooc.InvalidError, "few.cooc: was made with min_df 30", cooc.merge,
        ["one.cooc", "few.cooc"], "x.cooc")
for name in "left", "right":
    cooc.count({name: "w1 w2 w3"}, name + ".cooc", terms=["w1", "w2"]).close()
cooc.count(["w1 w3"], "else.cooc", terms=["w1", "w3"]).close()
refused(cooc.InvalidError, "made with different lists (terms)", cooc.merge,
        ["left.cooc", "else.cooc"], "x.cooc")
ok(not os.path.exists("x.cooc"), "refused merges leave nothing behind")
cooc.merge(["left.cooc", "right.cooc"], "x.cooc")
with cooc.open("x.cooc") as store:
    ok(list(store.documents) == ["left", "right"] and store["w1", "w2"] == 2,
       "stores with the same list of terms can be merged")

# ---- parts and filters

for part in 3, 1, 2:
    report = cooc.index(["one.txt", "two.txt"], f"part-{part}.cooc",
                        format="lines", part=part, parts=3)
info = cooc.open("part-2.cooc").info
ok((info.part, info.parts) == (2, 3), "a store knows its part")
keep = [f"w{i}" for i in range(0, 97, 2)]
cooc.index(["one.txt", "two.txt"], "kept.cooc", format="lines", min_df=9,
           max_df="40%", top_terms=20, terms=keep)
report = cooc.merge([f"part-{i}.cooc" for i in (2, 3, 1)], "united.cooc",
                    min_df=9, max_df="40%", top_terms=20, terms=keep)
ok(same_store("united.cooc", "kept.cooc") and report["dropped_terms_list"] > 9,
   "parts are merged in any order and filtered", report)
refused(cooc.InvalidError, "part 1 of 3 is missing", cooc.merge,
        ["part-2.cooc", "part-3.cooc"], "y.cooc")
refused(cooc.InvalidError, "a part of an index must keep all terms",
        cooc.index, "one.txt", "y.cooc", part=1, parts=2, min_df=3)

# ---- add

report = cooc.add("one.cooc", "two.txt", format="lines", threads=1)
ok(same_store("one.cooc", "want.cooc") and
   report["index"]["documents"] == len(lines) - 120 and
   report["merge"]["documents"] == len(lines),
   "add() adds the documents of a file", report)
cooc.add("left.cooc", ["two.txt"], format="lines", terms=["w1", "w2"],
         rows="compact")
with cooc.open("left.cooc") as store:
    ok(len(store.documents) == len(lines) - 119 and len(store) == 2,
       "add() with the list of terms of the store")
    ok(store.info.rows == "compact",
       "rows='compact' applies to the new store", store.info)
cooc.add("left.cooc", "two.txt", format="lines", terms=["w1", "w2"])
with cooc.open("left.cooc") as store:
    ok(store.info.rows == "compact",
       "by default, add() keeps the kind of rows", store.info)
refused(cooc.InvalidError, "give the same list again (terms)", cooc.add,
        "right.cooc", "two.txt", format="lines")
refused(cooc.InvalidError, "made with different lists (terms)", cooc.add,
        "right.cooc", "two.txt", format="lines", terms=["w1"])
refused(TypeError, "add() has no option 'stem'", cooc.add, "one.cooc",
        "two.txt", stem="english")
for ask in (lambda: cooc.add("one.cooc", "two.cooc"),
            lambda: cooc.index("two.cooc", "x2.cooc")):
    refused(cooc.InvalidError, "two.cooc is a store, not documents", ask)
ok(same_store("one.cooc", "want.cooc"),
   "refused additions do not change the store")

# ---- export

store = cooc.open("want.cooc")
for how, arguments in (
        ({}, []), ({"format": "gexf", "by": "npmi", "per_node": 3},
                   ["--format", "gexf", "--by", "npmi", "--per-node", "3"]),
        ({"shape": "symmetric", "top_terms": 9, "min_count": 2},
         ["--symmetric", "--top-terms", "9", "--min-count", "2"]),
        ({"by": "confidence", "reverse": True, "min_score": 0.5},
         ["--by", "confidence", "--reverse", "--min-score", "0.5"])):
    report = store.export("ours", **how)
    command("export", "want.cooc", "-o", "theirs", *arguments)
    with open("ours", "rb") as ours, open("theirs", "rb") as theirs:
        text = ours.read()
        ok(text == theirs.read() and len(text) == report["bytes"] > 100,
           f"export({how}) writes what the command line writes", report)
some = ["w3", "w1", "w50"]
report = store.export("some.npz", format="npz", terms=some, shape="symmetric")
with open(report["side_file"]) as f:
    names = f.read().split()
ok(sorted(names) == sorted(some) and
   (sparse.load_npz("some.npz").toarray() ==
    store.matrix(terms=names).toarray()).all() and report["pairs"] > 0,
   "some terms as a file of SciPy", names, report)
refused(cooc.InvalidError, "unknown export format 'nope'", store.export,
        "x", format="nope")
refused(cooc.InvalidError, "shape must be 'default', 'triangle' or "
        "'symmetric', not 'round'", store.export, "x", shape="round")
refused(cooc.InvalidError, "shape='usual' is now called shape='default'",
        store.export, "x", shape="usual")
refused(cooc.InvalidError, "min_score cannot be nan", store.export, "x",
        min_score=np.nan)
refused(cooc.InvalidError, "npmi is the same in both directions",
        store.export, "x", by="npmi", reverse=True)
refused(cooc.InvalidError, "terms is empty", store.export, "x", terms=[])
refused(TypeError, "export() has no option 'colour'", store.export, "x",
        colour="red")
ok(not os.path.exists("x"), "refused exports write nothing")
store.close()
ended()
