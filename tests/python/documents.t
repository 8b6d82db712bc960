#!/usr/bin/python3
"""documents.t - documents in memory give the bytes that files give; arrays of
ids; additions to a store; what iterables may do."""

import filecmp
import json
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok  # noqa: E402
from pyhelp import cooc, raised  # noqa: E402

import numpy as np  # noqa: E402


def described(store):
    """The manifest without the note of how files were read."""
    with open(store + "/manifest.json") as f:
        manifest = json.load(f)
    del manifest["checksum"]
    manifest.pop("reading", None)
    return manifest


def same(a, b):
    """Do two stores have the same files with the same bytes?  Only one that was
    made from files has a note of how they were read."""
    names = sorted(os.listdir(a))
    if names != sorted(os.listdir(b)) or len(names) <= 8:
        return False
    names.remove("manifest.json")
    return filecmp.cmpfiles(a, b, names, shallow=False)[0] == names and \
        described(a) == described(b)


def of_file(store, format, lines, **options):
    with open("documents.txt", "w", newline="") as f:
        f.writelines(line + "\n" for line in lines)
    cooc.index("documents.txt", store, format=format, replace=True, **options)
    cooc.count_store(store)


def left():
    return [n for n in os.listdir(".") if n.startswith("x.cooc")]


# About 3 MB, so that there are several batches.
words = [f"w{i}" for i in range(3000)]
numbers = [[(i * 7 + j * j) % 3000 for j in range(i % 120)]
           for i in range(8000)]
tokens = [[words[k] for k in ids] for ids in numbers]
texts = [" ".join(t) for t in tokens]
names = [f"d{i}" for i in range(8000)]

# ---- the same bytes as from a file

of_file("tsv.cooc", "tsv", map("\t".join, zip(names, texts)))
cooc.count(dict(zip(names, texts)), "x.cooc").close()
ok(same("x.cooc", "tsv.cooc"), "texts")
of_file("numbered.cooc", "tsv", (f"{i}\t{t}" for i, t in enumerate(texts)))
cooc.count(iter(texts), "x.cooc", replace=True).close()
ok(same("x.cooc", "numbered.cooc"), "texts without names")
options = dict(stop=["w7", "w8"], stem="english", min_df=3, max_df="50%",
               memory="64M", threads=2, max_doc_terms=40)
of_file("some.cooc", "tsv", map("\t".join, zip(names, texts)), **options)
cooc.count(dict(zip(names, texts)), "x.cooc", replace=True, **options).close()
ok(same("x.cooc", "some.cooc"), "texts with options, in 64 MiB")
of_file("triples.cooc", "triples",
        (f"{n}\t{t}\t1" for n, ts in zip(names, tokens) for t in ts or [""]))
cooc.count(dict(zip(names, tokens)), "x.cooc", replace=True).close()
ok(same("x.cooc", "triples.cooc"), "lists of tokens")
cooc.count(dict(zip(names, [["", *t, "", ""] for t in tokens])), "x.cooc",
           replace=True).close()
ok(same("x.cooc", "triples.cooc"), "lists with empty tokens")
for what, ids, vocab in (
        ("lists of ids", numbers, words),
        ("arrays of ids", [np.array(k, int) for k in numbers],
         np.array(words)),
        ("small types of ids", [np.array(k, np.uint16) for k in numbers],
         tuple(words)),
        ("uint64 ids", [np.array(k, np.uint64) for k in numbers], words),
        ("generators of ids", (iter(k) for k in numbers), iter(words)),
        ("integers as objects", [np.array(k, object) for k in numbers],
         words)):
    cooc.count(zip(names, ids), "x.cooc", replace=True, named=True,
               vocab=vocab).close()
    ok(same("x.cooc", "triples.cooc"), what)

# ---- arrays of ids

buffer = np.zeros(2, np.int32)


def reused():
    """Documents that share one array, as readers of large files do."""
    for k in range(4):
        buffer[:] = k, (k + 1) % 4
        yield buffer


with cooc.count(reused(), "x.cooc", replace=True,
                vocab=list("abcd")) as store:
    ok([store["a", "b"], store["c", "d"], store["a", "c"]] == [1, 1, 0],
       "a generator may reuse its array")
with cooc.count(np.array([[0, 1], [1, 2], [1, 1]]), "x.cooc", replace=True,
                vocab=["Black Tea", "milk", "a\tb"], stop=["milk"]) as store:
    ok(sorted(store) == ["Black Tea", "a\tb"] and len(store.documents) == 3,
       "rows of a matrix; words are terms as they are", list(store))
with cooc.count([[0, 1], [2]], "x.cooc", replace=True,
                vocab=["tea", "milk", "tea"]) as store:
    ok(store["tea"] == 2, "a word that is in vocab twice is one term")
with cooc.count([[0, 0]], "x.cooc", replace=True, vocab="tea") as store:
    ok(list(store) == ["tea"], "a string is a list of one word")
for nothing in [], [[]], [np.array([])]:
    with cooc.count(nothing, "x.cooc", replace=True, vocab=[]) as store:
        ok((len(store), len(store.documents)) == (0, len(nothing)),
           f"{nothing} with an empty vocabulary")
subprocess.run(["rm", "-rf", "x.cooc"])


def wrong(kind, say, documents, **how):
    e = raised(kind, cooc.count, documents, "x.cooc", **how)
    ok(e and say in str(e) and not left(), f"refused: {say}", repr(e), left())


ab = {"vocab": ["a", "b"]}
wrong(cooc.InvalidError, "document 1: id 2 is out of range (vocab has 2 "
      "words)",
      [[0, 1], [1, 2]], **ab)
wrong(cooc.InvalidError, "document x: id -1 is out of range", {"x": [-1]},
      **ab)
wrong(cooc.InvalidError, f"id {2**32} is out of range", [[2**32]], **ab)
wrong(cooc.InvalidError, f"id {2**64 - 1} is out of range",
      [np.array([2**64 - 1], np.uint64)], **ab)
wrong(cooc.InvalidError, f"id {2**70} is out of range", [[2**70]], **ab)
wrong(TypeError, "an id must be an integer, not float (1.0)", [[1.0]], **ab)
wrong(TypeError, "an id must be an integer, not bool", [[True, False]], **ab)
wrong(TypeError, "an id must be an integer, not str ('a')", [["a"]], **ab)
wrong(TypeError, "with vocab, a document must be an array of ids, not str",
      ["text"], **ab)
wrong(TypeError, "with vocab, a document must be an array of ids, not int",
      [3], **ab)
wrong(cooc.InvalidError, "must be a one-dimensional array of ids, not one of "
      "shape (1, 2)", [[[0, 1]]], **ab)
wrong(TypeError, "not a mapping", [[0]], vocab={"a": 0})
wrong(TypeError, "vocab: word 1 must be a string, not int", [[0]],
      vocab=["a", 1])
wrong(cooc.InvalidError, "vocab: word 1 is empty or contains a line end: ''",
      [[0]], vocab=["a", ""])
wrong(cooc.InvalidError, "vocab: word 0 is empty or contains a line end",
      [[0]], vocab=["a\n"])
wrong(ValueError, "vocab: word 0 has a lone surrogate", [[0]],
      vocab=["\ud800"])
wrong(cooc.LimitError, "is larger than 8 MiB; split it, or allow more memory",
      ["a", "tea " * 3000000], memory="64M")

# ---- names

same_name = [("a", ["x", "y"]), ("a", ["x"]), ("b\ud800", ["x"])]
with cooc.count(same_name, "x.cooc", named=True) as store:
    ok(store["x"] == 3 and list(store.documents)[:2] == ["a", "a"] and
       "\ufffd" in store.documents[2],
       "two documents may have the same name; U+FFFD replaces surrogates",
       list(store.documents))
subprocess.run(["rm", "-rf", "x.cooc"])

# ---- additions

cooc.count(texts[:5000], "x.cooc").close()
report = cooc.add("x.cooc", documents=texts[5000:])
ok(same("x.cooc", "numbered.cooc"), "documents are added and numbered on")
ok(report["index"]["documents"] == 3000 and
   report["merge"]["documents"] == 8000, "add() returns both reports", report)
cooc.count(dict(zip(names[:50], tokens)), "x.cooc", replace=True).close()
cooc.add("x.cooc", documents=zip(names[50:90], tokens[50:]), named=True,
         pairs_from="rows", threads=1)
cooc.add("x.cooc", documents=dict(zip(names[90:], numbers[90:])), vocab=words,
         memory="64M")
ok(same("x.cooc", "triples.cooc"), "tokens are added, then ids")


def not_added(kind, say, *inputs, **how):
    e = raised(kind, cooc.add, "x.cooc", *inputs, **how)
    ok(e and say in str(e) and left() == ["x.cooc"] and
       same("x.cooc", "triples.cooc"), f"add() is refused: {say}", repr(e),
       left())


def fails(documents, after):
    yield from documents[:after]
    raise KeyError("mine")


not_added(KeyError, "mine", documents=fails(tokens, 0))
not_added(KeyError, "mine", documents=fails(tokens, 1))
not_added(KeyError, "mine", documents=fails(tokens, 8000))
not_added(ValueError, "made with ready-made terms", documents=["text"])
not_added(TypeError, "either inputs", documents=[["a"]], inputs="a.txt")
not_added(TypeError, "either inputs")
not_added(TypeError, "named and vocab apply to documents", "documents.txt",
          named=True)
not_added(TypeError, "add() has no option 'format'", documents=[["a"]],
          format="lines")
not_added(TypeError, "a single string", documents="documents.txt")
not_added(ValueError, "made without a list of terms", documents=[["a"]], terms=["a"])
busy = []


def meanwhile():
    yield ["a"]
    busy.append(raised(cooc.BusyError, cooc.add, "x.cooc", documents=[["b"]]))
    raise KeyError("mine")


not_added(KeyError, "mine", documents=meanwhile())
ok(busy[0], "a store cannot get two additions at the same time", busy)
e = raised(cooc.NotFoundError, cooc.add, "none.cooc", documents=["a"])
ok(e and not os.path.exists("none.cooc"), "add() needs an existing store", e)
cooc.count(["old"], "list.cooc", terms=["old", "new"]).close()
cooc.add("list.cooc", documents=["new words"], terms=["old", "new"])
with cooc.open("list.cooc") as store:
    ok(sorted(store) == ["new", "old"] and
       list(store.documents) == ["0", "1"], "add() with a list of terms")
subprocess.run(["rm", "-rf", "x.cooc"])

# ---- what iterables may do

pids = []


def forks(leave):
    yield "a b"
    pid = os.fork()
    if pid == 0:
        leave()
    pids.append(pid)
    yield "b c"


def sleeps():
    time.sleep(60)
    os._exit(0)


start = time.monotonic()
with cooc.count(forks(sleeps), "x.cooc") as store:
    ok(len(store.documents) == 2 and time.monotonic() - start < 50,
       "an iterable may fork")
os.kill(pids[0], signal.SIGKILL)
os.waitpid(pids[0], 0)
parent = os.getpid()
pids.clear()
try:
    with cooc.count(forks(lambda: sys.exit(3)), "x.cooc",
                    replace=True) as store:
        ok(len(store.documents) == 2, "a forked child does not end the count")
except SystemExit as e:
    os._exit(e.code if os.getpid() != parent else 9)
for _ in range(600):
    done, status = os.waitpid(pids[0], os.WNOHANG)
    if done:
        break
    time.sleep(0.1)
ok(done and os.waitstatus_to_exitcode(status) == 3,
   "a forked child may leave count() by an exception", done, status)
if not done:
    os.kill(pids[0], signal.SIGKILL)


def nested():
    for i in range(3):
        with cooc.count([f"a b{i}"], f"inner{i}.cooc") as inner:
            yield " ".join(inner)


with cooc.count(nested(), "x.cooc", replace=True) as store:
    ok(store["a"] == 3, "an iterable may count other documents")


def slow():
    for i in range(12):
        time.sleep(0.1)
        yield "a b"


seen = []
with cooc.count(slow(), "x.cooc", replace=True,
                progress=lambda p: seen.append(time.monotonic())) as store:
    ok(store["a", "b"] == 12, "a slow iterable")
subprocess.run(["rm", "-rf", "x.cooc"])

# An error of the library while documents are read: files of at most 1 MiB.
child = subprocess.run([sys.executable, "-c", """
import errno, os, resource, sys
sys.path.insert(0, sys.argv[1] + "/python")
import cooc
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
taken = []
try:
    cooc.count((taken.append(i) or f"a b{i} " * 100 + f" c{i % 9999}" * 99
                for i in range(400000)), "x.cooc", memory="64M")
except cooc.SystemRefusedError as e:
    print(len(taken) < 400000, e.errno == errno.EFBIG, os.listdir("."))
""", SRC], stdout=subprocess.PIPE, timeout=300)
ok(child.stdout.startswith(b"True True ") and b"x.cooc" not in child.stdout,
   "an error of the library stops the iterable", child)

# Ctrl-C three times, while the library is busy, and in an addition.
CHILD = """
import os, signal, sys, threading, time
sys.path.insert(0, sys.argv[1] + "/python")
import cooc
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt():
    for pause in 0.3, 0.001, 0.01:
        time.sleep(pause)
        os.kill(os.getpid(), signal.SIGINT)
def documents():
    threading.Thread(target=interrupt).start()
    i = 0
    while True:
        i += 1
        yield " ".join(f"w{(i * j) % 99991}" for j in range(300))
try:
    if sys.argv[2] == "add":
        cooc.add("x.cooc", documents=documents())
    else:
        cooc.count(documents(), "x.cooc", memory="64M")
except KeyboardInterrupt:
    try:
        time.sleep(1)
    except KeyboardInterrupt:
        pass
    print("stopped", *sorted(n for n in os.listdir(".") if "x.cooc" in n))
    sys.stdout.flush()
    os._exit(0)
"""
for what in "count", "add":
    child = subprocess.run([sys.executable, "-c", CHILD, SRC, what],
                           stdout=subprocess.PIPE, timeout=120)
    said = child.stdout.decode().split()
    ok(child.returncode == 0 and
       said == (["stopped"] if what == "count" else ["stopped", "x.cooc"]),
       f"Ctrl-C three times stops {what}()", child)
    cooc.count(["a b"], "x.cooc", replace=True).close()
with cooc.open("x.cooc") as store:
    ok(len(store.documents) == 1 and cooc.check("x.cooc"),
       "the store is complete")
ended()
