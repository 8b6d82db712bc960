#!/usr/bin/python3
"""building.t - stores from iterables: what is counted, and which errors are
raised."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, SRC, ended, ok  # noqa: E402
from parts import write_collection  # noqa: E402
from pyhelp import TEA, cooc, raised  # noqa: E402


def left():
    """Stores, parts of stores and open files that should not exist."""
    files = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            files.append(os.readlink(f"/proc/self/fd/{fd}"))
        except OSError:     # that of listdir()
            pass
    return [n for n in os.listdir(".") if n.startswith("x.cooc")] + \
        [f for f in files if f not in OWN_FILES]


OWN_FILES = []
OWN_FILES = left()


def facts(store):
    """Documents, terms and all pairs, by name."""
    got = {tuple(sorted((p["x"], p["y"]))): p["count"]
           for p in store.pairs(n=None, frame=False)}
    return list(store.documents), dict(zip(store.terms, store.df)), got


# ---- documents of all kinds

store = cooc.count(TEA, "tea.cooc")
docs, df, pairs = facts(store)
ok(docs == list(TEA) and df == {"tea": 4, "coffee": 2, "milk": 2, "beans": 1,
                                "leaves": 1} and
   pairs == {("coffee", "tea"): 2, ("milk", "tea"): 2, ("beans", "tea"): 1,
             ("leaves", "tea"): 1, ("coffee", "milk"): 1,
             ("beans", "coffee"): 1}, "a dict of texts", docs, df, pairs)
ok(store.made["index"]["documents"] == 5 and
   store.made["count"]["pairs"] == 6 and
   store.made["count"]["estimate"]["increments"] == 8,
   "store.made has the reports", store.made)
store.close()
with open("tea.jsonl", "w") as f:
    for name, text in TEA.items():
        f.write(json.dumps({"id": name, "text": text}) + "\n")
subprocess.run([COOC, "count", "tea.jsonl", "-o", "cli.cooc"], check=True,
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
ok(all(open(f"cli.cooc/{n}", "rb").read() == open(f"tea.cooc/{n}", "rb").read()
       for n in os.listdir("cli.cooc") if n != "manifest.json"),
   "the command line writes the same files")
for documents, how, what in (
        (iter(TEA.values()), {}, "a generator of texts"),
        (TEA.items(), {"named": True}, "pairs of names and texts"),
        ([t.replace(";", "").replace(",", "").replace("!", "").lower().split()
          for t in TEA.values()], {}, "lists of tokens"),
        (((n, tuple(t.strip("!;,").lower() for t in s.split()))
          for n, s in TEA.items()), {"named": True}, "named tokens"),
        ({n: {t.strip("!;,").lower() for t in s.split()}
          for n, s in TEA.items()}, {}, "a dict of sets")):
    with cooc.count(documents, "x.cooc", replace=True, **how) as store:
        names, d, p = facts(store)
    ok((d, p) == (df, pairs) and
       names == (list(TEA) if "named" in how or "dict" in what else
                 list("01234")), what, names, d, p)
for nothing in [], {}, iter([]), [""], [[]]:
    with cooc.count(nothing, "x.cooc", replace=True) as store:
        ok((len(store), len(store.documents)) ==
           (0, sum(1 for _ in nothing)), f"{nothing!r:.30} is counted")

# ---- tokens as they are

odd = ["New York", " blank ", "UPPER", "upper", "#hash", "a,b", "cr\r", "\r",
       "nul\0nul", "tab\there", "\t", "\ufeffmark", "e\u0301", "\u00e9",
       "\u2028", "\x1f", "\x85", "\U0001f600", "0", "\"quote\"", "\\",
       "x" * 60000, "1\u00a0000"]
names = ["070701", "PK\x03\x04", "\x1f\x8b", "BZh9", "\ufeff", "#", " ", "",
         "line\nend", "\t", "nul\0"]
with cooc.count({n: odd for n in names}, "x.cooc", replace=True) as store:
    ok(sorted(store.terms) == sorted(odd) and
       list(store.documents) == names and
       all(store[t] == len(names) for t in odd),
       "tokens and names keep every character", list(store.terms)[:30],
       list(store.documents))
with cooc.count([["a", "", "b"], ["", ""]], "x.cooc", replace=True) as store:
    ok(list(store.terms) == ["a", "b"] and len(store.documents) == 2,
       "empty tokens are dropped")
with cooc.count(["caf\u00e9 \ud800 x", "tab\there\nnew\0line \u2028"],
                "x.cooc", replace=True) as store:
    ok(set(store.terms) >= {"café", "x", "tab", "here", "new"},
       "texts may contain any character", list(store.terms))
big = [" ".join(f"w{(i * 7 + j) % 5000}" for j in range(200))
       for i in range(3000)]
with cooc.count(big, "x.cooc", replace=True) as store:
    ok(store.made["index"]["documents"] == 3000 and
       store["w14", "w15"] == sum("w14" in s and "w15" in s
                                  for s in map(set, map(str.split, big))),
       "several batches of documents")
for head, width in (1, 256), (600, 768):
    report = cooc.count_store("x.cooc", recount=True, rows="compact",
                              compact_df=9, head_terms=head, kernel="scalar")
    ok((report["kernel"], report["head_terms"], report["omitted_df"],
        report["shards"]) == ("scalar", width, 9, report["shards_done"]) and
       "size" not in report and "size" not in report["estimate"],
       f"parameters of a method: {head} terms with bitmaps", report)
for rows in {"rows": "full"}, {}:
    cooc.count_store("x.cooc", recount=True, **rows)
    with cooc.open("x.cooc") as store:
        ok(store.info.rows == "full", "full rows after compact rows"
           if rows else "full rows by default", store.info)
with cooc.count(["The cats run", "A cat ran"], "x.cooc", replace=True,
                stem="english", stop=["the", "a"], rows="compact", threads=1,
                thesaurus={"ran": "run"}) as store:
    ok(sorted(store.terms) == ["cat", "run"] and store["cats", "ran"] == 2 and
       store.info.rows == "compact",
       "options and lists of words", list(store.terms), store.info)
for share, want in ("29%", 29), ("28.9%", 28), ("0.7%", 0), ("33.3%", 33):
    texts = [" ".join(f"n{df}" for df in (28, 29, 33, 34) if i < df)
             for i in range(100)]
    with cooc.count(texts, "x.cooc", replace=True, max_df=share) as store:
        ok(sorted(store.terms) ==
           [f"n{df}" for df in (28, 29, 33, 34) if df <= want],
           f"max_df={share!r} is exact", list(store.terms))
wrong_share = float("nan"), float("inf"), -0.5, 1.5
ok(all("share" in str(raised(cooc.InvalidError, cooc.count, ["a"], "y.cooc",
                             max_df_share=v)) for v in wrong_share),
   "an impossible share is refused")
with open("f.jsonl", "w") as f:
    f.write('{"title": "tea"}\n')
with warnings.catch_warnings(record=True) as got:
    warnings.simplefilter("always")
    cooc.index("f.jsonl", "f.cooc", text_fields="title", id_field="key")
ok(len(got) == 1 and "id field 'key'" in str(got[0].message),
   "warnings of the library are issued as Python warnings", got)
with open("f.txt", "w") as f:
    f.write("tea\n")
e = raised(cooc.InvalidError, cooc.index, "f.txt", "f2.cooc", format="lines",
           text_fields="title")
ok(e and "choice of text fields does not apply" in str(e),
   "text fields of a format that has none are an error", e)
e = raised(cooc.InvalidError, cooc.index, "f.jsonl", "y.cooc",
           text_fields="title, abstrct")
ok(e and '"abstrct"' in str(e) and "title" in str(e) and
   "text_fields" in str(e),
   "a text field that no record has is an error", e)
for how, want in (({"stop": "and"}, ["a", "d", "n", "x"]),
                  ({"terms": "and"}, ["and"]),
                  ({"max_df": "50%"}, ["and", "n", "x"]),
                  ({"max_df": "2"}, ["and", "d", "n", "x"]),
                  ({"max_df": "37.5%"}, ["and", "n", "x"])):
    with cooc.count(["a and", "a d n", "a d x"], "x.cooc", replace=True,
                    memory="64M", **how) as store:
        ok(sorted(store.terms) == want and
           store.made["index"]["memory"] == store.made["count"]["memory"] ==
           64 << 20, f"{how} with memory='64M'", list(store.terms),
           store.made)
with cooc.count([["#a", "#b", "#c", "d"]], "x.cooc", replace=True,
                stop=["#a"], terms=["#c", "#d"],
                thesaurus={"#b": "#d"}) as store:
    ok(sorted(store.terms) == ["#c", "#d"], "lists with hashtags",
       list(store.terms))

# ---- phrases

NEWS = ["Breast cancer and T2DM", "type 2 diabetes; breast-cancer", "cancer"]
with cooc.count(NEWS, "x.cooc", replace=True, phrases=["Breast  Cancer"],
                thesaurus={"type 2 diabetes": "T2DM"}) as store:
    ok(sorted(store.terms) == ["and", "breast cancer", "cancer", "t2dm"] and
       store.made["index"]["phrases"] == 3 and store.info.phrases == 2,
       "phrases is a list, and a variant may have several words",
       list(store.terms), store.made["index"])
    ok(store["breast-cancer", "Type 2 Diabetes"] == 2 and
       store.ids(["cancer", "BREAST CANCER"]).tolist() ==
       [store.id("cancer"), store.id("breast cancer")] and
       "breast cancer" in store and "kidney stone" not in store,
       "queries take phrases")
    e = raised(cooc.InvalidError,
               lambda: store.between(["kidney stone", "cancer", "no phrase"],
                                     ["t2dm"]))
    ok("2 entries are several words and not phrases of this store: "
       "'kidney stone', 'no phrase'" in str(e) and "phrases" in str(e),
       "words that are not a phrase are an error that names them all", e)
with cooc.count(NEWS, "x.cooc", replace=True, phrases=["breast cancer"],
                keep_phrase_words=True) as store:
    ok({"breast", "cancer", "breast cancer"} <= set(store.terms),
       "keep_phrase_words=True counts the words as well", list(store.terms))
cooc.build.index_documents(
    cooc.build.Documents(NEWS, False), "p1.cooc", merge_terms=["breast cancer", "and"])
cooc.build.index_documents(
    cooc.build.Documents(NEWS[:2], False), "p2.cooc", merge_terms=["breast cancer", "and"])
cooc.merge(["p1.cooc", "p2.cooc"], "p3.cooc",
           terms=["breast cancer", "and"])
with cooc.open("p3.cooc") as store:
    ok(list(store.terms) == ["breast cancer", "and"],
       "merge_terms makes the phrases that cooc.merge(terms=...) keeps",
       list(store.terms))

# ---- failing iterables


class Broken(Exception):
    pass


def breaks(documents, after):
    for i, d in enumerate(documents):
        if i == after:
            raise Broken(i)
        yield d


subprocess.run(["rm", "-rf", "x.cooc"])
for after in 0, 1, 2999:
    for documents, what in (big, "texts"), (list(map(str.split, big)),
                                            "tokens"):
        e = raised(Broken, cooc.count, breaks(documents, after), "x.cooc")
        ok(e and e.args == (after,) and not left(),
           f"an iterable of {what} that fails at {after} leaves nothing",
           left())
cooc.count(["old"], "x.cooc").close()
e = raised(Broken, cooc.count, breaks(big, 100), "x.cooc", replace=True)
with cooc.open("x.cooc") as store:
    ok(e and list(store.terms) == ["old"],
       "an existing store is kept if the iterable fails")
subprocess.run(["rm", "-rf", "x.cooc"])


def wrong(kind, say, documents, **how):
    e = raised(kind, cooc.count, documents, "x.cooc", **how)
    ok(e and say in str(e) and not left(), f"refused: {say}", repr(e), left())


wrong(ValueError, "document 1: a token cannot contain a line end: 'a\\n'",
      [["a"], ["b", "a\n"]])
wrong(ValueError, "a token cannot contain a line end: '\\n'", [["\n"]])
wrong(ValueError, "a token has a lone surrogate, which is not a character: "
      "'\\ud800'", [["\ud800"]])
wrong(TypeError, "not list (['x']); for (name, document) pairs give "
      "named=True", [("a", ["x"])])
wrong(TypeError, "not int (7); for arrays of ids give their words with vocab=",
      [[7]])
wrong(TypeError, "all strings or all lists", ["text", ["token"]])
wrong(TypeError, "all strings or all lists", [["token"], "text"])
wrong(TypeError, "is bytes; decode", [b"text"])
wrong(TypeError, "must be a string or a list of tokens, not int", [[], 7])
wrong(TypeError, "not a (name, document) pair", ["text"], named=True)
wrong(TypeError, "a name must be a string or an integer, not NoneType",
      [(None, "text")], named=True)
wrong(TypeError, "a single string", "text")
wrong(TypeError, "cooc.index() to read files", __import__("pathlib").Path("."))
wrong(TypeError, "count() has no option 'steem'", ["text"], steem="english")
wrong(TypeError, "count() has no option 'format'", ["text"], format="lines")
wrong(ValueError, "min_df cannot be -1", ["text"], min_df=-1)
wrong(ValueError, "top_terms cannot be 4294967296", ["text"],
      top_terms=2**32)
wrong(TypeError, "min_df: ", ["text"], min_df="many")
wrong(ValueError, "cannot be in a list", ["text"], stop=["# x"])
wrong(ValueError, "cannot be in a list", ["text"], stop=["#"])
for share in "half", "0%", "101%", "-1", "1.5", "5%%", "":
    wrong(cooc.InvalidError, "max_df must be a number of documents, or a "
          f'string like "50%", not {share!r}', ["text"], max_df=share)
wrong(cooc.InvalidError, "not both", ["text"], max_df="5%", max_df_share=0.1)
for size in "much", "64X", "M", "-1M", "1.5G", "64 M":
    wrong(cooc.InvalidError, "memory must be a number of bytes, or a string "
          f'like "64M" or "2G", not {size!r}', ["text"], memory=size)
wrong(cooc.InvalidError, "memory cannot be", ["text"], memory="99999999T")
wrong(ValueError, "klingon", ["text"], stem="klingon")
for old, say in (("some", "rows must be 'full' or 'compact', not 'some'"),
                 ("all", "rows='all' is now called rows='full'"),
                 ("costly", "rows='costly' is now called rows='compact'")):
    e = raised(cooc.InvalidError, cooc.count, ["a b"], "x.cooc",
               replace=True, rows=old)
    ok(e and str(e) == say, f"rows={old!r} is refused", e)
for old, new, ask in (("costly_df", "compact_df", cooc.count_store),
                      ("then_count", "count_follows",
                       lambda path, **how: cooc.index("many.txt", path,
                                                      **how))):
    e = raised(cooc.InvalidError, ask, "x.cooc", **{old: 1})
    ok(e and str(e) == f"option {old} is now called {new}",
       f"{old} is refused", e)
subprocess.run(["rm", "-rf", "x.cooc"])
e = raised(FileNotFoundError, cooc.count, big, "none/x.cooc")
ok(isinstance(e, cooc.CoocError) and not left(),
   "a folder that does not exist", repr(e))
cooc.count(["old"], "x.cooc").close()
taken = []
e = raised(FileExistsError, cooc.count,
           (taken.append(d) or d for d in big), "x.cooc")
ok(isinstance(e, cooc.ExistsError) and not taken,
   "an existing store is refused before the first document is read", repr(e))
ok("replace it with replace=True" in str(e),
   "the message says how to replace it", e)
e = raised(cooc.ExistsError, cooc.count_store, "x.cooc")
ok("recount=True" in str(e) and
   cooc.count_store("x.cooc", recount=True)["pairs"] == 0,
   "a store is counted again only with recount=True", e)
subprocess.run(["rm", "-rf", "x.cooc"])

# ---- progress, and stopping

seen = []
here = threading.current_thread()


def show(p):
    seen.append((p.phase, threading.current_thread() is here))


cooc.count(big, "x.cooc", progress=show).close()
ok(len({phase for phase, _ in seen}) > 1 and all(mine for _, mine in seen),
   "the progress function is called in the caller's thread", seen)
subprocess.run(["rm", "-rf", "x.cooc"])


def stop(p):
    raise Broken(p.phase)


ok(raised(Broken, cooc.count, big, "x.cooc", progress=stop) and not left(),
   "an exception of the progress function stops the work", left())


write_collection("many.txt")
cooc.index("many.txt", "x.cooc", format="lines")
start = time.monotonic()
e = raised(Broken, cooc.count_store, "x.cooc", progress=stop, method="naive",
           threads=1)
took = time.monotonic() - start
with cooc.open("x.cooc") as store:
    ok(e and not store.info.counted,
       f"it stops a count as well, after {took:.2f} s", e)
ok(cooc.count_store("x.cooc")["increments"] > 5e7,
   "a count that was stopped can be continued")
subprocess.run(["rm", "-rf", "x.cooc"])

CHILD = """
import sys
sys.path.insert(0, sys.argv[1] + "/python")
import cooc, threading, time
def documents():
    yield "a b c"
    print("ready", flush=True)
    while True:
        %s
        yield "d e f " * 20
try:
    cooc.count(documents(), "x.cooc")
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
for pause, what in ("pass", "busy"), ("time.sleep(0.01)", "slow"), \
        ("time.sleep(60)", "waiting"):
    child = subprocess.Popen([sys.executable, "-c", CHILD % pause, SRC],
                             stdout=subprocess.PIPE)
    child.stdout.readline()
    time.sleep(0.3)
    start = time.monotonic()
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=60)[0]
    took = time.monotonic() - start
    ok(said == b"stopped\n" and child.returncode == 0 and not left(),
       f"Ctrl-C stops a count with {what} documents", said,
       child.returncode, left(), took)
    ok(took < 10, f"it stops within 10 s: {took:.2f} s")

# ---- files

with open("notes.txt", "w") as f:
    f.write("black coffee\ngreen tea\n")
report = cooc.index(["notes.txt"], "n.cooc", format="lines")
ok(report["documents"] == 2 and report["format"] == "lines", "index() reads "
   "files", report)
ok(cooc.count_store("n.cooc", method="list-scan")["method"] == "list-scan" and
   cooc.check("n.cooc")["pairs"] == 2, "the store can be counted and checked")
ok(raised(cooc.NotFoundError, cooc.index, "no.txt", "m.cooc") and
   raised(TypeError, cooc.index, "notes.txt", "m.cooc", rows="full"),
   "missing files and unknown options are refused")

# ---- strings with NUL

with open("nul.txt", "w") as f:
    f.write("a b\n")
cooc.index("nul.txt", "nul.cooc", format="lines")
cooc.count_store("nul.cooc")
with open("nul.cooc/manifest.json", "rb") as f:
    before = f.read()
store = cooc.open("nul.cooc")
bad = "nul.cooc\0more"
for what, function, *arguments in (
        ("open", cooc.open, bad),
        ("index", lambda p: cooc.index("nul.txt", p, replace=True), bad),
        ("inputs", lambda p: cooc.index(p, "new.cooc"), "nul.txt\0x"),
        ("count", lambda p: cooc.count(["c d"], p, replace=True), bad),
        ("count_store", lambda p: cooc.count_store(p, recount=True), bad),
        ("check", cooc.check, bad),
        ("merge into", lambda p: cooc.merge(["nul.cooc"], p, replace=True),
         bad),
        ("merge", lambda p: cooc.merge([p], "new.cooc"), bad),
        ("add to", lambda p: cooc.add(p, "nul.txt"), bad),
        ("add", lambda p: cooc.add("nul.cooc", p), "nul.txt\0x"),
        ("export", store.export, "new.tsv\0x"),
        ("format", lambda f: store.export("new.tsv", format=f), "tsv\0x"),
        ("stop_file", lambda p: cooc.index("nul.txt", "new.cooc",
                                           stop_file=p), "nul.txt\0x"),
        ("measure", cooc.measure, "pmi\0x"),
        ("tmpdir", lambda p: cooc.count_store("nul.cooc", tmpdir=p,
                                              recount=True), ".\0x")):
    try:
        function(*arguments)
        said = "no error"
    except ValueError as e:
        said = str(e)
    ok(said == "embedded null byte", f"{what}: a string with NUL is an error",
       said)
store.close()
with open("nul.cooc/manifest.json", "rb") as f:
    ok(f.read() == before and not os.path.exists("new.cooc") and
       not os.path.exists("new.tsv"), "nothing was written or replaced")
with open("rows.csv", "w") as f:
    f.write('id,"a, b",t\n1,x;y,z\n2,q\n')
report = cooc.index("rows.csv", "rows.cooc", text_fields=["a, b", "t"],
                    split=";", skip_bad=True)
note = report["notes"][0] if report["notes"] else None
ok(report["documents"] == 1 and report["bad_records"] == 1 and
   cooc.Store("rows.cooc").terms[:] == ["x", "y", "z"],
   "text fields can be a list, and bad records are skipped", report)
ok(note and (note.kind, note.path, note.line) == ("bad", "rows.csv", 3) and
   "fields" in note.text, "notes say what was skipped", report["notes"])
os.mkdir("old")
for name, data in (("a.txt", "they paid €5 – for coffee in a café".encode("cp1252")),
                   ("b.pdf", b"%PDF-1.4\n"), ("c.txt", b""), (".d", b"x"),
                   ("e.txt", "Zoë".encode("utf-16"))):
    with open("old/" + name, "wb") as f:
        f.write(data)
report = cooc.index("old", "old.cooc")
ok([(n.kind, n.path, n.text[:12]) for n in report["notes"]] ==
   [("hidden", "old/.d", ""), ("encoding", "old/a.txt", "windows-1252"),
    ("binary", "old/b.pdf", "PDF document"), ("empty", "old/c.txt", ""),
    ("encoding", "old/e.txt", "UTF-16LE")],
   "notes say what the files are", report["notes"])
ok(raised(ValueError, cooc.index, "old", "x.cooc", encoding="auto,klingon") and
   cooc.index("old/a.txt", "x.cooc", encoding="auto,koi8-r")["documents"] == 1,
   "the encoding of files that are not recognised can be named")
ended()
