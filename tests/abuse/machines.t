#!/usr/bin/env python3
"""machines.t - stores, answers and exports are the same bytes on every
architecture, and each architecture reads the stores of the others.

scripts/portable builds for other architectures; the programs build-ARCH/run
are compared with the native program.
"""

import glob
import os
import shutil
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import same  # noqa: E402
from tap import COOC, DATA, SRC, ended, ok, skip  # noqa: E402

OTHERS = {path.split("/")[-3][len("build-"):]: path
          for path in sorted(glob.glob(SRC + "/build-*/run/cooc"))}
NATIVE = "native"
PROGRAM = dict(OTHERS, native=COOC)
METHODS = [["bit-scan"], ["bit-scan", "--head-terms", "256"],
           ["bit-scan", "--kernel", "scalar"], ["list-scan"],
           ["list-blocks"], ["list-pairs"], ["multi-scan"],
           ["naive", "--flush-pairs", "20000"]]
FORMATS = ["tsv", "csv", "jsonl", "raw", "glove", "mtx", "npz", "sqlite",
           "gexf", "graphml", "pajek", "vosviewer", "gephi-csv", "ciff"]
TEXT = """The ISTANBUL Istanbul İSTANBUL ısparta café CAFÉ naïve 3.14 don't
Ψυχή ΨΥΧΗ Οδυσσεύς Straße STRASSE ﬁne Ⅷ 1,000 e-mail x86_64 foo.bar
春眠不覺曉 處處聞啼鳥 夜來風雨聲 花落知多少
すもももももももものうち カタカナ ｶﾀｶﾅ 한국어 텍스트
العربية كتاب مَكْتَبَة עברית ภาษาไทยไม่มีช่องว่าง
हिन्दी परीक्षण Đặng Åse åse 👩‍👩‍👧 🇩🇪 naïve
"""


def do(machine, *args, good=(0,)):
    """Run cooc on the machine; return its output.  A failure ends the test."""
    done = subprocess.run([PROGRAM[machine], *args], cwd=machine,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200)
    if done.returncode not in good:
        ok(False, f"{machine}: cooc {' '.join(args)} succeeds", done.returncode,
           done.stderr.decode(errors="replace"))
        ended()
    return done.stdout


def make_inputs():
    with open("text.txt", "w", encoding="utf-8") as f:
        for i in range(40):
            f.write(TEXT + f"number {i} ends here\n")
    with open("bytes.txt", "wb") as f:      # partly invalid UTF-8
        f.write(bytes(range(1, 256)) * 20)
    with open("list.txt", "w") as f:
        f.write("w1\nw2\nw3\n")
    for name, seed in (("many", "1"), ("more", "2")):
        made = subprocess.run([sys.executable, DATA + "/collection.py", "400",
                               "3000", "30", seed],
                              stdout=subprocess.PIPE, check=True).stdout
        with open(name + ".txt", "wb") as f:
            f.write(made)


def everywhere(name, store):
    """Check that the store equals the native one byte for byte."""
    for machine in OTHERS:
        ok(same(f"{NATIVE}/{store}", f"{machine}/{store}"),
           f"{machine}: {name} makes the same store")


def inside(path):
    """The contents of a file; of a database only its rows, because SQLite
    writes its version into the file."""
    if path.endswith(".sqlite"):
        with sqlite3.connect(path) as db:
            return "\n".join(db.iterdump()).encode()
    with open(path, "rb") as f:
        return f.read()


def files_of(top):
    return {name: inside(f"{top}/{name}") for name in sorted(os.listdir(top))}


if not OTHERS:
    skip("stores of other machines are the same",
         "build them first: make portable")
    ended()
make_inputs()
for m in PROGRAM:
    os.mkdir(m)

# ---- making

for name, options in (
        ("text", ["../text.txt"]), ("bytes", ["../bytes.txt"]),
        ("stemmed", ["../text.txt", "--stem", "english", "--min-df", "2"]),
        ("spilling", ["../many.txt", "--memory", "16M"])):
    for m in PROGRAM:
        do(m, "index", *options, "-o", name + ".cooc", "-q")
        do(m, "count", name + ".cooc", "-q", "--rows", "full")
    everywhere("index, count: " + name, name + ".cooc")
for name in sorted(os.listdir(DATA + "/formats")):
    said = {m: do(m, "index", f"{DATA}/formats/{name}", "-o", name + ".cooc",
                  "--json", good=(0, 1, 2)) for m in PROGRAM}
    for m in OTHERS:
        there = os.path.isdir(f"{NATIVE}/{name}.cooc")
        ok(bool(said[m]) == bool(said[NATIVE]) == there and
           (not there or same(f"{NATIVE}/{name}.cooc", f"{m}/{name}.cooc")),
           f"{m}: {name} " + ("makes the same store" if there else
                              "is refused"))
for m in PROGRAM:
    do(m, "index", "../many.txt", "-o", "many.cooc", "-q")
    do(m, "index", "../more.txt", "-o", "more.cooc", "-q")
    do(m, "count", "more.cooc", "-q", "--rows", "full")
for options in METHODS + [["list-scan", "--batch-postings", "2000"],
                          ["bit-scan", "--rows", "compact"]]:
    for m in PROGRAM:
        shutil.rmtree(m + "/c.cooc", ignore_errors=True)
        shutil.copytree(m + "/many.cooc", m + "/c.cooc")
        do(m, "count", "c.cooc", "-q", "-j2", "--rows", "full", "--method",
           *options)
    everywhere("count --method " + " ".join(options), "c.cooc")
for m in PROGRAM:
    do(m, "count", "many.cooc", "-q", "--rows", "full")
    do(m, "merge", "many.cooc", "more.cooc", "-o", "merged.cooc", "-q")
    shutil.copytree(m + "/many.cooc", m + "/added.cooc")
    do(m, "add", "added.cooc", "../more.txt", "-q")
everywhere("merge", "merged.cooc")
everywhere("add", "added.cooc")
ok(same("native/merged.cooc/", "native/added.cooc"),
   "merge and add make the same store")

# ---- exports

for options in ([], ["--by", "ppmi"], ["--by", "llr", "--top-terms", "50"]):
    for fmt in FORMATS if "--by" not in options else FORMATS[:-1]: # not ciff
        for m in PROGRAM:
            shutil.rmtree(m + "/out", ignore_errors=True)
            os.mkdir(m + "/out")
            do(m, "export", "text.cooc", "--format", fmt, "-o",
               "out/x." + fmt, "-q", *options)
        want = files_of(NATIVE + "/out")
        for m in OTHERS:
            ok(files_of(m + "/out") == want,
               f"{m}: export {fmt} {' '.join(options)} writes the same files")
for fmt, name in (("glove", "x.bin"), ("npz", "x.npz"), ("mtx", "x.mtx")):
    for m in PROGRAM:
        do(m, "export", "text.cooc", "--format", fmt, "-o", name, "-q")
    want = do(NATIVE, "dump", name)
    for m in OTHERS:
        ok(do(m, "dump", f"../{NATIVE}/{name}") == want and want,
           f"{m}: dump {fmt} prints the same text of a native file")

# ---- each machine reads the stores of another

QUESTIONS = [["stats"], ["check"], ["top", "w1", "-n0", "--by", "llr"],
             ["pair", "w1", "w2", "--json"], ["row", "w1"],
             ["pairs", "-n50", "--by", "npmi"], ["docs", "w1", "w2"],
             ["terms", "-n0"], ["export"], ["within", "../list.txt"],
             ["similar", "w1", "w2", "--min-df", "1"]]
for asker, writer in [(NATIVE, m) for m in OTHERS] + \
        [(m, NATIVE) for m in OTHERS] + \
        [(a, b) for a in OTHERS for b in OTHERS if a != b]:
    for command, *rest in QUESTIONS:
        want = do(NATIVE, command, "many.cooc", *rest)
        ok(do(asker, command, f"../{writer}/many.cooc", *rest) == want and
           want, f"{asker}: {command} on a store of {writer} prints the same")
    shutil.rmtree(f"{asker}/mixed.cooc", ignore_errors=True)
    do(asker, "merge", f"../{writer}/many.cooc", "more.cooc", "-o",
       "mixed.cooc", "-q")
    ok(same(f"{asker}/mixed.cooc", f"{NATIVE}/merged.cooc"),
       f"{asker}: merge with a store of {writer} makes the same store")

# ---- damage is detected on every machine

for m in PROGRAM:
    missed = []
    for name in sorted(os.listdir(f"{NATIVE}/text.cooc")):
        shutil.rmtree(m + "/d.cooc", ignore_errors=True)
        shutil.copytree(f"{NATIVE}/text.cooc", m + "/d.cooc")
        path = f"{m}/d.cooc/{name}"
        with open(path, "r+b") as f:
            middle = os.path.getsize(path) // 2
            f.seek(middle)
            byte = f.read(1)[0]
            f.seek(middle)
            f.write(bytes([byte ^ 4]))
        found = subprocess.run([PROGRAM[m], "check", "d.cooc", "-q"], cwd=m,
                               stderr=subprocess.PIPE)
        if found.returncode != 1:
            missed.append(f"{name}: {found.returncode} {found.stderr}")
    ok(not missed, f"{m}: check detects a flipped bit in every file", missed)
ended()
