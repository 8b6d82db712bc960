"""paper_page.py - the measurements of bench/paper as Markdown."""

from cells import METHODS
from pages import in_bytes, megabytes, seconds, short, table, three, when
from questions import slope

# Table 1 of the paper: average, minimum, maximum and standard deviation of
# the length, postings, terms, distinct pairs, bytes of output.
PAPER = {1: ("182.0", "182", "182", "0.0", "182", "182", "16.5K", "131 KB"),
         10: ("115.6", "14", "257", "87.6", "1.16K", "805", "96.9K",
              "767 KB"),
         100: ("251.5", "11", "1,171", "246", "25.2K", "8.04K", "4.17M",
               "31.9 MB"),
         1000: ("217.4", "5", "2.19K", "221", "217K", "29.2K", "22.8M",
                "174 MB"),
         10000: ("222.5", "3", "8.57K", "331", "2.22M", "141K", "299M",
                 "2.23 GB"),
         100000: ("233.3", "3", "47.8K", "392", "23.3M", "694K", "3.68G",
                  "27.4 GB"),
         1000000: ("229.1", "3", "73.6K", "461", "229M", "3.83M", "36.9G",
                   "275 GB")}


def cell_of(what, how):
    """A function that formats a cell's value, or the note that replaces it."""
    return lambda c: how(c[what]) if what in c else c["note"]


def by_method(rows, head, how):
    """A table with one line per method and one column per row of results."""
    names = list(dict.fromkeys(n for r in rows for n in r["methods"]))
    return table(["method", *head],
                 [[n, *(how(r["methods"][n]) if n in r["methods"] else ""
                        for r in rows)] for n in names])


# ---- the paper's experiment ------------------------------------------------

def page_run(part):
    a, rows = part["about"], part["rows"]
    cpu = a["machine"].rsplit(", ", 1)[0]       # without the kernel
    what = f"documents of {a['collection']}" if a["collection"] \
        else "generated documents"
    return (f"Up to {rows[-1]['documents']:,} {what} on {cpu}. {when(part)} "
            "At every size, all methods wrote byte-identical rows, and the "
            "stores pass `cooc check`.\n")


def page_table1(part):
    lines = []
    for row in part["rows"]:
        s = row["stats"]
        lines.append([f"{row['documents']:,}", "here",
                      f"{s['average_length']:.1f}",
                      f"{s['minimum_length']:,}", short(s["maximum_length"]),
                      three(s["standard_deviation"]), short(s["postings"]),
                      short(s["vocabulary"]), short(s["distinct_pairs"]),
                      in_bytes(s["bytes_of_pairs"])])
        if row["documents"] in PAPER:
            lines.append(["", "paper", *PAPER[row["documents"]]])
    return table(["documents", "source", "average length", "shortest",
                  "longest", "standard deviation", "postings", "terms",
                  "distinct pairs", "size of output"], lines, 2)


def page_time(part):
    rows = part["rows"]
    return "Wall time:\n\n" + by_method(
        rows, [f"{r['documents']:,}" for r in rows],
        cell_of("wall_s", seconds)) + \
        "\nThe same times in nanoseconds per increment, from 100 documents " \
        "on. The exponent is the slope of the last three sizes of each row of " \
        "the table on log-log axes: time grows as the number of documents " \
        "to that power.\n\n" + page_steep(rows)


def page_steep(rows):
    rows = [r for r in rows if r["documents"] >= 100]
    names = list(dict.fromkeys(n for r in rows for n in r["methods"]))
    lines = []
    for n in names:
        known = [(r, r["methods"][n]) for r in rows
                 if "wall_s" in r["methods"][n]]
        steep = slope([(r["documents"], c["wall_s"]) for r, c in known])
        lines.append([n, *(three(r["methods"][n]["wall_s"] * 1e9 /
                                 r["increments"])
                           if "wall_s" in r["methods"][n] else ""
                           for r in rows),
                      f"{steep:.2f}" if steep is not None else ""])
    increments = slope([(r["documents"], r["increments"]) for r in rows])
    lines.append(["increments", *(short(r["increments"]) for r in rows),
                  f"{increments:.2f}" if increments else ""])
    return table(["ns per increment", *(f"{r['documents']:,}" for r in rows),
                  "exponent"], lines)


def page_work(part):
    """The work of the methods besides the increments, by their formulas."""
    rows = [r for r in part["rows"] if r["documents"] >= 100]

    def each(how):
        return [three(how(r) / max(r["increments"], 1)) for r in rows]

    return table(["per increment", *(f"{r['documents']:,}" for r in rows)],
                 [["list-pairs: intersections, W(W-1)/2",
                   *each(lambda r: r["counted_rows"] ** 2 / 2)],
                  ["multi-scan: visits to documents, at most NW/100",
                   *each(lambda r: r["documents"] * r["counted_rows"] / 100)],
                  ["list-scan, bit-scan: visits to documents, P",
                   *each(lambda r: r["postings"])],
                  ["all methods: distinct pairs",
                   *each(lambda r: r["pairs"])]])


def page_memory(part):
    rows = part["rows"]

    def peak(c):
        if "late_peak_MB" in c:
            return f"{megabytes(c['late_peak_MB'])} at the time limit"
        return cell_of("peak_MB", megabytes)(c)

    text = by_method(rows, [f"{r['documents']:,}" for r in rows], peak)
    temporary = []
    for r in rows:
        c = r["methods"]["naive"]
        late = c.get("late_temporary_MB", 0)
        if max(late, c.get("temporary_MB", 0)) >= 1:
            temporary.append(
                megabytes(late or c["temporary_MB"])
                + f" at {r['documents']:,} documents"
                + (" (at the time limit)" if late else ""))
    if temporary:
        text += "\nSize of the temporary files of naive on disk: " + \
            ", ".join(temporary) + ".\n"
    return text


def page_stated(part):
    rows = {r["documents"]: r["methods"] for r in part["rows"]}

    def here(documents, *names):
        found = []
        if documents not in rows:
            return "not measured"
        for name in names:
            c = rows[documents][name]
            found.append(f"{name} " + (
                f"{seconds(c['wall_s'])}, {megabytes(c['peak_MB'])}"
                if "wall_s" in c else c["note"]))
        return "; ".join(found)

    return table(["experiment", "in the paper", "here"], [
        ["naive, 10,000 documents", "almost 2 hours, over 200 GB",
         here(10000, "naive")],
        ["list-pairs and multi-scan, just over 30,000 documents",
         "over an hour each", here(31623, "list-pairs", "multi-scan")],
        ["list-blocks and list-scan, around 100,000 documents",
         "about half an hour each",
         here(100000, "list-blocks", "list-scan")],
        ["bit-scan, 100,000 documents", "not in the paper",
         here(100000, *[n for n in rows.get(100000, {})
                        if n.startswith(METHODS[-1])])]], 3)


# ---- the paper's open questions --------------------------------------------

def page_growth(part):
    rows = part["rows"]
    lines = []
    for method in METHODS:
        line = [method]
        for varied in ("documents", "length", "terms"):
            points = [(r[varied], r["methods"][method]["counting_cpu_s"])
                      for r in rows if r["varied"] == varied
                      and "counting_cpu_s" in r["methods"][method]]
            steep = slope(points)
            line += [f"{steep:.2f}" if steep is not None else "",
                     seconds(points[-1][1]) + f" at {points[-1][0]:,}"
                     if points else ""]
        lines.append(line)
    for what in ("increments", "pairs"):
        line = [what]
        for varied in ("documents", "length", "terms"):
            points = [(r[varied], r[what]) for r in rows
                      if r["varied"] == varied]
            steep = slope(points)
            line += [f"{steep:.2f}" if steep is not None else "",
                     f"{short(points[-1][1])} at {points[-1][0]:,}"
                     if points else ""]
        lines.append(line)
    return when(part) + "\n\n" + table(
        ["growth exponent", "more documents", "at the largest size",
         "longer documents", "at the largest size", "more terms",
         "at the largest size"], lines)


def page_caches(part, sizes):
    facts = part["rows"]
    known = {r["documents"]: r for r in sizes["rows"]} if sizes else {}
    row = known.get(facts["documents"])
    lines = []
    for m in facts["methods"]:
        c = row["methods"].get(m["method"], {}) if row else {}
        lines.append([m["method"], *(
            [three(m[k]) for k in ("instructions", "accesses", "L1_misses",
                                   "L2_misses")]
            if "note" not in m else [m["note"], "", "", ""]),
            three(c["counting_cpu_s"] * 1e9 / row["increments"])
            if "counting_cpu_s" in c else ""])
    return when(part) + " The last column is the CPU time of counting " \
        "alone, from the runs in *Time*.\n\n" \
        + table([f"{facts['documents']:,} documents, per increment",
                 "instructions", "data accesses", "misses, 32 KB cache",
                 "misses, 512 KB cache", "CPU time, ns"], lines)


def page_ids(part, sizes):
    known = {r["documents"]: r for r in sizes["rows"]} if sizes else {}
    rows, head = [], []
    for r in part["rows"]:
        ranks = known.get(r["documents"], {}).get("methods", {})
        for name, cells in (("ranks", ranks), ("first seen", r["first-seen"]),
                            ("last seen", r["last-seen"])):
            head.append(f"{r['documents']:,}, {name}")
            rows.append({"cells": cells, "increments": r["increments"]})

    def cell(row, method):
        c = row["cells"].get(method, {})
        if "counting_cpu_s" not in c:
            return c.get("note", "")
        return three(c["counting_cpu_s"] * 1e9 / row["increments"])

    def ratio(row):
        scan, blocks = (row["cells"].get(m, {}).get("counting_cpu_s")
                        for m in ("list-scan", "list-blocks"))
        return f"{blocks / scan:.2f}" if scan and blocks else ""

    loops = [[r["per_loop"][o][m] for r in part["rows"]
              for o in ("ranks", "first-seen", "last-seen")]
             for m in ("list-scan", "list-blocks")]
    return when(part) + " The times with ranks are those of *Time*.\n\n" + \
        table(["CPU time of counting, ns per increment", *head],
              [[m, *(cell(row, m) for row in rows)] for m in METHODS]
              + [["list-blocks / list-scan", *map(ratio, rows)]]) + \
        "\nIncrements per loop:\n\n" + \
        table(["increments per loop", *head],
              [["list-scan", *map(three, loops[0])],
               ["list-blocks", *map(three, loops[1])]])


def page_kinds(part, sizes):
    rows = list(part["rows"])
    ours = [r for r in (sizes["rows"] if sizes else [])
            if r["documents"] == 10000]
    for r in ours:
        known = {n: c for n, c in r["methods"].items()
                 if n in rows[0]["methods"]}
        rows.append({**r, "kind": "generated", "collection": "",
                     "methods": known})

    def title(r):
        return r["kind"] + (f" ({r['collection']})" if r["collection"] and
                            r["collection"] != r["kind"] else "")

    return when(part) + (" The generated documents are those of the tables "
                         "above." if ours else "") + "\n\n" + table(
        ["collection", "documents", "terms", "postings", "average length",
         "increments", "pairs", "increments per pair", "bytes per pair"],
        [[title(r), f"{r['documents']:,}", short(r["terms"]),
          short(r["postings"]), three(r["postings"] / r["documents"]),
          short(r["increments"]), short(r["pairs"]),
          three(r["increments"] / max(r["pairs"], 1)),
          three(r["bytes_of_pairs"] / max(r["pairs"], 1))]
         for r in rows]) + "\nWall time and peak memory:\n\n" + by_method(
        rows, [r["kind"] for r in rows],
        lambda c: f"{seconds(c['wall_s'])}, {megabytes(c['peak_MB'])}"
        if "wall_s" in c else c["note"])


# ---- the page --------------------------------------------------------------

def figure(name, what):
    return f"\n![{what}](figures/{name}.svg)\n"


def places(parts):
    """The parts of the page: name -> Markdown."""
    sizes, out = parts.get("sizes"), {}
    if sizes:
        out["run"] = page_run(sizes)
        out["table1"] = page_table1(sizes)
        out["time"] = page_time(sizes) + figure(
            "paper-time", "Wall time against the number of documents")
        out["memory"] = page_memory(sizes) + figure(
            "paper-memory", "Peak memory against the number of documents")
        out["stated"] = page_stated(sizes)
        out["work"] = page_work(sizes)
    if "growth" in parts:
        out["growth"] = page_growth(parts["growth"]) + figure(
            "paper-growth", "CPU time against the number of documents, their "
            "length and the size of the vocabulary")
    if "caches" in parts:
        out["caches"] = page_caches(parts["caches"], sizes)
    if "ids" in parts:
        out["ids"] = page_ids(parts["ids"], sizes)
    if "kinds" in parts:
        out["kinds"] = page_kinds(parts["kinds"], sizes)
    return out
