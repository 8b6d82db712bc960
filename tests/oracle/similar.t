#!/usr/bin/python3
"""similar.t - similar terms compared with cosines that scipy computes from the
binarised document-term matrix, on documents about topics."""

import collections
import json
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import cooc, ended, ok, skip  # noqa: E402

os.environ["OPENBLAS_NUM_THREADS"] = "1"
try:
    import numpy as np
    from scipy import sparse
except ImportError:
    skip("similarities equal those of scipy", "python3-scipy is not installed")
    ended()

# ---- documents about topics, with terms of every df

N, TOPICS, NEAR = 2500, 12, 1e-9
draw = random.Random(20070809)
words = [f"w{i}" for i in range(2400)] + ["Größe", "naïve"]
home = {w: draw.randrange(TOPICS) for w in words}
rate = {w: 0.3 / (1 + i / 12) for i, w in enumerate(words)}
rate["Größe"] = 0.1
docs = []
for _ in range(N):
    topic = draw.randrange(TOPICS)
    docs.append({w for w in words if draw.random() <
                 rate[w] * (3 if home[w] == topic else 0.8)} | {"everywhere"})
with open("docs.txt", "w", encoding="utf-8") as f:
    for doc in docs:
        f.write(" ".join(sorted(doc)) + "\n")
cooc("count", "docs.txt", "--format", "lines", "-o", "c.cooc", "-q")
cooc("count", "docs.txt", "--format", "lines", "-o", "f.cooc", "-q", "--rows",
     "full")
docs = [{w.casefold() for w in doc} for doc in docs]
count = collections.Counter(w for doc in docs for w in doc)
names = sorted(count, key=lambda w: (-count[w], w.encode()))
ids = {w: i for i, w in enumerate(names)}
df = np.array([count[w] for w in names], float)
V = len(names)
ok(V > 2000 and df[-1] < 5 and df[V // 4] > 10,
   f"{N} documents, {V} terms with a df of {df[-1]:.0f} to {df[0]:.0f}")
A = sparse.csr_matrix(
    (np.ones(int(df.sum())), [ids[w] for doc in docs for w in doc],
     np.cumsum([0] + [len(doc) for doc in docs])), shape=(N, V))
together = sparse.coo_matrix(A.T @ A)
off = together.row != together.col
x, y, a = together.row[off], together.col[off], together.data[off]


# ---- weights, by their definitions

def smoothed(s):
    return df ** s * df.sum() / (df ** s).sum()


def g2(a, fx, fy):
    total = 0
    for o, e in ((a, fx * fy), (fx - a, fx * (N - fy)),
                 (fy - a, (N - fx) * fy), (N - fx - fy + a,
                                           (N - fx) * (N - fy))):
        total = total + 2 * np.where(o > 0, o * np.log(np.maximum(o, 1) * N /
                                                       np.maximum(e, 1)), 0)
    return np.where(a * N < fx * fy, -total, total)


WEIGHTS = {
    (): lambda: np.maximum(np.log2(a * N / (df[x] * df[y])), 0),
    ("--shift", "5"):
        lambda: np.maximum(np.log2(a * N / (df[x] * df[y] * 5)), 0),
    ("--smoothing", "0.75"):
        lambda: np.maximum(np.log2(a * N / (df[x] * smoothed(0.75)[y])), 0),
    ("--smoothing", "0.75", "--reverse"):
        lambda: np.maximum(np.log2(a * N / (df[y] * smoothed(0.75)[x])), 0),
    ("--by", "count"): lambda: a,
    ("--by", "pmi"): lambda: np.log2(a * N / (df[x] * df[y])),
    ("--by", "llr"): lambda: g2(a, df[x], df[y]),
    ("--by", "confidence"): lambda: a / df[x],
    ("--by", "dice"): lambda: 2 * a / (df[x] + df[y]),
}


def vectors(options, contexts):
    """The vectors of all terms, and their norms."""
    m = sparse.csr_matrix((WEIGHTS[options](), (x, y)), shape=(V, V))
    m = m[:, :contexts]
    return m, np.sqrt(np.asarray(m.multiply(m).sum(axis=1)).ravel())


def wanted(m, norms, word, min_df):
    """The similarity of each candidate, by id."""
    q = ids[word]
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = np.asarray((m @ m[q].T).todense()).ravel() / (norms *
                                                               norms[q])
    return {t: cosine[t] for t in range(V) if t != q and df[t] >= min_df and
            norms[t] > 0 and norms[q] > 0}


def wrong_of(rows, want, limit, word):
    """What is wrong in the similar terms of a word."""
    got = {ids[r["term"]]: r["similarity"] for r in rows}
    order = [(-r["similarity"], ids[r["term"]]) for r in rows]
    best = sorted(want.values(), reverse=True)[:limit]
    if len(got) != len(rows) or len(rows) != len(best):
        return f"{len(rows)} similar terms, expected {len(best)}"
    if order != sorted(order):
        return "not in order, ties by id"
    for row, s in zip(rows, best):
        t = ids[row["term"]]
        if abs(row["similarity"] - s) > NEAR or \
           abs(row["similarity"] - want.get(t, 9)) > NEAR:
            return row, s, want.get(t)
        if row["df"] != df[t] or row["count"] != sum(
                word in d and row["term"] in d for d in docs):
            return row
    return None


def ask(store, *args):
    rows = collections.defaultdict(list)
    for line in cooc("similar", store, *args, "--json").splitlines():
        row = json.loads(line)
        rows[row["query"]].append(row)
    return rows


asked = ["everywhere", names[1], names[300], "grösse", names[-1]]
for options in WEIGHTS:
    wrong = []
    for contexts in (1, 50, 700, V):
        m, norms = vectors(options, contexts)
        for store in ("c.cooc", "f.cooc"):
            rows = ask(store, *asked, *options, "--contexts", str(contexts),
                       "-n", "40", "-j", "2")
            for word in asked:
                why = wrong_of(rows[word], wanted(m, norms, word, 10), 40,
                               word)
                if why:
                    wrong.append((store, contexts, word, why))
    ok(not wrong, f"similarities with {' '.join(options) or 'ppmi'} equal "
       "those of scipy", *wrong[:3])

m, norms = vectors((), V)
rows = ask("c.cooc", *asked, "-n0", "--min-df", "1")
wrong = [(word, why) for word in asked if (
    why := wrong_of(rows[word], wanted(m, norms, word, 1), V, word))]
ok(not wrong, "every term is compared with every other", *wrong[:3])
ok(not rows["everywhere"],
   "a term that is in every document is similar to no other")
with open("all.txt", "w", encoding="utf-8") as f:
    f.write("\n".join(names[:200]) + "\n")
m, norms = vectors((), 700)
rows = ask("f.cooc", "--terms", "all.txt", "--contexts", "700", "-n", "3")
wrong = [(word, why) for word in names[:200] if (
    why := wrong_of(rows[word], wanted(m, norms, word, 10), 3, word))]
ok(not wrong and len(rows) > 190, "the terms of a list of 200 are right",
   *wrong[:3])
ended()
