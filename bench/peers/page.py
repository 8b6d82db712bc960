"""page.py - the figures as Markdown, in docs/RESULTS.md, and as a drawing."""

import math
import os
import re
import subprocess

from measure import SRC
from plots import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, spread

PAGE = SRC + "/docs/RESULTS.md"
DRAWING = SRC + "/docs/figures/peers-time"
BEGIN, END = "<!-- peers:begin -->", "<!-- peers:end -->"
TEXT = "from text"


# ---- words -----------------------------------------------------------------

def seconds(s):
    return f"{s:,.0f} s" if s >= 100 else f"{s:.3g} s"


def amount(n):
    """Bytes, to three digits."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if n >= unit:
            return (f"{n / unit:,.0f}" if n >= 100 * unit
                    else f"{n / unit:.3g}") + " " + name
    return "0" if not n else f"{n / 1e3:.3g} KB"


def times(x):
    return f"{x:,.0f}" if x >= 10 else f"{x:.2g}"


def label(cell):
    return cell["peer"], cell["threads"]


def finished(cell):
    return "stopped" not in cell and "failed" not in cell


def out_of(cell):
    """What a peer had too little of: time, disk or memory."""
    if re.search("memory|alloc|SIGKILL", cell.get("failed", ""), re.I):
        return "memory"
    return cell.get("stopped")


def limit_of(cell, told):
    return told["sizes"][str(cell["documents"])]["limit_s"]


def limits(told):
    """Seconds that those had who were ended; if none was, that all had."""
    late = {limit_of(c, told) for c in told["cells"] if out_of(c) == "time"}
    return sorted(late or {f["limit_s"] for f in told["sizes"].values()})


def product_bytes(cell, told):
    """What A'A takes that has every pair twice, and all terms."""
    facts = told["sizes"][str(cell["documents"])]
    entries = 2 * facts["pairs"] + facts["terms"]
    wide = "GraphBLAS" in cell["peer"] or entries >= 2 ** 31
    return entries, entries * (12 if wide else 8)


def stop(cell, told):
    """Why there is nothing more to tell of a peer."""
    at = f"{cell['documents']:,} documents"
    if out_of(cell) == "time":
        return f"{at}: over {limit_of(cell, told):g} s"
    if out_of(cell) == "disk":
        return f"{at}: disk full after {amount(cell['tmp_bytes'])}"
    if out_of(cell) == "memory":
        words = f"{at}: out of memory"
        if "in blocks" not in cell["peer"] and \
                re.search("scipy|A'A", cell["peer"]):
            entries, need = product_bytes(cell, told)
            words += f"; the product has {entries / 1e6:,.0f} M entries, " \
                     f"{amount(need)}"
        return words
    return f"{at}: {cell['failed'].splitlines()[-1]}"


def lines_of(told):
    """Name and threads -> cells, by size."""
    lines = {}
    for cell in told["cells"]:
        lines.setdefault(label(cell), []).append(cell)
    return lines


def ours(told, cell):
    """The cell of cooc that one is compared with: as many threads."""
    name = "cooc count" + (f", {TEXT}" if TEXT in cell["peer"] else "")
    return next(c for c in told["cells"] if finished(c)
                and c["documents"] == cell["documents"]
                and label(c) == (name, cell["threads"]))


# ---- tables ----------------------------------------------------------------

def markdown(head, rows):
    text = "| " + " | ".join(head) + " |\n|---" + "|--:" * (len(head) - 2) \
        + "|---|\n"
    for row in rows:
        text += "| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n"
    return text


def table_of_last(told):
    """Each at the largest size that it did, and where it stops."""
    rows = []
    for (name, threads), cells in lines_of(told).items():
        done = [c for c in cells if finished(c)]
        if not done:
            rows.append([name, str(threads)] + [""] * 8
                        + [stop(cells[-1], told)])
            continue
        c = done[-1]
        rows.append([
            name, str(threads), f"{c['documents']:,}", seconds(c["wall_s"]),
            seconds(c["product_s"]) if "product_s" in c else "",
            seconds(c["cpu_s"]), amount(c["peak_bytes"]) if c["peak_bytes"]
            else "",            # over before it was looked at
            amount(c["tmp_bytes"]), amount(c["result_bytes"]),
            times(c["wall_s"] / ours(told, c)["wall_s"]),
            "" if finished(cells[-1]) else stop(cells[-1], told)])
    return markdown(["", "threads", "largest size done", "time",
                     "product alone", "CPU", "peak memory", "temporary disk",
                     "result", "times cooc", "where it stops"], rows)


def table_of_sizes(told):
    """Time and memory at every size."""
    rows = []
    for (name, threads), cells in lines_of(told).items():
        row = [name, str(threads)]
        for size in told["sizes"]:
            cell = next((c for c in cells
                         if c["documents"] == int(size)), None)
            if cell is None:
                row.append("")
            elif finished(cell):
                ratio = cell["wall_s"] / ours(told, cell)["wall_s"]
                row.append(f"{seconds(cell['wall_s'])}, "
                           f"{amount(cell['peak_bytes'])}, {times(ratio)}")
            else:
                row.append({"time": f"over {limit_of(cell, told):g} s",
                            "disk": "no disk", "memory": "no memory",
                            None: "failed"}[out_of(cell)])
        rows.append(row)
    head = ["", "threads"] + [f"{int(n):,}" for n in told["sizes"]]
    return markdown(head, rows).replace("|---|\n", "|--:|\n", 1)


def table_of_collections(told):
    what = ("documents", "terms", "postings", "increments", "pairs")
    rows = [[f"{int(n):,}"] + [f"{f[k]:,}" for k in what[1:]]
            for n, f in told["sizes"].items()]
    return markdown(what, rows).replace("|---|\n", "|--:|\n", 1)


def settings(told):
    """What each ran with."""
    versions = {}
    for c in told["cells"]:
        if "version" in c:
            versions.setdefault(c["key"], c["version"])
    text = ""
    for key, words in told["words"].items():
        text += f"- {told['versions'].get(key) or versions.get(key, key)}: " \
                f"{words}.\n"
    return text


def show(told):
    """All of it, as Markdown."""
    rows = [c for c in told["cells"] if c.get("every_row")]
    smallest = f"{min(map(int, told['sizes'])):,}"
    same = sum(map(finished, told["cells"]))
    return f"""Machine: {told['machine']}; {told['time']}. Each alone on
it, one run, of those under 5 s the best of three; at most
{' or '.join(f'{s:g}' for s in limits(told))} s and {amount(told['memory_bytes'])} of memory; in all {told['minutes']:.0f} minutes.

{table_of_last(told)}
Time, peak memory and times cooc at each size:

{table_of_sizes(told)}
All {same} results have the same number of pairs, sum of counts and checksum
over (term, term, count); at {smallest} documents {len(rows)} were compared with cooc's
row by row.

{table_of_collections(told)}
{settings(told)}{''.join(f'- {why}{chr(10)}' for why in told['absent'])}"""


def update_page(told):
    draw(told)
    with open(PAGE) as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    name = os.path.relpath(DRAWING, os.path.dirname(PAGE))
    with open(PAGE, "w") as f:
        f.write(f"{before}{BEGIN}\n{show(told)}\n![Time against the number of "
                f"documents]({name}.svg)\n\n(time), (memory), (disk): what the "
                f"next size had too little of.\n{END}{after}")


# ---- the drawing -----------------------------------------------------------

SCRIPT = """set output '{name}'
set encoding utf8
set logscale xy
set xrange [{left}:{right}]
set yrange [{low}:{high}]
set xtics ({xtics})
set ytics ({ytics})
set xlabel 'documents'
set ylabel 'seconds, result on disk' offset 1
set title 'Counting all pairs: the whole program'
set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.5
set border 3
set tics nomirror out
set rmargin 38
unset key
{labels}
{data}
plot {plots}
"""


FAMILIES = {"cooc": BLACK, "scipy": BLUE, "scikit-learn": BLUE,
            "GraphBLAS": GREEN, "DuckDB": ORANGE, "SQLite": PURPLE}
DASHES = ("solid", "(12,6)", "(4,4)", "(14,4,2,4)")
MARKS = (7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 14)


def colour_of(name):
    """One colour per program."""
    return next((c for start, c in FAMILIES.items() if name.startswith(start)),
                RED)


def drawn(told):
    """The lines of the drawing: all cores, or the one it can use; and what
    a peer had too little of for the next size."""
    for (name, threads), cells in lines_of(told).items():
        done = [c for c in cells if finished(c)]
        alone = not any(n == name and t > threads for n, t in lines_of(told))
        if done and alone and "--memory" not in name:
            why = "" if finished(cells[-1]) else \
                out_of(cells[-1]) or "failed"
            many = f", {threads} threads" if threads > 1 else ""
            yield name + many, why, sorted((c["documents"], c["wall_s"])
                                           for c in done)


def names_of(lines, right, low, high):
    """Labels beside the drawing: where a line ends there, a stroke leads to
    it; where it stops before, a letter stands at its end."""
    gap = math.log10(high / low) * 0.036
    whole = [line for line in lines if not line[1]]
    short = [line for line in lines if line[1]]
    at = spread([math.log10(p[-1][1]) for _, _, p in whole], gap,
                math.log10(low), math.log10(high))
    for (name, _, points), y in zip(whole, at):
        yield (f"set label \"{name}\" at {right * 1.6},{10 ** y} left "
               f"noenhanced textcolor rgb '{colour_of(name)}'")
        yield (f"set arrow from {points[-1][0] * 1.04},{points[-1][1]} to "
               f"{right * 1.52},{10 ** y} nohead back lw 0.7 "
               "lc rgb '#999999'")
    below = min([*at, math.log10(high)]) - 2 * gap
    short.sort(key=lambda line: (line[2][-1][0], -line[2][-1][1]))
    for i, (name, why, points) in enumerate(short):
        x = points[-1][0]
        ends = [math.log10(p[-1][1]) for _, _, p in short if p[-1][0] == x]
        y = dict(zip(sorted(ends), spread(
            sorted(ends), gap, math.log10(low), math.log10(high))))[
                math.log10(points[-1][1])]
        letter = chr(ord("A") + i)
        yield (f"set label \"{letter}\" at {x * 1.07},{1.12 * 10 ** y} left "
               f"front font ',14' textcolor rgb '{colour_of(name)}'")
        yield (f"set label \"{letter}   {name} ({why})\" at "
               f"{right * 1.6},{10 ** (below - i * gap)} left noenhanced "
               f"textcolor rgb '{colour_of(name)}'")


def draw(told):
    """Write the drawing as SVG and PNG."""
    lines = sorted(drawn(told), key=lambda line: line[2][-1][1])
    xs = [x for _, _, points in lines for x, _ in points]
    ys = [y for _, _, points in lines for _, y in points]
    low = min(ys) / 2
    high = 10 ** math.ceil(math.log10(max(ys + limits(told))))
    labels, data, plots = list(names_of(lines, max(xs), low, high)), "", []
    for limit in limits(told):
        labels.append(f"set arrow from graph 0,first {limit} to graph 1,"
                      f"first {limit} nohead back lw 0.7 dt 3")
        labels.append(f"set label \"{limit:g} s: given up\" at graph 0.02,"
                      f"first {limit * 1.2} left")
    for i, (name, _, points) in enumerate(lines):
        data += f"$line{i} << END\n" + "".join(
            f"{x} {y}\n" for x, y in points) + "END\n"
        colour = colour_of(name)
        same = [n for n, _, _ in lines if colour_of(n) == colour]
        wide = 3 if colour == BLACK else 1.8
        plots.append(f"$line{i} with linespoints lc rgb '{colour}' lw {wide} "
                     f"dt {DASHES[same.index(name) % len(DASHES)]} "
                     f"pt {MARKS[i % len(MARKS)]} ps 0.9")
    script = dict(
        left=min(xs) / 1.3, right=max(xs) * 1.5, low=low, high=high,
        xtics=", ".join(f"'{int(n):,}' {n}" for n in told["sizes"]),
        ytics=", ".join(f"'{10.0 ** e:,g}' {10.0 ** e}" for e in range(
            math.ceil(math.log10(low)), round(math.log10(high)) + 1)),
        labels="\n".join(labels), data=data,
        plots=", \\\n    ".join(plots))
    os.makedirs(os.path.dirname(DRAWING), exist_ok=True)
    for kind, terminal in (("svg", "svg size 900,640 font 'Helvetica,12' "
                            "background '#ffffff'"),
                           ("png", "pngcairo size 1350,960 font 'Sans,12' "
                            "fontscale 1.35 background '#ffffff'")):
        text = f"set terminal {terminal}\n" + SCRIPT.format(
            name=f"{DRAWING}.{kind}", **script)
        subprocess.run(["gnuplot"], input=text.encode(), check=True)
