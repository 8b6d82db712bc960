"""oracle_check.py - compare cooc and the oracle on a case of oracle_case.py.

check(case, directory) runs cooc and compares everything it prints with the
Collection that the oracle makes of the same documents; the first difference
is raised as a Mismatch, with the commands that show it.
"""

import filecmp
import json
import os
import random
import shlex
import shutil
import subprocess

import oracle_ask
from oracle_case import LISTS, all_options
from oracle_formats import FORMATS, REDUCED
from oracle_model import Collection
from oracle_words import Rules
from tap import COOC

READING = ("encoding", "text-field", "id-field", "separators", "zero-based")
LONG = 400      # number of characters of a result to show


class Mismatch(Exception):
    """what: the query; wanted and found: the expected and actual result."""

    def __init__(self, what, wanted, found, runner):
        super().__init__(what)
        self.what, self.wanted, self.found = what, wanted, found
        self.commands, self.ran = list(runner.commands), runner.ran


class Runner:
    """cooc in the directory of a case; records its commands."""

    def __init__(self, directory):
        self.directory, self.ran = directory, 0
        self.commands, self.building = [], []

    def run(self, *args, build=False):
        """The output of cooc, as bytes; a failure is a mismatch."""
        if build:
            self.building.append(args)
        self.commands = self.building + ([] if build else [args])
        self.ran += 1
        done = subprocess.run([COOC, *args], cwd=self.directory,
                              stdin=subprocess.DEVNULL, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            self.differ("cooc " + args[0] + " fails", "exit status 0",
                        f"{done.returncode}: {done.stderr.decode()}")
        return done.stdout

    def differ(self, what, wanted, found):
        raise Mismatch(what, wanted, found, self)

    def same(self, what, wanted, found):
        if wanted != found:
            self.differ(what, *difference(wanted, found))


def difference(wanted, found):
    """The part of two long results in which they differ."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        keys = [k for k in {**wanted, **found}
                if wanted.get(k) != found.get(k)][:5]
        return ({k: wanted[k] for k in keys if k in wanted},
                {k: found[k] for k in keys if k in found})
    if isinstance(wanted, bytes) and isinstance(found, bytes):
        return tuple(b"\n".join(line for line in one.split(b"\n")
                                if line not in other.split(b"\n"))
                     for one, other in ((wanted, found), (found, wanted)))
    if isinstance(wanted, list) and isinstance(found, list):
        first = next((i for i, (w, f) in enumerate(zip(wanted, found))
                      if w != f), min(len(wanted), len(found)))
        where = f"{len(wanted)} and {len(found)} entries, from {first}: "
        return where + str(wanted[first:first + 6]), \
            where + str(found[first:first + 6])
    return wanted, found


# ---- making the store

def argv(options, names):
    out = []
    for name in names:
        if name in options:
            out.append("--" + name)
            if name in LISTS:
                out.append(name + ".txt")
            elif options[name] is not True:
                out.append(str(options[name]))
    return out


def write(case, options):
    """Write the files; return what must be read from them, by part."""
    case["arguments"], read = {}, []
    for name in LISTS:
        if name in options:
            with open(name + ".txt", "wb") as f:
                f.write(options[name])
    cuts = case["cuts"]
    for i, (first, last) in enumerate(zip(cuts, cuts[1:])):
        read.append(FORMATS[case["format"]](case, case["docs"][first:last],
                                            f"part{i}"))
        case["arguments"].setdefault(f"part{i}", [f"part{i}"])
    return read


def build(case, options, cooc, parts):
    """Make s.cooc as planned, and again.cooc, which must be equal."""
    inputs = [case["arguments"][f"part{i}"] for i in range(parts)]
    every = [name for part in inputs for name in part]
    reading = ["--format", case["format"]] + argv(options, READING)
    if "encoding" not in options and case["format"] not in ("html", "trec"):
        reading += ["--encoding", "utf-8"]  # texts may have invalid bytes
    if case["vocab"]:
        reading += ["--vocab", "vocab"]
    how = reading + argv(options, [n for n in options if n not in READING])
    counting = case["rows"] + case["counting"]
    run, plan = case["running"], case["plan"]
    made = False
    if plan == "index":
        cooc.run("index", *every, *how, *run, "-q", "-o", "s.cooc", build=True)
    elif plan == "index count":
        cooc.run("index", *every, *how, *run, "-q", "-o", "s.cooc", build=True)
        cooc.run("count", "s.cooc", *counting, *run, "-q", build=True)
    elif plan == "count":
        cooc.run("count", *every, *how, *counting, *run, "-q", "-o", "s.cooc",
                 build=True)
    elif plan == "merge":
        rows = "rows" in case["merging"]    # then all must be counted
        for i, names in enumerate(inputs):
            done = "index" if not rows and i and case["ask"] >> i & 1 else \
                "count"
            cooc.run(done, *names, *how, *run, "-q", "-o", f"m{i}.cooc",
                     *(counting if done == "count" else []), build=True)
        cooc.run("merge", *(f"m{i}.cooc" for i in range(parts)), "-q", "-o",
                 "s.cooc", *case["rows"], *case["merging"], *run, build=True)
        made = True
    else:
        cooc.run("count", *inputs[0], *how, *counting, *run, "-q", "-o",
                 "s.cooc", build=True)
        for names in inputs[1:]:
            cooc.run("add", "s.cooc", *names, *reading,
                     *argv(options, ["terms"]), *case["rows"],
                     *case["merging"], *run, "-q", build=True)
        made = True
    if plan != "index" and (made or case["again"]):
        cooc.run("count", *every, *how, *case["rows"], *case["again"], "-q",
                 "-o", "again.cooc", build=True)
        same_bytes(cooc, "again.cooc", "s.cooc")
        cooc.building.pop()


def same_bytes(cooc, one, two):
    """Check that two stores are equal, file by file."""
    names = [sorted(os.listdir(f"{cooc.directory}/{s}")) for s in (one, two)]
    cooc.same("files of equal stores", names[0], names[1])
    for name in names[0]:
        pair = [f"{cooc.directory}/{s}/{name}" for s in (one, two)]
        if not filecmp.cmp(*pair, shallow=False):
            found = []
            for path in pair:
                with open(path, "rb") as f:
                    found.append(f.read())
            cooc.differ("bytes of equal stores: " + name,
                        *difference(*found))


# ---- comparing

def whole_store(case, cooc, model):
    """Terms, statistics and all pairs."""
    lines = cooc.run("terms", "s.cooc", "--json")
    cooc.same("terms", [(model.label[t], model.df[t]) for t in model.terms],
              oracle_ask.objects(lines, "term", "df"))
    if model.rules.stemmer:
        lines = cooc.run("terms", "s.cooc", "--json", "--show-stems")
        cooc.same("stems", [(t, model.df[t]) for t in model.terms],
                  oracle_ask.objects(lines, "term", "df"))
    stats = json.loads(cooc.run("stats", "s.cooc", "--json"))
    lengths = [len(doc) for doc in model.docs]
    wanted = {"documents": model.n, "vocabulary": len(model.terms),
              "postings": sum(lengths), "tokens": model.tokens,
              "increments": sum(n * (n - 1) // 2 for n in lengths)}
    if case["plan"] != "index":
        wanted["distinct_pairs"] = len(model.pairs)
    cooc.same("stats", wanted, {k: stats.get(k) for k in wanted})
    if case["plan"] == "index":
        return
    lines = cooc.run("export", "s.cooc", "-q").decode().split("\n")
    cooc.same("pairs", {(model.label[x], model.label[y]): (
        n, model.df[x], model.df[y]) for (x, y), n in model.pairs.items()},
        {(x, y): tuple(map(int, rest)) for x, y, *rest in
         oracle_ask.table(lines)[1]})


def check(case, directory):
    """Raise a Mismatch if cooc and the oracle differ on the case; otherwise
    return the number of commands."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    os.chdir(directory)
    options = all_options(case)
    read = write(case, options)
    reduced = case["format"] in REDUCED
    rules = Rules(options, reduced)
    model = Collection([(name, len(text), text) if reduced else
                        (name, len(rules.words(text)), rules.units(text))
                        for part in read for name, text in part],
                       rules, options)
    cooc = Runner(directory)
    build(case, options, cooc, len(read))
    cooc.run("check", "s.cooc", "-q")
    whole_store(case, cooc, model)
    oracle_ask.ask(case, cooc, model, random.Random(case["ask"]))
    return cooc.ran


# ---- reporting

def quoted(data):
    """Bytes as an argument of the shell's printf."""
    out = []
    for c in data:
        plain = 32 <= c < 127 and chr(c) not in "\\%'"
        out.append(chr(c) if plain else "\\%03o" % c)
    return "'" + "".join(out) + "'"


def tell(case, mismatch, directory):
    """Commands that reproduce the mismatch, and both results."""
    lines = [f"case {case['number']}: {mismatch.what}"]
    for folder, _, names in os.walk(directory):
        if ".cooc" in folder:
            continue
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), directory)
            with open(f"{directory}/{path}", "rb") as f:
                data = f.read()
            if os.path.dirname(path):
                lines.append(f"mkdir -p {os.path.dirname(path)}")
            text = quoted(data)
            lines.append(f"printf {text} > {path}" if len(text) < 2000 else
                         f": {path} has {len(data)} bytes")
    for command in mismatch.commands:
        lines.append("cooc " + " ".join(shlex.quote(a) for a in command))
    for name in ("wanted", "found"):
        text = getattr(mismatch, name)
        text = text if isinstance(text, str) else ascii(text)
        lines.append(f"{name}: {text[:LONG]}" +
                     (" ..." if len(text) > LONG else ""))
    return "\n".join(lines)
