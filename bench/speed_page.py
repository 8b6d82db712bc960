"""speed_page.py - the figures of bench/speed as Markdown."""

from pages import in_bytes, megabytes, seconds, short, table, three, when


def page_reading(part):
    rows = part["rows"]
    text = table(
        ["", *(f"{r['collection']}, {in_bytes(r['runs'][0]['bytes'])}"
               for r in rows)],
        [[f"`{best['what']}`" if best["what"][:2] != "wc" else
          f"`wc -w` in {best['what'].split()[-1]}",
          *(f"{r['runs'][i]['MB_a_s']:.0f} MB/s "
            f"({three(r['runs'][i]['speed_to_wc'])})" for r in rows)]
         for i, best in enumerate(rows[0]["runs"])]) if rows else ""
    return f"{when(part)} In brackets, how many times as fast as the " \
           f"better `wc`.\n\n{text}"


def page_counting(part):
    rows = part["rows"]
    j = rows[0]["threads"]
    return f"{when(part)} All runs left the same rows.\n\n" + table(
        ["", "list-scan", "bit-scan", f"bit-scan, {j} threads",
         "times as fast", f"{j} threads", "ns an increment, 1 thread",
         f"{j} threads"],
        [[r["collection"], *(seconds(r[k]) for k in ("base_s", "one_s",
                                                      "all_s")),
          three(r["base_s"] / r["one_s"]), three(r["base_s"] / r["all_s"]),
          three(r["one_s"] * 1e9 / r["increments"]),
          three(r["all_s"] * 1e9 / r["increments"])] for r in rows])


def page_size(part):
    return table(
        ["", "increments", "pairs", "bytes a pair", "bytes a written pair",
         "bytes a pair with `--rows compact`"],
        [[r["collection"], short(r["increments"]), short(r["pairs"]),
          three(r["bytes"] / r["pairs"]), three(r["bytes"] / r["written"]),
          three(r["costly_bytes"] / r["pairs"])] for r in part["rows"]])


def page_large(part):
    r = part["rows"]
    rate = 60 * r["documents"] / r["wall_s"]
    return f"""{when(part)}

| | |
|---|--:|
| documents | {r['documents']:,} |
| their lengths: least, average, greatest | {r['minimum_length']}, \
{r['average_length']:.1f}, {r['maximum_length']:,} |
| standard deviation | {three(r['standard_deviation'])} |
| postings | {short(r['postings'])} |
| terms | {short(r['vocabulary'])} |
| increments | {short(r['increments'])} |
| distinct pairs | {r['pairs']:,} |
| wall time, threads: {r['threads']} | {seconds(r['wall_s'])} |
| CPU time | {seconds(r['cpu_s'])} |
| ns an increment | {three(r['wall_s'] * 1e9 / r['increments'])} |
| documents a minute | {three(rate)} |
| rows on disk | {in_bytes(r['bytes'])} |
| bytes a pair | {three(r['bytes'] / r['pairs'])} |
| peak memory | {megabytes(r['peak_MB'])} |
| `cooc check` | {seconds(r['check_s'])} |
"""


def page_memory(part):
    return f"{when(part)}\n\n" + table(
        ["", "`--memory`", "peak", "batches", "wall"],
        [[r["collection"], run["memory"] or "as it is",
          f"{run['peak_bytes'] / 2**20:,.0f} MiB",
          f"{run['batches']}", seconds(run["wall_s"])]
         for r in part["rows"] for run in r["runs"]], left=2)


def page_exports(part):
    told = part["rows"]
    return f"{when(part)} {told['collection'].capitalize()}; streams go to " \
        "/dev/null.\n\n" + table(
            ["`--format`", "entries", "bytes", "wall", "CPU",
             "million entries a second", "peak memory"],
            [[f"`{r['export']}`", short(r["entries"]), in_bytes(r["bytes"]),
              seconds(r["wall_s"]), seconds(r["cpu_s"]),
              three(r["entries"] / r["wall_s"] / 1e6),
              megabytes(r["peak_MB"])] for r in told["exports"]])


def page_ranking(part):
    rows = part["rows"]
    return f"{when(part)}\n\n" + table(
        ["`--by`", *(f"{r['collection']}, {short(r['pairs'])} pairs"
                     for r in rows)],
        [[by, *(seconds(r["wall_s"][by]) for r in rows)]
         for by in rows[0]["wall_s"]])


def side_by_side(rows, what, keys):
    """Lines of all collections, one beside the other, two cells of each."""
    lines = {}
    for r in rows:
        for cells in r[what]:
            lines.setdefault(tuple(map(int, cells[:keys])), {})[
                r["collection"]] = cells[keys:]
    return [[*(f"{k:,}" for k in key),
             *(f"{int(c):,}" if c.isdigit() else c for r in rows
               for c in found.get(r["collection"], ["", ""]))]
            for key, found in sorted(lines.items())]


def page_questions(part):
    rows = part["rows"]
    names = [r["collection"] for r in rows]
    return f"{when(part)}\n\nOpening:\n\n" + table(
        ["", "ms, median / 95th percentile"],
        [[r["collection"],
          " / ".join(three(float(us) / 1000)
                     for us in r["opening"].split("/"))] for r in rows]) \
        + "\nPairs:\n\n" + table(
            ["df", "df", *(f"{name}, {what}" for name in names
                           for what in ("first", "again"))],
            side_by_side(rows, "pairs", 2), left=0) \
        + "\nWhole rows:\n\n" + table(
            ["df", *(f"{name}{what}" for name in names
                     for what in (": partners", ""))],
            side_by_side(rows, "rows", 1), left=0)


def page_reference(part):
    told = part["rows"]
    return f"{when(part)} Best wall time of each; a ratio above 1 means that " \
        f"this version is faster than {told['commit']}.\n\n" + table(
            ["collection", "job", told["commit"], "this version", "ratio",
             "ratio of CPU time"],
            [[r["collection"], r["job"], seconds(r["reference_wall_s"]),
              seconds(r["this_wall_s"]),
              f"{r['reference_wall_s'] / r['this_wall_s']:.2f}",
              f"{r['reference_cpu_s'] / r['this_cpu_s']:.2f}"]
             for r in told["jobs"]], left=2)


PAGES = {"reading": ("reading", page_reading),
         "counting": ("counting", page_counting),
         "size": ("counting", page_size), "large": ("large", page_large),
         "memory": ("memory", page_memory),
         "exports": ("exports", page_exports),
         "ranking": ("ranking", page_ranking),
         "questions": ("questions", page_questions),
         "reference": ("reference", page_reference)}


def places(parts):
    """What goes where: name -> Markdown."""
    return {name: page(parts[part]) for name, (part, page) in PAGES.items()
            if part in parts}
