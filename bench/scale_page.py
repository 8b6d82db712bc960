"""scale_page.py - the measurements and predictions of bench/scale."""

from pages import in_bytes, seconds, short, table, three, when

CLUSTER = {"cores": 32, "efficiency": 0.9, "memory": 256e9,
           "node_bytes_s": 3e9, "storage_bytes_s": 100e9}
DOCUMENTS = [10**6, 10**7, 10**8, 10**9, 3 * 10**9]
NODES = [1, 10, 100, 1000]
UNITS = {"row_bytes": "byte of rows", "bitmaps": "posting and process"}


def duration(s):
    if s < 120:
        return f"{three(s)} s"
    if s < 7200:
        return f"{three(s / 60)} min"
    return f"{three(s / 3600)} h" if s < 172800 else \
        f"{three(s / 86400)} days"


def big(v):
    for unit, size in ((" P", 1e15), (" T", 1e12)):
        if v >= size:
            return f"{three(v / size)}{unit}"
    return short(v, " ")


def page_costs(part, model):
    rows = []
    for step in ("index", "merge", "open", "count", "finish"):
        for name, cost in getattr(model, step).items():
            unit = UNITS.get(name, name[:-1])
            rows.append([step, unit, f"{three(cost * 1e9)} ns"])
    c = {q: e for q, (_, e) in model.laws.items()}
    return f"{when(part)} One thread per process; the least CPU time of " \
        f"the repetitions.\n\n" + \
        table(["step", "per", "CPU time"], rows, left=2) + f"""
Growth with the number of postings, as exponents: terms {c['terms']:.2f}, \
pairs {c['pairs']:.2f}, bytes of rows {c['row_bytes']:.2f}. A document has \
{three(model.per_document)} postings. The index takes {three(model.bytes)} \
bytes per posting, the text {three(model.text)}; a process that counts takes \
{three(model.memory)} bytes of memory per posting, or \
{three(model.batches)} times as much CPU time in batches if it has a quarter \
of that.
"""


def off(measured, predicted):
    return f"{100 * (predicted / measured - 1):+.0f} %"


def page_check(part, model):
    r = model.kept_back
    used = ", ".join(f"{u['documents']:,}" for u in model.used)
    return f"The model was fitted to {used} documents. Here it predicts " \
        f"{r['documents']:,} documents, CPU time of one thread:\n\n" + \
        table(["step", "measured", "predicted", "error"],
              [[s, seconds(m), seconds(p), off(m, p)]
               for s, m, p in model.check()]) + "\n" + \
        table(["growth", "measured", "predicted", "error"],
              [[q.replace("_", " ").replace("row bytes", "bytes of rows"),
                big(m), big(p), off(m, p)]
               for q, m, p in model.check_laws()])


def page_clusters(part, model):
    c = CLUSTER
    head = f"A node has {c['cores']} cores, {c['memory'] / 1e9:.0f} GB of " \
        f"memory and {in_bytes(c['node_bytes_s'])}/s to a shared file " \
        f"system, which delivers {in_bytes(c['storage_bytes_s'])}/s in " \
        f"all; {c['efficiency']:.0%} of the cores' time is used. One " \
        "process per node; full rows.\n\n"
    rows = []
    for d in DOCUMENTS:
        for n in NODES:
            s = model.simulate(d, n, c)
            rows.append([
                big(d), f"{n:,}", *(duration(v) for v in
                                    s["steps"].values()),
                duration(s["seconds"]), s["slowest"],
                f"{short(round(n * s['seconds'] / 3600, 1))}",
                f"{big(s['memory'])}B" + (" (batches)" if s["batches"]
                                          else ""),
                big(s["read"]) + "B", big(s["row_bytes"]) + "B"])
    return head + table(
        ["documents", "nodes", "index", "merge", "open", "bitmaps", "count",
         "finish", "in all", "longest step", "node-hours",
         "memory without batches", "lists read by all nodes", "rows"], rows)


def places(parts, model):
    part = parts["runs"]
    return {"costs": page_costs(part, model),
            "check": page_check(part, model),
            "clusters": page_clusters(part, model)}
