#!/usr/bin/env python3
"""corners.t - rare cases: lines of code that no other test reaches."""

import io
import json
import os
import random
import subprocess
import sys
import tarfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import same  # noqa: E402
from tap import COOC, cooc, ended, ok, run  # noqa: E402


def write(name, data):
    with open(name, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def refused(status, name, words, *args, **how):
    done = run(*args, **how)
    said = done.stderr.decode(errors="replace")
    ok(done.returncode == status and all(w in said for w in words), name,
       done.returncode, said)


def terms(store, *args):
    """The terms of a store, most frequent first."""
    lines = cooc("terms", store, "-n", "0", *args).splitlines()
    return [line.split("\t")[0] for line in lines[1:]]


def index(data, *options, name="docs.txt"):
    write(name, data)
    return cooc("index", name, "-o", "i.cooc", "-q", "--force", *options)


# ---- documents

index(b"\xff\xfea\0 \0b\0\n\0", "--encoding", "utf-16le")
ok(terms("i.cooc") == ["a", "b"], "a byte order mark that is text in its "
   "encoding is not part of the first word", terms("i.cooc"))

long = "caf\u00e9 " * 20000
index(long, "--format", "html")
ok(terms("i.cooc") == ["caf\u00e9"], "a page without tags is split between "
   "characters", terms("i.cooc"))
index("<p>\0a<p>b\0c", "--format", "html")
ok(set(terms("i.cooc")) == {"a", "bc"},
   "a zero byte ends neither a page nor a word", terms("i.cooc"))
deep = "<div>" * 20000 + "<p>below</p>" + "</div>" * 20000 + "<p>behind"
index(deep, "--format", "html")
ok(set(terms("i.cooc")) == {"below", "behind"},
   "a page may be 20,000 elements deep", terms("i.cooc"))

record = '{"text": "first %s"}\n{"text": "second"}\n' % ("x " * 50000)
done = run("index", "-", "-o", "j.cooc", "--json", stdin=None,
           input=record.encode())
ok(b'"jsonl"' in done.stdout, "a record longer than the sample is "
   "recognised by its brace", done.stdout, done.stderr)
done = run("index", "-", "-o", "k.cooc", "--json", stdin=None,
           input=b"a\tb\r\n" + b"a\tc\r\n" * 20000)
ok(b'"triples"' in done.stdout,
   "a sample may end within a line", done.stdout, done.stderr)

with open("sparse", "wb") as f:
    f.write(b"start " * 20000)
    f.seek(1 << 20)
    f.write(b" end")
subprocess.run(["tar", "--format=gnu", "-Scf", "sparse.tar", "sparse"],
               check=True)
cooc("index", "sparse.tar", "-o", "s.cooc", "-q", "--format", "files")
ok({"start", "end"} <= set(terms("s.cooc")), "holes of a sparse file in an "
   "archive are read as zeros", terms("s.cooc"))

write("w.bz2", subprocess.run(["bzip2"], input=b"a b\n",
                              stdout=subprocess.PIPE).stdout + bytes(100000))
cooc("index", "w.bz2", "-o", "w.cooc", "-q", "--format", "lines")
ok(terms("w.cooc") == ["a", "b"], "zeros after compressed data are ignored")
write("w.bz2", open("w.bz2", "rb").read() + b"x")
refused(1, "other bytes after compressed data are refused",
        ["w.bz2", "follow"], "index", "w.bz2", "-o",
        "w2.cooc", "--format", "lines")

write("lost.txt", bytes(10240) + b"a b\n")
refused(1, "a text that begins with a block of zeros is not an empty archive",
        ["lost.txt", "NUL bytes"], "index", "lost.txt", "-o", "l.cooc",
        "--format", "lines")
write("many.txt", bytes(2 << 20))
refused(1, "a text of very many zeros is refused", ["many.txt", "NUL bytes"],
        "index",
        "many.txt", "-o", "l.cooc")
write("zeros.tar", bytes(10240))
ok("documents\t0" in cooc("index", "zeros.tar", "-o", "l.cooc"),
   "an archive of only zeros is empty")

archive = io.BytesIO()
tarfile.open(fileobj=archive, mode="w").close()
write("none.tar", archive.getvalue())
refused(1, "an empty archive as vocabulary is refused", ["none.tar"], "index",
        "docs.txt", "--format", "ldac", "--vocab", "none.tar", "-o", "n.cooc")

word = "internationalisation"
index(f"{word} {word}s {'y' * 70000} of\n", "--format", "lines", "--stem",
      "english")
ok(len(terms("i.cooc")) == 2, "long words are stemmed, very long words dropped",
   terms("i.cooc"))

write("th.tsv", "a\t" + "z" * 70000 + "\n")
refused(2, "a preferred form that is too long is reported",
        ["th.tsv", "too long"],
        "index", "docs.txt", "-o", "t.cooc", "--thesaurus", "th.tsv")

# ---- commands

write("a.txt", "tea milk\ntea rum\n")
for name in ("a", "b"):
    cooc("count", "a.txt", "-o", name + ".cooc", "-q")
refused(2, "two stores to count are refused", ["a.cooc"], "count", "a.cooc",
        "b.cooc")
refused(1, "a --stats-json that cannot be written is an error",
        ["the directory none"],
        "count", "a.cooc", "--force", "-q", "--stats-json", "none/x.json")
for score in ("0x10", "1e999", "1-2"):
    refused(2, f"{score} as --min-score is refused", [score], "pairs", "a.cooc",
            "--min-score", score)
refused(2, "more than 64 terms are refused", ["64"], "top", "a.cooc",
        *["tea"] * 65)
write("b.txt", "tea lemon\n")
cooc("add", "b.cooc", "b.txt", "-q", "--stats-json", "s.json")
ok('"documents_added": 1' in open("s.json").read() or
   '"documents_added":1' in open("s.json").read(),
   "the number of added documents is in the statistics", open("s.json").read())

write("long.txt", "tea\n" + "\u00e9" * 100 + "\n")
done = run("within", "a.cooc", "long.txt")
ok(done.returncode == 0 and ("\u00e9" * 31).encode() in done.stderr,
   "a long unknown word is truncated between characters", done.stderr)

ok(terms("a.cooc", "--like", "[!a-l]*") == ["tea", "milk", "rum"] and
   terms("a.cooc", "--like", "[s-u]ea") == ["tea"],
   "patterns have ranges", terms("a.cooc", "--like", "[!a-l]*"))

index("often\n" * 7999 + "often rare\nlone\n", "--format", "lines")
for word, count in (("rare", 1), ("lone", 0)):
    said = json.loads(cooc("pair", "i.cooc", "often", word, "--json"))
    ok(said["count"] == count, f"often and {word} co-occur {count} times, "
       "found in the documents of the rarer term", said)

# ---- exports

write("odd.txt", "a\tb;c\\d;e\n")
cooc("count", "odd.txt", "--format", "transactions", "--separators", ";",
     "-o", "odd.cooc", "-q")
cooc("export", "odd.cooc", "--format", "npz", "-o", "odd.npz", "-q")
said = cooc("dump", "odd.npz", "--vocab", "odd.npz.terms.txt", "--json")
ok('"a\\tb"' in said and '"c\\\\d"' in said, "dump prints terms "
   "verbatim", said)
refused(1, "a missing vocabulary is named", ["none.txt"], "dump",
        "odd.npz", "--vocab", "none.txt")
write("empty.txt", "")
refused(1, "an empty vocabulary is refused",
        ["empty.txt: has no line for number 0"], "dump", "odd.npz", "--vocab",
        "empty.txt")
refused(1, "a folder as vocabulary is refused", ["odd.cooc"], "dump", "odd.npz",
        "--vocab", "odd.cooc")

both = cooc("export", "a.cooc", "--symmetric").splitlines()
ok(len(both) == 5, "a table may have each pair in both directions", both)
cooc("export", "a.cooc", "--by", "pmi", "--shift", "2", "--smoothing", "0.75",
     "--reverse", "--format", "graphml", "-o", "a.graphml", "-q")
notes = open("a.graphml").read()
ok("reverse" in notes and "0.75" in notes, "a file records the options of its "
   "measure", notes[:1500])

index("w" * 2000 + " a\n", "--format", "lines")
cooc("count", "i.cooc", "-q")
refused(1, "a word too long for GloVe is reported", ["GloVe", "2000"], "export",
        "i.cooc", "--format", "glove", "-o", "g.bin")

write("dense.txt", " ".join(f"w{i}" for i in range(2600)) + "\n")
cooc("count", "dense.txt", "--format", "lines", "-o", "dense.cooc", "-q")
for option, n in (("--top-edges", "3300000"), ("--per-node", "2600")):
    refused(1, f"{option} that does not fit into memory is refused",
            [option, "--memory"], "export", "dense.cooc", option, n,
            "--memory", "64M", "-o", "out.tsv")
done = run("export", "dense.cooc", "--format", "pajek", "-o", "out.net")
ok(done.returncode == 0 and b"--top-edges" in done.stderr,
   "a network too large to draw is written, with advice",
   done.stderr)
for name, first in (("x.txt", 0), ("y.txt", 100)):
    write(name, "".join(f"w{i}\n" for i in range(first, first + 100)))
best = cooc("between", "dense.cooc", "x.txt", "y.txt", "--by", "count", "-n",
            "3").splitlines()
ok(len(best) == 4, "the strongest of many pairs of two lists are kept", best)

# ---- more words than fit into memory: runs are written to disk and merged

draw = random.Random(3)
write("stems.txt", "".join(" ".join(
    f"abc{draw.randrange(400000):x}q" + draw.choice(["s", "ing", "ed", ""])
    for _ in range(20)) + "\n" for _ in range(15000)))
write("variants.txt", "".join(f"abc{i:x}qs\tabc{i + 5000:x}qing\n"
                              for i in range(2000)))
write("long.txt", "".join(f"{i}" + "x" * draw.randrange(60000) + f" a{i % 7}\n"
                          for i in range(800)))
for name, *options in (("stems.txt", "--stem", "english"),
                       ("stems.txt", "--thesaurus", "variants.txt"),
                       ("long.txt",)):
    for memory, store in (("16M", "little.cooc"), ("4G", "much.cooc")):
        cooc("index", name, "--format", "lines", "-q", "-f", "-o", store,
             "--memory", memory, *options)
    ok(same("little.cooc", "much.cooc"), "little memory makes the same index: "
       + " ".join((name, *options)))

# ---- usage errors

refused(2, "--compact-df has a limit", ["--compact-df must be at most 255"], "count",
        "a.cooc", "--rows", "compact", "--compact-df", "300")
refused(2, "two stores at once are refused", ["is a store", "cooc count "],
        "count", "a.cooc", "dense.cooc")
refused(2, "documents without -o are refused", ["no name for the store", "-o "],
        "count",
        "x.txt", "y.txt")

refused(2, "a store inside another store is refused", ["inside another store"],
        "index", "x.txt", "-o", "a.cooc/b.cooc")
refused(1, "a report that cannot be written is an error",
        ["the directory none"], "count", "a.cooc", "-f", "-q",
        "--stats-json", "none/s.json")
found = cooc("terms", "dense.cooc", "--like", "w[\\0-\\3]", "-n",
             "0").splitlines()
ok(len(found) == 5, "ranges of a pattern may be quoted", found)

# ---- a file that is truncated while it is read

whole = cooc("export", "dense.cooc", "-q").encode()
reader = subprocess.Popen([COOC, "export", "dense.cooc", "-q"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
first = os.read(reader.stdout.fileno(), 1)   # it has started and waits
for name in os.listdir("dense.cooc"):
    os.truncate("dense.cooc/" + name, 0)
text, said = reader.communicate()
# A big-endian machine has a copy of what it has read.
ok((reader.returncode == 1 and b"was truncated" in said) or
   (reader.returncode == 0 and first + text == whole),
   "a file truncated while it is read is reported, or was already read",
   reader.returncode, said)
ended()
