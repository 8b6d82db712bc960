#!/usr/bin/python3
"""phrases.t - terms of several words: matching, the order of rules, queries,
add, merge, parts; between two lists of them, compared with a script."""

import collections
import filecmp
import itertools
import json
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import cooc, ended, ok, run  # noqa: E402


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)
    return name


def table(*args):
    """The lines that cooc prints, without the header, as lists of cells."""
    return [line.split("\t") for line in cooc(*args).splitlines()[1:]]


def index(store, docs, *options):
    cooc("index", docs, "--format", "lines", *options, "-o", store, "--force",
         "-q")
    return store


def terms(store):
    """The terms of a store in byte order, joined by '|'."""
    return "|".join(sorted(line[0] for line in table("terms", store)))


def same_store(a, b):
    names = sorted(os.listdir(a))
    return names == sorted(os.listdir(b)) and \
        filecmp.cmpfiles(a, b, names, shallow=False)[0] == names


def refused(name, status, args, *says):
    done = run(*args)
    text = done.stderr.decode()
    ok(done.returncode == status and all(s in text for s in says), name,
       done.returncode, text)


def manifest(store):
    with open(store + "/manifest.json") as f:
        return json.load(f)


def features(store):
    return manifest(store)["features"]


def list_of(store):
    """The list of phrases that a store keeps.  A checksum of 8 bytes and a
    footer follow it."""
    with open(store + "/phrases.txt", "rb") as f:
        data = f.read()
    return data[:data.rindex(b"coocblob") - 8].decode()


# ---- matching

write("docs.txt", "Type 2 diabetes and the cost of living\n"
                  "type-2, DIABETES; T2DM of 2\n"
                  "New new york times: New York\n"
                  "breast cancers\n")
write("list.txt", "# diseases\nType-2 diabetes\n\nnew york\nNew York Times\n"
                  "cost  of living\nBreast cancer\nword\n")

store = index("a.cooc", "docs.txt", "--phrases", "list.txt")
ok(terms(store) == "2|and|breast|cancers|cost of living|new|new york|"
   "new york times|of|t2dm|the|type-2 diabetes",
   "phrases are terms; their words do not count there", terms(store))
ok(features(store) == ["phrases"], "the store has the feature")
ok(list_of("a.cooc") == "Breast cancer\nNew York Times\nType-2 diabetes\n"
   "cost  of living\nnew york\n",
   "the store keeps the list, sorted and without comments and words")
ok(["phrases", "5"] in table("stats", store), "stats counts phrases")
ok(["verdict", "good"] in table("check", store), "check reads the list")
store = index("b.cooc", "docs.txt")
ok(features(store) == [] and not os.path.exists("b.cooc/phrases.txt"),
   "a store without phrases has neither feature nor list")
store = index("b.cooc", "docs.txt", "--phrases", "list.txt",
              "--phrase-words", "keep")
ok({"type", "2", "diabetes", "type-2 diabetes", "york", "times"} <=
   set(terms(store).split("|")), "--phrase-words keep counts words as well")

# ---- the order of the rules

write("stop.txt", "of\nthe\nnew york times\n")
write("thes.txt", "type 2 diabetes\tT2DM\nbreast cancer\tbreast neoplasm\n")
OPTIONS = ["--phrases", "list.txt", "--stop", "stop.txt", "--thesaurus",
           "thes.txt", "--numbers", "drop", "--min-length", "4"]
store = index("c.cooc", "docs.txt", *OPTIONS)
ok(terms(store) == "breast|cancers|cost of living|new york|t2dm",
   "phrases are found before numbers, lengths, stop words and thesaurus",
   terms(store))
store = index("s.cooc", "docs.txt", *OPTIONS, "--stem", "english")
ok(terms(store) == "breast neoplasm|cost of living|new york|t2dm",
   "with a stemmer, phrases are compared by stems", terms(store))
ok({line[0] for line in table("terms", store, "--show-stems")} ==
   {"breast neoplasm", "cost of live", "new york", "t2dm"},
   "a phrase has the stems of its words, and the entry as label",
   cooc("terms", store, "--show-stems"))
for options, want in [
        (["--keep-case"], "New York"),
        (["--tokens", "whitespace"], "cost of living"),
        (["--max-doc-terms", "1"], "type-2 diabetes")]:
    store = index("k.cooc", "docs.txt", "--phrases",
                  write("k.txt", "New York\ncost of living\ntype 2 diabetes\n"
                        "type-2 diabetes\n"), *options)
    found = terms(store).replace("type 2", "type-2").split("|")
    ok(want in found, f"{' '.join(options)}: {want} is a term", found)
store = index("k.cooc", "docs.txt", "--phrases", "k.txt", "--keep-case")
ok("new york" not in terms(store) and "York" in terms(store) or
   "New York" in terms(store), "with --keep-case, case matters")

index("x.cooc", write("x.txt", "The cost of living with type-2 diabetes, 2 "
                      "trials\n"), "--phrases",
      write("l.txt", "cost of living\n"), "--stop", write("w.txt",
                                                          "of\nthe\n"),
      "--thesaurus", write("y.txt", "type 2 diabetes\tT2DM\n"), "--numbers",
      "drop", "--stem", "english")
ok(terms("x.cooc") == "cost of living|t2dm|trials|with" and
   {line[0] for line in table("terms", "x.cooc", "--show-stems")} ==
   {"cost of live", "t2dm", "trial", "with"}, "the example of COUNTS.md",
   terms("x.cooc"))

# ---- every list

write("stop.txt", "new york\n")
store = index("d.cooc", "docs.txt", "--stop", "stop.txt")
ok("york" not in terms(store) and "new|" in terms(store),
   "a stop entry of several words drops the phrase, not its words",
   terms(store))
store = index("d.cooc", "docs.txt", "--terms",
              write("t.txt", "new york\nT2DM\ncost of living\n"))
ok(terms(store) == "cost of living|new york|t2dm",
   "entries of --terms of several words are phrases", terms(store))
ok(list_of("d.cooc") == "cost of living\nnew york\n",
   "and are kept with the phrases")
write("more.txt", "the New-York times\n")
cooc("add", "d.cooc", "more.txt", "--format", "lines", "--terms", "t.txt",
     "-q")
ok(same_store(index("e.cooc", write("both.txt", open("docs.txt").read() +
                                    open("more.txt").read()),
                    "--terms", "t.txt"), "d.cooc") or
   terms("d.cooc") == terms("e.cooc"), "add uses the phrases of --terms")

# ---- paragraphs

os.mkdir("files")
write("files/a.txt", "breast\n\ncancer\n")
write("files/b.txt", "breast\ncancer\n")
write("files/c.html", "<p>breast</p><p>cancer</p>")
write("files/d.html", "<p>breast <b>cancer</b></p>")
write("files/e.csv", 'id,title,body\n1,breast,cancer\n2,x,"breast cancer"\n')
for path, options, want in [
        ("files/a.txt", ["--format", "files"], 0),
        ("files/b.txt", ["--format", "files"], 1),
        ("files/c.html", [], 0), ("files/d.html", [], 1),
        ("files/e.csv", ["--text-field", "title,body"], 1)]:
    cooc("index", path, *options, "--phrases", "list.txt", "-o", "p.cooc",
         "--force", "-q")
    found = [int(n) for t, n in table("terms", "p.cooc")
             if t == "breast cancer"]
    ok(sum(found) == want, f"{path}: phrases do not cross paragraphs", found)

write("rows.tsv", "id\ttext\n1\tbreast\n1\tcancer\n2\tbreast cancer\n")
cooc("index", "rows.tsv", "--header", "--group-by", "id", "--text-field",
     "text", "--phrases", "list.txt", "-o", "p.cooc", "--force", "-q")
ok(terms("p.cooc") == "breast|breast cancer|cancer",
   "nor rows that are grouped", terms("p.cooc"))
write("fields.jsonl", '{"a": "breast", "b": ["cancer", "breast", "cancer"]}\n')
cooc("index", "fields.jsonl", "--text-field", "a,b", "--phrases", "list.txt",
     "-o", "p.cooc", "--force", "-q")
ok(terms("p.cooc") == "breast|cancer", "nor fields and their values",
   terms("p.cooc"))

# ---- queries

write("ask.txt", "a b c breast cancer\nbreast cancer d\nBreast-Cancer b\n"
                 "heart attack b\n")
write("asked.txt", "breast cancer\nheart attack\nlung cancer\n")
store = index("q.cooc", "ask.txt", "--phrases", "asked.txt")
cooc("count", store, "-q")
ok(table("top", store, "breast cancer")[0] == ["b", "2", "3"],
   "top takes a phrase", cooc("top", store, "breast cancer"))
ok(table("top", store, "Breast  CANCER") == table("top", store,
                                                  "breast-cancer"),
   "in any spelling")
ok(["count", "2"] in table("pair", store, "b", "breast cancer"),
   "pair takes a phrase", cooc("pair", store, "b", "breast cancer"))
ok(len(table("docs", store, "breast cancer")) == 3, "docs takes a phrase")
write("x.txt", "breast cancer\nlung cancer\n")
write("y.txt", "b\nd\nheart attack\n")
rows = table("between", store, "x.txt", "y.txt")
ok([r[:3] for r in rows] == [["breast cancer", "b", "2"],
                             ["breast cancer", "d", "1"],
                             ["breast cancer", "heart attack", "0"]],
   "between takes phrases", rows)
ok(len(table("within", store, "y.txt")) == 3, "within takes phrases")
write("pairs.txt", "breast cancer\tb\nb\tlung cancer\n")
rows = table("pairs", store, "--from", "pairs.txt")
ok([r[:3] for r in rows] == [["breast cancer", "b", "2"],
                             ["b", "lung cancer", "0"]],
   "pairs --from takes phrases; one in no document has count 0", rows)
cooc("export", store, "--format", "tsv", "--terms", "y.txt", "-o", "out.tsv",
     "-q")
ok("heart attack" in open("out.tsv").read(), "export --terms takes phrases")
refused("a phrase that occurs nowhere is in no document", 1,
        ["top", store, "lung cancer"], "no document contains 'lung cancer'")
write("bad.txt", "breast cancer\nkidney stone\nb\nIL-6\n")
write("badpairs.txt", "b\td\nkidney stone\tb\nb\tIL-6\n")
for args in (["top", store, "kidney stone", "IL-6"],
             ["docs", store, "b", "kidney stone", "IL-6"],
             ["pair", store, "kidney stone", "IL-6"],
             ["between", store, "bad.txt", "y.txt"],
             ["within", store, "bad.txt"],
             ["pairs", store, "--from", "badpairs.txt"],
             ["export", store, "--format", "tsv", "--terms", "bad.txt", "-o",
              "no.tsv"],
             ["top", store, "b", "--exclude", "bad.txt"]):
    refused(f"{args[0]}: words that are not a phrase are an error that names "
            "them all", 2, args, "2 entries are several words",
            "'kidney stone', 'IL-6'", "list of phrases", "(--phrases)")
write("bad2.txt", "heart attack\nno such\n")
refused("between names the entries of both lists", 2,
        ["between", store, "bad.txt", "bad2.txt"], "bad.txt: 2 entries",
        "'kidney stone', 'IL-6'", "bad2.txt: 'no such' is several words")
refused("so are those of one word each", 2, ["top", "b.cooc", "kidney stone"],
        "'kidney stone' is several words and not a phrase of this store")
write("many.txt", "".join(f"no phrase {i}\n" for i in range(1000)))
refused("a long error says how many there are", 2,
        ["within", store, "many.txt"], "1000 entries", "more;")

# ---- errors

write("terms.tsv", "1\tnew york\n1\tx\n")
refused("--phrases does not apply to ready-made terms", 2,
        ["index", "terms.tsv", "--format", "triples", "--phrases", "list.txt",
         "-o", "no.cooc"], "phrases are found in text", "(--phrases)")
refused("nor does --phrase-words", 2,
        ["index", "terms.tsv", "--format", "triples", "--phrase-words",
         "keep", "-o", "no.cooc"], "(--phrase-words)")
refused("--phrase-words keep needs phrases", 2,
        ["index", "docs.txt", "--phrase-words", "keep", "-o", "no.cooc"],
        "needs phrases; give a list of them", "(--phrase-words)")
refused("a phrase has at most 64 words", 2,
        ["index", "docs.txt", "--phrases", write("long.txt", "ok\n" +
                                                 "x " * 65 + "\n"),
         "-o", "no.cooc"], "long.txt:2: a phrase has 65 words")
refused("a missing list is an error", 1,
        ["index", "docs.txt", "--phrases", "none.txt", "-o", "no.cooc"],
        "none.txt")

# ---- merge, add, parts, threads, memory

rng = random.Random(21)
words = "a b c d e f g".split()
docs = [" ".join(rng.choice(words) for _ in range(rng.randrange(30)))
        for _ in range(3000)]
write("all.txt", "".join(d + "\n" for d in docs))
write("p.txt", "".join(" ".join(rng.choice(words) for _ in
                                range(rng.randrange(2, 5))) + "\n"
                       for _ in range(40)))
os.mkdir("in")
for i in range(6):
    write(f"in/{i}.txt", "".join(d + "\n" for d in docs[500 * i:][:500]))
HOW = ["--format", "lines", "--phrases", "p.txt", "--stem", "english"]
cooc("index", "in", *HOW, "-o", "whole.cooc", "-q")
for n in ("1", "2", "7"):
    cooc("index", "in", *HOW, "-o", "same.cooc", "-q", "--force", "--threads",
         n, "--memory", "16M")
    ok(same_store("whole.cooc", "same.cooc"), f"{n} threads give the same")
parts = []
for i in (1, 2, 3):
    cooc("index", "in", *HOW, "--part", f"{i}/3", "-o", f"part{i}.cooc", "-q")
    parts.append(f"part{i}.cooc")
cooc("merge", *parts, "-o", "merged.cooc", "-q")
ok(same_store("whole.cooc", "merged.cooc"), "so do parts that are merged")
cooc("index", "in/0.txt", "in/1.txt", *HOW, "-o", "grown.cooc", "-q")
cooc("add", "grown.cooc", *(f"in/{i}.txt" for i in range(2, 6)), "--format",
     "lines", "-q")
ok(terms("grown.cooc") == terms("whole.cooc") and
   table("terms", "grown.cooc") == table("terms", "whole.cooc") and
   open("grown.cooc/forward.bin", "rb").read() ==
   open("whole.cooc/forward.bin", "rb").read(),
   "so does adding documents, with the phrases of the store")
write("q.txt", open("p.txt").read()[::-1].strip() + "\n# other order\n")
write("r.txt", "".join(sorted(set(open("p.txt")), reverse=True)) + "# end\n")
cooc("index", "in", *HOW[:3], "r.txt", *HOW[4:], "-o", "order.cooc", "-q")
ok(filecmp.cmp("order.cooc/phrases.txt", "whole.cooc/phrases.txt"),
   "the order of the list does not matter")
index("x1.cooc", "all.txt", "--phrases", "p.txt")
index("x2.cooc", "docs.txt", "--phrases", "list.txt")
index("x3.cooc", "docs.txt")
index("x4.cooc", "docs.txt", "--phrases", "p.txt", "--phrase-words", "keep")
refused("stores with other phrases are not merged", 2,
        ["merge", "x1.cooc", "x2.cooc", "-o", "no.cooc"], "different lists",
        "(--phrases)")
refused("nor is one without phrases", 2,
        ["merge", "x1.cooc", "x3.cooc", "-o", "no.cooc"],
        "with phrases, the other without them", "(--phrases)")
refused("nor is one with other rules for their words", 2,
        ["merge", "x1.cooc", "x4.cooc", "-o", "no.cooc"], "(--phrase-words)")
refused("merge --terms takes phrases of the stores only", 2,
        ["merge", "x2.cooc", "-o", "no.cooc", "--terms", "bad.txt"],
        "'kidney stone', 'IL-6'", "(--phrases)")
cooc("merge", "x2.cooc", "-o", "kept.cooc", "--terms",
     write("keep.txt", "New-York\nT2DM\n"), "-q")
ok(terms("kept.cooc") == "new york|t2dm", "and keeps them", terms("kept.cooc"))

# ---- between two lists, with synonyms, by a script

rng = random.Random(2024)
syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
vocabulary = sorted({"".join(rng.choice(syllables) for _ in range(3))
                     for _ in range(900)})
genes = rng.sample(vocabulary, 200)
diseases, seen = [], set()
while len(diseases) < 200:
    name = tuple(rng.choice(vocabulary) for _ in range(rng.choice((2, 2, 3))))
    if name not in seen:
        seen.add(name)
        diseases.append(name)
# Every fourth disease has a synonym: a word, or another phrase.
synonyms = {}
for i, d in enumerate(diseases[::4]):
    other = (f"syn{i}",) if i % 2 else (f"syn{i}", "syndrome")
    synonyms[other] = d
phrases = {**{d: d for d in diseases}, **synonyms}
longest = max(map(len, phrases))
texts = []
for _ in range(2000):
    parts = []
    for _ in range(rng.randrange(5, 60)):
        kind = rng.random()
        if kind < 0.25:
            parts += rng.choice(diseases)
        elif kind < 0.35:
            parts += rng.choice(list(synonyms))
        elif kind < 0.5:
            parts.append(rng.choice(genes))
        else:
            parts.append(rng.choice(vocabulary))
    texts.append(parts)
write("abstracts.txt", "".join(
    "".join(w + rng.choice((" ", " ", ", ", "-")) for w in t) + "\n"
    for t in texts))


def terms_of(doc):
    found, i = set(), 0
    while i < len(doc):
        for n in range(min(longest, len(doc) - i), 0, -1):
            piece = tuple(doc[i:i + n])
            if piece in phrases:
                found.add(" ".join(phrases[piece]))
                break
        else:
            n = 1
            found.add(doc[i])
        i += n
    return found


sets = [terms_of(t) for t in texts]
df = collections.Counter(t for s in sets for t in s)
names = [" ".join(d) for d in diseases]
write("genes.txt", "".join(g + "\n" for g in genes))
write("diseases.txt", "".join(n + "\n" for n in names))
write("synonyms.txt", "".join(f"{' '.join(k)}\t{' '.join(v)}\n"
                              for k, v in synonyms.items()))
index("abstracts.cooc", "abstracts.txt", "--phrases", "diseases.txt",
      "--thesaurus", "synonyms.txt")
got = {(r[0], r[1]): tuple(map(int, r[2:6]))
       for r in table("between", "abstracts.cooc", "genes.txt",
                      "diseases.txt")}
both = collections.Counter()
wanted, others = set(genes), set(names)
for s in sets:
    both.update(itertools.product(s & wanted, s & others))
want = {}
for g, d in itertools.product(genes, names):
    if df[g] and df[d] and g != d:
        a = both[g, d]
        want[g, d] = (a, df[g] - a, df[d] - a, len(texts) - df[g] - df[d] + a)
ok(got == want and len(want) > 30000,
   "200 words and 200 phrases with synonyms: between agrees with a script",
   len(got), len(want), [(k, got.get(k), want.get(k)) for k in want
                         if got.get(k) != want[k]][:5])
ended()
