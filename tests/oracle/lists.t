#!/usr/bin/python3
"""lists.t - tables of lists of terms compared with brute force, and p compared
with scipy's hypergeometric distribution and Fisher's exact test."""

import collections
import fnmatch
import itertools
import json
import math
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import cooc, ended, ok, run, skip  # noqa: E402

try:
    from scipy.stats import fisher_exact, hypergeom
except ImportError:
    skip("p equals that of scipy", "python3-scipy is not installed")
    ended()

# ---- documents about topics, so that some pairs co-occur and others do not

N, TOPICS = 3000, 6
draw = random.Random(20070809)
words = [f"w{i}" for i in range(150)] + ["Größe", "naïve"]
home = {w: draw.randrange(TOPICS) for w in words}
rate = {w: draw.choice((0.002, 0.02, 0.1, 0.4)) for w in words}
docs = []
for _ in range(N):
    topic = draw.randrange(TOPICS)
    docs.append({w for w in words if draw.random() <
                 rate[w] * (9 if home[w] == topic else 0.4)})
with open("docs.txt", "w", encoding="utf-8") as f:
    for doc in docs:
        f.write(" ".join(sorted(doc)) + " .\n")
cooc("count", "docs.txt", "--format", "lines", "-o", "s.cooc", "-q")
cooc("index", "docs.txt", "--format", "lines", "-o", "i.cooc", "-q")
docs = [{w.casefold() for w in doc} for doc in docs]
df = collections.Counter(w for doc in docs for w in doc)
names = sorted(df, key=lambda w: (-df[w], w.encode()))
ok(len(df) > 140, f"{N} documents, {len(df)} terms")
both = collections.Counter()
for doc in docs:
    both.update(itertools.permutations(doc, 2))


def table(*args):
    lines = [line.split("\t") for line in cooc(*args).split("\n")[:-1]]
    return lines[0], lines[1:]


def tail(a, x, y):
    """-log10 of the probability of a or more co-occurrences."""
    return -hypergeom.logsf(a - 1, N, x, y) / math.log(10)


def near(got, want, off=1e-7):
    return math.isclose(float(got), want, rel_tol=off, abs_tol=1e-9)


def row_is_right(row, x, y, pairs):
    """term1 term2 a b c d expected jaccard fisher p p_adjusted"""
    a, fx, fy = both[x, y], df[x], df[y]
    p = 10 ** -tail(a, fx, fy)
    return row[:6] == [x, y] + [str(n) for n in (
        a, fx - a, fy - a, N - fx - fy + a)] and \
        near(row[6], fx * fy / N) and \
        near(row[7], a / (fx + fy - a)) and \
        near(row[8], tail(a, fx, fy), 1e-6) and near(row[9], p, 1e-6) and \
        near(row[10], min(1, p * pairs), 1e-6)


HEADER = ("term1 term2 a b c d expected jaccard fisher p "
          "p_adjusted").split()
known = [w for w in (w.casefold() for w in words) if w in df]
one, two = draw.sample(known, 40), draw.sample(known, 25)
for name, terms in (("a.txt", one), ("b.txt", two)):
    with open(name, "w", encoding="utf-8") as f:
        f.write("# a list\n" + "\n".join(terms) + "\n")

# ---- between, within

want = [(x, y) for x in one for y in two if x != y]
for store in ("s.cooc", "i.cooc"):
    header, rows = table("between", store, "a.txt", "b.txt", "--adjust",
                         "--measures", "jaccard,fisher")
    ok(header == HEADER, "between prints all columns", header)
    wrong = [(row, pair) for row, pair in zip(rows, want)
             if not row_is_right(row, *pair, len(want))]
    ok(len(rows) == len(want) and not wrong,
       f"all {len(want)} pairs between two lists are right ({store})",
       *wrong[:3])
sure = [row for row in rows if float(row[9]) < 1e-30]
ok(len(sure) > 3, f"{len(sure)} pairs have a p below 1e-30")
wrong = []
for row in draw.sample(rows, 60) + sure:
    a, b, c, d = (int(v) for v in row[2:6])
    p = fisher_exact([[a, b], [c, d]], alternative="greater")[1]
    if not near(row[9], p, 1e-6):
        wrong.append((row, p))
ok(not wrong, "p equals that of Fisher's exact test", *wrong[:3])

_, ranked = table("between", "s.cooc", "a.txt", "b.txt", "--by", "fisher",
                  "-n", "30", "--measures", "jaccard", "--adjust",
                  "--min-count", "2")
best = sorted((row for row in rows if int(row[2]) >= 2),
              key=lambda row: -float(row[8]))[:30]
ok([r[:2] for r in ranked] == [r[:2] for r in best],
   "--by, -n and --min-count keep the strongest pairs, in order")
ok(all(row_is_right(row, row[0], row[1], len(want)) for row in ranked),
   "p is adjusted for all pairs, not only for the printed ones")
told = [json.loads(line) for line in
        cooc("between", "s.cooc", "a.txt", "b.txt", "--adjust", "--measures",
             "jaccard,fisher", "--json").splitlines()]
ok([[str(o["term1"]), o["term2"], str(o["a"])] for o in told] ==
   [r[:3] for r in rows] and list(told[0]) == HEADER,
   "between --json prints the same values")

want = list(itertools.combinations(one, 2))
header, rows = table("within", "s.cooc", "a.txt", "--adjust", "--measures",
                     "jaccard,fisher")
wrong = [(row, pair) for row, pair in zip(rows, want)
         if not row_is_right(row, *pair, len(want))]
ok(header == HEADER and len(rows) == len(want) and not wrong,
   f"all {len(want)} pairs within a list are right", *wrong[:3])
for by, value in (("count", lambda x, y: df[x] if x == y else both[x, y]),
                  ("confidence", lambda x, y: 1 if x == y else
                   both[x, y] / df[x])):
    header, rows = table("within", "s.cooc", "a.txt", "--matrix", "--by", by)
    ok(header == ["term"] + one and [r[0] for r in rows] == one and
       all(near(rows[i][j + 1], value(x, y))
           for i, x in enumerate(one) for j, y in enumerate(one)),
       f"the matrix of {by} is right")

# ---- pairs of a file

lines = [(draw.choice(known), draw.choice(known)) for _ in range(3000)]
lines += [("nobody", known[0]), (known[1], "nobody")]
with open("pairs.txt", "w", encoding="utf-8") as f:
    for i, (x, y) in enumerate(lines):
        f.write(f"{x}\t{y}\n" if i % 2 else f"  {x}   {y.upper()} \n")
for store in ("s.cooc", "i.cooc"):
    done = run("pairs", store, "--from", "pairs.txt", "--measures", "dice")
    rows = [r.split("\t") for r in done.stdout.decode().split("\n")[1:-1]]
    wrong = []
    for (x, y), row in zip(lines, rows):
        a = df[x] if x == y else both[x, y]
        good = row[:5] == [x, y] + [str(n) for n in (a, df[x], df[y])]
        good &= math.isnan(float(row[5])) if "nobody" in (x, y) else \
            near(row[5], 2 * a / (df[x] + df[y]))
        if not good:
            wrong.append((row, x, y))
    ok(done.returncode == 0 and len(rows) == len(lines) and not wrong,
       f"all {len(lines)} pairs of a file are right ({store})", *wrong[:3])
    ok(b"2 of 3002 pairs have a word" in done.stderr and
       b"the first is 'nobody' in line 3001" in done.stderr,
       "unknown words are reported", done.stderr)

# ---- rows, terms, documents

for x in (names[0], names[70], names[-1]):
    _, rows = table("row", "s.cooc", x, "--measures", "dice")
    want = [y for y in names if both[x, y]]
    ok([r[:3] for r in rows] == [[y, str(both[x, y]), str(df[y])]
                                 for y in want] and
       all(near(r[3], 2 * both[x, r[0]] / (df[x] + df[r[0]])) for r in rows),
       f"the row of a term in {df[x]} documents is right")
    _, rows = table("row", "s.cooc", x, "--order", "name")
    ok([r[0] for r in rows] == sorted(want, key=str.encode),
       f"the row of a term in {df[x]} documents is sorted by name on request")
for pattern in ("*", "w1?", "w[1-3]*", "W[!1-9]", "*ï*", "gr?sse", "gr??e",
                "w*5", "nothing*"):
    _, rows = table("terms", "s.cooc", "--like", pattern)
    want = [w for w in names if fnmatch.fnmatchcase(w, pattern.casefold())]
    ok([r[0] for r in rows] == want and
       [int(r[1]) for r in rows] == [df[w] for w in want],
       f"terms --like '{pattern}' equals fnmatch ({len(want)} terms)", rows)
for prefix in ("w1", "W", "gröSS", "nai", "x"):
    _, rows = table("terms", "s.cooc", "--prefix", prefix)
    ok([r[0] for r in rows] ==
       [w for w in names if w.startswith(prefix.casefold())],
       f"terms --prefix {prefix} lists all terms with the prefix", rows)
for n in (1, 2, 3):
    terms = names[5:5 + n]
    for join, name in ((all, ()), (any, ("--any",))):
        _, rows = table("docs", "s.cooc", *terms, *name)
        ok([r[0] for r in rows] ==
           [f"docs.txt:{i}" for i, doc in enumerate(docs, 1)
            if join(t in doc for t in terms)],
           f"docs finds {len(rows)} documents with {join.__name__} of {n} "
           "terms")
ended()
