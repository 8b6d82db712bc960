"""speed_parts.py - the jobs that bench/speed measures, one function each."""

import json
import os
import shutil
import subprocess
import sys

from cells import manifest_of, rows_digest
from format_speed import formats
from measure import copy_store, cores, measure, round_robin, say, \
    unwritten_pairs
from questions import KINDS
from reading import plain_file, read_times

OURS, BASELINE = "bit-scan", "list-scan"


class Collection:
    """Documents to measure; indexed and counted on first use."""

    def __init__(self, build, work, path=None, documents=0):
        self.build, self.work = build, work
        self.cooc = build + "/cooc"
        self.given, self.documents = path, documents
        self.plain = self.indexed = None
        if path:
            self.short = os.path.basename(path).split(".")[0]
            self.name = f"{KINDS[self.short]} ({self.short})" \
                if self.short in KINDS else self.short
        else:
            self.short = "generated"
            self.name = f"{documents:,} generated documents"
        self.path = work.file(self.short)

    def text(self):
        """The path of an uncompressed file, or None for generated ones."""
        if self.given and not self.plain:
            self.plain = plain_file(self.given, self.work)
        return self.plain

    def index(self):
        """The path of an indexed store without rows."""
        if not self.indexed:
            made = self.path + ".index.cooc"
            if self.given:
                measure([self.cooc, "index", "-q", "-o", made, self.given],
                        locale="C.UTF-8")
            else:
                subprocess.run([self.build + "/bench/cooc-generate", "-n",
                                str(self.documents), made], check=True)
            self.indexed = made
        return self.indexed

    def fresh(self):
        """The path of a new copy of the indexed store."""
        path = self.path + ".count.cooc"
        copy_store(self.index(), path)
        return path

    def counted(self):
        """The path of a counted store."""
        path = self.path + ".counted.cooc"
        if not os.path.exists(path):
            copy_store(self.index(), path + ".part")
            measure([self.cooc, "count", "-q", "--rows", "full",
                     path + ".part"])
            os.rename(path + ".part", path)
        return path


def of_folder(build, work, folder):
    """The collections in the two largest files of a directory."""
    found = [os.path.join(folder, name) for name in sorted(os.listdir(folder))
             if not name.startswith((".", "README"))]
    found = sorted(filter(os.path.isfile, found), key=os.path.getsize)[-2:]
    if not found:
        sys.exit(f"speed: no files found in {folder}")
    return [Collection(build, work, path) for path in reversed(found)]


# ---- reading and counting --------------------------------------------------

def reading(known, args, save):
    rows = []
    for c in known:
        if c.text():
            say(f"reading {c.name}")
            rows.append({"collection": c.name, "runs": read_times(
                c.build, c.text(), args.repeat, c.work)})
    save(rows)


def counting(known, args, save):
    rows = []
    for c in known:
        store = c.fresh()
        runs = {name: [c.cooc, "count", "--method", method, "-j", str(j),
                       "--rows", "full", "-f", "--json", store]
                for name, method, j in (("base", BASELINE, 1),
                                        ("one", OURS, 1),
                                        ("all", OURS, cores()))}
        made = set()

        def same_rows(run, _, c=c, made=made, store=store):
            made.add(rows_digest(store))
            if len(made) > 1:
                sys.exit(f"speed: {c.name}: the rows of run '{run}' differ "
                         "from those of earlier runs")

        best = round_robin(runs, args.repeat, after=same_rows)
        measure([c.cooc, "check", "-q", store])
        report, m = json.loads(best["all"]["printed"]), manifest_of(store)
        compact = json.loads(measure([c.cooc, "count", "-f", "--rows",
                                      "compact", "--json",
                                      store])["printed"])
        rows.append({
            "collection": c.name, "threads": cores(),
            **{k: m[k] for k in ("documents", "terms", "postings",
                                 "increments")},
            "pairs": report["pairs"], "bytes": report["bytes_of_pairs"],
            "written": report["pairs"] - unwritten_pairs(store, m),
            "compact_bytes": compact["bytes_of_pairs"],
            **{f"{name}_s": b["wall_s"] for name, b in best.items()}})
        shutil.rmtree(store)
        save(rows)


def large(known, args, save):
    """One large collection, counted once."""
    c = Collection(known[0].build, known[0].work, documents=args.large)
    store = known[0].work.file("large.cooc")
    say(f"{args.large:,} documents")
    made = measure([c.build + "/bench/cooc-generate", "-n", str(args.large),
                    store])
    stats = store + ".json"
    m = measure([c.cooc, "count", "-q", "--rows", "full", "--stats-json",
                 stats, store])
    with open(stats) as f:
        report = json.load(f)
    check = measure([c.cooc, "check", "-q", store])
    facts = json.loads(measure([c.cooc, "stats", "--json",
                                 store])["printed"])
    shutil.rmtree(store)
    save({**{k: facts[k] for k in ("documents", "vocabulary", "postings",
                                   "increments", "minimum_length",
                                   "average_length", "maximum_length",
                                   "standard_deviation")},
          "pairs": report["pairs"], "bytes": report["bytes_of_pairs"],
          "threads": report["threads"], "generate_s": made["wall_s"],
          "wall_s": m["wall_s"], "cpu_s": m["cpu_s"],
          "peak_MB": max(m["peak_MB"], report["peak_memory"] / 1e6),
          "check_s": check["wall_s"]})


def memory(known, args, save):
    """Time and peak memory under smaller memory limits; rows must agree."""
    rows = []
    for c in known:
        runs, same = [], set()
        for limit in (None, "256M", "64M"):
            say(f"{c.name}, --memory {limit}")
            store = c.fresh()
            stats = store + ".json"
            m = measure([c.cooc, "count", "-q", "--rows", "full",
                         "--stats-json", stats,
                         *(["--memory", limit] if limit else []), store])
            with open(stats) as f:
                report = json.load(f)
            same.add(rows_digest(store))
            shutil.rmtree(store)
            runs.append({"memory": limit, "wall_s": m["wall_s"],
                         "peak_bytes": report["peak_memory"],
                         "batches": report.get("batches", 1)})
        if len(same) > 1:
            sys.exit(f"speed: {c.name}: rows differ between memory limits")
        rows.append({"collection": c.name, "runs": runs})
        save(rows)


# ---- reading a counted store -----------------------------------------------

# Written to /dev/null, because a disk may be slower than cooc.
STREAMS = {"raw", "tsv", "csv", "jsonl"}
EXPORTS = ["raw", "tsv", "csv", "jsonl", "mtx --triangle", "glove", "npz",
           "npz --by npmi", "tsv --by npmi --top-edges 1000",
           "sqlite --top-terms 5000", "gexf --top-terms 5000"]


def exports(known, args, save):
    rows = []
    c = known[1] if len(known) > 1 else known[0]
    for options in EXPORTS:
        say(f"{c.name}, export {options}")
        stream = options in STREAMS
        out = "/dev/null" if stream else c.path + ".export"
        m = measure([c.cooc, "export", c.counted(), "--memory", "256M",
                     "--json", "-o", out, "--format", *options.split()])
        report = json.loads(m["printed"])
        rows.append({"export": options, "stream": stream,
                     "wall_s": m["wall_s"], "cpu_s": m["cpu_s"],
                     "peak_MB": m["peak_MB"], "bytes": report["bytes"],
                     "entries": report.get("entries", report.get("pairs"))})
        if not stream:
            os.unlink(out)
        save({"collection": c.name, "exports": rows})


MEASURES = ["count", "llr", "fisher", "log-odds", "npmi", "pmi", "ppmi",
            "chi2", "jaccard", "google-distance", "log-ratio-c"]


def ranking(known, args, save):
    """Time to find the 20 best pairs by several measures."""
    rows = []
    for c in known[1:] or known:
        runs = {by: [c.cooc, "pairs", c.counted(), "--by", by, "-n", "20",
                     "-j", "1"] for by in MEASURES}
        best = round_robin(runs, args.repeat)
        pairs = manifest_of(c.counted())["rows"]["pairs"]
        rows.append({"collection": c.name, "pairs": pairs,
                     "wall_s": {by: best[by]["wall_s"] for by in runs}})
        save(rows)


# The tables of bench/latency.c by their second column.
TABLES = {"df": "pairs", "partners": "rows", "top by count, us": "top"}


def queries(known, args, save):
    """Run bench/latency.c and parse its tables."""
    rows = []
    for c in known:
        say(f"{c.name}, single queries")
        m = measure([c.build + "/bench/cooc-latency", c.counted()])
        report = {"collection": c.short}
        for line in m["printed"].decode().splitlines():
            cells = [s.strip() for s in line.strip("|").split("|")]
            if line.startswith("opening"):
                report["opening"] = cells[1]
            elif cells[0] == "df":
                now = report[TABLES[cells[1]]] = []
            elif cells[0].isdigit():
                now.append(cells)
        rows.append(report)
        save(rows)


PARTS = {"reading": reading, "formats": formats, "counting": counting,
         "large": large, "memory": memory, "exports": exports,
         "ranking": ranking, "queries": queries}
