"""peers_list.py - the programs that cooc is compared with, and their settings.

The settings are the best that we found for each: docs/DECISIONS.md.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess

from measure import cores

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"     # Debian's, which has Debian's packages
SMALL = "64M"                   # the smaller memory limit of cooc


def first_line(command):
    """The first line that a command prints, such as its version."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                          ).stdout.decode().splitlines()[0]


class Peer:
    """One line of the table.  kind: the result format for compare-pairs."""

    kind, threads, gone = "pieces", 1, False
    key = name = words = None

    def prepare(self, cell):
        """Convert the documents to the peer's own form; not measured."""

    def version(self, args):
        """The version, or None if the program prints it with its result."""

    def environment(self, cell):
        return {}

    def reading(self, cell):
        """A shell command that prints the result for compare-pairs."""
        return f"cat '{cell.file('pairs')}'"


class Cooc(Peer):
    key, kind = "cooc", "raw"
    words = "rows are compressed, checksummed and synced to disk; rows of " \
            "terms in one document are not written, because they are read " \
            "from the document; *compact rows*: the default, which does not " \
            "write rows that are cheap to recompute either; *with raw " \
            "export*: cooc also writes all pairs as plain integers, like " \
            "the other programs"

    def __init__(self, name, threads, memory=None, text=False, raw=False,
                 rows="full"):
        self.name, self.threads, self.rows = name, threads, rows
        self.memory, self.text, self.raw = memory, text, raw

    def version(self, args):
        return first_line([args.build + "/cooc", "--version"])

    def prepare(self, cell):
        if not self.text:
            shutil.copytree(cell.collection.store, cell.file("s.cooc"))

    def command(self, cell):
        source = [cell.collection.text, "--format", "lines", "-o"] \
            if self.text else ["-f"]
        count = [cell.build + "/cooc", "count", "-q", "--rows", self.rows,
                 "-j", str(self.threads),
                 *(["--memory", self.memory] if self.memory else []),
                 "--tmpdir", cell.tmp, *source, cell.file("s.cooc")]
        if not self.raw:
            return count
        export = [cell.build + "/cooc", "export", "-q", "--format", "raw",
                  "-o", cell.file("pairs"), cell.file("s.cooc")]
        return ["bash", "-c", f"{shlex.join(count)} && {shlex.join(export)}"]

    def reading(self, cell):
        if self.raw:
            return super().reading(cell)
        return f"'{cell.build}/cooc' export -q --format raw " \
               f"'{cell.file('s.cooc')}'"


class Scipy(Peer):
    key = "scipy"
    words = "int32, `A.T` in CSR format; *in blocks*: 100 million additions " \
            "per block"

    def __init__(self, how, name):
        self.how, self.name = how, name
        if how.startswith("text"):
            self.key = "sklearn"
            self.words = "`CountVectorizer(binary=True)`, including words " \
                "of one letter; then the same as for scipy"

    def command(self, cell):
        source = cell.collection.text if self.how.startswith("text") \
            else cell.collection.store
        return [PYTHON, HERE + "/scipy-pairs", self.how, source,
                cell.file("pairs")]


class Graphblas(Peer):
    key = "graphblas"
    words = "semiring `plus_pair` over uint32, the documents as an " \
            "iso-valued matrix; *in blocks*: 100 million additions per block"

    def __init__(self, how, name, threads):
        self.how, self.name, self.threads = how, name, threads

    def command(self, cell):
        return [cell.build + "/bench/peers/graphblas-pairs", self.how,
                cell.collection.store, str(self.threads), cell.file("pairs")]


class Node(Peer):
    """A database that runs in Node.js, with a script of this directory."""

    kind, script = "text", None

    def __init__(self, how, name, npm):
        self.how, self.name = how, name
        self.npm, self.threads = npm, cores()

    def environment(self, cell):
        return {"NODE_PATH": self.npm + "/node_modules"}

    def node(self, cell, what, *rest):
        return ["node", os.path.join(HERE, self.script), what,
                cell.file("db"), *rest]

    def prepare(self, cell):
        subprocess.run(self.node(cell, "load", cell.collection.postings),
                       env=dict(os.environ, **self.environment(cell)),
                       check=True)

    def reading(self, cell):
        return " ".join(self.node(cell, "print"))


class Duckdb(Node):
    key, script = "duckdb", "duckdb-pairs.js"
    words = "postings loaded beforehand, the result is a table; " \
            "`memory_limit` is 80 % of the memory, " \
            "`preserve_insertion_order` is off; *in blocks*: one query per " \
            "range of terms, each with at most about 100 million increments"

    def command(self, cell):
        megabytes = cell.memory * 8 // 10 // 1000000
        return self.node(cell, self.how, str(self.threads),
                         f"{megabytes}MB", cell.tmp)


class Clickhouse(Node):
    key, script = "clickhouse", "clickhouse-pairs.js"
    words = "as a library (`chdb`); postings loaded beforehand, the result " \
            "is a MergeTree table; `max_memory_usage` is 80 % of the " \
            "memory, groups beyond a third of it are written to disk; " \
            "*array join*: the terms of each document as an array, each " \
            "combined with the terms after it"

    def command(self, cell):
        return self.node(cell, self.how, str(self.threads),
                         str(cell.memory * 8 // 10))


class Sqlite(Peer):
    key, kind, name = "sqlite", "text", "SQLite, self-join"
    words = "postings loaded beforehand, indexes on (doc, term) and (term, " \
            "doc); one query per term; no journal, no syncing, half of the " \
            "memory as cache"

    def environment(self, cell):
        return {"SQLITE_TMPDIR": cell.tmp}

    def script(self, cell, what, *rest):
        return [PYTHON, HERE + "/sqlite-pairs", what, *rest, cell.file("db"),
                str(cell.memory // 2 // 1000000)]

    def prepare(self, cell):
        subprocess.run(self.script(cell, "load", cell.collection.store),
                       check=True)

    def command(self, cell):
        return self.script(cell, "count")

    def reading(self, cell):
        return " ".join(self.script(cell, "print"))


class Sort(Peer):
    key, kind, name = "sort", "text", "mawk | sort | uniq -c"
    words = "decimal ids; `sort -S` with half of the memory, `--parallel` " \
            "with all cores, `LC_ALL=C`"
    PAIRS = "{ for (i = 1; i < NF; i++) { a = $i \" \"; " \
            "for (j = i + 1; j <= NF; j++) print a $j } }"

    def __init__(self):
        self.threads = cores()

    def version(self, args):
        return first_line(["sort", "--version"]) + ", " + \
            first_line(["mawk", "-W", "version"])

    def command(self, cell):
        return ["bash", "-o", "pipefail", "-c",
                'mawk "$0" "$1" | sort -S "$2" --parallel="$3" -T "$4" | '
                'uniq -c >"$5"', self.PAIRS, cell.collection.ids,
                str(cell.memory // 2 // 1024), str(self.threads), cell.tmp,
                cell.file("pairs")]


def has_module(name):
    """Whether Debian's Python, which also runs this script, has a module."""
    return importlib.util.find_spec(name) is not None


def peers(args):
    """The peers that are installed, cooc first, and why others are absent."""
    one_and_all = sorted({1, cores()})
    found = [Cooc("cooc count", j) for j in reversed(one_and_all)]
    found.append(Cooc("cooc count, compact rows", cores(), rows="compact"))
    found.append(Cooc(f"cooc count --memory {SMALL}", cores(), SMALL))
    found.append(Cooc("cooc count, with raw export", cores(), raw=True))
    found += [Cooc("cooc count, from text", j, text=True)
              for j in reversed(one_and_all)]
    absent = []

    def add(here, why, *who):
        if here:
            found.extend(who)
        else:
            absent.append(why)

    add(has_module("scipy"), "scipy: skipped, install python3-scipy.",
        Scipy("whole", "scipy, A.T @ A"), Scipy("blocks", "scipy, in blocks"))
    add(has_module("sklearn") and has_module("scipy"),
        "scikit-learn: skipped, install python3-sklearn.",
        Scipy("text", "scikit-learn and scipy in blocks, from text"))
    add(os.path.exists(args.build + "/bench/peers/graphblas-pairs"),
        "GraphBLAS: skipped, install libgraphblas-dev and build again.",
        Graphblas("whole", "GraphBLAS, A'A", cores()),
        *[Graphblas("blocks", "GraphBLAS, in blocks", j)
          for j in one_and_all])
    add(os.path.isdir(args.npm + "/node_modules/@duckdb/node-api")
        and shutil.which("node"),
        f"DuckDB: skipped, @duckdb/node-api is not in {args.npm}.",
        Duckdb("whole", "DuckDB, self-join", args.npm),
        Duckdb("blocks", "DuckDB, self-joins in blocks", args.npm))
    add(os.path.isdir(args.npm + "/node_modules/chdb")
        and shutil.which("node"),
        f"ClickHouse: skipped, chdb is not in {args.npm}.",
        Clickhouse("join", "ClickHouse, self-join", args.npm),
        Clickhouse("array", "ClickHouse, array join", args.npm))
    add(has_module("numpy"), "SQLite: skipped, install python3-numpy.",
        Sqlite())
    add(shutil.which("mawk"), "sort: skipped, install mawk.", Sort())
    wanted = [w for w in args.peers.split(",") if w]
    return [p for p in found if not wanted or isinstance(p, Cooc)
            or any(w.lower() in p.name.lower() for w in wanted)], absent
