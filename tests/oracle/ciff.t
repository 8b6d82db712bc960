#!/usr/bin/env python3
"""ciff.t - CIFF files from an independent writer are read, and exported ones
are read by an independent reader; round trips keep every pair."""

import gzip
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
import ciff_file  # noqa: E402
from tap import cooc, ended, ok, run  # noqa: E402

draw = random.Random(8)
EXTRA = (ciff_file.number(15, 7) + ciff_file.text(99, b"unknown") +
         b"\x79" + bytes(8) + b"\x7d" + bytes(4))
STRANGE = [b"a b", b"na\xc3\xafve", b"\xe6\x97\xa5", b"\xf0\x9f\x8e\x88",
           b"nul\0in", b"tab\there", b"<b>", b"x" * 3000]


def documents(n, words):
    """Sets of words; words at the beginning of the list are more frequent."""
    return [{words[int(len(words) * draw.random() ** 3)]
             for _ in range(draw.randrange(12))} for _ in range(n)]


def inverted(docs):
    """Posting lists in byte order, with random frequencies."""
    lists = {}
    for i, doc in enumerate(docs):
        for word in sorted(doc):
            lists.setdefault(word, []).append((i, draw.randrange(1, 300)))
    return sorted(lists.items())


def put(name, data):
    with open(name, "wb") as f:
        f.write(data)


def get(name):
    with open(name, "rb") as f:
        return f.read()


def table(*args):
    return sorted(cooc("export", *args).split("\n"))


def count(path, store, *args):
    cooc("count", path, "-o", store, "-q", "--force", *args)


# ---- import: the same store as from triples

for n, memory in ((0, []), (1, []), (500, []), (500, ["--memory", "64M"]),
                  (300, ["-j", "1"])):
    docs = documents(n, STRANGE + [b"w%d" % i for i in range(200)])
    lists = inverted(docs)
    draw.shuffle(lists) if memory else None
    names = [b"doc %d" % (i * 7) for i in range(n)]
    data = ciff_file.write(lists, [(x, draw.randrange(99)) for x in names],
                           EXTRA if n % 3 else b"")
    put("x.ciff", data)
    put("x.tsv", b"".join(
        name + b"\t\n" + b"".join(name + b"\t" + w + b"\n" for w in sorted(doc)
                                  if b"\t" not in w)
        for name, doc in zip(names, docs)))
    count("x.ciff", "c.cooc", *memory)
    count("x.tsv", "t.cooc", "--format", "triples")
    got = [line for line in table("c.cooc") if "tab\\there" not in line]
    ok(got == table("t.cooc") and len(got) >= min(n, 2),
       f"{n} documents {' '.join(memory)}: every pair is that of triples",
       got[:3])
    with gzip.open("y.ciff.gz", "wb") as f:
        f.write(data)
    count("y.ciff.gz", "y.cooc")
    ok(get("c.cooc/forward.bin") == get("y.cooc/forward.bin") and
       get("c.cooc/docs.bin").startswith(b"".join(names)),
       f"{n} documents {' '.join(memory)}: compressed, they are the same")

# ---- export: an independent reader

docs = documents(400, STRANGE + [b"w%d" % i for i in range(300)])
put("x.ciff", ciff_file.write(inverted(docs),
                              [(b"n%d" % i, 0) for i in range(400)]))
cooc("index", "x.ciff", "-o", "i.cooc", "-q")
cooc("export", "i.cooc", "--format", "ciff", "-o", "i.ciff", "-q")
head, lists, records = ciff_file.read(get("i.ciff"))
truth = inverted(docs)
postings = sum(len(p) for _, p in truth)
ok([(t, [d for d, _ in p]) for t, _, _, p in lists] ==
   [(t, [d for d, _ in p]) for t, p in truth],
   "the export has every document of every term, terms in byte order")
ok(all(df == cf == len(p) and all(tf == 1 for _, tf in p)
       for _, df, cf, p in lists), "df and cf are right, and every tf is 1")
ok(records == [(i, b"n%d" % i, len(d)) for i, d in enumerate(docs)],
   "documents have their names, and the number of terms as length")
ok([head.get(i) for i in range(1, 7)] ==
   [1, len(truth), 400, len(truth), 400, postings] and
   abs(head[7] - postings / 400) < 1e-9 and
   head[8].startswith(b"Written by cooc"), "the header is right", head)
ok(run("export", "i.cooc", "--format", "ciff").stdout == get("i.ciff"),
   "standard output gets the same bytes")
with open("some.txt", "w") as f:
    f.write("w1\nw20\nw3\n")
cooc("export", "i.cooc", "--format", "ciff", "--terms", "some.txt", "-o",
     "s.ciff", "-q")
head, lists, records = ciff_file.read(get("s.ciff"))
ok([t for t, _, _, _ in lists] == [b"w1", b"w20", b"w3"] and
   head[2] == 3 and head[4] == len(truth) and len(records) == 400,
   "listed terms are selected")

# ---- round trips

with open("text.txt", "w", encoding="utf-8") as f:
    for doc in documents(600, ["Tea", "milk", "naïve", "日本", "don't"] +
                         [f"word{i}" for i in range(150)]):
        f.write(" ".join(sorted(doc)) + "\n")
for options in ([], ["--stem", "english"], ["--min-df", "3"]):
    count("text.txt", "a.cooc", "--format", "lines", *options)
    cooc("export", "a.cooc", "--format", "ciff", "-o", "a.ciff", "-q")
    for memory in "64M", "2G":
        count("a.ciff", "b.cooc", "--memory", memory)
        ok(table("a.cooc", "--show-stems") == table("b.cooc") and
           all(get("a.cooc/" + f) == get("b.cooc/" + f)
               for f in ("terms.bin", "docs.bin", "forward.bin",
                         "inverted.bin")),
           f"text {' '.join(options)} is the same after a round trip with "
           f"{memory}")
ended()
