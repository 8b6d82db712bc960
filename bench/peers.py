"""peers.py - the same counts as a matrix product, by others.

Documents x terms is a sparse matrix A of ones; the counts are A'A, every
pair twice and the df of each term besides.  The peers read the store's
forward file, have the product in memory in the end, and tell how long the
product alone took, and apart from it the cut to one half.  cooc reads,
counts, and has its rows on disk.  All must find the same number of pairs
and the same sum of counts.
"""

import json
import os
import sys

from measure import (SRC, cores, keep, make_store, measure, memory_free,
                     round_robin, table)

BYTES = 20    # of memory for an entry of the product, with its half cut out


def store_that_fits(args, work):
    """A counted store whose product fits the memory."""
    documents = args.documents
    while True:
        store, name = make_store(args.build, args.collection, documents, work)
        m = measure([args.build + "/cooc", "count", "-f", "--json", store])
        told = json.loads(m["printed"])
        need, free = told["pairs"] * 2 * BYTES, memory_free()
        if need <= free:
            return store, name, told
        print(f"{name}: the products may need {need / 1e9:.1f} GB of memory, "
              f"{free / 1e9:.1f} are free.")
        if args.collection:
            sys.exit("bench: too large a collection for its peers")
        documents //= 2


def commands(args, store):
    """What to compare: name -> command."""
    runs = {}
    for j in sorted({1, cores()}):
        runs[f"cooc count, bit-scan, -j {j}"] = \
            [args.build + "/cooc", "count", "--method", "bit-scan", "-j",
             str(j), "-f", "--json", store]
    runs["scipy, A.T @ A"] = [SRC + "/bench/scipy-product", store]
    graphblas = args.build + "/bench/graphblas-product"
    if os.path.exists(graphblas):
        for j in sorted({1, cores()}):
            runs[f"GraphBLAS, plus_pair, {j} thread{'s' * (j > 1)}"] = \
                [graphblas, store, str(j)]
    else:
        print("Without GraphBLAS: libgraphblas-dev was not there when this "
              "was built.\n")
    return runs


def peers(args, work):
    store, name, facts = store_that_fits(args, work)

    def same_answer(run, m):
        told = json.loads(m["printed"])
        for fact in ("pairs", "increments"):
            if told[fact] != facts[fact]:
                sys.exit(f"bench: {run}: {fact} {told[fact]}, "
                         f"cooc: {facts[fact]}")
        # A peer's reading and writing is not what is compared.
        m["process_s"] = m["wall_s"]
        m["wall_s"] = told.get("product_s", m["wall_s"])
        m["cpu_s"] = told.get("product_cpu_s", m["cpu_s"])

    best = round_robin(commands(args, store), args.repeat, None, same_answer)
    measure([args.build + "/cooc", "check", "-q", store])
    ours = best[f"cooc count, bit-scan, -j {cores()}"]["wall_s"]
    rows = []
    for run, m in best.items():
        told = json.loads(m["printed"])
        rows.append({"what": run, "wall_s": m["wall_s"], "cpu_s": m["cpu_s"],
                     "half_s": told.get("half_s", ""),
                     "process_s": m["process_s"],
                     "peak_MB": m["peak_MB"],
                     "ns_a_pair": m["wall_s"] * 1e9 / facts["pairs"],
                     "times_cooc": m["wall_s"] / ours})
    keep("peers", {"collection": name, "repeat": args.repeat,
                   "pairs": facts["pairs"],
                   "increments": facts["increments"]}, rows,
         f"The pairs of {name} ({facts['pairs']:,} pairs, "
         f"{facts['increments']:,} increments), best of {args.repeat}.\n"
         "Wall, CPU: of a peer the product alone, of cooc everything, rows "
         "on disk included.\nHalf: the cut of the product to one half.  "
         "Process: from start to end.\n\n"
         + table(rows, ["what", "wall_s", "cpu_s", "half_s", "process_s",
                        "peak_MB", "ns_a_pair", "times_cooc"]))
