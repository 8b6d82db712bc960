"""fault_jobs.py - small jobs that together use all code that writes files.

    jobs = make_jobs("somewhere")      a list of faulty.Job
    jobs = make_jobs("somewhere", names("count batches,export npz"))
"""

import gzip
import io
import os
import re
import shutil
import tarfile
import zipfile

from faulty import Job
from tap import DATA, cooc

TEXTS = ["Tea or coffee, coffee or tea: the kettle decides.",
         "Der Tee ist heiß; der Kaffee ist kälter.", "茶は熱い。 coffee tea",
         "milk and tea and sugar", "the kettle sings while tea waits"]
MORE = ["coffee with milk, twice", "a kettle of tea for the street",
        "sugar and milk and coffee"]


def write(path, data):
    with open(path, "wb") as f:
        f.write(data.encode() if isinstance(data, str) else data)


def inputs(at):
    """One small input of each kind."""
    formats = DATA + "/formats/"
    os.makedirs(at)
    for name in os.listdir(formats):
        if os.path.isdir(formats + name):
            shutil.copytree(formats + name, f"{at}/{name}")
        else:
            shutil.copy(formats + name, f"{at}/{name}")
    lines = "\n".join(TEXTS) + "\n"
    write(f"{at}/a.txt", lines)
    write(f"{at}/b.txt", "\n".join(MORE) + "\n")
    write(f"{at}/a.txt.gz", gzip.compress(lines.encode(), mtime=0))
    words = [f"w{i}" for i in range(6000)]      # counted in three parts
    write(f"{at}/parts.txt", "".join(" ".join(words[i:]) + "\n"
                                     for i in range(3)))
    write(f"{at}/baskets.dat", "1 2 3\n2 3 5\n1 5\n")
    write(f"{at}/stop.txt", "the\nand\n")
    write(f"{at}/same.txt", "sings\tsing\nkettle\tpot\n")
    with zipfile.ZipFile(f"{at}/a.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(zipfile.ZipInfo("one.txt"), TEXTS[0])
        z.writestr(zipfile.ZipInfo("two.txt"), TEXTS[1])
    with tarfile.open(f"{at}/a.tar.xz", "w:xz") as t:
        for i, text in enumerate(TEXTS):
            info = tarfile.TarInfo(f"{i}.txt")
            info.size = len(text.encode())
            t.addfile(info, io.BytesIO(text.encode()))


INDEX = [
    ("lines", ["a.txt"]), ("gzip", ["a.txt.gz"]), ("zip", ["a.zip"]),
    ("tar.xz", ["a.tar.xz"]), ("tsv", ["docs.tsv"]),
    ("jsonl", ["docs.jsonl"]), ("files", ["tree"]), ("html", ["pages"]),
    ("trec", ["news.trec"]), ("warc", ["pages.warc"]),
    ("triples", ["docs.triples"]),
    ("uci", ["docword.fruit.txt", "--vocab", "vocab.fruit.txt"]),
    ("ldac", ["docs.ldac", "--format", "ldac"]),
    ("svmlight", ["docs.svm", "--format", "svmlight"]),
    ("transactions", ["baskets.dat", "--format", "transactions"]),
    ("wos", ["fruit.wos", "--text-field", "a=AU,TI", "--split", " "]),
    ("ris", ["fruit.ris"]), ("medline", ["fruit.nbib"]),
    ("bibtex", ["fruit.bib"]),
    ("csv", ["fruit.csv", "--text-field", "what"]),
    ("grouped", ["fruit.csv", "--text-field", "what", "--group-by", "who",
                 "--split", "none", "--memory", "16M"]),
    ("xml", ["fruit.xml", "--record", "f"]),
    ("conllu", ["fruit.conllu", "--column", "lemma+upos"]),
    ("vertical", ["fruit.vert", "--column", "3", "--pos", "2=NN"]),
    ("ciff", ["fruit.ciff"]),
    ("lists", ["a.txt", "--stop", "stop.txt", "--thesaurus", "same.txt",
               "--stem", "english", "--terms", "stop.txt"]),
    ("stems", ["a.txt", "--stem", "english", "--thesaurus", "same.txt"]),
    ("latin1", ["a.txt", "--encoding", "latin1"]),
    ("statistics", ["a.txt", "--stats-json", "stats.json"]),
]
FULL = ["--rows", "full"]   # small compact stores have no row files
COUNT = [
    ("bit-scan", FULL), ("list-scan", ["--method", "list-scan", *FULL]),
    ("list-blocks", ["--method", "list-blocks", *FULL]),
    ("list-pairs", ["--method", "list-pairs", *FULL]),
    ("multi-scan", ["--method", "multi-scan", *FULL]),
    ("naive", ["--method", "naive", "--flush-pairs", "20", *FULL]),
    ("batches", ["--batch-postings", "9", *FULL]),
    ("default", []),
    ("compact", ["--rows", "compact", "--compact-df", "2"]),
    ("compact batches", ["--rows", "compact", "--compact-df", "2",
                        "--batch-postings", "9"]),
]
EXPORT = [
    ("tsv", []), ("csv", []), ("jsonl", []), ("raw", []), ("glove", []),
    ("mtx", []), ("npz", []), ("sqlite", []), ("gexf", []), ("graphml", []),
    ("pajek", []), ("vosviewer", []), ("gephi-csv", []), ("ciff", []),
    ("npz", ["--by", "pmi", "--symmetric", "--top-terms", "9"]),
    ("gexf", ["--top-edges", "9", "--per-node", "2"]),
]
ASK = [
    ["stats", "c.cooc"], ["pair", "c.cooc", "tea", "coffee"],
    ["top", "c.cooc", "tea", "--by", "llr"], ["row", "c.cooc", "kettle"],
    ["top", "i.cooc", "tea"], ["pairs", "c.cooc", "-n5", "--by", "pmi"],
    ["between", "c.cooc", "lists.txt", "lists.txt"],
    ["within", "c.cooc", "lists.txt"], ["docs", "c.cooc", "tea", "milk"],
    ["terms", "c.cooc"], ["check", "c.cooc"], ["export", "c.cooc"],
    ["dump", "x.npz"], ["dump", "x.mtx"], ["dump", "x.glove"],
    ["top", "c.cooc", "tea", "--json"],
    ["similar", "c.cooc", "tea", "--min-df", "1"],
]


def stores(at):
    """Inputs, and stores made from them: indexed, counted, and so on."""
    inputs(at)
    write(f"{at}/lists.txt", "tea\ncoffee\nmilk\n")
    cooc("index", f"{at}/a.txt", "-o", f"{at}/i.cooc", "-q")
    cooc("index", f"{at}/parts.txt", "-o", f"{at}/p.cooc", "-q")
    for i in "12":
        cooc("index", f"{at}/a.txt", f"{at}/docs.jsonl", "--part", f"{i}/2",
             "-o", f"{at}/h{i}.cooc", "-q")
    for name, parts in (("f", ("1/2", "2/2")), ("h", ("1/2",))):
        shutil.copytree(f"{at}/p.cooc", f"{at}/{name}.cooc")
        for part in parts:
            cooc("count", f"{at}/{name}.cooc", "-q", "--part", part, *FULL)
    for name, source in (("c", "a"), ("d", "b")):
        cooc("count", f"{at}/{source}.txt", "-o", f"{at}/{name}.cooc", "-q",
             *FULL)
    cooc("count", f"{at}/a.txt", "-o", f"{at}/s.cooc", "-q", "--rows",
         "compact", "--compact-df", "3")
    cooc("count", f"{at}/a.txt", "-o", f"{at}/l.cooc", "-q", "--stop",
         f"{at}/stop.txt", "--stem", "english", *FULL)
    for form in ("npz", "mtx", "glove"):
        cooc("export", f"{at}/c.cooc", "--format", form, "-o",
             f"{at}/x.{form}", "-q")


def names(text):
    """Split a list of jobs; a comma followed by a blank is part of a name."""
    return re.split(",(?! )", text)


def make_jobs(at, only=None):
    """All jobs, or the jobs named in only, which must all exist."""
    stores(f"{at}/stock")
    jobs = []

    def add(name, start, args, makes=(), threads=1, **how):
        """start: names of prepared files, copied and perhaps renamed."""
        if only and name not in only:
            return
        here = f"{at}/{len(jobs):03}"
        os.mkdir(here)
        for item in start:
            source, _, target = item.partition(":")
            copy = shutil.copytree if os.path.isdir(
                f"{at}/stock/{source}") else shutil.copy
            copy(f"{at}/stock/{source}", f"{here}/{target or source}")
        jobs.append(Job(name, here, [args[0], f"-j{threads}", *args[1:]]
                        if threads else args, makes, **how))

    for name, args in INDEX:
        add("index " + name,
            [a for a in args if os.path.exists(f"{at}/stock/{a}")],
            ["index", *args, "-o", "n.cooc", "-q"],
            ["n.cooc", "stats.json"] if name == "statistics" else ["n.cooc"])
    add("index -", ["a.txt"], ["index", "-", "-o", "n.cooc", "-q"],
        ["n.cooc"], stdin="a.txt")
    add("index --force", ["a.txt", "d.cooc:n.cooc"],
        ["index", "a.txt", "-o", "n.cooc", "-q", "-f"], ["n.cooc"])
    add("index -j2", ["a.txt"], ["index", "a.txt", "-o", "n.cooc", "-q"],
        ["n.cooc"], threads=2)
    add("index part", ["a.txt", "docs.jsonl"],
        ["index", "a.txt", "docs.jsonl", "--part", "2/3", "-o", "n.cooc",
         "-q"], ["n.cooc"])
    add("index part of triples", ["docs.triples"],
        ["index", "docs.triples", "--format", "triples", "--part", "2/3",
         "-o", "n.cooc", "-q"], ["n.cooc"])
    for name, args in COUNT:
        add("count " + name, ["i.cooc:n.cooc"],
            ["count", "n.cooc", "-q", *args], ["n.cooc"], grows=True)
    add("count -j2", ["i.cooc:n.cooc"], ["count", "n.cooc", "-q", *FULL],
        ["n.cooc"], grows=True, threads=2)
    add("count -j2 batches", ["i.cooc:n.cooc"],
        ["count", "n.cooc", "-q", "--batch-postings", "9", *FULL],
        ["n.cooc"], grows=True, threads=2)
    add("count again", ["c.cooc:n.cooc"], ["count", "n.cooc", "-q", "-f"],
        ["n.cooc"], grows=True)
    add("count compact again", ["s.cooc:n.cooc"],
        ["count", "n.cooc", "-q", "-f"], ["n.cooc"], grows=True)
    add("count parts", ["p.cooc:n.cooc"], ["count", "n.cooc", "-q", *FULL],
        ["n.cooc"], grows=True)
    for name, start in (("part", "i.cooc"), ("part of several row files",
                                             "p.cooc")):
        add(name, [f"{start}:n.cooc"],
            ["count", "n.cooc", "-q", "--part", "1/1", "--rows", "compact",
             "--compact-df", "2"], ["n.cooc"], grows=True)
    add("part in batches", ["i.cooc:n.cooc"],
        ["count", "n.cooc", "-q", "--part", "1/1", "--batch-postings", "9",
         *FULL], ["n.cooc"], grows=True)
    add("count of finished parts", ["f.cooc:n.cooc"],
        ["count", "n.cooc", "-q"], ["n.cooc"], grows=True)
    add("count of half the parts", ["h.cooc:n.cooc"],
        ["count", "n.cooc", "-q"], ["n.cooc"], grows=True)
    add("count -o", ["a.txt"],
        ["count", "a.txt", "-o", "n.cooc", "-q", *FULL],
        ["n.cooc"], grows=True)
    for name, args in (("rows", ["--pairs-from", "rows"]),
                       ("rows, sorted in batches",
                        ["--pairs-from", "rows", "--batch-pairs", "12"]),
                       ("documents", ["--pairs-from", "documents"])):
        add("merge " + name, ["c.cooc", "d.cooc"],
            ["merge", "c.cooc", "d.cooc", "-o", "n.cooc", "-q", *args],
            ["n.cooc"])
        add("add " + name, ["c.cooc:n.cooc", "b.txt"],
            ["add", "n.cooc", "b.txt", "-q", *args], ["n.cooc"])
    add("merge --force", ["c.cooc", "d.cooc", "i.cooc:n.cooc"],
        ["merge", "c.cooc", "d.cooc", "-o", "n.cooc", "-q", "-f"], ["n.cooc"])
    add("merge parts", ["h2.cooc", "h1.cooc", "stop.txt"],
        ["merge", "h2.cooc", "h1.cooc", "-o", "n.cooc", "-q", "--max-df", "3",
         "--terms", "stop.txt"], ["n.cooc"])
    add("merge parts -j2", ["h2.cooc", "h1.cooc"],
        ["merge", "h2.cooc", "h1.cooc", "-o", "n.cooc", "-q"], ["n.cooc"],
        threads=2)
    add("add with a list", ["l.cooc:n.cooc", "b.txt"],
        ["add", "n.cooc", "b.txt", "-q"], ["n.cooc"])
    for name, args in EXPORT:
        ending = {"gephi-csv": "csv"}.get(name, name)
        side = {"npz": ["n.npz.terms.txt"], "mtx": ["n.mtx.terms.txt"],
                "gephi-csv": ["n.nodes.csv"],
                "vosviewer": ["n.vosviewer.map.txt"],
                "glove": ["n.glove.vocab.txt"]}.get(name, [])
        add(" ".join(["export", name, *args]), ["c.cooc"],
            ["export", "c.cooc", "--format", name, "-o", "n." + ending, "-q",
             *args], ["n." + ending, *side], pair=bool(side))
    add("export replaces", ["c.cooc", "x.npz:n.tsv"],
        ["export", "c.cooc", "-o", "n.tsv", "-q"], ["n.tsv"])
    add("export replaces two", ["d.cooc", "x.npz:n.npz",
                                "x.npz.terms.txt:n.npz.terms.txt"],
        ["export", "d.cooc", "--format", "npz", "-o", "n.npz", "-q"],
        ["n.npz", "n.npz.terms.txt"], pair=True)
    add("similar replaces", ["c.cooc", "x.npz:n.tsv"],
        ["similar", "c.cooc", "tea", "--min-df", "1", "-j1", "-o", "n.tsv"],
        ["n.tsv"])
    for args in ASK:
        threads = 1 if args[0] in ("pairs", "similar", "check",
                                   "export") else None
        add(" ".join(args), ["c.cooc", "i.cooc", "lists.txt", "x.npz",
                             "x.mtx", "x.glove"], args, threads=threads)
    unknown = set(only or ()) - {job.name for job in jobs}
    if unknown:
        raise SystemExit(f"unknown job {', '.join(sorted(unknown))!r}")
    return jobs
