"""speed_page.py - the measurements of bench/speed as Markdown."""

from format_speed import page_formats
from pages import in_bytes, megabytes, seconds, short, table, three, when


def page_reading(part):
    rows = part["rows"]
    text = table(
        ["", *(f"{r['collection']}, {in_bytes(r['runs'][0]['bytes'])}"
               for r in rows)],
        [[f"`{best['what']}`" if best["what"][:2] != "wc" else
          f"`wc -w`, locale {best['what'].split()[-1]}",
          *(f"{r['runs'][i]['MB_per_s']:.0f} MB/s "
            f"({three(r['runs'][i]['speed_to_wc'])})" for r in rows)]
         for i, best in enumerate(rows[0]["runs"])]) if rows else ""
    return f"{when(part)} In parentheses: speed relative to the faster of " \
           f"the two `wc` runs.\n\n{text}"


def page_counting(part):
    rows = part["rows"]
    j = rows[0]["threads"]
    return f"{when(part)} All runs of a collection wrote byte-identical " \
        "rows.\n\n" + table(
        ["", "list-scan, 1 thread", "bit-scan, 1 thread",
         f"bit-scan, {j} threads", "speedup, 1 thread",
         f"speedup, {j} threads", "ns per increment, 1 thread",
         f"ns per increment, {j} threads"],
        [[r["collection"], *(seconds(r[k]) for k in ("base_s", "one_s",
                                                      "all_s")),
          three(r["base_s"] / r["one_s"]), three(r["base_s"] / r["all_s"]),
          three(r["one_s"] * 1e9 / r["increments"]),
          three(r["all_s"] * 1e9 / r["increments"])] for r in rows])


def page_size(part):
    return table(
        ["", "increments", "pairs", "bytes per pair", "bytes per written pair",
         "bytes per pair with `--rows compact`"],
        [[r["collection"], short(r["increments"]), short(r["pairs"]),
          three(r["bytes"] / r["pairs"]), three(r["bytes"] / r["written"]),
          three(r["compact_bytes"] / r["pairs"])] for r in part["rows"]])


def page_large(part):
    r = part["rows"]
    rate = 60 * r["documents"] / r["wall_s"]
    return f"""{when(part)}

| | |
|---|--:|
| documents | {r['documents']:,} |
| distinct terms per document: minimum, average, maximum | \
{r['minimum_length']}, {r['average_length']:.1f}, {r['maximum_length']:,} |
| standard deviation of the length | {three(r['standard_deviation'])} |
| postings | {short(r['postings'])} |
| terms | {short(r['vocabulary'])} |
| increments | {short(r['increments'])} |
| distinct pairs | {r['pairs']:,} |
| wall time of `cooc count`, {r['threads']} threads | \
{seconds(r['wall_s'])} |
| CPU time | {seconds(r['cpu_s'])} |
| ns per increment | {three(r['wall_s'] * 1e9 / r['increments'])} |
| documents per minute | {three(rate)} |
| rows on disk | {in_bytes(r['bytes'])} |
| bytes per pair | {three(r['bytes'] / r['pairs'])} |
| peak memory | {megabytes(r['peak_MB'])} |
| wall time of `cooc check` | {seconds(r['check_s'])} |
"""


def page_memory(part):
    return f"{when(part)}\n\n" + table(
        ["", "`--memory`", "peak memory", "batches", "wall time"],
        [[r["collection"], run["memory"] or "default",
          f"{run['peak_bytes'] / 2**20:,.0f} MiB",
          f"{run['batches']}", seconds(run["wall_s"])]
         for r in part["rows"] for run in r["runs"]], left=2)


def page_exports(part):
    rows = part["rows"]
    streams = [f"`{r['export']}`" for r in rows["exports"] if r["stream"]]
    return f"{when(part)} Collection: {rows['collection']}. " \
        f"{' and '.join([', '.join(streams[:-1]), *streams[-1:]])} are " \
        "written to /dev/null, the other exports to a file.\n\n" + table(
            ["`--format`", "entries", "bytes", "wall time", "CPU time",
             "million entries per second", "peak memory"],
            [[f"`{r['export']}`", short(r["entries"]), in_bytes(r["bytes"]),
              seconds(r["wall_s"]), seconds(r["cpu_s"]),
              three(r["entries"] / r["wall_s"] / 1e6),
              megabytes(r["peak_MB"])] for r in rows["exports"]])


def page_ranking(part):
    rows = part["rows"]
    return f"{when(part)}\n\n" + table(
        ["`--by`", *(f"{r['collection']}, {short(r['pairs'])} pairs"
                     for r in rows)],
        [[by, *(seconds(r["wall_s"][by]) for r in rows)]
         for by in rows[0]["wall_s"]])


def side_by_side(rows, what, keys):
    """Join the rows of all collections: two cells per collection."""
    lines = {}
    for r in rows:
        for cells in r[what]:
            lines.setdefault(tuple(map(int, cells[:keys])), {})[
                r["collection"]] = cells[keys:]
    return [[*(f"{k:,}" for k in key),
             *(f"{int(c):,}" if c.isdigit() else c for r in rows
               for c in found.get(r["collection"], ["", ""]))]
            for key, found in sorted(lines.items())]


def page_queries(part):
    rows = part["rows"]
    names = [r["collection"] for r in rows]
    return f"{when(part)}\n\nOpening a store:\n\n" + table(
        ["", "ms, median / 95th percentile"],
        [[r["collection"],
          " / ".join(three(float(us) / 1000)
                     for us in r["opening"].split("/"))] for r in rows]) \
        + "\nSingle pairs, microseconds, median / 95th percentile:\n\n" \
        + table(
            ["df of one term", "df of the other",
             *(f"{name}, {what}" for name in names
               for what in ("first", "repeated"))],
            side_by_side(rows, "pairs", 2), left=0) \
        + "\nWhole rows, microseconds, median / 95th percentile, and the " \
        "median number of partners:\n\n" + table(
            ["df", *(f"{name}{what}" for name in names
                     for what in (": partners", ""))],
            side_by_side(rows, "rows", 1), left=0) \
        + page_top(rows, names)


def page_top(rows, names):
    if "top" not in rows[0]:        # measured before there was this table
        return ""
    return "\nThe 20 strongest partners of a term, microseconds, median / " \
        "95th percentile:\n\n" + table(
            ["df", *(f"{name}, by {what}" for name in names
                     for what in ("count", "npmi"))],
            side_by_side(rows, "top", 1), left=0)


def collections_of(jobs):
    return list(dict.fromkeys(r["collection"] for r in jobs))


def page_reference(part):
    rows = part["rows"]
    return f"{when(part)} The best wall time of each job is shown; a ratio " \
        "above 1 means that this version is faster than " \
        f"{rows['commit']}.\n\n" + table(
            ["collection", "job", rows["commit"], "this version", "ratio",
             "ratio of CPU time"],
            [[r["collection"], r["job"], seconds(r["reference_wall_s"]),
              seconds(r["this_wall_s"]),
              f"{r['reference_wall_s'] / r['this_wall_s']:.2f}",
              f"{r['reference_cpu_s'] / r['this_cpu_s']:.2f}"]
             for r in rows["jobs"]], left=2)


def page_words(part):
    """Indexing relative to wc -w, and the gain from the second thread."""
    jobs = {(r["collection"], r["job"]): r for r in part["rows"]["jobs"]}
    names = collections_of(part["rows"]["jobs"])

    def ratio(name, a, b, which="this_wall_s"):
        return f"{jobs[name, a][which] / jobs[name, b][which]:.2f}"

    return table(
        ["", *names],
        [[what, *(ratio(name, a, b) for name in names)] for what, a, b in (
            ("speed of `index -j 1` relative to `wc -w`", "wc -w",
             "index, 1 thread"),
            ("speed of `index` relative to `wc -w`", "wc -w", "index"),
            ("`index`: speedup by the second thread", "index, 1 thread",
             "index"),
            ("`count`: speedup by the second thread",
             "count, full rows, 1 thread", "count, full rows"))])


def page_compact(part):
    """Time over a compact store divided by time over a full one."""
    jobs = {(r["collection"], r["job"]): r for r in part["rows"]["jobs"]}
    names = collections_of(part["rows"]["jobs"])

    def compared(name, kind, which):
        compact, full = (jobs[name, f"{kind}, {rows} rows"][which]
                         for rows in ("compact", "full"))
        return f"{compact / full:.2f}"

    kinds = list(dict.fromkeys(
        job[:-len(", full rows")] for _, job in jobs
        if job.endswith(", full rows")
        and (names[0], job.replace(", full rows", ", compact rows")) in jobs
        and not job.startswith(("text", "count"))))
    return table(
        ["time over compact rows / full rows: wall, CPU", *names],
        [[kind, *(", ".join(
            compared(name, kind, which)
            for which in ("this_wall_s", "this_cpu_s")) for name in names)]
         for kind in kinds])


def page_phases(part):
    found = part["rows"]["phases"]
    kinds = list(dict.fromkeys(k for p in found.values() for k in p))
    total = {name: sum(p.values()) for name, p in found.items()}
    return table(
        ["share of the wall time from text to a counted store", *found],
        [[kind, *(f"{100 * p.get(kind, 0) / total[name]:.1f} %"
                  for name, p in found.items())] for kind in kinds]
        + [["in all", *(seconds(t) for t in total.values())]])


PAGES = {"reading": ("reading", page_reading),
         "formats": ("formats", page_formats),
         "counting": ("counting", page_counting),
         "size": ("counting", page_size), "large": ("large", page_large),
         "memory": ("memory", page_memory),
         "exports": ("exports", page_exports),
         "ranking": ("ranking", page_ranking),
         "queries": ("queries", page_queries),
         "reference": ("reference", page_reference),
         "words": ("reference", page_words),
         "compact": ("reference", page_compact),
         "phases": ("reference", page_phases)}


def places(parts):
    """The parts of the page: name -> Markdown."""
    return {name: page(parts[part]) for name, (part, page) in PAGES.items()
            if part in parts}
