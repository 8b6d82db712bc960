"""scale_model.py - what a count in parts costs, and what a cluster makes of it.

CPU seconds of one thread, with costs >= 0 found by least squares (relative
errors, so that each size counts the same):

    index one part      per posting, per term of the part
    merge               per posting, per term of all parts
    open a counter      per posting: verify the documents, plan the shards
    count               per posting and process: bitmaps of the documents
                        per posting, per pair: the rows, shared by all
    finish              as opening a counter, and
                        per byte of rows: verify every shard

Terms, pairs and bytes of rows grow as a power of the number of postings, which
is taken from the two largest collections of the fit.
"""

import itertools
import math

ID = 4      # bytes of a posting in the forward and the inverted index


def solve(a, b):
    """Solve a system of linear equations; None if it is singular."""
    m = [[*row, v] for row, v in zip(a, b)]
    for i in range(len(m)):
        pivot = max(range(i, len(m)), key=lambda k: abs(m[k][i]))
        m[i], m[pivot] = m[pivot], m[i]
        if abs(m[i][i]) < 1e-300:
            return None
        for k in range(len(m)):
            if k != i:
                f = m[k][i] / m[i][i]
                m[k] = [x - f * y for x, y in zip(m[k], m[i])]
    return [row[-1] / row[i] for i, row in enumerate(m)]


def least_squares(a, b):
    """x with the least |a x - b|; None if it is not unique."""
    columns = list(zip(*a))
    return solve([[sum(map(float.__mul__, c, d)) for d in columns]
                  for c in columns],
                 [sum(map(float.__mul__, c, b)) for c in columns])


def fit(rows, names, measured):
    """Costs >= 0 by name.  There are at most three, so every set of costs
    that are not 0 is tried."""
    best, b = None, [1.0] * len(rows)
    for n in range(1, len(names) + 1):
        for some in itertools.combinations(names, n):
            a = [[q[k] / t for k in some] for q, t in zip(rows, measured)]
            x = least_squares(a, b)
            if x is None or min(x) < 0:
                continue
            error = sum((sum(map(float.__mul__, row, x)) - 1) ** 2
                        for row in a)
            if best is None or error < best[0]:
                best = error, dict(zip(some, x))
    return {n: best[1].get(n, 0.0) for n in names}


def power_law(xs, ys):
    """(c, e): y = c * x^e."""
    c, e = least_squares([[1.0, math.log(x)] for x in xs],
                         [math.log(y) for y in ys])
    return math.exp(c), e


class Model:
    def __init__(self, runs):
        runs = sorted(runs, key=lambda r: r["documents"])
        self.used, self.kept_back = runs[:-1], runs[-1]
        used = self.used
        parts = [p for r in used for p in r["parts"]]
        self.index = fit(parts, ["postings", "terms"],
                         [p["cpu_s"] for p in parts])
        self.merge = fit([self.merged(r) for r in used],
                         ["postings", "terms"],
                         [r["merge_cpu_s"] for r in used])
        opened = [(r, c) for r in used for n in r["counts"].values()
                  for c in n]
        self.open = fit([r for r, _ in opened], ["postings"],
                        [c["start_cpu_s"] for _, c in opened])
        counts = [(int(n), r, sum(c["counting_cpu_s"] for c in cs))
                  for r in used for n, cs in r["counts"].items()]
        self.count = fit([self.counted(r, n) for n, r, _ in counts],
                         ["bitmaps", "postings", "pairs"],
                         [t for *_, t in counts])
        self.finish = fit(used, ["row_bytes"],
                          [r["finish_cpu_s"] - self.cost(self.open, r)
                           for r in used])
        self.laws = {q: power_law([r["postings"] for r in used[-2:]],
                                  [r[q] for r in used[-2:]])
                     for q in ("terms", "pairs", "row_bytes")}
        self.part_terms = power_law([p["postings"] for p in parts],
                                    [p["terms"] for p in parts])
        self.per_document = used[-1]["postings"] / used[-1]["documents"]
        self.text = sum(p["text_bytes"] for p in used[-1]["parts"]) / \
            used[-1]["postings"]
        self.bytes = used[-1]["bytes"] / used[-1]["postings"]
        self.memory = max(r["counts"]["1"][0]["peak"] / r["postings"]
                          for r in used[1:])
        # Counting in batches, compared with counting at once.
        self.batches = max((short["counting_cpu_s"] /
                            r["counts"]["1"][0]["counting_cpu_s"]
                            for r in used for short in r["short_of_memory"]),
                           default=1.0)

    @staticmethod
    def merged(r):
        return {"postings": r["postings"],
                "terms": sum(p["terms"] for p in r["parts"])}

    @staticmethod
    def counted(r, processes):
        return {"bitmaps": processes * r["postings"],
                "postings": r["postings"], "pairs": r["pairs"]}

    @staticmethod
    def cost(costs, quantities):
        return sum(c * quantities[n] for n, c in costs.items())

    # ---- the check ---------------------------------------------------------

    def check(self):
        """(step, measured, predicted) of the collection that was kept back,
        with its own numbers of terms and pairs."""
        r = self.kept_back
        yield ("index, all parts", sum(p["cpu_s"] for p in r["parts"]),
               sum(self.cost(self.index, p) for p in r["parts"]))
        yield "merge", r["merge_cpu_s"], self.cost(self.merge, self.merged(r))
        for n, counts in r["counts"].items():
            yield (f"open, {n} processes",
                   sum(c["start_cpu_s"] for c in counts),
                   int(n) * self.cost(self.open, r))
            yield (f"count, {n} processes",
                   sum(c["counting_cpu_s"] for c in counts),
                   self.cost(self.count, self.counted(r, int(n))))
        yield ("finish", r["finish_cpu_s"],
               self.cost(self.open, r) + self.cost(self.finish, r))

    def check_laws(self):
        """The same for the laws of growth."""
        r = self.kept_back
        for q in self.laws:
            yield q, r[q], self.grown(q, r["postings"])

    # ---- the simulation ----------------------------------------------------

    def grown(self, quantity, postings):
        c, e = self.laws[quantity]
        return c * postings ** e

    def simulate(self, documents, nodes, cluster):
        """Seconds by step, memory per node and bytes; CPU work and transfers
        of a step overlap, so the longer one counts."""
        postings = documents * self.per_document
        cores = cluster["cores"] * cluster["efficiency"]
        node, store = cluster["node_bytes_s"], cluster["storage_bytes_s"]
        together = min(nodes * node, store)     # all nodes read or write
        each = min(node, store / nodes)         # one of them, while all do
        c, e = self.part_terms
        part = postings / nodes
        terms = c * part ** e
        row_bytes = self.grown("row_bytes", postings)
        index_bytes = self.bytes * postings
        lists = ID * (postings + part)  # all documents, its inverted lists
        pairs = self.grown("pairs", postings)
        memory = self.memory * postings
        batches = memory > cluster["memory"]
        rows = self.cost({n: self.count[n] for n in ("postings", "pairs")},
                         {"postings": postings, "pairs": pairs})
        steps = {
            "index": max(self.cost(self.index,
                                   {"postings": part, "terms": terms}) /
                         cores,
                         (self.text * postings + index_bytes) / together),
            "merge": max(self.cost(self.merge, {"postings": postings,
                                                "terms": terms * nodes}) /
                         cores, 2 * index_bytes / min(node, store))
            if nodes > 1 else 0,
            "open": max(self.cost(self.open, {"postings": postings}) / cores,
                        lists / each),
            "bitmaps": self.count["bitmaps"] * postings / cores,
            "count": max((self.batches if batches else 1) * rows / nodes /
                         cores, row_bytes / together),
            "finish": max(self.cost({**self.open, **self.finish}, {
                "postings": postings, "row_bytes": row_bytes}) / cores,
                          (index_bytes + row_bytes) / min(node, store)),
        }
        return {"steps": steps, "seconds": sum(steps.values()),
                "memory": memory, "batches": batches,
                "read": lists * nodes, "row_bytes": row_bytes,
                "pairs": pairs,
                "slowest": max(steps, key=steps.get)}
