"""cells.py - one cell of an experiment: a method counts a store.

All cells of a store must leave the same rows, byte by byte, or the script
stops.
"""

import glob
import hashlib
import json
import os
import subprocess
import sys
import time

from measure import Late, copy_store, cores, measure, numbers, say

# From the slowest to the fastest, the paper's five and ours.
METHODS = ["naive", "list-pairs", "multi-scan", "list-blocks", "list-scan",
           "bit-scan"]
OURS = "bit-scan"
ONE_THREAD = {"naive"}      # whatever it is given
ENOUGH_S = 3        # of measurements of one cell; then the best is taken
CLOCK_S = 0.02      # how far a file's time may be behind
NAIVE_RATE = 1e7    # pairs a second that naive may put into its files,
NAIVE_BYTES = 16    # so large each
NOT_COUNTING = {"starting", "checking the index", "estimating",
                "writing the manifest"}


def lines(in_parallel=(OURS,)):
    """(name, method, threads): one thread each, some also with all cores."""
    yield from ((method, method, 1) for method in METHODS)
    if cores() > 1:
        yield from ((f"{method}, {cores()} threads", method, cores())
                    for method in METHODS
                    if method in in_parallel and method not in ONE_THREAD)


def manifest_of(store):
    with open(store + "/manifest.json") as f:
        return json.load(f)


def rows_digest(store):
    """The rows, byte by byte."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(store + "/rows-*.bin")):
        digest.update(os.path.basename(path).encode())
        with open(path, "rb") as f:
            while part := f.read(1 << 24):
                digest.update(part)
    return digest.hexdigest()


class Counted:
    """A store to count again and again; the rows must stay the same."""

    def __init__(self, cooc, store, limit, repeat):
        self.cooc, self.store = cooc, store
        self.limit, self.repeat = limit, repeat
        self.facts = {k: v for k, v in manifest_of(store).items()
                      if k in ("documents", "terms", "postings",
                               "increments")}
        self.rows, self.index = None, store + ".index"
        copy_store(store, self.index)

    def is_counted(self):
        return bool(manifest_of(self.store)["rows"])

    def room_for(self, method):
        """Whether the disk has room for the temporary files of naive; of
        rows cooc sees itself whether they fit, when it counts them first."""
        free = os.statvfs(self.store)
        return method != "naive" or free.f_bavail * free.f_frsize >= \
            NAIVE_BYTES * min(self.facts["increments"],
                              self.limit * NAIVE_RATE)

    def once(self, method, threads):
        stats, began = self.store + ".stats.json", time.time()
        m = measure([self.cooc, "count", "--method", method, "-j",
                     str(threads), *(["-f"] if self.is_counted() else []),
                     "-q", "--stats-json", stats, self.store], self.limit)
        with open(stats) as f:
            told = json.load(f)
        if any(os.path.getmtime(path) < began - CLOCK_S
               for path in glob.glob(self.store + "/rows-*.bin")):
            sys.exit(f"paper: {method} left the rows of another")
        # A run of milliseconds is over before it is looked at from outside.
        m["peak_MB"] = max(m["peak_MB"], told["peak_memory"] / 1e6)
        m["counting_cpu_s"] = sum(p["cpu_seconds"] for p in told["phases"]
                                  if p["phase"] not in NOT_COUNTING)
        left_out = manifest_of(self.store)["rows"].get("left_out", {})
        self.facts.update(pairs=told["pairs"],
                          bytes_of_pairs=told["bytes_of_pairs"],
                          counted_rows=self.facts["terms"]
                          - left_out.get("rows", 0))
        del m["printed"]
        return m

    def cell(self, method, threads):
        """The best of some runs, or why there is none."""
        if not self.room_for(method):
            return {"note": "no room on the disk"}
        runs = []
        while len(runs) < self.repeat and \
                sum(m["wall_s"] for m in runs) < ENOUGH_S:
            say(f"{self.facts['documents']:,} documents, {method}, "
                f"{threads} threads, run {len(runs) + 1}")
            try:
                runs.append(self.once(method, threads))
            except Late as late:
                if not self.is_counted():
                    # The next would go on with what this one has finished.
                    copy_store(self.index, self.store)
                return {"note": f"over {self.limit:g} s",
                        **{f"late_{k}": v for k, v in late.seen.items()}}
        rows = rows_digest(self.store)
        if self.rows not in (None, rows):
            sys.exit(f"paper: {method} made other rows than those before")
        self.rows = rows
        best = {k: min(m[k] for m in runs) for k in runs[0]}
        for peak in ("peak_MB", "temporary_MB"):
            best[peak] = max(m[peak] for m in runs)
        return {**best, "runs": len(runs)}


def nobody_ended(counted, what):
    """Whether all were late, so that there is nothing to tell."""
    if counted.rows is None:
        print(f"Without {what}: no method ends within {counted.limit:g} s.")
    return counted.rows is None


class GivenUp(set):
    """Methods that were late once: larger collections need not ask."""

    def ask(self, counted, name, method, threads):
        if name in self:
            return {"note": "not tried"}
        cell = counted.cell(method, threads)
        if "note" in cell:
            self.add(name)
        say("")
        return cell


def first_documents(cooc, store, n, path):
    """A store of the first n documents of another, whatever they were made
    of: its lists of terms are written as lines of numbers and read again."""
    about = manifest_of(store)
    off = numbers(store + "/forward.off", "Q", about["documents"] + 1)
    ids = numbers(store + "/forward.bin", "I", about["postings"])
    index = subprocess.Popen([cooc, "index", "-q", "--format", "transactions",
                              "-f", "-o", path, "-"],
                             stdin=subprocess.PIPE, text=True)
    with index.stdin as out:
        for d in range(n):
            out.write(" ".join(map(str, ids[off[d]:off[d + 1]])) + "\n")
    if index.wait():
        sys.exit("paper: cannot index the first documents")
