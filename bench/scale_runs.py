"""scale_runs.py - the steps of a count in parts, measured by bench/scale.

Each step is one process with one thread, as on a cluster.  CPU time is
recorded, which other load on the machine affects least.
"""

import json
import os
import shutil

from measure import measure, say

PARTS = 4           # of the index and of the count
SHORT = 4           # the memory limit is a SHORT-th of the peak,
LEAST = 64 << 20    # if cooc accepts a limit that small
ONE = ["-q", "-j", "1"]
# Phases before the first row is counted; batches have phases of their own.
OPENING = ("starting", "checking the index", "verifying finished row files",
           "estimating")


def phases(command, stats):
    """CPU seconds by phase, and the whole report."""
    measure([*command, "--stats-json", stats])
    with open(stats) as f:
        report = json.load(f)
    os.unlink(stats)
    return {p["phase"]: p["cpu_seconds"] for p in report["phases"]}, report


def size_of(store):
    return sum(e.stat().st_size for e in os.scandir(store)
               if not e.name.startswith("rows-"))


def index_parts(cooc, text, work):
    """One row per part of the index, and the paths of the parts."""
    rows, stores = [], []
    for i in range(1, PARTS + 1):
        stores.append(work.file(f"part{i}.cooc"))
        cpu, r = phases([cooc, "index", *ONE, "-f", "--part", f"{i}/{PARTS}",
                         "-o", stores[-1], text], work.file("stats"))
        rows.append({"cpu_s": sum(cpu.values()), "postings": r["postings"],
                     "terms": r["terms"], "bytes": size_of(stores[-1]),
                     "text_bytes": r["input_bytes"]})
    return rows, stores


def count_parts(cooc, store, parts, work, memory=None):
    """One row per part of the count; afterwards all shards exist."""
    rows = []
    limit = ["--memory", f"{memory // 2**20 + 1}M"] if memory else []
    for i in range(1, parts + 1):
        cpu, r = phases([cooc, "count", *ONE, "--rows", "full", *limit,
                         "--part", f"{i}/{parts}", store],
                        work.file("stats"))
        start = sum(cpu.get(phase, 0) for phase in OPENING)
        rows.append({"start_cpu_s": start,
                     "counting_cpu_s": sum(cpu.values()) - start,
                     "peak": r["peak_memory"]})
    return rows


def one_size(cooc, generate, documents, work):
    text = work.file("scale.tsv")
    with open(text, "wb") as f:
        f.write(measure([generate, "-n", str(documents), "--text"])["printed"])
    parts, stores = index_parts(cooc, text, work)
    os.unlink(text)
    union = work.file("union.cooc")
    cpu, r = phases([cooc, "merge", *ONE, "-f", "-o", union, *stores],
                    work.file("stats"))
    for store in stores:
        shutil.rmtree(store)
    row = {"documents": documents, "postings": r["postings"],
           "terms": r["terms"], "bytes": size_of(union), "parts": parts,
           "merge_cpu_s": sum(cpu.values()), "counts": {}}
    for n in (1, PARTS):
        copy = work.file("copy.cooc")
        shutil.copytree(union, copy)
        row["counts"][str(n)] = count_parts(cooc, copy, n, work)
        if n == 1:
            peak = row["counts"]["1"][0]["peak"]
        else:
            cpu, r = phases([cooc, "count", *ONE, copy], work.file("stats"))
            row.update(finish_cpu_s=sum(cpu.values()), pairs=r["pairs"],
                       increments=r["increments"],
                       row_bytes=r["bytes_of_pairs"])
        shutil.rmtree(copy)
    row["short_of_memory"] = count_parts(cooc, union, 1, work,
                                         peak // SHORT) \
        if peak // SHORT >= LEAST else []
    shutil.rmtree(union)
    return row


def least(a, b):
    """The same numbers, with the lesser of two CPU times."""
    if isinstance(a, dict):
        return {k: min(a[k], b[k]) if k.endswith("cpu_s") else
                least(a[k], b[k]) for k in a}
    if isinstance(a, list):
        return [least(x, y) for x, y in zip(a, b)]
    return a


def run_all(build, work, sizes, repeat, save):
    rows = []
    for documents in sorted(sizes):
        row = None
        for turn in range(repeat):
            say(f"{documents:,} documents, {turn + 1}/{repeat}")
            new = one_size(build + "/cooc", build + "/bench/cooc-generate",
                           documents, work)
            row = least(row, new) if row else new
        rows.append(row)
        save(rows)
    say("")
