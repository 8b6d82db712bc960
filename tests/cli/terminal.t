#!/usr/bin/env python3
"""terminal.t - output on a terminal: columns, grouped digits, safe text."""

import os
import re
import signal
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
import screen  # noqa: E402
from tap import COOC, DATA, cooc, ended, ok, skip  # noqa: E402


def at_terminal(*args, width=80, also_stderr=False, until=None):
    """Run cooc with a terminal as standard output: exit status and text.  It is
    interrupted as soon as the text contains what is waited for."""
    def saw(child, text):
        nonlocal until
        if until and until in text:
            child.send_signal(signal.SIGINT)
            until = None

    how = {} if also_stderr else {"stderr": subprocess.PIPE}
    return screen.at_terminal([COOC, *args], columns=width, saw=saw, **how)


def shows(name, want, *args, **how):
    status, text, errors = at_terminal(*args, **how)
    text = re.sub(r"^((?:seconds|MB|documents \w+ed|million).{20,}?) [\d.,]+$",
                  r"\1 ~", text, flags=re.M)
    text = re.sub(r"^(seconds|\S+ .* per second) +~$", r"\1 ~", text,
                  flags=re.M)
    text = re.sub(r"^(seconds to \w+) +~$", r"\1 ~", text, flags=re.M)
    text = re.sub(r"^(bytes on disk|rules) .*$", r"\1 ~", text, flags=re.M)
    errors = re.sub(r"^cooc: .* increments? to count; about .* free\n$", "",
                    errors)
    errors = re.sub(r"^cooc: .*: each line is a document; .*\n", "", errors)
    ok(status == 0 and text == want and not errors, name,
       f"exit status {status}", "got:", text, "wanted:", want, errors)


if not screen.has_terminals():
    skip("output on a terminal is in columns", "no pseudo-terminal")
    ended()

docs = DATA + "/drinks.txt"
os.symlink(docs, "drinks.txt")

shows("index prints a short report and the next command", """\
store                                   d.cooc
input format                lines (each line is a document)
documents                                    6
words                                       27
different words                             15
seconds ~

next: cooc count d.cooc
""", "index", "drinks.txt", "-o", "d.cooc")
shows("so does count", """\
pairs                                       41
seconds ~

next: cooc top d.cooc WORD --by llr
""", "count", "d.cooc")
shutil.rmtree("d.cooc")

shows("index prints its full report in columns on request", """\
store                                   d.cooc
input format                             lines
documents                                    6
terms                                       15
postings                                    26
tokens                                      27
input bytes                                134
seconds to index ~
MB indexed per second ~
documents indexed per second ~
""", "index", "drinks.txt", "-o", "d.cooc", "--verbose")

shows("count prints its report in columns", """\
method                                bit-scan
threads                                      1
head terms                                  15
increments                                  46
pairs                                       41
rows written                           compact
omitted up to df                             3
rows omitted                                15
pairs omitted                               41
bytes of pairs                               0
bytes per pair                           0.000
seconds to count ~
documents counted per second ~
million increments per second ~
""", "count", "d.cooc", "-j1", "--verbose")

STATS = """\
documents                                    6
average length                             4.3
minimum length                               3
maximum length                               6
standard deviation                         0.9
tokens                                      27
postings                                    26
vocabulary                                  15
increments                                  46
distinct pairs                              41
rows written                           compact
omitted up to df                             3
rows omitted                                15
pairs omitted                               41
bytes of pairs                               0
bytes per pair                           0.000
estimated bytes in full                    108
bytes on disk ~
rules ~

most frequent terms
term    df
coffee   3
milk     3

most frequent pair
term1  term2  count  df1  df2
milk   with       3    3    3

longest documents
document      terms
drinks.txt:5      6
drinks.txt:3      5
"""
shows("stats prints titles", STATS, "stats", "d.cooc", "-n2")
shows("stats is the same on a wide terminal", STATS, "stats", "d.cooc",
      "-n2", width=200)

shows("pair draws the 2x2 table", """\
term1                                      tea
term2                                     café
documents                                    6
df1                                          3
df2                                          1
count                                        0

documents with                           term2       not term2             all
term1                                        0               3               3
not term1                                    1               2               3
all                                          1               5               6

pmi                                       -inf
npmi                                   -1.0000
llr                                    -1.5876
dice                                    0.0000
jaccard                                 0.0000
""", "pair", "d.cooc", "tea", "café")

shows("top aligns its columns", """\
term  count  df    npmi
with      3   3  1.0000
au        1   1  0.3869
café      1   1  0.3869
lait      1   1  0.3869
""", "top", "d.cooc", "milk", "--by", "npmi", "-n4")

shows("pairs aligns its columns", """\
term1   term2  count  df1  df2
milk    with       3    3    3
coffee  milk       2    3    3
""", "pairs", "d.cooc", "-n2")

with open("list.txt", "w") as f:
    f.write("milk\nwith\ntea\n")
shows("within rounds p", """\
term1  term2  a  b  c  d  expected      llr     p  p adjusted
milk   with   3  0  0  3      1.50   8.3178  0.05        0.15
milk   tea    1  2  2  1      1.50  -0.6796  0.95           1
with   tea    1  2  2  1      1.50  -0.6796  0.95           1
""", "within", "d.cooc", "list.txt", "--measures", "llr", "--adjust")
shows("docs prints a list of names", """\
document
drinks.txt:1
drinks.txt:3
drinks.txt:6
""", "docs", "d.cooc", "tea")

shows("docs prints none if there are no documents", "none\n", "docs", "d.cooc",
      "tea",
      "coffee")

shows("methods shows the default", """\
method       default  summary
bit-scan     yes      for each term, add up the bitmaps of its documents
list-scan    no       for each term, scan the documents that contain it
list-blocks  no       count one block of terms against another at a time
list-pairs   no       for each pair of terms, intersect their document lists
multi-scan   no       scan all documents once per group of 100 terms
naive        no       count in a dictionary, write it to files, merge them
""", "methods")

# The example of 'cooc help' prints what the help says.
text = cooc("help")
steps = re.findall(r"^  (printf .*|cooc (?:count|top) .*?) *(?:#.*)?$", text,
                   flags=re.M)
os.makedirs("steps", exist_ok=True)
subprocess.run(["sh", "-c", steps[0]], cwd="steps", check=True)
os.chdir("steps")
cooc(*steps[1].split()[1:], "-q")
shows("the first steps of the help print what it says", re.sub(
    "^  ", "", text.split("'cooc top' prints:\n")[1].split("count is")[0],
    flags=re.M), *steps[2].split()[1:])
os.chdir("..")

shows("check prints a summary", """\
verdict                                   good
files verified                              11
bytes verified                             763
rows verified                               15
pairs verified                              41
increments verified                         46
""", "check", "d.cooc")

shows("export is tab-separated on a terminal", """\
term1\tterm2\tcount\tdf1\tdf2
milk\twith\t3\t3\t3
""", "export", "d.cooc", "--min-count", "3")

shows("--json prints JSON on a terminal", '{"document": "drinks.txt:2"}\n',
      "docs", "d.cooc", "no", "--json")

for kind in "raw", "ciff":
    status, text, errors = at_terminal("export", "d.cooc", "--format", kind)
    ok(status == 2 and not text and errors == f"cooc: format {kind} cannot be "
       "written to a terminal; add -o FILE or use a pipe\ntry 'cooc export "
       "--help'\n", f"export refuses to write {kind} to a terminal", status,
       text, errors)

# Numbers of more than three digits, wide letters, and control characters.
with open("many.txt", "w") as f:
    for i in range(1234):
        f.write("tea 茶\n" if i % 2 else "tea x\n")
cooc("count", "many.txt", "-o", "many.cooc", "-q")
shows("digits are grouped and wide letters take two columns", """\
term  count   df
x       617  617
茶      617  617
""", "top", "many.cooc", "tea")
shows("pair groups digits", """\
term1                                      tea
term2                                        x
documents                                1,234
df1                                      1,234
df2                                        617
count                                      617

documents with                           term2       not term2             all
term1                                      617             617           1,234
not term1                                    0               0               0
all                                        617             617           1,234

pmi                                     0.0000
npmi                                    0.0000
llr                                     0.0000
dice                                    0.6667
jaccard                                 0.5000
""", "pair", "many.cooc", "tea", "x")

with open("evil.txt", "w", newline="") as f:
    f.write("red\033[31m tab\tx bell\a bidi\u202ex ok\n")
cooc("count", "evil.txt", "-o", "evil.cooc", "-q", "--format",
     "transactions", "--separators", " ")
status, text, errors = at_terminal("top", "evil.cooc", "ok")
ok(status == 0 and not re.search("[\a\t\033\u202e]", text) and
   text.count("\ufffd") == 4, "control characters are replaced", text)
os.mkdir("a\033[31mb")
status, text, errors = at_terminal("stats", "a\033[31mb", also_stderr=True)
ok(status == 1 and "\033" not in text and "not a cooc store" in text,
   "control characters in a message are replaced", repr(text))

# Progress is drawn on one line and removed at the end.
with open("long.txt", "w") as f:
    state = 1
    for i in range(2000):
        words = []
        for k in range(100):
            state = state * 1103515245 + 12345 & 0x7fffffff
            words.append("w%d" % (state >> 8 & 0x3ff))
        f.write(" ".join(words) + "\n")
status, text, errors = at_terminal("count", "long.txt", "-o", "long.cooc",
                                   "-j1", "--method", "list-pairs", "--rows",
                                   "full", also_stderr=True, width=40)
drawn = re.findall(r"\r([^\r\n]*?)\033\[K", text)
ok(status == 0 and len(drawn) > 1, "a long run shows progress", repr(text))
ok(all(len(d) < 40 for d in drawn),
   "progress fits into the width of the terminal", drawn)
ok(re.sub(r"\r[^\r\n]*?\033\[K", "", text).split("\n")[1].startswith(
    "store ") and
   drawn and drawn[-1] == "", "progress is removed at the end", repr(text))
ok(any(re.match(r"counting: \d+%", d) for d in drawn),
   "progress shows a percentage", drawn)

# A run of minutes shows its rate and the remaining time.  The test does not
# wait until it ends.
with open("longer.txt", "w") as f:
    for i in range(4000):
        f.write(" ".join(f"w{(i * 7919 + k * k * 104729) % 40009}"
                         for k in range(100)) + "\n")
cooc("index", "longer.txt", "-o", "longer.cooc", "-q")
status, text, errors = at_terminal("count", "longer.cooc", "-j1", "--method",
                                   "list-pairs", "--rows", "full",
                                   also_stderr=True, until=b" left", width=120)
ok(re.search(r"\rcounting: \d+%, [^\r]* pairs, [^\r]* increments/s, [^\r]*"
             r"(\d+:)?\d+:\d\d left", text),
   "progress shows the rate and the remaining time", repr(text))
ok(status == 130 and "interrupted" in text and "to continue" in text,
   "Ctrl-C ends a long run, which says how to continue", status, repr(text))

status, text, errors = at_terminal("count", "long.cooc", "-fq", "-j1",
                                   also_stderr=True)
ok(status == 2, "combined short options such as -fq are refused", repr(text))
status, text, errors = at_terminal("count", "long.cooc", "-f", "-q", "-j1",
                                   also_stderr=True)
ok(status == 0 and text == "", "--quiet shows no progress", repr(text))
# ---- long terms and narrow terminals

LONG, WIDE = "l" * 300, "\u6f22\u5b57" * 60
with open("wide.txt", "w") as f:
    f.write(f"tea milk {LONG}\ntea \u6771\u4eac {WIDE}\ntea milk\n"
            "tea \u6771\u4eac sugar\n")
cooc("count", "wide.txt", "-o", "wide.cooc", "-q", "--format", "transactions",
     "--separators", " ")


def cells(line):
    """The number of columns of a line on a terminal."""
    return len(line) + sum("\u2e80" < c < "\ua000" for c in line)


for width in 60, 80, 110, 200:
    for args in (["top", "wide.cooc", "tea"], ["terms", "wide.cooc"],
                 ["pairs", "wide.cooc", "--by", "npmi"],
                 ["row", "wide.cooc", "tea"], ["stats", "wide.cooc"]):
        status, text, errors = at_terminal(*args, width=width)
        lines = text.splitlines()
        short = [s for s in lines if LONG not in s and WIDE not in s]
        ok(status == 0 and LONG in text and WIDE in text and
           max(map(cells, short)) < width,
           f"{args[0]}: a long term widens no other row at {width} columns",
           status, text)
    status, text, errors = at_terminal("measures", width=width)
    ok(status == 0 and max(map(len, text.splitlines())) < width and
       re.sub(r"\s+", " ", text).count("range ") == 45,
       f"measures fit into {width} columns", text)
rows = [line for line in at_terminal("top", "wide.cooc", "tea")[1].splitlines()
        if LONG not in line and WIDE not in line]
ok(len(rows) == 4 and len({cells(row) for row in rows}) == 1,
   "columns with wide characters are aligned", rows)
status, text, errors = at_terminal("docs", "wide.cooc", LONG)
ok(status == 0, "a long term can be queried", text)
with open("names.tsv", "w") as f:
    for i in range(20):
        f.write(f"https://example.org/a/rather/long/address/{i:03}\ta b\n")
    f.write("https://example.org/" + "x" * 400 + "\ta b c\n")
cooc("index", "names.tsv", "-o", "names.cooc", "-q")
status, text, errors = at_terminal("stats", "names.cooc", width=80)
rows = [s for s in text.splitlines() if "address" in s]
ok(len(rows) > 2 and len({len(row) for row in rows}) == 1 and
   len(rows[0]) < 80 and rows[0].endswith(" 2"),
   "long names are aligned, but not to a single longer name",
   text)
ended()
