#!/usr/bin/python3
"""export.t - every export, opened by its target programs and compared with
scipy's A'A and with filters implemented a second time, on documents with terms
that could break a format."""

import collections
import csv
import io
import json
import math
import os
import random
import re
import sqlite3
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import write_collection  # noqa: E402
from tap import COOC, cooc, ended, ok, run, skip  # noqa: E402

try:
    import networkx
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError:
    skip("exports are read by their target programs",
         "scipy or networkx is not installed")
    ended()

HOSTILE = ['<b>', '&amp;', '"quoted"', "it's", 'a,b', 'tab\there', 'back\\slash',
           'end\\', '\\t', ']]>', '<!--', '%comment', '*Edges', 'naïve', '日本', '🎈',
           '\x01\x02ctl', '\x7f\x9f'.encode().decode(), '\ufffe', '\ufdd0',
           '=1+1', '-5', '#hash', 'x' * 400, "'", ';', '\u2028', 'null',
           'nul\0in']
draw = random.Random(4)
words = HOSTILE + [f"w{i}" for i in range(70)]
weights = [1 / (i % 30 + 2) for i in range(len(words))]
docs = [set(draw.choices(words, weights, k=draw.randrange(1, 14)))
        for _ in range(300)]
docs.append({"alone"})
with open("docs.txt", "w", newline="", encoding="utf-8") as f:
    for d in docs:
        f.write(" ".join(sorted(d)) + "\n")
cooc("count", "docs.txt", "--format", "transactions", "--separators", " ",
     "-o", "s.cooc", "-q")

# ---- the truth

N = len(docs)
df = collections.Counter(w for d in docs for w in d)
names = sorted(df, key=lambda w: (-df[w], w.encode()))
ids = {w: i for i, w in enumerate(names)}
V = len(names)
a = numpy.zeros((N, V), dtype=int)
for i, d in enumerate(docs):
    for w in d:
        a[i, ids[w]] = 1
product = a.T @ a
counts = product - numpy.diag(numpy.diag(product))
dfs = numpy.diag(product)
PAIRS = {(x, y): int(counts[x, y]) for x in range(V) for y in range(x + 1, V)
         if counts[x, y]}


def ppmi(x, y, smooth=1.0):
    """Computed from the definition; y is the context."""
    scale = dfs.sum() / (dfs.astype(float) ** smooth).sum()
    expected = dfs[x] * dfs[y] ** smooth * scale / N
    return max(0, math.log2(counts[x, y] / expected))


def npmi(x, y):
    p = counts[x, y] / N
    return math.log2(p * N * N / (dfs[x] * dfs[y])) / -math.log2(p)


def confidence(x, y):
    return counts[x, y] / dfs[x]


unescape = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\0": "\0",
            "\\\\": "\\"}


def plain(s):
    return re.sub(r"\\.", lambda m: unescape[m[0]], s)


def read_terms(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [plain(line) for line in file.read().split("\n")[:-1]]


def export(kind, path, *options):
    cooc("export", "s.cooc", "--format", kind, "-o", path, "-q", *options)
    left = [n for n in os.listdir(".") if ".tmp" in n]
    if left:
        ok(False, f"{kind} leaves no temporary file", left)


def near(x, y):
    return numpy.allclose(numpy.asarray(x, float), numpy.asarray(y, float),
                          rtol=6e-9, atol=1e-12)


def matrix(score):
    m = numpy.zeros((V, V))
    for x, y in PAIRS:
        m[x, y], m[y, x] = score(x, y), score(y, x)
    return m


# ---- tables

def table(*options, kind="tsv"):
    text = cooc("export", "s.cooc", "--format", kind, *options)
    if kind == "csv":
        return list(csv.reader(io.StringIO(text, newline="")))
    return [[plain(c) for c in line.split("\t")]
            for line in text.split("\n")[:-1]]


want = [[names[x], names[y], str(c), str(dfs[x]), str(dfs[y])]
        for (x, y), c in sorted(PAIRS.items(), key=lambda p: p[0][::-1])]
for kind in "tsv", "csv":
    got = table(kind=kind)
    ok(got[0] == ["term1", "term2", "count", "df1", "df2"] and
       got[1:] == (want if kind == "tsv" else
                   [[c.replace("\0", "\ufffd") for c in w] for w in want]),
       f"{kind} has all {len(want)} pairs", got[:3])
got = [json.loads(line) for line in
       cooc("export", "s.cooc", "--format", "jsonl").split("\n")[:-1]]
ok([list(map(str, g.values())) for g in got] == want, "jsonl has every pair",
   got[:3])
got = table("--by", "npmi")
ok(got[0][5:] == ["npmi"] and [r[:5] for r in got[1:]] == want and
   near([float(r[5]) for r in got[1:]],
        [npmi(ids[r[0]], ids[r[1]]) for r in got[1:]]),
   "tsv has the measure as its last column")
got = table("--symmetric", "--by", "confidence")[1:]
ok(len(got) == 2 * len(want) and all(
    near(float(r[5]), confidence(ids[r[0]], ids[r[1]])) for r in got) and
   [(ids[r[0]], ids[r[1]]) for r in got] ==
   sorted((ids[r[0]], ids[r[1]]) for r in got),
   "--symmetric has each pair in both directions, with the measure of each "
   "direction")
got = table("--by", "confidence")[1:]
back = table("--by", "confidence", "--reverse")[1:]
ok(all(near(float(r[5]), confidence(ids[r[0]], ids[r[1]])) and
       near(float(b[5]), confidence(ids[r[1]], ids[r[0]]))
       for r, b in zip(got, back)), "--reverse turns the direction round")
got = [r for r in table("--diagonal", "--min-count", "9")[1:]]
ok([r for r in got if r[0] == r[1]] ==
   [[n, n] + 3 * [str(df[n])] for n in names] and
   [r for r in got if r[0] != r[1]] == [r for r in want if int(r[2]) >= 9],
   "--diagonal adds each term with its df")
raw = numpy.frombuffer(subprocess.run(
    [COOC, "export", "s.cooc", "--format", "raw", "--symmetric"],
    stdout=subprocess.PIPE, check=True).stdout, "<u4")
got, at = numpy.zeros((V, V), int), 0
while at < len(raw):
    row, n = raw[at], raw[at + 1]
    got[row, raw[at + 2:at + 2 + 2 * n:2]] = raw[at + 3:at + 3 + 2 * n:2]
    at += 2 + 2 * n
ok((got == counts).all(), "raw --symmetric is A'A")

# ---- matrices

export("npz", "m.npz")
m = scipy.sparse.load_npz("m.npz")
ok(m.format == "csr" and m.dtype == numpy.int32 and
   m.indices.dtype == m.indptr.dtype == numpy.int32 and
   m.has_sorted_indices and (m.toarray() == counts).all(),
   "scipy loads npz: A'A without its diagonal", repr(m))
ok(read_terms("m.npz.terms.txt") == names,
   "npz has a list with a term for each row")
with numpy.load("m.npz") as arrays:
    ok(sorted(arrays) == ["data", "format", "indices", "indptr", "shape"] and
       all(arrays[k].flags.c_contiguous for k in arrays),
       "numpy opens the arrays of npz")
export("npz", "m.npz", "--diagonal")
ok((scipy.sparse.load_npz("m.npz").toarray() == product).all(),
   "npz with --diagonal is A'A with its diagonal")
export("npz", "m.npz", "--triangle")
ok((scipy.sparse.load_npz("m.npz").toarray() == numpy.tril(counts)).all(),
   "npz with --triangle is the lower triangle")
export("npz", "m.npz", "--by", "ppmi", "--smoothing", "0.75")
m = scipy.sparse.load_npz("m.npz")
ok(m.dtype == float and near(m.toarray(), matrix(
    lambda x, y: ppmi(x, y, 0.75))), "smoothed PPMI, from row to column")
export("npz", "m.npz", "--by", "confidence", "--triangle")
ok(near(scipy.sparse.load_npz("m.npz").toarray(),
        numpy.tril(matrix(confidence))),
   "a triangle of a directed measure is the lower triangle of the matrix")
os.mkdir("dir")
export("npz", "dir")
ok(sorted(os.listdir("dir")) == ["matrix.npz", "matrix.npz.terms.txt"],
   "npz into a directory writes both files")

for options, head, full in (
        ([], "integer symmetric", counts),
        (["--symmetric"], "integer symmetric", counts),
        (["--diagonal"], "integer symmetric", product),
        (["--triangle"], "integer general", numpy.tril(counts)),
        (["--by", "npmi"], "real symmetric", matrix(npmi)),
        (["--by", "confidence"], "real general", matrix(confidence))):
    export("mtx", "m.mtx", *options)
    with open("m.mtx") as f:
        first = f.readline()
    ok(first == f"%%MatrixMarket matrix coordinate {head}\n" and
       near(scipy.io.mmread("m.mtx").toarray(), full) and
       read_terms("m.mtx.terms.txt") == names,
       f"scipy reads mtx {' '.join(options)}: {head}", first)

# ---- GloVe

export("glove", "g.bin")
with open("g.bin", "rb") as f:
    records = list(struct.iter_unpack("=iid", f.read()))
got = numpy.zeros((V, V))
for x, y, v in records:
    got[x - 1, y - 1] = v
ok(records == sorted(records) and (got == counts).all(),
   "GloVe's records are sorted and equal A'A")
with open("g.vocab.txt", encoding="utf-8", newline="") as f:
    got = f.read().split("\n")[:-1]
ok(got == [re.sub("[\t\0]", "_", f"{n} {df[n]}") for n in names],
   "GloVe's vocabulary has one word and df per line, without blanks in words",
   [g for g in got if "tab" in g])
with open("clash.txt", "w") as f:
    f.write("a\tb a_b c\n")
cooc("count", "clash.txt", "--format", "transactions", "--separators", " ",
     "-o", "clash.cooc", "-q")
done = run("export", "clash.cooc", "--format", "glove", "-o", "c.bin")
ok(done.returncode == 2 and
   b"two terms would both be written 'a_b'" in done.stderr and not
   os.path.exists("c.bin"),
   "two terms that would become one word are refused", done)

# ---- SQLite

export("sqlite", "s.db", "--by", "npmi")
db = sqlite3.connect("s.db")
ok(db.execute("PRAGMA integrity_check").fetchall() == [("ok",)] and
   [(t, n) for _, t, n in db.execute("SELECT * FROM terms ORDER BY id")] ==
   [(n, df[n]) for n in names], "sqlite3 reads the terms")
got = db.execute("SELECT term1, term2, count, df1, df2, score FROM named")
got = {(r[0], r[1]): r[2:] for r in got}
ok(got.keys() == {(names[x], names[y]) for x, y in PAIRS} and
   all(v[:3] == (counts[ids[x], ids[y]], df[x], df[y]) and
       near(v[3], npmi(ids[x], ids[y])) for (x, y), v in got.items()),
   "sqlite has every pair by its terms")
word = names[5]
got = db.execute("SELECT partner, count FROM partners WHERE term = ?",
                 (word,)).fetchall()
ok(sorted(got) == sorted((names[y], int(counts[5, y])) for y in range(V)
                         if counts[5, y]), "partners are found both ways")
plan = " ".join(r[3] for r in db.execute(
    "EXPLAIN QUERY PLAN SELECT * FROM partners WHERE term = 'a'"))
ok("terms_by_term" in plan and "pairs_by_term1" in plan and
   "PRIMARY KEY" in plan and "SCAN pairs" not in plan,
   "partners are found by indexes in both directions", plan)
meta = dict(db.execute("SELECT * FROM meta"))
ok(meta["documents"] == str(N) and meta["measure"] == "npmi",
   "the table meta has N and the options", meta)
db.close()

# ---- networks


def legal(s):
    """Replace characters that XML does not allow."""
    return re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff"
                  "\ufdd0-\ufdef]", "\ufffd", s)


connected = {w for p in PAIRS for w in p}
export("gexf", "n.gexf", "--by", "npmi")
xml.etree.ElementTree.parse("n.gexf")
g = networkx.read_gexf("n.gexf")
label = {n: d["label"] for n, d in g.nodes(data=True)}
ok(sorted(label.values()) == sorted(legal(names[i]) for i in connected) and
   sorted(d["df"] for _, d in g.nodes(data=True)) ==
   sorted(df[names[i]] for i in connected),
   "networkx reads labels and df from gexf")
new = [names[i] for i in sorted(connected)]
ok({(int(x), int(y)) for x, y in g.edges()} == {
    tuple(new.index(names[i]) for i in p) for p in PAIRS} and
   all(d["count"] == counts[ids[new[int(x)]], ids[new[int(y)]]] and
       near(d["weight"], npmi(ids[new[int(x)]], ids[new[int(y)]]))
       for x, y, d in g.edges(data=True)),
       "networkx reads weights and counts of edges from gexf")
export("graphml", "n.graphml")
g = networkx.read_graphml("n.graphml")
ok([d["label"] for _, d in g.nodes(data=True)] == [legal(w) for w in new] and
   {(x, y): (d["weight"], d["count"]) for x, y, d in g.edges(data=True)} ==
   {(f"n{new.index(names[x])}", f"n{new.index(names[y])}"): (c, c)
    for (x, y), c in PAIRS.items()}, "networkx reads graphml")
with open("twins.txt", "w") as f:        # p and q always occur together
    f.write("p q\np q\nr\n")
cooc("count", "-q", "twins.txt", "--format", "lines", "-o", "twins.cooc")
for form, read in (("gexf", networkx.read_gexf),
                   ("graphml", networkx.read_graphml)):
    cooc("export", "twins.cooc", "--format", form, "--by", "conviction", "-o",
         "twins")
    ok([d["weight"] for _, _, d in read("twins").edges(data=True)] ==
       [math.inf], f"an infinite weight is read from {form}")
export("pajek", "n.net")
g = networkx.read_pajek("n.net")
ok(g.number_of_nodes() == len(new) and g.number_of_edges() == len(PAIRS) and
   sum(d["weight"] for _, _, d in g.edges(data=True)) == sum(PAIRS.values())
   and {"w1", "日本", "'quoted'", "<b>", "back/slash", "end/"} <=
   set(g.nodes()), "networkx reads pajek, backslashes as slashes", g)
export("gephi-csv", "n.csv")
with open("n.csv", newline="") as f, \
        open("n.nodes.csv", newline="", encoding="utf-8") as h:
    edges, nodes = list(csv.DictReader(f)), list(csv.DictReader(h))
ok([n["Label"] for n in nodes] == [n.replace("\0", "\ufffd") for n in new] and
   [n["Id"] for n in nodes] == [str(i) for i in range(len(new))] and
   {(int(e["Source"]), int(e["Target"]), int(e["Weight"]), e["Type"])
    for e in edges} == {(new.index(names[x]), new.index(names[y]), c,
                         "Undirected") for (x, y), c in PAIRS.items()},
   "gephi-csv has nodes and edges")
export("vosviewer", "v.txt")
with open("v.txt") as f, open("v.map.txt", encoding="utf-8",
                              newline="") as h:
    edges = [tuple(map(int, line.split("\t"))) for line in f]
    nodes = [line.split("\t") for line in h.read().split("\n")[:-1]]
ok(nodes[0] == ["id", "label", "weight<Documents>", "weight<Links>"] and
   all(len(n) == 4 for n in nodes) and len(nodes) == len(new) + 1 and
   [int(n[2]) for n in nodes[1:]] == [df[w] for w in new] and
   [int(n[3]) for n in nodes[1:]] ==
   [int((counts[ids[w]] > 0).sum()) for w in new] and
   set(edges) == {(new.index(names[x]) + 1, new.index(names[y]) + 1, c)
                  for (x, y), c in PAIRS.items()},
   "vosviewer has a map and a network")

# ---- filters, implemented again


def prune(score, lower=False, terms=None, top_terms=0, min_count=1,
          min_score=None, per_node=0, top_edges=0, nodes=0):
    keep = sorted(range(V) if terms is None else terms)
    keep = set(keep[:top_terms] if top_terms else keep)
    left = {}
    for (x, y), c in PAIRS.items():
        s = score(x, y) * (-1 if lower else 1)
        if x in keep and y in keep and c >= min_count and \
           (min_score is None or s >= min_score * (-1 if lower else 1)):
            left[x, y] = (-s, x, y)
    if per_node:
        best = {}
        for z in keep:
            mine = sorted(k for p, k in left.items() if z in p)
            best[z] = set(mine[:per_node])
        left = {p: k for p, k in left.items()
                if k in best[p[0]] or k in best[p[1]]}
    if top_edges:
        left = dict(sorted(left.items(), key=lambda i: i[1])[:top_edges])
    if nodes:
        weight = collections.Counter()
        for x, y in left:
            weight[x] += PAIRS[x, y]
            weight[y] += PAIRS[x, y]
        kept = set(sorted(weight, key=lambda z: (-weight[z], z))[:nodes])
        left = {p: k for p, k in left.items() if kept.issuperset(p)}
    return set(left)


def cosine(x, y):
    return counts[x, y] / math.sqrt(dfs[x] * dfs[y])


def distance(x, y):
    """Normalised Google distance: small is strong."""
    return (max(math.log(dfs[x]), math.log(dfs[y])) -
            math.log(counts[x, y])) / (
                math.log(N) - min(math.log(dfs[x]), math.log(dfs[y])))


MEASURES = {"count": (lambda x, y: int(counts[x, y]), False),
            "cosine": (cosine, False), "google-distance": (distance, True),
            "confidence": (confidence, False)}
listed = sorted(draw.sample(range(V), 40))
with open("list.txt", "w", encoding="utf-8") as f:
    for i in listed:
        f.write(names[i] + "\n")
    f.write("no-such-word\nnor-this\n")
wrong, unsorted, tried = [], [], 0
for trial in range(60):
    by = draw.choice(list(MEASURES))
    score, lower = MEASURES[by]
    how = {}
    if draw.random() < 0.3:
        how["terms"] = listed
    if draw.random() < 0.3:
        how["top_terms"] = draw.randrange(5, 60)
    if draw.random() < 0.4:
        how["min_count"] = draw.randrange(1, 4)
    if draw.random() < 0.4:
        x, y = draw.choice(list(PAIRS))
        how["min_score"] = round(score(x, y), 3)
    if draw.random() < 0.5:
        how["per_node"] = draw.randrange(1, 6)
    if draw.random() < 0.5:
        how["top_edges"] = draw.randrange(1, 150)
    if draw.random() < 0.5:
        how["nodes"] = draw.randrange(1, 40)
    args = ["--by", by]
    for name, value in how.items():
        args += ["--" + name.replace("_", "-"),
                 "list.txt" if name == "terms" else str(value)]
    rows = [(ids[r[0]], ids[r[1]]) for r in table(*args)[1:]]
    got = set(rows)
    if "top_edges" in how and rows != sorted(rows, key=lambda p: (
            score(*p) * (1 if lower else -1), *p)):
        unsorted.append(args)
    if got != prune(score, lower, **how):
        wrong.append((args, len(got), len(prune(score, lower, **how))))
    tried += len(got) > 0
ok(not wrong, "60 combinations of filters select what their definitions say",
   *wrong[:3])
ok(tried > 30, f"{tried} combinations of filters select some pairs")
ok(not unsorted, "--top-edges lists the strongest pairs first, ties by "
   "frequency", *unsorted[:3])
for kind in "tsv", "csv":
    once = table("--top-edges", "50", "--by", "confidence", kind=kind)[1:]
    both = table("--top-edges", "50", "--by", "confidence", "--symmetric",
                 "--diagonal", kind=kind)[1:]
    ok(both[:100:2] == once and all(
        r[:5] == [b[1], b[0], b[2], b[4], b[3]] and
        near(float(r[5]), int(r[2]) / int(r[3]))
        for b, r in zip(both[:100:2], both[1:100:2])),
       f"{kind}: both directions of a pair are next to each other", both[:4])
    ok([r[0] for r in both[100:]] == [r[1] for r in both[100:]] and
       len(both) == 100 + V, f"{kind}: the diagonal is last", both[100:103])
for k in 1, 7, 30:
    export("gexf", "n.gexf", "--nodes", str(k))
    n = networkx.read_gexf("n.gexf").number_of_nodes()
    ok(n <= k, f"--nodes {k} gives {n} nodes")
export("npz", "m.npz", "--terms", "list.txt", "--min-count", "2")
m = scipy.sparse.load_npz("m.npz").toarray()
ok(read_terms("m.npz.terms.txt") == [names[i] for i in listed] and
   (m == numpy.where(counts >= 2, counts, 0)[numpy.ix_(listed,
                                                       listed)]).all(),
   "a matrix of listed terms has a row for each term, even if it is empty")
done = run("export", "s.cooc", "--terms", "list.txt")
ok(b"2 of %d words" % (len(listed) + 2) in done.stderr and
   b"no-such-word" in done.stderr, "unknown words are reported", done.stderr)

# ---- dump

same = scipy.sparse.coo_matrix(counts)
for name, mat in (("csr", same.tocsr()), ("csc", same.tocsc()),
                  ("coo", same), ("real", same.tocsr() * 0.5),
                  ("small", same.astype(numpy.uint8)),
                  ("single", same.tocsr().astype(numpy.float32))):
    for packed in False, True:
        scipy.sparse.save_npz("d.npz", mat, compressed=packed)
        got = [line.split("\t") for line in
               cooc("dump", "d.npz").splitlines()[1:]]
        back = numpy.zeros((V, V))
        for x, y, v in got:
            back[int(x), int(y)] = float(v)
        if not (back == mat.toarray()).all() or len(got) != mat.nnz:
            ok(False, f"dump reads scipy's {name}", packed, got[:3])
ok(True, "dump reads csr, csc and coo of several types")
with zipfile.ZipFile("d.npz", "w") as z:        # as numpy writes large headers
    for name, array in (("format", numpy.array(b"csr")),
                        ("shape", numpy.array([2, 3])),
                        ("indptr", numpy.array([0, 1, 2])),
                        ("indices", numpy.array([2, 0])),
                        ("data", numpy.array([5, 7]))):
        with z.open(name + ".npy", "w") as f:
            numpy.lib.format.write_array(f, array, version=(2, 0))
got = cooc("dump", "d.npz").splitlines()[1:]
ok(got == ["0\t2\t5", "1\t0\t7"], "dump reads arrays of version 2", got)
scipy.io.mmwrite("d.mtx", same, symmetry="symmetric")
got = [line.split("\t") for line in cooc("dump", "d.mtx").splitlines()[1:]]
ok({(int(x) - 1, int(y) - 1): int(v) for x, y, v in got} ==
   {(y, x): c for (x, y), c in PAIRS.items()}, "dump reads scipy's mtx")
got = [[plain(c) for c in line.split("\t")] for line in
       cooc("dump", "g.bin", "--vocab", "g.vocab.txt").split("\n")[1:-1]]
ok([(ids.get(x, -1), ids.get(y, -1), int(v)) for x, y, v in got
    if not re.search("tab|nul_", x + y)] ==
   [(x - 1, y - 1, int(v)) for x, y, v in records
    if not re.search("tab|nul\0", names[x - 1] + names[y - 1])],
   "dump prints the words of GloVe's records")
export("glove", "p.bin", "--by", "pmi")
got = [line.split("\t") for line in cooc("dump", "p.bin").splitlines()[1:]]
ok(len(got) == 2 * len(PAIRS) and any(float(v) < 0 for _, _, v in got),
   "dump reads a GloVe file of a measure with negative values")

# ---- more pairs than fit into memory

write_collection("many.txt", documents=1500, terms=4000, length=250)
cooc("count", "many.txt", "-o", "many.cooc", "-q")
for kind in "npz", "glove":
    for size in "64M", "4G":
        cooc("export", "many.cooc", "--format", kind, "-o",
             f"{size}.{kind}", "-q", "--memory", size)
    with open("64M." + kind, "rb") as f, open("4G." + kind, "rb") as h:
        ok(f.read() == h.read(), f"{kind} is the same with a temporary "
           "file")
cooc("export", "many.cooc", "--format", "npz", "--triangle", "-o", "t.npz",
     "-q")
full = scipy.sparse.load_npz("64M.npz")
half = scipy.sparse.load_npz("t.npz")
ok(full.nnz > 5000000 and (full != half + half.T).nnz == 0,
   f"a large matrix is symmetric ({full.nnz} entries)", full.nnz)
ended()
