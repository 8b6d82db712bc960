#!/usr/bin/env python3
"""Find the nearest neighbours of words in a collection, and draw them.

    python3 neighbours.py                          docstrings of Python itself
    python3 neighbours.py documents.tsv WORD...    lines of "name TAB text"

Run the file, or run its cells ("# %%") one by one in an editor that supports
them.  The picture, neighbours.png, needs matplotlib (Debian:
python3-matplotlib).
"""

import ast
import os
import sys
import sysconfig
import tempfile

import numpy as np
from scipy.sparse.linalg import svds

try:
    import cooc
except ModuleNotFoundError:         # not installed: use this checkout
    sys.path.insert(0, os.path.dirname(os.path.dirname(
        os.path.abspath(__file__))))
    import cooc

TERMS = 10000       # number of most frequent terms
DIMENSIONS = 100
SHOWN = 12

# %% The documents: docstrings of the standard library, or lines of a file.


def docstrings():
    """Names and texts of the docstrings in the standard library."""
    for folder, subs, files in os.walk(sysconfig.get_path("stdlib")):
        subs[:] = sorted(set(subs) - {"dist-packages", "site-packages",
                                      "test", "tests"})
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            path = os.path.join(folder, file)
            try:
                with open(path, encoding="utf-8") as f:
                    tree = ast.parse(f.read())
            except (SyntaxError, UnicodeDecodeError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef,
                                     ast.Module)):
                    text = ast.get_docstring(node)
                    if text and len(text) > 40:
                        line = getattr(node, "lineno", 0)
                        yield f"{path}:{line}", text


def lines(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            name, _, text = line.rstrip("\n").partition("\t")
            yield name, text


if len(sys.argv) > 1:
    documents, words = lines(sys.argv[1]), sys.argv[2:]
else:
    documents, words = docstrings(), ["thread", "directory", "bytes", "date"]

# %% Count every pair of words, in one pass over the documents.

folder = tempfile.TemporaryDirectory(prefix="cooc-")
store = cooc.count(documents, folder.name + "/text.cooc", named=True,
                   min_df=5, drop_numbers=True, progress=True)
print(f"{len(store.documents):,} documents, {len(store):,} words in at least "
      f"five documents, {store.info.pairs:,} pairs")
words = [w for w in words if w in store] or store.terms[200:204]

# %% The matrix of positive PMI, smoothed because PMI overrates rare words, and
# its first singular vectors.

ppmi = store.matrix(top_terms=TERMS, measure="ppmi", smoothing=0.75)
print(f"PPMI of {ppmi.shape[0]:,} words: {ppmi.nnz:,} cells above 0")
u, s, _ = svds(ppmi, k=min(DIMENSIONS, ppmi.shape[0] - 1), random_state=1)
vectors = u * np.sqrt(s)
vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)

# %% Neighbours: words in similar contexts, even if they never co-occur.


def neighbours(word, n=SHOWN):
    """The nearest words, their cosines, and the counts with the word."""
    x = store.id(word)
    if x >= len(vectors):
        raise SystemExit(f"{word} is not among the {TERMS:,} most frequent")
    cosine = vectors @ vectors[x]
    cosine[x] = -1
    ids = np.argsort(-cosine)[:n]
    return ids, cosine[ids], store.between([x], ids)[0]


for word in words:
    print(f"\n{word} ({store[word]:,} documents)")
    for i, cosine, count in zip(*neighbours(word)):
        print(f"  {store.terms[i]:<20} {cosine:.3f}   together in {count:,}")

# %% A picture: the neighbours of each word, and the cosines of all of them.


def draw(words, file):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    words = words[:4]
    figure = plt.figure(figsize=(14, 8.5), constrained_layout=True)
    grid = figure.add_gridspec(len(words), 2, width_ratios=[1, 2.2])
    picked, colours = [], []
    for i, word in enumerate(words):
        ids, cosine, _ = neighbours(word, 8)
        bars = figure.add_subplot(grid[i, 0])
        bars.barh(store.terms[ids], cosine, color=f"C{i}")
        bars.invert_yaxis()
        bars.set_xlim(0, 1)
        bars.set_title(f"nearest to “{word}”", fontsize=11)
        if i == len(words) - 1:
            bars.set_xlabel("cosine")
        for t in [store.id(word), *ids[:6]]:
            if t not in picked:
                picked.append(t)
                colours.append(f"C{i}")
    near = figure.add_subplot(grid[:, 1])
    image = near.imshow(vectors[picked] @ vectors[picked].T, vmin=0, vmax=1,
                        cmap="viridis")
    near.set_xticks(range(len(picked)), store.terms[picked], rotation=90)
    near.set_yticks(range(len(picked)), store.terms[picked])
    for label, colour in zip(near.get_xticklabels() + near.get_yticklabels(),
                             colours * 2):
        label.set_color(colour)
    near.set_title("cosine of every two of these words", fontsize=11)
    figure.colorbar(image, ax=near, label="cosine", shrink=0.8)
    figure.suptitle("Words in similar contexts, by PPMI of "
                    f"{len(store.documents):,} documents")
    figure.savefig(file, dpi=100)
    print(f"\nwrote {file}")


try:
    draw(words, "neighbours.png")
except ImportError:
    print("\nNo picture, because matplotlib is not installed (Debian: "
          "python3-matplotlib).")
store.close()
folder.cleanup()
