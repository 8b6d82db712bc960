#!/usr/bin/python3
"""answers.t - results of queries, compared with SciPy's A'A and with formulas
in this file."""

import gc
import os
import random
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import ended, ok  # noqa: E402
from pyhelp import cooc, make_tea, raised  # noqa: E402

import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402

# ---- a collection and its expected counts

draw = random.Random(4)
words = [f"w{i}" for i in range(400)]
chances = [1 / (i + 3) for i in range(400)]
documents = [list(set(draw.choices(words, chances, k=draw.randrange(60))))
             for _ in range(700)]
store = cooc.count(documents, "s.cooc", rows="full")
id_of = {name: i for i, name in enumerate(store.terms)}
A = sparse.lil_matrix((len(documents), len(id_of)), dtype=np.int64)
for d, tokens in enumerate(documents):
    A[d, [id_of[t] for t in tokens]] = 1
A = A.tocsr()
full = (A.T @ A).toarray()
df, N, n = full.diagonal(), len(documents), len(id_of)
off = full - np.diag(df)
ok(n > 350 and (off > 0).sum() > 10000 and (off == 0).sum() > 1000,
   f"{n} terms, some of which never co-occur")

# ---- facts

ok(len(store) == n and store.info.terms == n and len(store.documents) == N and
   store.info.pairs == np.count_nonzero(np.tril(off)) and store.info.counted,
   "numbers of terms, documents and pairs", store.info)
lengths = np.array([len(d) for d in documents])
ok(np.allclose(store.lengths, [lengths.min(), lengths.max(), lengths.mean(),
                               lengths.std()]) and
   store.lengths._fields == ("shortest", "longest", "mean", "sd"),
   "number of terms per document", store.lengths)
i = store.info
ok((i.denominator, i.increments, i.rows, i.omitted_df, i.omitted_rows,
    i.omitted_pairs) ==
   (1, np.tril(off).sum(), "full", 1, (df == 1).sum(),
    np.count_nonzero(np.tril(off)[df == 1])), "stored and omitted rows", i)
ok((store.df == df).all() and store.df.dtype == np.int64, "df of every term")
ok(raised(ValueError, store.df.__setitem__, 0, 7), "df is read-only")
ok(store.documents[:3] == ["0", "1", "2"] and store.documents[-1] == "699",
   "the name of an unnamed document is its number")
ok(store.terms[5] == list(store.terms)[5] == store.terms[[5]][0] and
   store.terms[np.array([3, 1])] == [store.terms[3], store.terms[1]] and
   store.terms.index("w7") == id_of["w7"],
   "names by index, slice, array and iteration")
ok(all(raised(IndexError, store.terms.__getitem__, i)
       for i in (n, -n - 1, [0, n], [-1])), "other indexes are out of range")
ok("w3" in store and "W3" not in store and "" not in store and
   3 in store and n not in store and None not in store,
   "'in' works for words and ids")
ok(store.manifest["documents"] == N, "the manifest")

ok(store.terms[np.array([], int)] == [] and
   raised(TypeError, store.terms.__getitem__, np.arange(n) < 3) and
   raised(TypeError, store.terms.__getitem__, [1.5]),
   "masks and fractions are refused as indexes")

# ---- arrays of ids

square = np.array([[1, 2], [3, 4]])
for what, ask in (("ids", store.ids), ("top", store.top), ("docs", store.docs),
                  ("between", store.between), ("names", lambda ids:
                                               store.terms[ids]),
                  ("matrix", lambda ids: store.matrix(terms=ids)),
                  ("exclude", lambda ids: store.pairs(exclude=ids)),
                  ("export", lambda ids: store.export("x", terms=ids))):
    for ids in square, square[:1], square[:, :1], np.array(3), \
            np.full((2, 0, 1), 1), np.array([["w1", "w2"]]):
        try:
            ask(ids)
            said = "no error"
        except (cooc.InvalidError, TypeError) as e:
            said = str(e)
        if f"of shape {ids.shape}" not in said:
            break
    ok(f"of shape {ids.shape}" in said,
       f"{what}: an array of ids must have one dimension", ids, said)
ok(raised(TypeError, store.pairs, exclude=[[1, 2]]) and
   raised(TypeError, store.pairs, exclude=[b"w1"]) and
   len(store.pairs(exclude=["w1", "nowhere"], frame=False)) == 20,
   "exclude takes words and ids")

# ---- pairs and rows

some = [(draw.randrange(n), draw.randrange(n)) for _ in range(3000)]
ok(all(store[x, y] == full[x, y] for x, y in some) and
   all(store[store.terms[x], store.terms[y]] == full[x, y]
       for x, y in some[:300]), "store[x, y] is the count, by id and by name")
ok(all(store[x] == df[x] for x in range(n)), "store[x] is the df")
p = store.pair("w0", "w5")
ok(p == ("w0", "w5", full[id_of["w0"], id_of["w5"]], store["w0"], store["w5"],
         N), "a pair has the complete table", p)
ok(p._fields == ("x", "y", "count", "fx", "fy", "total"),
   "a pair has the field names of the C struct", p._fields)
ok(p.score("confidence") == p.count / p.fx and
   p.score("confidence", reverse=True) == p.count / p.fy and
   np.isclose(p.score(), np.log2(p.count * N / p.fx / p.fy) /
              -np.log2(p.count / N)), "a pair has scores in both directions")
for x in (0, 7, n // 2, n - 1):
    ids, counts = store.row(x)
    ok((ids == np.flatnonzero(off[x])).all() and
       (counts == off[x][ids]).all(), f"the row of term {x}")
    ok((store.docs(x) == A[:, x].nonzero()[0]).all() and
       (store.docs(x, 1) == A[:, x].multiply(A[:, 1]).nonzero()[0]).all(),
       f"documents of term {x}, alone and with a second term")

# ---- between

xs, ys = draw.sample(range(n), 40), draw.sample(range(n), 30)
ok((store.between(xs, ys) == full[np.ix_(xs, ys)]).all() and
   (store.between(xs) == full[np.ix_(xs, xs)]).all() and
   store.between([], ys).shape == (0, 30) and
   (store.between([3, 3], [4]) == full[[3, 3]][:, [4]]).all(),
   "between() of two lists and of one")
ones, twos = store.ids(store.terms_like("w1*")), \
    store.ids(store.terms_like("w2?"))
ok((store.between(like1="w1*", like2="w2?") == full[np.ix_(ones, twos)]).all()
   and (store.between(like1="w2?") == full[np.ix_(twos, twos)]).all() and
   (store.between(xs, like2="w2?") == full[np.ix_(xs, twos)]).all(),
   "between() of patterns")
got = store.pairs(None, like1="w1*", like2="w2?", frame=False)
ok(len(got) == np.count_nonzero(full[np.ix_(ones, twos)]) > 100 and
   all(full[id_of[x], id_of[y]] == c and
       {x[:2], y[:2]} == {"w1", "w2"} for x, y, c, *_ in got.tolist()),
   "pairs() of two patterns")
ok(store.export("like.tsv", like1="w1*", like2="w2?")["pairs"] == len(got),
   "export() of two patterns")
for what, wrong in (
        ("give xs or like1", lambda: store.between()),
        ("give xs or like1, not both", lambda: store.between(xs, like1="a")),
        ("give ys or like2, not both",
         lambda: store.between(xs, ys, like2="a"))):
    e = raised(cooc.InvalidError, wrong)
    ok(e and str(e) == what, f"between(): {what}", e)
e = raised(cooc.UnknownTermError, lambda: store.between(like1="z*"))
ok(str(e) == "no term matches 'z*'", "a pattern without terms", e)
e = raised(cooc.NotFoundError, lambda: store.pairs(like2="z*"))
ok("no term matches 'z*'" in str(e), "pairs() of a pattern without terms", e)
cooc.index(__file__, "i.cooc", format="lines")
with cooc.open("i.cooc") as plain:
    for ask in plain.matrix, plain.pairs, lambda: plain.export("i.tsv"):
        e = raised(cooc.NotCountedError, ask)
        ok(not plain.info.counted and str(e) == "i.cooc is not counted "
           "yet; call cooc.count_store('i.cooc') and open it again",
           "an uncounted store: the error says what to do", e)
    ok("cooc.count_store" in repr(e) and e.message == str(e) == e.args[0],
       "str(), repr() and args agree", repr(e))
    ok(plain.info.rows == "" and plain.info.pairs == 0,
       "an uncounted store has no rows", plain.info)
    few = ["ok", "store", "cooc", "import"]
    want = [[plain[x, y] for y in few] for x in few]
    ok((plain.between(few) == want).all() and plain["ok"] > 10,
       "between() works on an uncounted store")

# ---- matrices


def same(m, want, what):
    got = m.toarray()
    ok(m.shape == want.shape and np.allclose(got, want, atol=1e-12) and
       m.has_sorted_indices and m.nnz == np.count_nonzero(got), what,
       got, want)


same(store.matrix(), off, "all pairs are A'A without its diagonal")
ok(store.matrix().dtype == np.int64 and
   store.matrix(dtype=np.int32).dtype == np.int32 and
   store.matrix(dtype=np.float32).dtype == np.float32 and
   store.matrix(measure="pmi").dtype == np.float64,
   "dtype sets the type of the cells")
same(store.matrix(diagonal=True, dtype=np.int32), full,
     "A'A with its diagonal")
same(store.matrix(symmetric=False), np.tril(off), "each pair once")
same(store.matrix(top_terms=50), off[:50, :50], "the most frequent terms")
same(store.matrix(top_terms=10**6), off, "top_terms above the number of terms")
same(store.matrix(top_terms=0), off, "top_terms=0 means all terms")
same(store.matrix(min_count=5), np.where(off >= 5, off, 0),
     "pairs with at least min_count documents")
same(store.matrix(terms=xs), off[np.ix_(xs, xs)], "terms in a given order")
same(store.matrix(terms=[store.terms[x] for x in xs], diagonal=True),
     full[np.ix_(xs, xs)], "terms by name")
with np.errstate(divide="ignore", invalid="ignore"):
    pmi = np.where(off > 0, np.log2(off * N / np.outer(df, df)), 0)
    npmi = np.where(off > 0, pmi / -np.log2(off / N), 0)
    s = df ** 0.75
    smooth = s * df.sum() / s.sum()
    sppmi = np.where(off > 0, np.maximum(
        np.log2(off * N / np.outer(df, smooth)) - np.log2(5), 0), 0)
same(store.matrix(measure="ppmi"), np.maximum(pmi, 0),
     "ppmi, zeros are not stored")
same(store.matrix(measure="npmi", terms=xs), npmi[np.ix_(xs, xs)], "npmi")
same(store.matrix(measure="confidence"), off / df[:, None],
     "a directed measure is from row to column")
same(store.matrix(measure="confidence", reverse=True), off / df,
     "reverse=True is from column to row")
same(store.matrix(measure="ppmi", shift=5, smoothing=0.75), sppmi,
     "shifted and smoothed ppmi")
ok(isinstance(raised(ValueError, store.matrix, terms=[1, 1]),
              cooc.InvalidError) and
   raised(ValueError, store.matrix, top_terms=3, terms=[1]) and
   raised(ValueError, store.matrix, measure="nonsense") and
   raised(ValueError, store.matrix, measure="npmi", shift=2) and
   raised(ValueError, store.matrix, measure="ppmi", shift=0),
   "impossible arguments are refused")

# ---- types of cells


def refused(say, ask, *args, **how):
    """InvalidError with that in its message."""
    e = raised(cooc.InvalidError, ask, *args, **how)
    ok(e and say in str(e), f"refused: {say}", e)


most = off.max()
ok(256 <= most < 2**15, f"the largest count is {most}")
same(store.matrix(dtype=np.int16), off, "int16 holds every count")
refused(f"int8 cannot hold a count of {most}; use int32", store.matrix,
        dtype=np.int8)
refused(f"uint8 cannot hold a count of {most}", store.matrix, dtype="uint8")
rare = np.flatnonzero(df < 128)
ok(rare.size > 100 and store.matrix(terms=rare, diagonal=True,
                                    dtype=np.int8).dtype == np.int8,
   "int8 holds the counts of rarer terms")
edge = cooc.count([["x", "y"]] * 128, "edge.cooc")
ok(edge.matrix(dtype=np.uint8)[0, 1] == 128, "uint8 holds 128")
refused("int8 cannot hold a count of 128", edge.matrix, dtype=np.int8)
edge.close()
for dtype in np.int32, np.uint64:
    refused("scores are not integers", store.matrix, measure="pmi",
            dtype=dtype)
for dtype in np.float16, bool, object, "U5", ">i4", "M8[s]":
    refused("a sparse matrix of numbers cannot have the type",
            store.matrix, dtype=dtype)
refused("dtype cannot be 'nonsense'", store.matrix, dtype="nonsense")
ok(store.matrix(measure="pmi", dtype=np.float32).dtype == np.float32,
   "scores may be float32")
big_counts = np.array([2**24 + 1], np.uint32)
from cooc.matrix import _check_fit  # noqa: E402
refused("float32 cannot hold a count of 16,777,217", _check_fit, big_counts,
        np.dtype(np.float32))
ok(_check_fit(big_counts, np.dtype(np.float64)) is None and
   _check_fit(big_counts[:0], np.dtype(np.int8)) is None,
   "float64 holds every count")

# ---- words and lists of words

ok(list(store) == list(store.terms) and len(list(store)) == len(store),
   "iterating over a store gives its terms")
ok(list(store.ids("w9")) == list(store.ids(["w9"])) == [id_of["w9"]] ==
   list(store.ids(id_of["w9"])), "a single word or id is a list of one")
ok(raised(TypeError, store.ids, b"w9") and raised(TypeError, store.docs, b"w"),
   "bytes are not a list of ids")
for alone, how in ("w0", {}), (id_of["w0"], {"by": "npmi"}):
    got = store.top("w9", n=None, exclude=alone, frame=False, **how)
    ok(set(got["id"]) == set(np.flatnonzero(off[id_of["w9"]])) -
       {id_of["w0"]}, f"exclude={alone!r} is one term")
ok("w0" not in store.pairs(n=None, exclude="w0", frame=False)["x"],
   "exclude in pairs()")
held = [A[:, i].toarray().ravel() for i in (id_of["w9"], 5, 60)]
ok(list(store.docs(["w9", 5, 60])) ==
   list(np.flatnonzero(held[0] & held[1] & held[2])) ==
   list(store.docs(["w9", 60], 5)) and
   list(store.docs(["w9", 5, 60], any=True)) ==
   list(np.flatnonzero(held[0] | held[1] | held[2])) and
   list(store.docs("w9")) == list(np.flatnonzero(held[0])),
   "documents with all or any of several terms")
refused("no term given; give at least one", store.docs, [])
ok(list(store.terms_like("w?")) ==
   [i for i, t in enumerate(store) if len(t) == 2] and
   list(store.terms_like(prefix="w1", max_df=50, min_df=3, n=7)) ==
   [i for i, t in enumerate(store) if t.startswith("w1") and
    3 <= df[i] <= 50][:7], "terms that match a pattern or a prefix")

# ---- impossible arguments

for ask in store.top, lambda x, **how: store.pairs(**how):
    for how, say in (({"by": "npmi", "reverse": True},
                      "npmi is the same in both directions"),
                     ({"by": "ppmi", "reverse": True, "smoothing": 1},
                      "ppmi is the same in both directions"),
                     ({"min_score": float("nan")}, "min_score cannot be nan"),
                     ({"n": -1}, "n cannot be -1"),
                     ({"n": 2**70}, "n cannot be 1180591620717411303424"),
                     ({"min_df": -1}, "min_df cannot be -1"),
                     ({"min_count": 2**64}, "min_count cannot be")):
        refused(say, ask, "w9", **how)
refused("npmi is the same in both directions", p.score, reverse=True)
refused("count is the same in both directions", store.matrix, reverse=True)
refused("top_terms cannot be -1", store.matrix, top_terms=-1)
refused("min_count cannot be -1", store.matrix, min_count=-1)
refused("n cannot be -1", store.terms_like, n=-1)
m = store.matrix(measure="ppmi", smoothing=0.75)
ok(abs(store.matrix(measure="ppmi", smoothing=0.75, reverse=True) -
       m.T).max() < 1e-12 and abs(m - m.T).max() > 0.01,
   "smoothing makes a measure directed")
ok(len(store.top("w9", n=np.int64(3), min_df=np.uint32(2), frame=False)) == 3,
   "NumPy integers are integers")

# ---- rankings


def rank(scores, n):
    """Ids by score, ties by id."""
    return sorted(np.flatnonzero(scores > -np.inf),
                  key=lambda i: (-scores[i], i))[:n]


x = id_of["w9"]
score = np.where(off[x] >= 3, npmi[x], -np.inf)
best = store.top("w9", n=15, by="npmi", min_count=3, frame=False)
ok(list(best["id"]) == rank(score, 15) and
   best.dtype.names == ("term", "id", "count", "df", "score") and
   list(best["term"]) == [store.terms[i] for i in best["id"]] and
   (best["count"] == off[x][best["id"]]).all() and
   (best["df"] == df[best["id"]]).all() and
   np.allclose(best["score"], score[best["id"]]), "top() by npmi", best)
both = (A[:, x].toarray().ravel() & A[:, 5].toarray().ravel()) @ A
either = (A[:, x].toarray().ravel() | A[:, 5].toarray().ravel()) @ A
for join, counts in (False, both), (True, either):
    counts = counts.astype(float)
    counts[[x, 5]] = 0
    counts[counts == 0] = -np.inf
    got = store.top(["w9", 5], n=30, any=join, frame=False)
    ok(list(got["id"]) == rank(counts, 30), "top() of several terms, "
       + ("any" if join else "all"), got)
got = store.top("w9", n=None, exclude=["w0", "nosuchword", 5], max_df=90,
                frame=False)
ok(set(got["id"]) == {i for i in np.flatnonzero(off[x]) if df[i] <= 90 and
                      i not in (id_of["w0"], 5)},
   "all terms except excluded and frequent ones")
tril = np.tril(off)
want = sorted(zip(*np.nonzero(tril)), key=lambda p: (-tril[p], p[1], p[0]))
got = store.pairs(n=25, frame=False)
ok([(id_of[h["y"]], id_of[h["x"]]) for h in got] == want[:25] and
   got.dtype.names == ("x", "y", "count", "fx", "fy", "score"),
   "the pairs with the highest scores", got[:5], want[:5])

# ---- similar terms

with np.errstate(divide="ignore", invalid="ignore"):
    ppmi = np.where(off > 0, np.maximum(np.log2(off * N / np.outer(df, df)),
                                        0), 0)


def similar(x, contexts, min_df):
    v = ppmi[:, :contexts]
    norms = np.sqrt((v * v).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = v @ v[x] / (norms * norms[x])
    cosine[(norms == 0) | (df < min_df) | (np.arange(n) == x)] = -np.inf
    return cosine


got = store.similar("w9", n=15, frame=False)
want = similar(x, n, 10)
ok(got.dtype.names == ("term", "id", "count", "df", "score") and
   list(got["term"]) == [store.terms[i] for i in got["id"]] and
   (got["count"] == off[x][got["id"]]).all() and
   (got["df"] == df[got["id"]]).all() and
   np.allclose(got["score"], want[got["id"]], 0, 1e-9) and
   np.allclose(got["score"], np.sort(want)[:-16:-1], 0, 1e-9),
   "similar() by ppmi", got)
got = store.similar(["w9", 5], n=None, contexts=50, min_df=1, threads=2,
                    frame=False)
good = got.dtype.names[0] == "query"
for word, i in ("w9", x), (store.terms[5], 5):
    part, want = got[got["query"] == word], similar(i, 50, 1)
    good &= len(part) == (want > -np.inf).sum() and \
        np.allclose(part["score"], want[part["id"]], 0, 1e-9)
ok(good, "similar() of several terms, with all similar terms", got)
got = store.similar("w9", min_score=0.5, contexts=None, min_df=None, n=0,
                    frame=False)
ok(len(got) == (similar(x, n, 1) >= 0.5).sum() > 0, "similar() with min_score",
   got)
ok(all(raised(cooc.InvalidError, lambda how=how: store.similar("w9", **how))
       for how in (dict(by="umass"), dict(n=-1), dict(contexts=-5),
                   dict(threads=10**6), dict(by="dice", shift=2))) and
   raised(cooc.UnknownTermError, store.similar, "nosuchword"),
   "similar() refuses what makes no sense")
seen = []
store.similar("w9", progress=seen.append, frame=False)
ok(seen and isinstance(seen[0], cooc.Progress) and seen[0].phase,
   "similar() reports progress")

# ---- more about lists

ok(len(store.top("w9", n=0, min_score=1e9, frame=False)) == 0,
   "an empty result")
seen = []
store.pairs(progress=seen.append, frame=False)
ok(seen and isinstance(seen[0], cooc.Progress) and seen[0].phase,
   "pairs() reports progress")
try:
    import pandas
    frame = store.top("w9", n=3)
    ok(isinstance(frame, pandas.DataFrame) and list(frame.columns) ==
       ["term", "id", "count", "df", "score"] and len(frame) == 3 and
       isinstance(store.pairs(n=3), pandas.DataFrame),
       "with pandas, results are DataFrames")
except ImportError:
    ok(isinstance(store.top("w9", n=3), np.ndarray) and
       raised(ImportError, store.top, "w9", frame=True),
       "without pandas, results are arrays")

# ---- measures

ok(len(cooc.measures()) > 40 and all(
    np.isfinite(p.score(m.name)) for m in cooc.measures()) and
   cooc.measure("google-distance").lower, "every measure can be computed")
e = raised(ValueError, cooc.measure, "pni")
ok(e and "unknown measure 'pni'" in str(e),
   "the error names an unknown measure", e)

# ---- errors

make_tea("tea.cooc")
tea = cooc.open("tea.cooc")
e = raised(KeyError, tea.__getitem__, ("cofee", "tea"))
ok(isinstance(e, cooc.UnknownTermError) and isinstance(e, cooc.CoocError) and
   str(e) == "no document contains 'cofee'; similar terms: coffee",
   "an unknown word is a KeyError with suggestions", repr(e))
ok(raised(cooc.UnknownTermError, tea.row, 5) and raised(KeyError, tea.row, -1)
   and raised(TypeError, tea.row, 1.5) and raised(TypeError, tea.row, b"tea")
   and raised(ValueError, tea.row, "black tea"),
   "unknown ids, and arguments that are not a word")
e = raised(FileNotFoundError, cooc.open, "none.cooc")
ok(isinstance(e, cooc.NotFoundError) and "none.cooc" in str(e),
   "a store that does not exist", e)
os.mkdir("empty.cooc")
ok(raised(cooc.CoocError, cooc.open, "empty.cooc"),
   "a directory that is not a store")
make_tea("hurt.cooc")
with open("hurt.cooc/forward.bin", "r+b") as f:
    f.seek(3)
    f.write(b"\xff")
e = raised(cooc.FormatError, cooc.check, "hurt.cooc")
ok(e and "forward.bin" in str(e), "check() names the damaged file", e)

# ---- closing, threads

again = cooc.open("tea.cooc")
again.close()
again.close()
ok(all(raised(ValueError, f) for f in (
    lambda: again["tea"], lambda: again.terms[0], again.matrix,
    lambda: again.top("tea"))), "a closed store raises ValueError")
ok(repr(again) == "<cooc.Store 'tea.cooc': closed>",
   "repr() of a closed store", again)
with cooc.open("tea.cooc") as inside:
    pass
ok(raised(ValueError, inside.row, "tea"),
   "leaving a with block closes the store")
del inside
gc.collect()

wrong, lookers = [], []


def look(seed):
    mine = random.Random(seed)
    for _ in range(300):
        a, b = mine.randrange(n), mine.randrange(n)
        try:
            if store[store.terms[a], b] != full[a, b] or \
               not (store.row(a)[1].sum() == off[a].sum()) or \
               len(store.top(a, n=3, by="npmi", frame=False)) > 3:
                wrong.append((a, b))
        except Exception as e:  # noqa: BLE001
            wrong.append(e)


for seed in range(6):
    lookers.append(threading.Thread(target=look, args=(seed,)))
for t in lookers:
    t.start()
for t in lookers:
    t.join()
ok(not wrong, "six threads get the same results as one", wrong[:3])

late = cooc.open("s.cooc")
fails = []


def ask_until_closed():
    try:
        while True:
            late.matrix(top_terms=200)
    except ValueError as e:
        fails.append(str(e))


lookers = [threading.Thread(target=ask_until_closed) for _ in range(3)]
for t in lookers:
    t.start()
late.close()
for t in lookers:
    t.join()
ok(len(fails) == 3 and all("is closed" in f for f in fails) and
   late._db is None, "close() waits for queries of other threads")
store.close()
ended()
