"""cells.py - one cell of an experiment: one method counts one store.

If the rows of any two cells of a store differ, the script stops.
"""

import glob
import hashlib
import json
import os
import subprocess
import sys
import time

from measure import Late, copy_store, cores, measure, numbers, say

# The paper's five methods and ours, from slowest to fastest.
METHODS = ["naive", "list-pairs", "multi-scan", "list-blocks", "list-scan",
           "bit-scan"]
OURS = "bit-scan"
ONE_THREAD = {"naive"}      # methods that ignore the number of threads
ENOUGH_S = 3        # repeat a cell until its runs took this many seconds
CLOCK_S = 0.02      # maximum lag of file times behind the clock
NAIVE_RATE = 1e7    # maximum pairs per second that naive writes to its files
NAIVE_BYTES = 16    # bytes per pair in these files
NOT_COUNTING = {"starting", "checking the index", "estimating",
                "writing the manifest"}


def lines(in_parallel=(OURS,)):
    """Yield (name, method, threads): every method on one thread, then the
    methods in in_parallel on all cores."""
    yield from ((method, method, 1) for method in METHODS)
    if cores() > 1:
        yield from ((f"{method}, {cores()} threads", method, cores())
                    for method in METHODS
                    if method in in_parallel and method not in ONE_THREAD)


def manifest_of(store):
    with open(store + "/manifest.json") as f:
        return json.load(f)


def rows_digest(store):
    """The SHA-256 of all row files and their names."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(store + "/rows-*.bin")):
        digest.update(os.path.basename(path).encode())
        with open(path, "rb") as f:
            while part := f.read(1 << 24):
                digest.update(part)
    return digest.hexdigest()


class Counted:
    """A store that several methods count; their rows must be identical."""

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
        """Whether the temporary files of naive fit on the disk.  cooc itself
        checks that the rows fit."""
        free = os.statvfs(self.store)
        return method != "naive" or free.f_bavail * free.f_frsize >= \
            NAIVE_BYTES * min(self.facts["increments"],
                              self.limit * NAIVE_RATE)

    def once(self, method, threads):
        stats, began = self.store + ".stats.json", time.time()
        m = measure([self.cooc, "count", "--method", method, "--rows",
                     "full", "-j", str(threads), *(["-f"] if self.is_counted() else []),
                     "-q", "--stats-json", stats, self.store], self.limit)
        with open(stats) as f:
            report = json.load(f)
        if any(os.path.getmtime(path) < began - CLOCK_S
               for path in glob.glob(self.store + "/rows-*.bin")):
            sys.exit(f"paper: {method} did not write all rows itself")
        # A run of a few milliseconds ends before its first sample.
        m["peak_MB"] = max(m["peak_MB"], report["peak_memory"] / 1e6)
        m["counting_cpu_s"] = sum(p["cpu_seconds"] for p in report["phases"]
                                  if p["phase"] not in NOT_COUNTING)
        left_out = manifest_of(self.store)["rows"].get("left_out", {})
        self.facts.update(pairs=report["pairs"],
                          bytes_of_pairs=report["bytes_of_pairs"],
                          counted_rows=self.facts["terms"]
                          - left_out.get("rows", 0))
        del m["printed"]
        return m

    def cell(self, method, threads):
        """The best of several runs, or a note that says why it failed."""
        if not self.room_for(method):
            return {"note": "not enough disk space"}
        runs = []
        while len(runs) < self.repeat and \
                sum(m["wall_s"] for m in runs) < ENOUGH_S:
            say(f"{self.facts['documents']:,} documents, {method}, "
                f"{threads} threads, run {len(runs) + 1}")
            try:
                runs.append(self.once(method, threads))
            except Late as late:
                if not self.is_counted():
                    # Otherwise the next method would resume this count.
                    copy_store(self.index, self.store)
                return {"note": f"over {self.limit:g} s",
                        **{f"late_{k}": v for k, v in late.seen.items()}}
        rows = rows_digest(self.store)
        if self.rows not in (None, rows):
            sys.exit(f"paper: the rows of {method} differ from those of the "
                     "methods before it")
        self.rows = rows
        best = {k: min(m[k] for m in runs) for k in runs[0]}
        for peak in ("peak_MB", "temporary_MB"):
            best[peak] = max(m[peak] for m in runs)
        return {**best, "runs": len(runs)}


def none_finished(counted, what):
    """Whether every method exceeded its time limit."""
    if counted.rows is None:
        print(f"Skipping {what}: no method finishes within "
              f"{counted.limit:g} s.")
    return counted.rows is None


class GivenUp(set):
    """Methods that exceeded the limit once; larger collections skip them."""

    def ask(self, counted, name, method, threads):
        if name in self:
            return {"note": "not tried"}
        cell = counted.cell(method, threads)
        if "note" in cell:
            self.add(name)
        say("")
        return cell


def first_documents(cooc, store, n, path):
    """Make a store of the first n documents of another store: index their
    term ids as transactions, one document per line."""
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
