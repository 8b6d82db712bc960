#!/usr/bin/python3
"""scipy.t - every count compared with the binarised A'A of scipy, on real text.

The documents are the descriptions of the Debian packages known to this
machine and, if they are few, its licences and other documentation.  With
--tokens whitespace, Python finds the words a second time; with the default
tokens, the comparison starts from the forward lists of the store, which are
read here as described in docs/FORMAT.md.
"""

import collections
import glob
import gzip
import json
import math
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, cooc, ended, ok, skip  # noqa: E402

try:
    import numpy
    import scipy.sparse
except ImportError:
    skip("every count equals that of scipy", "python3-scipy is not installed")
    ended()

MOST = 3000         # documents
LONG = 400          # words of a document
# White space as defined by Unicode; str.split() also splits at U+001C..1F.
WORD = re.compile("[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029"
                  "\u202f\u205f\u3000]+")


# ---- the documents

def descriptions(text, every=1):
    """Package and description, long or short, of each stanza."""
    for stanza in text.split("\n\n")[::every]:
        name = re.match(r"Package: (\S+)", stanza)
        told = re.search(r"^Description(?:-en)?: (.*(?:\n .*)*)", stanza, re.M)
        if name and told:
            yield name[1], told[1]


def real_documents():
    """Long descriptions of installed packages, then short descriptions of
    available packages."""
    docs = {}
    try:
        with open("/var/lib/dpkg/status", errors="replace") as f:
            docs.update(list(descriptions(f.read()))[:MOST // 2])
        avail = subprocess.run(["apt-cache", "dumpavail"],
                               stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout
        avail = avail.decode(errors="replace")
        every = max(1, avail.count("\n\n") // (MOST - len(docs)))
        for name, text in descriptions(avail, every):
            docs.setdefault(name, text)
    except OSError:
        pass
    origin = f"{len(docs)} descriptions of packages"
    if len(docs) < 200:
        paths = sorted(glob.glob("/usr/share/common-licenses/*") +
                       glob.glob("/usr/share/doc/*/*"))
        for path in paths:
            if len(docs) >= 300:
                break
            try:
                opener = gzip.open if path.endswith(".gz") else open
                with opener(path, "rb") as f:
                    data = f.read(1 << 16)
            except OSError:
                continue
            if b"\0" not in data:
                docs[path] = data.decode(errors="replace")
        origin += ", the rest from /usr/share/doc"
    docs = {name: " ".join(text.split()[:LONG])
            for name, text in docs.items()}
    return docs, origin


docs, origin = real_documents()
# White space and case beyond ASCII, which are rare in descriptions.
docs["odd-1"] = "Straße STRASSE\u00a0ŞİŞ\u2003ΣΊΣΥΦΟΣ ﬁn\u3000ǅ ẞ \u1e9e"
docs["odd-2"] = "a\u0085b\u1680c\u2028d\u2029e\u202ff\u205fg\u200bh\ufeffi"
docs["odd-3"] = "a\x0bb\x0cc\x1cd\x1de\x1ef\x1fg \U00010400 \U0001d5d4"
docs["odd-4"] = ""
ok(len(docs) >= 200, f"{origin}: {len(docs)} documents")
with open("docs.tsv", "w", newline="", encoding="utf-8") as f:
    for name, text in docs.items():
        f.write(f"{name}\t{text}\n")


# ---- the count by scipy

def multiply(lists, terms):
    """Sorted (row, column, count) of all pairs, row > column; and df."""
    indptr = numpy.cumsum([0] + [len(one) for one in lists])
    indices = numpy.concatenate([numpy.asarray(one, dtype=numpy.int64)
                                 for one in lists])
    a = scipy.sparse.csr_matrix(
        (numpy.ones(len(indices), dtype=numpy.int64), indices, indptr),
        shape=(len(lists), terms))
    product = (a.T @ a).tocsr()
    lower = scipy.sparse.tril(product, k=-1).tocsr()
    lower.sort_indices()
    rows = numpy.repeat(numpy.arange(terms), numpy.diff(lower.indptr))
    return (numpy.column_stack([rows, lower.indices, lower.data]),
            product.diagonal())


# ---- white space: words found by cooc and by Python

report = dict(line.split("\t") for line in cooc(
    "count", "docs.tsv", "--format", "tsv", "--tokens", "whitespace", "-o",
    "w.cooc").splitlines())
sets = [{w.casefold() for w in WORD.findall(text)}
        for text in docs.values()]
df = collections.Counter(w for s in sets for w in s)
names = sorted(df, key=lambda w: (-df[w], w.encode()))
ids = {w: i for i, w in enumerate(names)}
ok(int(report["documents"]) == len(docs), "the number of documents agrees",
   report["documents"])
ok(int(report["tokens"]) == sum(len(WORD.findall(t))
                                 for t in docs.values()),
   "the number of words agrees", report["tokens"])


def read_terms(store):
    def payload(name):
        with open(f"{store}/{name}", "rb") as f:
            data = f.read()
        return data[:int.from_bytes(data[-24:-16], "little")]
    offsets = numpy.frombuffer(payload("terms.off"), "<u8")
    text = payload("terms.bin")
    return [text[a:b].decode() for a, b in zip(offsets, offsets[1:])]


theirs = read_terms("w.cooc")
ok(set(theirs) == set(names), "cooc and Python find the same words, "
   "split at white space and folded", sorted(set(theirs) ^ set(names))[:50])
ok(theirs == names, "ids are ordered by frequency, ties by bytes")
if theirs != names:
    ended()
want, diagonal = multiply([sorted(ids[w] for w in s) for s in sets],
                          len(names))
ok(list(diagonal) == [df[w] for w in names], "scipy's diagonal is the df")

lines = cooc("export", "w.cooc").split("\n")
ok(lines[0] == "term1\tterm2\tcount\tdf1\tdf2" and lines[-1] == "",
   "the export has a header and ends in a newline")
rows = [line.split("\t") for line in lines[1:-1]]
unescape = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}


def plain(s):
    return re.sub(r"\\.", lambda m: unescape[m[0]], s) if "\\" in s else s


got = numpy.array([[ids[plain(r[1])], ids[plain(r[0])], int(r[2])]
                   for r in rows])
ok(got.shape == want.shape and (got == want).all(),
   f"all {len(want)} counts equal A'A, in order of the ids",
   got.shape, want.shape)
dfs = numpy.array([[int(r[4]), int(r[3])] for r in rows])
ok((dfs == diagonal[want[:, :2]]).all(), "every df equals the diagonal")
ok(int(report["pairs"]) == len(want) and
   int(report["increments"]) == want[:, 2].sum(),
   "pairs and increments of the report equal A'A", report)

# ---- measures, from their definitions

n_docs = len(docs)


def measures(count, x, y):
    p, px, py = count / n_docs, x / n_docs, y / n_docs
    pmi = math.log2(p / (px * py)) if count else -math.inf
    npmi = -1 if not count else 0 if p == 1 else pmi / -math.log2(p)
    llr = 0
    for cell, row, column in ((count, x, y), (x - count, x, n_docs - y),
                              (y - count, n_docs - x, y),
                              (n_docs - x - y + count, n_docs - x,
                               n_docs - y)):
        if cell:
            llr += 2 * cell * math.log(cell / (row * column / n_docs))
    llr = math.copysign(llr, 1 if count >= x * y / n_docs else -1)
    return {"pmi": pmi, "npmi": npmi, "llr": llr,
            "dice": 2 * count / (x + y), "jaccard": count / (x + y - count)}


def near(a, b):
    if a is None or b is None or math.isinf(b):
        return (a is None or math.isinf(a)) and math.isinf(b)
    return abs(a - b) <= 1e-8 * max(1, abs(b))


def told(row):
    return {k: None if v == "-inf" else float(v) for k, v in row.items()}


draw = random.Random(2007.08709)
asked = [tuple(want[draw.randrange(len(want)), :2]) for _ in range(60)]
asked += [(draw.randrange(len(names)), draw.randrange(len(names)))
          for _ in range(40)]
wrong = []
for a, b in asked:
    x, y = names[a], names[b]
    got = json.loads(cooc("pair", "w.cooc", "--json", "--", x, y))
    count = sum(x in s and y in s for s in sets)
    expect = measures(count, df[x], df[y])
    if (got["count"], got["df1"], got["df2"], got["documents"]) != \
       (count, df[x], df[y], n_docs) or \
       any(not near(got[m], expect[m]) for m in expect):
        wrong.append((x, y, got, expect))
ok(not wrong, f"every measure of {len(asked)} random pairs equals its "
   "definition", *wrong[:3])
for m in ("pmi", "npmi", "llr", "dice", "jaccard"):
    best = [line.split("\t") for line in
            cooc("pairs", "w.cooc", "--by", m, "-n", "50",
                 "--min-count", "3").split("\n")[1:-1]]
    scores = [measures(int(r[2]), int(r[3]), int(r[4]))[m] for r in best]
    ok(len(best) == 50 and all(near(float(r[5]), s)
                               for r, s in zip(best, scores)) and
       all(a >= b - 1e-9 for a, b in zip(scores, scores[1:])),
       f"'pairs --by {m}' is in order of {m}")
    common = want[want[:, 2] >= 3]
    every = sorted((measures(int(c), int(diagonal[r]), int(diagonal[k]))[m]
                    for r, k, c in common), reverse=True)[:50]
    ok(all(near(a, b) for a, b in zip(scores, every)),
       f"'pairs --by {m}' misses no stronger pair")


# ---- top, by brute force

def brute_top(x):
    counts = collections.Counter(w for s in sets if x in s for w in s)
    del counts[x]
    return counts


rare = next(w for w in names if df[w] == 3)
for kind, x in (("frequent", names[0]), ("rare", rare),
                ("single", names[-1])):
    counts = brute_top(x)
    best = [line.split("\t") for line in
            cooc("top", "w.cooc", "-n0", "--", x).split("\n")[1:-1]]
    order = sorted(counts, key=lambda w: (-counts[w], ids[w]))
    ok([(plain(r[0]), int(r[1]), int(r[2])) for r in best] ==
       [(w, counts[w], df[w]) for w in order],
       f"'top' of a {kind} term equals brute force")
    best = [line.split("\t") for line in
            cooc("top", "w.cooc", "-n25", "--by", "llr", "--",
                 x).split("\n")[1:-1]]
    every = sorted((measures(c, df[x], df[w])["llr"]
                    for w, c in counts.items()), reverse=True)
    ok(all(near(float(r[3]), s) for r, s in zip(best, every)) and
       len(best) == min(25, len(every)),
       f"'top --by llr' of a {kind} term equals brute force")

# ---- default tokens: from the forward lists

cooc("count", "docs.tsv", "--format", "tsv", "-o", "d.cooc", "-q")


def numbers(name, kind):
    with open(f"d.cooc/{name}", "rb") as f:
        data = f.read()
    size = int.from_bytes(data[-24:-16], "little")
    return numpy.frombuffer(data[:size], kind)


offsets = numbers("forward.off", "<u8")
terms = numbers("forward.bin", "<u4")
lists = [terms[a:b] for a, b in zip(offsets, offsets[1:])]
want, diagonal = multiply(lists, len(read_terms("d.cooc")))
inverted = numbers("inverted.off", "<u8")
ok(len(lists) == n_docs and
   (numpy.diff(inverted).astype(int) == diagonal).all(),
   "every df equals the diagonal with default tokens")
raw = subprocess.run([COOC, "export", "d.cooc", "--format", "raw"],
                     stdout=subprocess.PIPE, check=True).stdout
raw, at, got = numpy.frombuffer(raw, "<u4").astype(int), 0, []
while at < len(raw):
    row, n = raw[at], raw[at + 1]
    pairs = raw[at + 2:at + 2 + 2 * n].reshape(-1, 2)
    got.append(numpy.column_stack([numpy.full(n, row), pairs]))
    at += 2 + 2 * n
got = numpy.concatenate(got)
ok(got.shape == want.shape and (got == want).all(),
   f"all {len(want)} raw counts equal A'A with default tokens",
   got.shape, want.shape)
ended()
