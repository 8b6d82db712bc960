"""reference.py - the same jobs with this build and with a reference build.

Both builds do each job in turn, in alternating order, so that whatever else
the machine does affects both; the best time of each counts.  Every job runs
with options that all versions of cooc have; --rows all and --rows costly are
the old names of full and compact rows.
"""

import json
import os
import shutil

from measure import copy_store, cores, measure, say

NAMES = ("reference", "this")
ROWS = {"full": "all", "compact": "costly"}
DF = 2000       # of the term whose partners are listed


class Build:
    """One of the two builds, with stores of its own."""

    def __init__(self, name, build, collection):
        self.name, self.build = name, build
        self.cooc = build + "/cooc"
        self.text = collection.text()
        self.documents = collection.documents
        base = f"{collection.path}.{name}"
        self.made, self.indexed = base + ".made.cooc", base + ".index.cooc"
        self.counted = {kind: f"{base}.{kind}.cooc" for kind in ROWS}
        self.out, self.term = base + ".export", None

    def generated_text(self, path):
        with open(path, "wb") as f:
            f.write(measure([self.build + "/bench/cooc-generate", "-n",
                             str(self.documents), "--text"])["printed"])
        self.text = path

    def prepare(self):
        """The stores that later jobs read; not measured."""
        measure([self.cooc, "index", "-q", "-f", "-o", self.indexed,
                 self.text])
        for kind, rows in ROWS.items():
            copy_store(self.indexed, self.counted[kind])
            measure([self.cooc, "count", "-q", "--rows", rows,
                     self.counted[kind]])
        terms = measure([self.cooc, "terms", "-n", "100000",
                         self.counted["full"]])["printed"].decode()
        self.term = min((line.split("\t") for line in terms.splitlines()
                         if "\t" in line and line.split("\t")[1].isdigit()),
                        key=lambda cells: abs(int(cells[1]) - DF))[0]

    def before(self, job):
        if job.startswith("count"):
            copy_store(self.indexed, self.made)

    def after(self):
        shutil.rmtree(self.made, ignore_errors=True)
        if os.path.exists(self.out):
            os.unlink(self.out)

    def stores(self):
        return [self.made, self.indexed, *self.counted.values()]

    def make(self):
        """Jobs that make a store: name -> commands."""
        index = [self.cooc, "index", "-q", "-f", "-o", self.made, self.text]
        count = [self.cooc, "count", "-q", self.made]
        one, every = ["-j", "1"], ["-j", str(cores())]
        full, compact = (["--rows", rows] for rows in ROWS.values())
        return {
            "text to counted store, defaults": [index, count],
            "text to counted store, full rows": [index, [*count, *full]],
            "text to counted store, compact rows":
                [index, [*count, *compact]],
            "index, 1 thread": [[*index, *one]],
            "index": [[*index, *every]],
            "wc -w": [["wc", "-w", self.text]],
            "count, full rows, 1 thread": [[*count, *full, *one]],
            "count, full rows": [[*count, *full, *every]],
            "count, compact rows": [[*count, *compact, *every]],
            "count by list-scan": [[*count, *full, *every, "--method",
                                    "list-scan"]],
        }

    def read(self, kind):
        """Jobs that read a counted store: name -> commands."""
        store = self.counted[kind]
        export = [self.cooc, "export", "-q", store, "--memory", "1G"]
        terms = ["--top-terms", "20000", "-o", self.out, "--format"]
        pairs = [self.cooc, "pairs", store, "-j", str(cores()), "--by"]
        jobs = {
            "check": [[self.cooc, "check", "-q", store]],
            "export raw to /dev/null": [[*export, "-o", "/dev/null",
                                         "--format", "raw"]],
            "export npz of 20,000 terms": [[*export, *terms, "npz"]],
            "export npz of 20,000 terms by npmi":
                [[*export, *terms, "npz", "--by", "npmi"]],
            "export glove of 20,000 terms": [[*export, *terms, "glove"]],
            "export mtx of 20,000 terms": [[*export, *terms, "mtx"]],
            "pairs by count": [[*pairs, "count", "-n", "20"]],
            "a million pairs by llr": [[*pairs, "llr", "-n", "1000000"]],
            f"top, df about {DF:,}": [[self.cooc, "top", store, self.term,
                                       "-n", "20"]],
        }
        return {f"{name}, {kind} rows": steps for name, steps in jobs.items()}

    def jobs(self):
        return {**self.make(), **self.read("full"), **self.read("compact")}

    def phases(self):
        """The seconds of each phase from text to a counted store."""
        seconds = {}
        stats = self.out + ".json"
        for command in (["index", "-f", "-o", self.made, self.text],
                        ["count", self.made]):
            measure([self.cooc, *command, "-q", "--stats-json", stats])
            with open(stats) as f:
                for p in json.load(f)["phases"]:
                    name = f"{command[0]}: {p['phase']}"
                    seconds[name] = seconds.get(name, 0) + p["seconds"]
        os.unlink(stats)
        self.after()
        return seconds


def one_run(build, job):
    build.before(job)
    runs = [measure(step, locale="C.UTF-8") for step in build.jobs()[job]]
    build.after()
    return {k: sum(r[k] for r in runs) for k in ("wall_s", "cpu_s")}


def in_turns(builds, job, repeat, name):
    """The best wall and CPU time of a job, by build."""
    best = {}
    for turn in range(repeat):
        for b in builds if turn % 2 == 0 else builds[::-1]:
            say(f"{name}: {job}, {turn + 1}/{repeat}")
            for k, v in one_run(b, job).items():
                key = f"{b.name}_{k}"
                best[key] = min(v, best.get(key, v))
    return best


def reference(known, args, save):
    rows, phases = [], {}
    for c in known:
        builds = [Build(name, path, c) for name, path in
                  zip(NAMES, (args.reference, args.build))]
        for b in builds:
            if not b.text:
                b.generated_text(c.path + ".tsv")
            say(f"{c.name}: indexing and counting with {b.name}")
            b.prepare()
        for job in builds[0].jobs():
            rows.append({"collection": c.name, "job": job,
                         **in_turns(builds, job, args.repeat, c.name)})
            save({"commit": args.commit, "jobs": rows, "phases": phases})
        say(f"{c.name}: phases")
        phases[c.name] = builds[1].phases()
        save({"commit": args.commit, "jobs": rows, "phases": phases})
        for b in builds:
            for path in b.stores():
                shutil.rmtree(path, ignore_errors=True)
