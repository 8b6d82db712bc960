"""questions.py - experiments on questions that the paper leaves open.

growth   When does a method become quadratic?  Varies the number of documents,
         their length and the vocabulary, one at a time.
caches   How do the methods use caches?  Instructions and misses per
         increment, simulated by cachegrind, equal on every machine.
ids      What changes if terms are numbered as in the paper, in order of first
         occurrence, instead of by frequency?
kinds    How do the methods compare on other kinds of collections?
"""

import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

from cells import METHODS, Counted, GivenUp, lines, manifest_of, \
    none_finished
from measure import Late, measure, numbers, say

# ---- growth ----------------------------------------------------------------

BASE = {"documents": 2000, "length": 100, "terms": 10000}
VARIED = {"documents": [500, 1000, 2000, 4000, 8000, 16000],
          "length": [25, 50, 100, 200, 400, 800],
          "terms": [1250, 2500, 5000, 10000, 20000, 40000]}


def write_documents(out, documents, length, terms, seed=1):
    """Write documents of equal length with exactly this many terms.

    Every term is put into at least two documents, because no method counts
    the rows of terms that are in one document only.  The rest of a document
    is drawn by Zipf's law: rank r in proportion to 1/r.
    """
    chance, log = random.Random(seed), math.log(terms)
    for d in range(documents):
        other = (d + documents // 2) % documents
        chosen = {*range(d, terms, documents),
                  *range(other, terms, documents)}
        while len(chosen) < length:
            chosen.add(int(math.exp(chance.random() * log)) - 1)
        out.write(" ".join(map(str, chosen)) + "\n")


def slope(points):
    """The slope of the last three points on log-log axes, by least squares."""
    points = [(math.log(x), math.log(y)) for x, y in points if y > 0][-3:]
    if len(points) < 2:
        return None
    mx = sum(x for x, _ in points) / len(points)
    my = sum(y for _, y in points) / len(points)
    return sum((x - mx) * (y - my) for x, y in points) / \
        sum((x - mx) ** 2 for x, _ in points)


def growth(cooc, work, limit, repeat, save):
    rows = []
    for what, values in VARIED.items():
        late = GivenUp()
        for value in values:
            how = {**BASE, what: value}
            text, store = work.file("growth.dat"), work.file("growth.cooc")
            with open(text, "w") as f:
                write_documents(f, **how)
            measure([cooc, "index", "-q", "-f", "--format", "transactions",
                     "-o", store, text])
            counted = Counted(cooc, store, limit, repeat)
            row = {"varied": what, **how, "methods": {}}
            for name, method, threads in lines(in_parallel=()):
                row["methods"][name] = late.ask(counted, name, method,
                                                threads)
            if none_finished(counted, f"{value:,} as {what}"):
                break
            if counted.facts["terms"] != how["terms"] or \
                    counted.facts["postings"] != \
                    how["documents"] * how["length"]:
                sys.exit("paper: the generated documents have the wrong "
                         "number of terms or postings")
            row.update(counted.facts)
            rows.append(row)
            save(rows)


# ---- caches ----------------------------------------------------------------

CACHES = {"L1": 32768, "L2": 524288}


def simulate(command, limit):
    """The instructions and cache misses of a command, or None after limit
    seconds."""
    with tempfile.NamedTemporaryFile() as out:
        try:
            measure(["valgrind", "--tool=cachegrind", "--cache-sim=yes",
                     f"--cachegrind-out-file={out.name}",
                     f"--D1={CACHES['L1']},8,64", f"--LL={CACHES['L2']},8,64",
                     *command], limit)
        except Late:
            return None
        found = dict(line.split(": ", 1)
                     for line in open(out.name, errors="replace")
                     if line.startswith(("events", "summary")))
    n = dict(zip(found["events"].split(), map(int, found["summary"].split())))
    return {"instructions": n["Ir"], "accesses": n["Dr"] + n["Dw"],
            "L1_misses": n["D1mr"] + n["D1mw"],
            "L2_misses": n["DLmr"] + n["DLmw"]}


def caches(cooc, generate, work, limit, documents, save):
    if not shutil.which("valgrind"):
        print("Skipping caches: valgrind is not installed.")
        return
    store, rows = work.file("caches.cooc"), []
    subprocess.run([generate, "-f", "-n", str(documents), store], check=True)
    counted = Counted(cooc, store, limit, 1)
    counted.once(METHODS[-1], 1)
    start = simulate([cooc, "--version"], None)
    for method in METHODS:
        say(f"caches, {documents:,} documents, {method}")
        n = simulate([cooc, "count", "-f", "-q", "-j", "1", "--rows", "full",
                      "--method", method, store], limit)
        if n is None:
            rows.append({"method": method, "note": f"over {limit:g} s"})
        else:
            rows.append({"method": method, **{
                k: (n[k] - start[k]) / counted.facts["increments"]
                for k in n}})
        save({"caches": CACHES, **counted.facts, "methods": rows})
    say("")


# ---- ids -------------------------------------------------------------------

IDS = ["first-seen", "last-seen"]       # as bench/renumber.c calls them
BLOCKS = ("list-scan", "list-blocks")   # methods that differ by their loops


def increments_per_loop(store):
    """The average number of increments that list-scan and list-blocks make in
    one inner loop: for each term of a document, the terms before it, or those
    of one block before it."""
    about = manifest_of(store)
    off = numbers(store + "/forward.off", "Q", about["documents"] + 1)
    ids = numbers(store + "/forward.bin", "I", about["postings"])
    k = max(math.isqrt(about["terms"]), 1)
    loops = 0
    for start, end in zip(off, off[1:]):
        last, slices = -1, 0
        for i in ids[start:end]:
            slices += i // k != last
            last = i // k
            loops += slices
    return dict(zip(BLOCKS, (about["increments"] / max(about["postings"], 1),
                             about["increments"] / max(loops, 1))))


def ids(cooc, build, work, limit, repeat, documents, save):
    """The experiment of the paper with ids other than frequency ranks."""
    rows, late = [], {order: GivenUp() for order in IDS}
    ranks, store = work.file("ranks.cooc"), work.file("ids.cooc")
    for n in documents:
        subprocess.run([build + "/bench/cooc-generate", "-f", "-n", str(n),
                        ranks], check=True)
        row = {"documents": n, "per_loop": {"ranks":
                                            increments_per_loop(ranks)}}
        for order in IDS:
            subprocess.run([build + "/bench/cooc-renumber", order, ranks,
                            store], check=True)
            row["per_loop"][order] = increments_per_loop(store)
            counted = Counted(cooc, store, limit, repeat)
            row[order] = {method: late[order].ask(counted, method, method, 1)
                          for method in METHODS}
            pairs = counted.facts.get("pairs")
            if row.get("pairs", pairs) != pairs:
                sys.exit("paper: the number of pairs depends on the ids")
            row.update(counted.facts)
            shutil.rmtree(store)
        rows.append(row)
        save(rows)


# ---- kinds -----------------------------------------------------------------

KINDS = {"debian-html-40k": "HTML pages",
         "scotus-20k": "court opinions",
         "frus": "diplomatic papers",
         "retail": "shopping baskets",
         "tang-2k": "Chinese poems",
         "udhr": "one text in 532 languages"}


def kinds(cooc, work, limit, repeat, folder, save):
    found = {name.split(".")[0]: os.path.join(folder, name)
             for name in sorted(os.listdir(folder))
             if not name.startswith((".", "README"))
             and os.path.isfile(os.path.join(folder, name))}
    rows = []
    for stem in sorted(found, key=lambda s: (list(KINDS) + [s]).index(s)):
        store = work.file("kind.cooc")
        measure([cooc, "index", "-q", "-f", "-o", store, found[stem]],
                locale="C.UTF-8")
        counted, late = Counted(cooc, store, limit, repeat), GivenUp()
        row = {"collection": stem, "kind": KINDS.get(stem, stem),
               "methods": {}}
        for name, method, threads in lines():
            row["methods"][name] = late.ask(counted, name, method, threads)
        if not none_finished(counted, stem):
            row.update(counted.facts)
            rows.append(row)
            save(rows)
        shutil.rmtree(store)
