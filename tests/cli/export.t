#!/usr/bin/env python3
"""export.t - exports from the command line: names of files, errors, and that
an incomplete file is never visible."""

import gzip
import json
import math
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import write_collection  # noqa: E402
from tap import COOC, cooc, ended, ok, run, skip  # noqa: E402

FORMATS = ("tsv csv jsonl raw glove mtx npz sqlite gexf graphml pajek "
           "vosviewer gephi-csv ciff").split()
PAIRS = [kind for kind in FORMATS if kind != "ciff"]
TWO = {"glove": ("x.bin", "x.vocab.txt", "cooccurrence.bin", "vocab.txt"),
       "mtx": ("x.mtx", "x.mtx.terms.txt", "matrix.mtx",
               "matrix.mtx.terms.txt"),
       "npz": ("x.npz", "x.npz.terms.txt", "matrix.npz",
               "matrix.npz.terms.txt"),
       "vosviewer": ("x.txt", "x.map.txt", "network.txt", "map.txt"),
       "gephi-csv": ("x.csv", "x.nodes.csv", "edges.csv", "nodes.csv")}

with open("docs.txt", "w") as f:
    f.write("tea milk sugar\ntea milk\ncoffee milk sugar\ncoffee tea\n"
            "alone\n")
cooc("count", "docs.txt", "-o", "d.cooc", "-q")
os.mkdir("here")


def files():
    return sorted(os.listdir("here"))


def clear():
    shutil.rmtree("here")
    os.mkdir("here")


# ---- names

for kind in FORMATS:
    if kind not in TWO:
        cooc("export", "d.cooc", "--format", kind, "-q", "-o", "here/x.y")
        ok(files() == ["x.y"], f"{kind} writes the named file",
           files())
        done = run("export", "d.cooc", "--format", kind, "-o", "here")
        ok(done.returncode == 2 and
           done.stderr.startswith(b"cooc: here: is a directory; name a file"),
           f"{kind} does not write to a directory", done)
        clear()
        continue
    one, two, first, second = TWO[kind]
    cooc("export", "d.cooc", "--format", kind, "-q", "-o", "here/" + one)
    ok(files() == sorted([one, two]), f"{kind} writes {one} and {two}",
       files())
    clear()
    cooc("export", "d.cooc", "--format", kind, "-q", "-o", "here/x.other")
    ok("x.other" in files() and len(files()) == 2,
       f"{kind} keeps another suffix", files())
    clear()
    cooc("export", "d.cooc", "--format", kind, "-q", "-o", "here")
    ok(files() == sorted([first, second]),
       f"{kind} writes {first} and {second} into a directory", files())
    clear()
    done = run("export", "d.cooc", "--format", kind)
    ok(done.returncode == 2 and not done.stdout and done.stderr.startswith(
        b"cooc: format %s cannot be written to standard output; name a file" %
        kind.encode()), f"{kind} to standard output is refused", done)
    done = run("export", "d.cooc", "--format", kind, "-o", "d.cooc")
    ok(done.returncode == 1 and b"d.cooc: is a store" in done.stderr and
       not os.path.exists(f"d.cooc/{first}"),
       f"{kind} into a store is refused", done)
done = run("export", "d.cooc", "--format", "sqlite")
ok(done.returncode == 2, "sqlite to standard output is refused", done)
done = run("export", "d.cooc", "--format", "npz", "-o", "here/x.npz")
ok(re.fullmatch(rb"field\tvalue\nfile\there/x.npz\nterms_file\there/x.npz."
                rb"terms.txt\nterms\t5\nentries\t12\nbytes\t\d+\nseconds\t"
                rb"[\d.e-]+\n", done.stdout),
   "the report names both files and counts entries", done.stdout)
cooc("export", "d.cooc", "--format", "mtx", "-q", "-o", "here/x.mtx")
ok(len(files()) == 4, "npz and mtx of one name do not share a file", files())
for options, name, number in (
        (["--format", "npz", "--triangle"], "pairs", 6),
        (["--format", "mtx"], "pairs", 6),
        (["--format", "mtx", "--diagonal"], "entries", 11),
        (["--format", "tsv"], "pairs", 6),
        (["--symmetric"], "entries", 12),
        (["--format", "glove"], "entries", 12),
        (["--format", "gexf"], "pairs", 6)):
    told = json.loads(cooc("export", "d.cooc", *options, "-o", "here/r",
                           "--json"))
    ok(told.get(name) == number and told["file"] == "here/r" and
       ("pairs" in told) != ("entries" in told),
       f"{' '.join(options)} --json reports {number} {name}", told)
clear()
cooc("export", "d.cooc", "--format", "npz", "--json", "-q", "-o", "here/x")
cooc("export", "d.cooc", "--json", "-q", "-o", "here/y")
with open("here/x", "rb") as f, open("here/y", "rb") as g:
    ok(f.read(2) == b"PK" and g.readline().startswith(b'{"term1": '),
       "--json selects jsonl unless there is a --format", files())
told = json.loads(cooc("export", "d.cooc", "--format", "ciff", "-o", "here/r",
                       "--json"))
ok([told.get(n) for n in ("terms", "documents", "postings", "pairs")] ==
   [5, 5, 11, None], "an index is reported with documents and postings", told)
cooc("index", "docs.txt", "-o", "i.cooc", "-q")
cooc("export", "i.cooc", "--format", "ciff", "-o", "here/i", "-q")
with open("here/r", "rb") as f, open("here/i", "rb") as g:
    ok(f.read() == g.read(), "ciff needs no counted pairs")
clear()
for options, named in ((["--by", "pmi"], "--by, --shift, --smoothing"),
                       (["--min-count", "2"], "--min-count"),
                       (["--symmetric"], "--triangle, --symmetric")):
    done = run("export", "d.cooc", "--format", "ciff", "-o", "here/x",
               *options)
    ok(done.returncode == 2 and not files() and done.stderr.startswith(
        b"cooc: ciff contains the documents of each term, but no pairs; leave "
        b"the option about pairs out (" + named.encode() + b")\n"),
       f"ciff refuses {options[0]}", done)
ok(cooc("export", "d.cooc", "--json", "--format", "csv").startswith("term1,"),
   "--format overrides --json in a pipe")
clear()
text = " ".join(cooc("export", "--help").split())
ok("replaces an existing one, only when it is complete" in text and
   text.count("(default: 0, no limit)") == 4,
   "--help says when a file is replaced, and what 0 means", text)
clear()

# ---- temporary names

with open("here/x.tsv.tmp", "w") as f:
    f.write("mine\n")
mask = os.umask(0o027)
cooc("export", "d.cooc", "-q", "-o", "here/x.tsv")
os.umask(mask)
with open("here/x.tsv.tmp") as f:
    ok(f.read() == "mine\n" and files() == ["x.tsv", "x.tsv.tmp"],
       "a user's file with the suffix .tmp is kept", files())
ok(os.stat("here/x.tsv").st_mode & 0o777 == 0o640,
   "the mode of a file follows the umask")
clear()
done = run("export", "d.cooc", "--format", "sqlite", "-o", "none/x.db")
ok(done.returncode == 1 and done.stderr ==
   b"cooc: the directory none does not exist; create it first: mkdir -p "
   b"none\n", "a missing folder is named", done)

# ---- output

ok(cooc("export", "d.cooc", "--format", "pajek", "--min-count", "2",
        "--by", "jaccard") == """\
% made by: cooc 0.1.0
% documents: 5
% terms in the store: 5
% pairs in the store: 6
% terms here: 3
% measure: jaccard
% minimum count: 2
% diagonal: none
*Vertices 3
1 "milk"
2 "tea"
3 "sugar"
*Edges
1 2 0.5
1 3 0.666666667
""", "a network has only terms with pairs and records its options",
   cooc("export", "d.cooc", "--format", "pajek", "--min-count", "2",
        "--by", "jaccard"))
ok(cooc("export", "d.cooc", "--top-edges", "2", "--by", "dice") ==
   "term1\tterm2\tcount\tdf1\tdf2\tdice\n"
   "milk\tsugar\t2\t3\t2\t0.8\nmilk\ttea\t2\t3\t3\t0.666666667\n",
   "--top-edges keeps the strongest pairs, strongest first")
ok(cooc("export", "d.cooc", "--format", "csv", "--nodes", "2") ==
   "term1,term2,count,df1,df2\nmilk,tea,2,3,3\n",
   "--nodes limits the number of terms")
with open("list.txt", "w") as f:
    f.write("# drinks\nTEA\ncofee\ncoffee\n")
done = run("export", "d.cooc", "--terms", "list.txt")
ok(done.stdout == b"term1\tterm2\tcount\tdf1\tdf2\ntea\tcoffee\t1\t3\t2\n" and
   done.stderr == b"cooc: list.txt: 1 of 3 words is in no document; the "
   b"first is 'cofee'\n", "--terms folds words and reports unknown words", done)
with open("none.txt", "w") as f:
    f.write("cofee\n")
done = run("export", "d.cooc", "--terms", "none.txt", "-o", "here/x.tsv")
ok(done.returncode == 1 and b"none.txt: does not contain a word of the store"
   in done.stderr and not files(), "a list without terms is refused", done)
for args, message in (
        (["--triangle", "--symmetric"], "cannot be combined"),
        (["--format", "gexf", "--symmetric"], "gexf cannot be triangular"),
        (["--memory", "1M"], "at least 64 MiB for an export (--memory)"),
        (["--by", "nmpi"], "did you mean 'npmi'?"),
        (["--by", "dice", "--reverse"], "the same in both directions"),
        (["--by", "dice", "--shift", "5"], "are not supported by the measure dice"),
        (["--format", "xlsx"], "--format must be ")):
    done = run("export", "d.cooc", *args, "-o", "here/x")
    ok(done.returncode == 2 and message.encode() in done.stderr and
       not files(), f"{' '.join(args)} is refused", done)

# ---- dump

cooc("export", "d.cooc", "--format", "mtx", "-q", "-o", "x.mtx")
ok(cooc("dump", "x.mtx", "-n", "2") == "row\tcolumn\tvalue\n2\t1\t2\n"
   "3\t1\t1\n", "dump prints the numbers of rows and columns",
   cooc("dump", "x.mtx", "-n", "2"))
ok(cooc("dump", "x.mtx", "--vocab", "x.mtx.terms.txt", "-n", "1", "--json") ==
   '{"row": "tea", "column": "milk", "value": 2}\n',
   "dump --vocab prints terms")
for text, message in (
        ("%%MatrixMarket matrix array real general\n1 1\n1\n",
         "dense matrices are not supported"),
        ("%%MatrixMarket matrix coordinate complex general\n", "pattern"),
        ("%%MatrixMarket nonsense\n", "x.bad:1: not a Matrix Market header"),
        ("%%MatrixMarket matrix coordinate real general\n2 2\n",
         "x.bad:2: expected the numbers of rows, columns and"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n",
         "x.bad:3: this cell is outside"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n",
         "fewer cells"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n"
         "2 2 2\n", "x.bad:4: there are more cells"),
        ("just some text, nothing else\n", "is not a Matrix Market file"),
        ("%%MatrixMarket matrix coordinate real general\n" + "9" * 9999,
         "a line is too long"),
        ("\1\0\0\0\0\0\0\0" + "\0" * 8, "GloVe's cooccurrence.bin"),
        ("\1\0\0\0\1\0\0\0", "is truncated")):
    with open("x.bad", "w") as f:
        f.write(text)
    done = run("dump", "x.bad")
    ok(done.returncode == 1 and message.encode() in done.stderr,
       f"dump reports '{message}'", done)
    ok(not done.stdout or text.startswith("%%Matrix"),
       f"dump prints nothing before '{message}' unless it is a matrix", done)


def records(*cells):
    return b"".join(struct.pack("<iid", *c) for c in cells)


good = records((1, 2, 3.0), (2, 1, 0.5))
cooc("export", "d.cooc", "--format", "sqlite", "-q", "-o", "x.db")
cooc("export", "d.cooc", "--format", "raw", "-q", "-o", "x.raw")
shutil.copy(sys.executable, "x.elf")
for name, data, message in (
        ("x.elf", None, b"x.elf: expected a sparse matrix, found a program"),
        ("x.db", None, b"x.db: expected a sparse matrix, found an SQLite database"),
        ("x.raw", None, b"GloVe's cooccurrence.bin"),
        ("x.npy", b"\x93NUMPY\1\0v\0{'descr'", b"a single numpy array"),
        ("x.nan", good + records((1, 3, math.nan)), b"GloVe's cooccurrence.bin"),
        ("x.wild", good + records((1, 3, 1e-300)), b"GloVe's cooccurrence.bin"),
        ("x.zero", good + records((0, 3, 1)), b"GloVe's cooccurrence.bin"),
        ("x.cut", (good * 9000)[:-5], b"x.cut: is truncated"),
        ("d.cooc", None, b"d.cooc: expected a matrix, found a store; query it instead"),
        ("here", None, b"here: is a directory; name a file in it")):
    if data:
        with open(name, "wb") as f:
            f.write(data)
    done = run("dump", name)
    ok(done.returncode == 1 and not done.stdout and message in done.stderr,
       f"dump {name} reports '{message.decode()}' and prints nothing", done)
with open("x.gz", "wb") as f:
    f.write(gzip.compress(good * 9000))
want = "row\tcolumn\tvalue\n" + "1\t2\t3\n2\t1\t0.5\n" * 9000
ok(cooc("dump", "x.gz") == want, "dump reads a large compressed file")
done = subprocess.run([COOC, "dump", "-"], input=good * 9000,
                      stdout=subprocess.PIPE)
ok(done.stdout.decode() == want, "dump reads records from a pipe", done)
done = run("dump", "x.mtx", "--vocab", "none.txt")
ok(done.returncode == 1 and b"none.txt: has no line for number 2" in
   done.stderr, "a vocabulary that is too short is named", done)

# ---- interrupted, concurrent, out of space

write_collection("many.txt", documents=1200, terms=3000, length=200)
cooc("count", "many.txt", "-o", "many.cooc", "-q")
for kind in "tsv", "npz", "sqlite":
    how = [[COOC, "export", "many.cooc", "--format", kind, "-q", "--top-terms",
            str(n), "-o"] for n in (400, 450, 500)]
    whole = {}
    for one in how:
        subprocess.run([*one, "alone"], check=True)
        with open("alone", "rb") as f:
            whole[f.read()] = one
    for child in [subprocess.Popen([*one, "here/x"]) for one in how * 2]:
        ok(child.wait() == 0,
           f"{kind}: one of six exports to the same file succeeds")
    with open("here/x", "rb") as f:
        ok(len(whole) == 3 and f.read() in whole and
           files() == ["x"] + ["x.terms.txt"] * (kind == "npz"),
           f"{kind}: six exports leave one complete file and nothing else",
           files())
    clear()
for kind in PAIRS: # ciff takes a few milliseconds; see unit/test_export
    how = ["export", "many.cooc", "--format", kind, "-o", "here/x", "-q",
           "--by", "npmi"]
    for wait in 0.03, 0.01, 0.003, 0: # it may finish before
        clear()
        child = subprocess.Popen([COOC, *how], stdin=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
        while child.poll() is None and not files():
            time.sleep(0.002)
        time.sleep(wait)
        child.send_signal(signal.SIGINT)
        told = child.communicate()[1]
        if child.returncode:
            break
    ok(child.returncode == 130 and
       told == b"cooc: interrupted; nothing was exported\n" and not files(),
       f"{kind}: Ctrl-C leaves no file", child.returncode, told, files())
    clear()
limit = 300000
for kind in FORMATS:
    done = subprocess.run(
        [COOC, "export", "many.cooc", "--format", kind, "-o", "here/x", "-q",
         "--top-terms", "1500", *(["--min-count", "3"] if kind in PAIRS
                                  else [])],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=lambda:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    ok(done.returncode == 1 and done.stderr.startswith(b"cooc: here") and
       not files(), f"{kind}: a failed write leaves no file", done,
       files())
    clear()
if os.geteuid() or subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "cooc-test", "here"],
        stderr=subprocess.DEVNULL).returncode:
    skip("a full disk", "a small file system cannot be mounted here")
    ended()
try:
    for kind in FORMATS:
        done = run("export", "many.cooc", "--format", kind, "-o", "here/x")
        ok(done.returncode == 1 and not files() and re.search(
            rb"here.*: cannot write( temporary files)?: the disk "
            rb"is full; free some", done.stderr),
           f"{kind}: a full disk is reported and leaves no file", done, files())
finally:
    subprocess.run(["umount", "here"])
ended()
