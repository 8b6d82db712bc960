#!/usr/bin/env python3
"""json.t - every --json output is valid and equals the columns."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import DATA, cooc, ended, ok  # noqa: E402


def strict(text):
    """Parse JSON as in RFC 8259: no NaN, no duplicate keys."""
    def pairs(members):
        assert len(dict(members)) == len(members), "duplicate key"
        return dict(members)

    def constant(name):
        raise ValueError(name)
    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)


def number(s):
    try:
        return float(s) if s not in ("true", "false") else s == "true"
    except ValueError:
        return s


def value(s, like):
    if like is None:
        return None if s in ("-inf", "inf", "nan") else s
    if isinstance(like, str):
        return s
    return number(s)


def same_facts(name, *args, free=()):
    """Check that one object has the same members as the lines "field TAB
    value"."""
    text = cooc(*args, "--json")
    ok(text.count("\n") == 1 and text.endswith("}\n"), name +
       ": JSON is one object on one line", text)
    got = strict(text)
    lines = [line.split("\t") for line in cooc(*args).splitlines()]
    want = {k: value(v, got.get(k)) for k, v in lines[1:]}
    got = {k: v for k, v in got.items()
           if k not in free and "second" not in k}
    want = {k: v for k, v in want.items()
            if k not in free and "second" not in k}
    ok(got == want and list(got) == list(want),
       name + ": JSON has the same fields", got, want)


def same_list(name, *args):
    """Check that there is one object per line, with the columns as members."""
    got = [strict(line) for line in cooc(*args, "--json").splitlines()]
    lines = [line.split("\t") for line in cooc(*args).splitlines()]
    want = [{k: value(v, g[k]) for k, v, in zip(lines[0], line)}
            for g, line in zip(got, lines[1:])]
    ok(got == want and len(got) == len(lines) - 1,
       name + ": JSON has the same lines", got, want)


docs = DATA + "/drinks.txt"
cooc("count", docs, "-o", "d.cooc", "-q")
same_facts("index", "index", docs, "-o", "i.cooc", "--force")
same_facts("count", "count", "d.cooc", "--force", "-j1")
same_facts("count with -o", "count", docs, "-o", "b.cooc", "--force", "-j1")
same_facts("pair", "pair", "d.cooc", "milk", "with")
same_facts("pair that never co-occurs", "pair", "d.cooc", "tea", "café")
same_facts("check", "check", "d.cooc")
lines = [json.loads(line) for line in
         cooc("export", "d.cooc", "--json").splitlines()]
table = [line.split("\t") for line in
         cooc("export", "d.cooc").splitlines()]
ok([list(map(str, line.values())) for line in lines] == table[1:] and
   all(list(line) == table[0] for line in lines),
   "export as JSON lines equals the table")
same_list("methods", "methods")
for by in "count pmi npmi llr dice jaccard".split():
    same_list("top by " + by, "top", "d.cooc", "coffee", "--by", by)
    same_list("pairs by " + by, "pairs", "d.cooc", "-n0", "--by", by)
same_list("docs", "docs", "d.cooc", "tea")
with open("list.txt", "w") as f:
    f.write("coffee\nmilk\ntea\ncaf\u00e9\n")
same_list("within", "within", "d.cooc", "list.txt", "--adjust")
same_list("between", "between", "d.cooc", "list.txt", "list.txt", "--by",
          "llr", "--measures", "all")
with open("pairs.txt", "w") as f:
    f.write("coffee milk\ntea coffee\n")
same_list("pairs of a file", "pairs", "d.cooc", "--from", "pairs.txt")
same_list("row", "row", "d.cooc", "tea", "--measures", "pmi,llr")
same_list("similar", "similar", "d.cooc", "tea", "milk", "--min-df", "1")
same_list("terms", "terms", "d.cooc", "--like", "*e*")
same_list("docs of a pair that never co-occurs", "docs", "d.cooc", "tea",
          "lait")

stats = strict(cooc("stats", "d.cooc", "--json", "-n2"))
lines = cooc("stats", "d.cooc", "-n2").split("\n\n")
facts = dict(line.split("\t") for line in lines[0].splitlines()[1:])
ok({k: v for k, v in stats.items() if not isinstance(v, list)} ==
   {k: number(v) for k, v in facts.items()}, "stats: the members are the "
   "fields", stats, facts)
ok(stats["most_frequent_terms"] == [{"term": "coffee", "df": 3},
                                    {"term": "milk", "df": 3}],
   "stats: the most frequent terms are a list", stats)
ok(stats["most_frequent_pair"] == [{"term1": "milk", "term2": "with",
                                    "count": 3, "df1": 3, "df2": 3}],
   "stats: the most frequent pair is a list of one", stats)
ok([d["terms"] for d in stats["longest_documents"]] == [6, 5],
   "stats: the longest documents are a list", stats)
ok(strict(cooc("index", docs, "-o", "q.cooc", "-q", "--json"))["documents"]
   == 6, "--quiet leaves the JSON that was asked for")
pair = strict(cooc("pair", "d.cooc", "tea", "café", "--json"))
ok(pair["pmi"] is None, "minus infinity is null", pair)

with open("odd.txt", "wb") as f:
    f.write(b'a"b c\\d \x01x \xe2\x80\xa8y \xf0\x9f\x8d\xb5 \x7fz '
            b'tab\tx nul\0n\n')
cooc("count", "odd.txt", "-o", "odd.cooc", "-q", "--format", "transactions",
     "--separators", " ")
names = {strict(line)["term"] for line in
         cooc("top", "odd.cooc", "c\\d", "-n0", "--json").split("\n")[:-1]}
ok(names == {'a"b', "\x01x", "\u2028y", "\U0001f375", "\x7fz", "tab\tx",
             "nul\0n"}, "any term is preserved in JSON", names)

with open("d.cooc/manifest.json") as f:
    ok(strict(f.read())["documents"] == 6, "the manifest is JSON")
ended()
