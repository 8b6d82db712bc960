#!/usr/bin/python3
"""labels.t - stemmed stores show words as labels, and every label finds its
own term; merge and add count the words of all documents."""

import collections
import filecmp
import os
import random
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import DATA, cooc, ended, ok, run  # noqa: E402

OLD = DATA + "/stores/version1"


def table(*args):
    """The lines that cooc prints, without the header, as lists of cells."""
    return [line.split("\t") for line in cooc(*args).splitlines()[1:]]


def write(name, text):
    with open(name, "w") as f:
        f.write(text)
    return name


def same_store(a, b):
    names = sorted(os.listdir(a))
    return names == sorted(os.listdir(b)) and \
        filecmp.cmpfiles(a, b, names, shallow=False)[0] == names


# ---- the most frequent form, by its definition

write("docs.txt", "run run runs\nrunning runs running\nruns\n"
                  "lion lions\nlions lion only onli only only\n"
                  "organise organisation organ on on\n")
cooc("count", "docs.txt", "-q", "--stem", "english", "-o", "s.cooc")
terms = table("terms", "s.cooc")
ok(terms == [["runs", "3"], ["lion", "2"], ["on", "2"], ["only", "1"],
             ["organ", "1"], ["organise", "1"]],
   "a term is shown by its most frequent form, or the shorter one if tied",
   terms)
stems = [t for t, _ in table("terms", "s.cooc", "--show-stems")]
ok(stems == ["run", "lion", "on", "onli", "organ", "organis"],
   "--show-stems shows stems in order of ids", stems)
ok(table("docs", "s.cooc", "onli") == table("docs", "s.cooc", "on"),
   "a word of the documents finds its own stem")
ok(table("docs", "s.cooc", "only") == [["docs.txt:5"]],
   "a label finds its term even if its stem is a word of another term")
ok([t for t, _ in table("terms", "s.cooc", "--prefix", "organi")] ==
   ["organise"], "--prefix matches labels")
ok([t for t, _ in table("terms", "s.cooc", "--like", "*s")] == ["runs"],
   "--like matches only labels")
said = run("top", "s.cooc", "organnise").stderr.decode()
ok("'organnise'" in said and "organise" in said,
   "suggestions are labels, and the message has the word as typed",
   said)
for what, args in (("top", ["s.cooc", "lion"]), ("pairs", ["s.cooc"]),
                   ("row", ["s.cooc", "lion"]), ("stats", ["s.cooc"]),
                   ("pair", ["s.cooc", "lion", "only"]),
                   ("export", ["s.cooc"])):
    plain, raw = cooc(what, *args), cooc(what, *args, "--show-stems")
    ok(re.search(r"\bonly\b|\bruns\b", plain) and
       not re.search(r"\bonli\b|\brun\b", plain) and
       re.search(r"\bonli\b|\brun\b", raw),
       f"{what} shows labels, and stems with --show-stems", plain, raw)
write("list.txt", "".join(t + "\n" for t, _ in terms))
for what in ("within", "between"):
    args = [what, "s.cooc", "list.txt"] + ["list.txt"] * (what == "between")
    plain, raw = cooc(*args), cooc(*args, "--show-stems")
    ok("only" in plain and "onli" not in plain and "onli" in raw,
       f"{what} of a list shows labels, and stems with --show-stems", plain)

write("paths.txt", "c:\\dir\\tmp foo\\tbar x\n")
cooc("count", "paths.txt", "-q", "--format", "lines", "--tokens",
     "whitespace", "--stem", "english", "-o", "w.cooc")
write("list.txt", "".join(t + "\n" for t, _ in table("terms", "w.cooc")))
ok(len(table("within", "w.cooc", "list.txt")) == 3 and
   not run("within", "w.cooc", "list.txt").stderr,
   "a list that cooc wrote finds terms with backslashes",
   open("list.txt").read())

# ---- every label finds its own term, for every stemmer

SCRIPTS = {
    "arabic": "\u0627\u0628\u062a\u0633\u0644\u0645\u0646\u0648\u064a\u0647",
    "armenian": "\u0561\u0562\u0565\u056b\u0576\u057d\u057e\u0578\u0580",
    "greek": "\u03b1\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c3\u03c4",
    "hindi": "\u0915\u0924\u0928\u0930\u0938\u093e\u093f\u0940\u094b",
    "nepali": "\u0915\u0924\u0928\u0930\u0938\u093e\u093f\u0940\u094b",
    "russian": "\u0430\u0435\u0438\u043b\u043c\u043d\u043e\u0441\u0442\u044c",
    "serbian": "\u0430\u0435\u0438\u0458\u043c\u043d\u043e\u0441\u0442\u043a",
    "tamil": "\u0b95\u0ba4\u0ba9\u0bb0\u0bb5\u0bbe\u0bbf\u0bc1\u0bb3",
    "yiddish": "\u05d0\u05d1\u05d3\u05d5\u05d9\u05dc\u05e0\u05e1\u05e8\u05d8",
}
LATIN = "aeilnorstuy"
ENDINGS = ("", "s", "es", "ed", "ing", "ly", "ation", "ness", "er", "en",
           "ies", "ment", "al", "i")


def language_text(draw, letters):
    latin = letters is LATIN
    words = ["".join(draw.choices(letters, k=draw.randint(2, 7))) +
             (draw.choice(ENDINGS) if latin else "") for _ in range(1500)]
    return "\n".join(" ".join(draw.choices(words, k=20)) for _ in range(400))


said = run("index", "docs.txt", "-o", "x.cooc", "--stem", "none").stderr
stemmers = said.decode().splitlines()[0].split("stemmers are ")[1].split()[:-1]
ok("english" in stemmers and len(stemmers) > 20, "stemmers are listed",
   stemmers)
draw = random.Random(7)
for stemmer in stemmers:
    write("lang.txt", language_text(draw, SCRIPTS.get(stemmer, LATIN)) + "\n")
    cooc("index", "lang.txt", "-q", "--force", "--stem", stemmer, "-o",
         "l.cooc")
    shown = table("terms", "l.cooc")
    write("self.tsv", "".join(f"{t}\t{t}\n" for t, _ in shown))
    found = table("pairs", "l.cooc", "--from", "self.tsv", "--measures", "dice")
    wrong = [(t, df, row) for (t, df), row in zip(shown, found)
             if row[:2] != [t, t] or row[2] != df or row[3] != df]
    ok(len(shown) == len(found) > 50 and not wrong and
       len({t for t, _ in shown}) == len(shown),
       f"{stemmer}: every label finds its own term", len(shown),
       wrong[:5])

# ---- stems and thesaurus together

write("sport.txt", "run\njogging\nrunning runs\nsprint noise\n")
write("sport.tsv", "Label\tReplace by\njogging\trunning\n"
                   "sprint\tvery fast Running\nnoise\t\n")
told = cooc("count", "sport.txt", "-q", "--json", "--stem", "english",
            "--thesaurus", "sport.tsv", "-o", "t.cooc")
shown = table("terms", "t.cooc")
ok(shown == [["running", "3"], ["very fast running", "1"]],
   "a preferred term is stemmed like a word of a document", shown)
ok(table("terms", "t.cooc", "--show-stems")[1][0] == "veri fast run",
   "each word of a preferred term of several words is stemmed")
for word in ("very fast running", "Very Fast Running", "sprint"):
    ok(table("docs", "t.cooc", word) == [["sport.txt:4"]],
       f"'{word}' finds the term of several words")
write("keep.txt", "Very fast running\n")
cooc("count", "sport.txt", "-q", "--stem", "english", "--thesaurus",
     "sport.tsv", "--terms", "keep.txt", "-o", "k.cooc")
ok(table("terms", "k.cooc") == [["very fast running", "1"]],
   "--terms accepts a term of several words")
done = run("docs", "t.cooc", "noise")
ok(done.returncode != 0 and b"no preferred form" in done.stderr,
   "a variant without a preferred term is dropped and reported",
   done.stderr)

# ---- merge and add count the forms of all documents

words = ["walk", "walks", "walked", "walking", "talk", "talks", "talked",
         "house", "houses", "housing", "onli", "only", "on", "jog"]
docs = [" ".join(draw.choices(words, k=draw.randint(0, 9)))
        for _ in range(300)]
write("v.tsv", "jog\twalking\nhousing\thouses\n")
options = ["--format", "lines", "-q", "--stem", "english", "--thesaurus",
           "v.tsv"]
for i in range(3):
    write(f"p{i}.txt", "".join(d + "\n" for d in docs[i * 100:][:100]))
    cooc("count", f"p{i}.txt", *options, "-o", f"p{i}.cooc")
parts = ["p0.txt", "p1.txt", "p2.txt"]
cooc("count", *parts, *options, "-o", "all.cooc")
cooc("merge", "p0.cooc", "p1.cooc", "p2.cooc", "-q", "-o", "m.cooc")
ok(same_store("all.cooc", "m.cooc"),
   "a merged store has the forms and labels of all documents")
cooc("add", "p0.cooc", "p1.txt", "p2.txt", "--format", "lines", "-q")
ok(same_store("all.cooc", "p0.cooc"),
   "a store with added documents has the forms of all documents")
for j in ("1", "3"):
    cooc("count", *parts, *options, "-j", j, "--memory", "64M", "--force",
         "-o", "j.cooc")
    ok(same_store("all.cooc", "j.cooc"),
       f"a store made with -j {j} has the same forms")
tokens = collections.Counter(" ".join(docs).split())
tokens["walking"] += tokens.pop("jog")
tokens["houses"] += tokens.pop("housing")
best = min((w for w in tokens if w.startswith("walk")),
           key=lambda w: (-tokens[w], len(w), w))
ok(best in [t for t, _ in table("terms", "all.cooc")],
   "tokens of variants count for their preferred term", best)
ok(run("check", "all.cooc").returncode == 0,
   "check accepts a store with labels")

# ---- more words than fit into memory

many = "\n".join(" ".join(f"w{draw.randrange(150000)}x" +
                          draw.choice(("", "s", "ed", "ing"))
                          for _ in range(400)) for _ in range(1500))
write("many.txt", many + "\n")
big = ["--format", "lines", "-q", "--json", "--stem", "english"]
spilled = cooc("index", "many.txt", *big, "-j", "2", "--memory", "16M", "-o",
               "small.cooc")
cooc("index", "many.txt", *big, "-j", "1", "--memory", "4G", "-o",
     "large.cooc")
ok(same_store("small.cooc", "large.cooc"),
   "forms that do not fit into memory make the same store")
ok(spilled == "" or "bytes_spilled" in spilled,
   "forms are written to temporary files", spilled)

# ---- stores of the first format

ok(cooc("export", OLD + "/words.cooc") == open(OLD + "/words.tsv").read(),
   "a store of the first format gives the same answers as before")
ok(cooc("export", OLD + "/stems.cooc") == open(OLD + "/stems.tsv").read(),
   "a stemmed store of the first format, without labels, works as before")
ok(run("check", OLD + "/stems.cooc").returncode == 0 and
   run("check", OLD + "/words.cooc").returncode == 0,
   "check accepts both stores of the first format")
shown = table("terms", OLD + "/stems.cooc")
write("old.tsv", "".join(f"{t}\t{t}\n" for t, _ in shown))
found = table("pairs", OLD + "/stems.cooc", "--from", "old.tsv")
ok([[r[0], r[2]] for r in found] == shown,
   "each term shown of a store without labels finds itself", found)

# ---- versions of the rules

new = ["--format", "tsv", "-q"]
cooc("count", OLD + "/documents.tsv", *new, "-o", "new.cooc")
done = run("merge", OLD + "/words.cooc", "new.cooc", "-o", "mixed.cooc")
ok(done.returncode == 2 and b"another version of the rules" in done.stderr and
   b"reading 1, words 1, ICU unknown" in done.stderr and
   b"--accept-rules" in done.stderr and not os.path.exists("mixed.cooc"),
   "a merge of stores with different versions of the rules is refused",
   done.stderr)
cooc("merge", OLD + "/words.cooc", "new.cooc", "-o", "mixed.cooc", "-q",
     "--accept-rules")
rules = [line for line in cooc("stats", "mixed.cooc").splitlines()
         if line.startswith("rules")]
ok(len(rules) == 1 and "reading 1, words 1, ICU unknown; reading 2" in
   rules[0], "--accept-rules merges them, and stats shows both versions",
   rules)
os.system(f"cp -r {OLD}/words.cooc grow.cooc")
done = run("add", "grow.cooc", OLD + "/documents.tsv")
ok(done.returncode == 2 and b"another version of the rules" in done.stderr,
   "adding to a store with older rules is refused", done.stderr)
cooc("add", "grow.cooc", OLD + "/documents.tsv", "-q", "--accept-rules")
cooc("add", "grow.cooc", OLD + "/documents.tsv", "-q")
ok("reading 1" in cooc("stats", "grow.cooc"),
   "documents are added without --accept-rules after it was given once")
os.system(f"cp -r {OLD}/stems.cooc old.cooc")
cooc("add", "old.cooc", OLD + "/documents.tsv", "-q", "--accept-rules")
shown = [t for t, _ in table("terms", "old.cooc")]
ok("only" in shown and "onli" not in shown and
   run("check", "old.cooc").returncode == 0,
   "an old stemmed store gets labels when documents are added",
   shown)

# ---- features

write("s.cooc/manifest.json", open("s.cooc/manifest.json").read().replace(
    '"labels"', '"labels",\n    "windows",\n    "moods"'))
done = run("stats", "s.cooc")
ok(done.returncode == 1 and b"windows, moods" in done.stderr and
   b"newer version of cooc" in done.stderr,
   "unknown features are named", done.stderr)
ended()
