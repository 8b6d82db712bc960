"""reference.py - the same jobs with this build and with a reference build.

Both builds do each job in turn, in alternating order, so that whatever else
the machine does affects both; the best time of each counts.  Every job runs
with the options that all versions of cooc have.
"""

import os
import shutil

from measure import copy_store, cores, measure, say

NAMES = ("reference", "this")


class Build:
    """One of the two builds, with stores of its own."""

    def __init__(self, name, build, collection):
        self.name, self.build = name, build
        self.cooc = build + "/cooc"
        self.text = collection.text()
        self.documents = collection.documents
        base = f"{collection.path}.{name}"
        self.made, self.indexed = base + ".made.cooc", base + ".index.cooc"
        self.counted = base + ".counted.cooc"
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
        copy_store(self.indexed, self.counted)
        measure([self.cooc, "count", "-q", self.counted])
        terms = measure([self.cooc, "terms", "-n", "200", self.counted])
        self.term = terms["printed"].decode().splitlines()[-1].split("\t")[0]

    def before(self, job):
        if job.startswith("count"):
            copy_store(self.indexed, self.made)

    def after(self):
        shutil.rmtree(self.made, ignore_errors=True)
        if os.path.exists(self.out):
            os.unlink(self.out)

    def steps(self, job):
        """The commands of a job."""
        index = [self.cooc, "index", "-q", "-f", "-o", self.made, self.text]
        count = [self.cooc, "count", "-q", self.made]
        every = ["-j", str(cores())]
        export = [self.cooc, "export", "-q", self.counted, "--memory", "1G",
                  "-o", self.out, "--format"]
        stream = ["/dev/null" if word == self.out else word
                  for word in export]
        pairs = [self.cooc, "pairs", self.counted, *every, "--by"]
        top = [self.cooc, "top", self.counted, self.term, "-n", "1000"]
        return {
            "index, 1 thread": [[*index, "-j", "1"]],
            "index": [[*index, *every]],
            "count, 1 thread": [[*count, "-j", "1"]],
            "count": [[*count, *every]],
            "count by list-scan": [[*count, *every, "--method",
                                    "list-scan"]],
            "text to counted store": [index, count],
            "check": [[self.cooc, "check", "-q", self.counted]],
            "export raw to /dev/null": [[*stream, "raw"]],
            "export npz of 20,000 terms": [[*export, "npz", "--top-terms",
                                            "20000"]],
            "pairs by count": [[*pairs, "count", "-n", "20"]],
            "a million pairs by llr": [[*pairs, "llr", "-n", "1000000"]],
            "top": [top],
        }[job]


JOBS = ["index, 1 thread", "index", "count, 1 thread", "count",
        "count by list-scan", "text to counted store", "check",
        "export raw to /dev/null", "export npz of 20,000 terms",
        "pairs by count", "a million pairs by llr", "top"]


def one_run(build, job):
    build.before(job)
    runs = [measure(step, locale="C.UTF-8") for step in build.steps(job)]
    build.after()
    return {k: sum(r[k] for r in runs) for k in ("wall_s", "cpu_s")}


def reference(known, args, save):
    rows = []
    for c in known:
        builds = [Build(name, path, c) for name, path in
                  zip(NAMES, (args.reference, args.build))]
        for b in builds:
            if not b.text:
                b.generated_text(c.path + ".tsv")
            say(f"{c.name}: indexing and counting with {b.name}")
            b.prepare()
        for job in JOBS:
            best = {}
            for turn in range(args.repeat):
                for b in builds if turn % 2 == 0 else builds[::-1]:
                    say(f"{c.name}: {job}, {turn + 1}/{args.repeat}")
                    m = one_run(b, job)
                    for k, v in m.items():
                        key = f"{b.name}_{k}"
                        best[key] = min(v, best.get(key, v))
            rows.append({"collection": c.name, "job": job, **best})
            save({"commit": args.commit, "jobs": rows})
        for b in builds:
            for path in (b.made, b.indexed, b.counted):
                shutil.rmtree(path, ignore_errors=True)
