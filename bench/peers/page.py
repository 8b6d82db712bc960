"""page.py - the measurements as Markdown in docs/RESULTS.md and as a figure."""

import math
import os
import re
import subprocess

from measure import SRC
from plots import BLACK, BLUE, FONT, GREEN, GREY, ORANGE, PURPLE, RED, \
    SCALE, spread

PAGE = SRC + "/docs/RESULTS.md"
DRAWING = SRC + "/docs/figures/peers-time"
BEGIN, END = "<!-- peers:begin -->", "<!-- peers:end -->"
TEXT = "from text"


# ---- text ------------------------------------------------------------------

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
    """The resource that a peer ran out of: time, disk or memory."""
    if re.search("memory|alloc|SIGKILL", cell.get("failed", ""), re.I):
        return "memory"
    return cell.get("stopped")


def limit_of(cell, report):
    return report["sizes"][str(cell["documents"])]["limit_s"]


def limits(report):
    """The time limits of stopped runs; of all runs if none was stopped."""
    late = {limit_of(c, report) for c in report["cells"] if out_of(c) == "time"}
    return sorted(late or {f["limit_s"] for f in report["sizes"].values()})


def product_bytes(cell, report):
    """Entries and bytes of the full product A'A: every pair twice, and the
    diagonal."""
    facts = report["sizes"][str(cell["documents"])]
    entries = 2 * facts["pairs"] + facts["terms"]
    wide = "GraphBLAS" in cell["peer"] or entries >= 2 ** 31
    return entries, entries * (12 if wide else 8)


def stop(cell, report):
    """Why a peer was not measured with more documents."""
    at = f"{cell['documents']:,} documents"
    if out_of(cell) == "time":
        return f"{at}: over {limit_of(cell, report):g} s"
    if out_of(cell) == "disk":
        return f"{at}: disk full after {amount(cell['tmp_bytes'])}"
    if out_of(cell) == "memory":
        words = f"{at}: out of memory"
        if "in blocks" not in cell["peer"] and \
                re.search("scipy|A'A", cell["peer"]):
            entries, need = product_bytes(cell, report)
            words += f"; the product has {entries / 1e6:,.0f} M entries, " \
                     f"{amount(need)}"
        return words
    return f"{at}: {cell['failed'].splitlines()[-1]}"


def lines_of(report):
    """(name, threads) -> cells, in order of size."""
    lines = {}
    for cell in report["cells"]:
        lines.setdefault(label(cell), []).append(cell)
    return lines


def ours(report, cell):
    """The cell of cooc with the same documents and number of threads."""
    name = "cooc count" + (f", {TEXT}" if TEXT in cell["peer"] else "")
    return next(c for c in report["cells"] if finished(c)
                and c["documents"] == cell["documents"]
                and label(c) == (name, cell["threads"]))


# ---- tables ----------------------------------------------------------------

def markdown(head, rows):
    text = "| " + " | ".join(head) + " |\n|---" + "|--:" * (len(head) - 2) \
        + "|---|\n"
    for row in rows:
        text += "| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n"
    return text


def table_of_last(report):
    """Each peer at the largest size that it finished, and its limit."""
    rows = []
    for (name, threads), cells in lines_of(report).items():
        done = [c for c in cells if finished(c)]
        if not done:
            rows.append([name, str(threads)] + [""] * 8
                        + [stop(cells[-1], report)])
            continue
        c = done[-1]
        rows.append([
            name, str(threads), f"{c['documents']:,}", seconds(c["wall_s"]),
            seconds(c["product_s"]) if "product_s" in c else "",
            seconds(c["cpu_s"]), amount(c["peak_bytes"]) if c["peak_bytes"]
            else "",            # ended before the first sample
            amount(c["tmp_bytes"]), amount(c["result_bytes"]),
            times(c["wall_s"] / ours(report, c)["wall_s"]),
            "" if finished(cells[-1]) else stop(cells[-1], report)])
    return markdown(["", "threads", "most documents finished", "wall time",
                     "product alone", "CPU time", "peak memory",
                     "temporary files", "size of result",
                     "time relative to cooc", "limit reached at"], rows)


def table_of_sizes(report):
    """Wall time, peak memory and time relative to cooc at every size."""
    rows = []
    for (name, threads), cells in lines_of(report).items():
        row = [name, str(threads)]
        for size in report["sizes"]:
            cell = next((c for c in cells
                         if c["documents"] == int(size)), None)
            if cell is None:
                row.append("")
            elif finished(cell):
                ratio = cell["wall_s"] / ours(report, cell)["wall_s"]
                row.append(f"{seconds(cell['wall_s'])}, "
                           f"{amount(cell['peak_bytes'])}, {times(ratio)}")
            else:
                row.append({"time": f"over {limit_of(cell, report):g} s",
                            "disk": "disk full", "memory": "out of memory",
                            None: "failed"}[out_of(cell)])
        rows.append(row)
    head = ["", "threads"] + [f"{int(n):,}" for n in report["sizes"]]
    return markdown(head, rows).replace("|---|\n", "|--:|\n", 1)


def table_of_collections(report):
    what = ("documents", "terms", "postings", "increments", "pairs")
    rows = [[f"{int(n):,}"] + [f"{f[k]:,}" for k in what[1:]]
            for n, f in report["sizes"].items()]
    return markdown(what, rows).replace("|---|\n", "|--:|\n", 1)


def settings(report):
    """Version and settings of each program."""
    versions = {}
    for c in report["cells"]:
        if "version" in c:
            versions.setdefault(c["key"], c["version"])
    text = ""
    for key, words in report["words"].items():
        text += f"- {report['versions'].get(key) or versions.get(key, key)}: " \
                f"{words}.\n"
    return text


def show(report):
    """All tables as Markdown."""
    rows = [c for c in report["cells"] if c.get("every_row")]
    smallest = f"{min(map(int, report['sizes'])):,}"
    same = sum(map(finished, report["cells"]))
    seconds_each = " or ".join(f"{s:g}" for s in limits(report))
    return f"""Machine: {report['machine']}.
Measured on {report['time']} in {report['minutes']:.0f} minutes.
Each program ran alone: once, or three times if it took less than 5 s. The best time is
shown. A run may take
at most {seconds_each} s and {amount(report['memory_bytes'])} of memory.

{table_of_last(report)}
Wall time, peak memory and time relative to cooc, by number of documents:

{table_of_sizes(report)}
All {same} results agree in the number of pairs, the sum of counts and a
checksum over (term, term, count). At {smallest} documents, {len(rows)} results
were also compared with cooc's row by row.

Size of the collections:

{table_of_collections(report)}
Versions and settings:

{settings(report)}{''.join(f'- {why}{chr(10)}' for why in report['absent'])}"""


def update_page(report):
    draw(report)
    with open(PAGE) as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    name = os.path.relpath(DRAWING, os.path.dirname(PAGE))
    with open(PAGE, "w") as f:
        f.write(f"{before}{BEGIN}\n{show(report)}\n![Wall time against the "
                f"number of documents, by program]({name}.svg)\n\nIn the "
                "figure, the word in parentheses (*time*, *memory* or "
                "*disk*) is the limit that\nthe program exceeded at the "
                "next size.\n"
                f"{END}{after}")


# ---- the figure ------------------------------------------------------------

PAGE_SIZE = 1060, 660       # pixels, at scale 1
EDGES = 85, 650, 70, 610    # of the plot: left, right, bottom, top
SCRIPT = """set output '{name}'
set encoding utf8
set logscale xy
set lmargin at screen {screen[0]:.5f}
set rmargin at screen {screen[1]:.5f}
set bmargin at screen {screen[2]:.5f}
set tmargin at screen {screen[3]:.5f}
set xrange [{left}:{right}]
set yrange [{low}:{high}]
set xtics ({xtics}) nomirror
set ytics ({ytics}) nomirror
set xlabel 'Documents'
set ylabel 'Wall time (s)' offset 0.5
set label "{{/:Bold Time to count all pairs, whole program}}" \\
    at graph 0,graph 1.045 left
set grid xtics ytics lt 1 lw 0.7 lc rgb '#dddddd'
set border 3 lw 0.8
set tics scale 0.8,0.4
unset key
{labels}
{data}
plot {plots}
"""


FAMILIES = {"cooc": BLACK, "scipy": BLUE, "scikit-learn": BLUE,
            "GraphBLAS": GREEN, "DuckDB": ORANGE, "ClickHouse": RED,
            "SQLite": PURPLE}
DASHES = ("solid", "(12,6)", "(4,4)", "(14,4,2,4)")
MARKS = (7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 14)


def colour_of(name):
    """One colour per program."""
    return next((c for start, c in FAMILIES.items() if name.startswith(start)),
                RED)


def drawn(report):
    """Yield the lines of the figure, each with the largest number of threads
    measured: name, what it ran out of at the next size, points."""
    for (name, threads), cells in lines_of(report).items():
        done = [c for c in cells if finished(c)]
        alone = not any(n == name and t > threads for n, t in lines_of(report))
        if done and alone and "--memory" not in name:
            why = "" if finished(cells[-1]) else \
                out_of(cells[-1]) or "failed"
            many = f", {threads} threads" if threads > 1 else ""
            yield name + many, why, sorted((c["documents"], c["wall_s"])
                                           for c in done)


def names_of(lines, right, low, high):
    """Labels to the right of the figure.  A thin line connects a label with
    a line that reaches the right edge; a line that ends before it has a
    letter at its end."""
    gap = math.log10(high / low) * 0.038
    whole = [line for line in lines if not line[1]]
    short = [line for line in lines if line[1]]
    at = spread([math.log10(p[-1][1]) for _, _, p in whole], gap,
                math.log10(low), math.log10(high))
    for (name, _, points), y in zip(whole, at):
        bold = "{/:Bold %s}" if colour_of(name) == BLACK else "%s"
        yield (f"set label \"{bold % name}\" at {right * 1.75},{10 ** y} left "
               f"textcolor rgb '{colour_of(name)}'")
        yield (f"set arrow from {points[-1][0] * 1.06},{points[-1][1]} to "
               f"{right * 1.68},{10 ** y} nohead back lw 0.6 "
               "lc rgb '#777777'")
    below = min([*at, math.log10(high)]) - 2.2 * gap
    if short:
        yield (f"set label \"{{/:Italic Stopped at a limit:}}\" at "
               f"{right * 1.75},{10 ** below} left textcolor rgb '{GREY}'")
        below -= 1.2 * gap
    short.sort(key=lambda line: (line[2][-1][0], -line[2][-1][1]))
    for i, (name, why, points) in enumerate(short):
        x = points[-1][0]
        ends = [math.log10(p[-1][1]) for _, _, p in short if p[-1][0] == x]
        y = dict(zip(sorted(ends), spread(
            sorted(ends), gap, math.log10(low), math.log10(high))))[
                math.log10(points[-1][1])]
        letter = chr(ord("A") + i)
        yield (f"set label \"{{/:Bold {letter}}}\" at {x * 1.08},"
               f"{1.1 * 10 ** y} left front "
               f"textcolor rgb '{colour_of(name)}'")
        yield (f"set label \"{{/:Bold {letter}}}\" at {right * 1.75},"
               f"{10 ** (below - i * gap)} left "
               f"textcolor rgb '{colour_of(name)}'")
        yield (f"set label \"{name} ({why})\" at {right * 2.05},"
               f"{10 ** (below - i * gap)} left noenhanced "
               f"textcolor rgb '{colour_of(name)}'")


def draw(report):
    """Write the figure as SVG and PNG."""
    lines = sorted(drawn(report), key=lambda line: line[2][-1][1])
    xs = [x for _, _, points in lines for x, _ in points]
    ys = [y for _, _, points in lines for _, y in points]
    low = min(ys) / 2
    high = 10 ** math.ceil(math.log10(max(ys + limits(report))))
    labels, data, plots = list(names_of(lines, max(xs), low, high)), "", []
    for limit in limits(report):
        labels.append(f"set arrow from graph 0,first {limit} to graph 1,"
                      f"first {limit} nohead back lw 1 dt (5,4) "
                      f"lc rgb '{GREY}'")
        labels.append(f"set label \"time limit: {limit:g} s\" at graph 0.02,"
                      f"first {limit * 1.2} left textcolor rgb '{GREY}'")
    for i, (name, _, points) in enumerate(lines):
        data += f"$line{i} << END\n" + "".join(
            f"{x} {y}\n" for x, y in points) + "END\n"
        colour = colour_of(name)
        same = [n for n, _, _ in lines if colour_of(n) == colour]
        wide = 3.2 if colour == BLACK else 2
        plots.append(f"$line{i} with linespoints lc rgb '{colour}' lw {wide} "
                     f"dt {DASHES[same.index(name) % len(DASHES)]} "
                     f"pt {MARKS[i % len(MARKS)]} ps 1.1")
    script = dict(
        screen=[edge / PAGE_SIZE[i // 2] for i, edge in enumerate(EDGES)],
        left=min(xs) / 1.25, right=max(xs) * 1.25, low=low, high=high,
        xtics=", ".join(f"'{int(n):,}' {n}" for n in report["sizes"]),
        ytics=", ".join(f"'{10.0 ** e:,g}' {10.0 ** e}" for e in range(
            math.ceil(math.log10(low)), round(math.log10(high)) + 1)),
        labels="\n".join(labels), data=data,
        plots=", \\\n    ".join(plots))
    os.makedirs(os.path.dirname(DRAWING), exist_ok=True)
    wide, tall = PAGE_SIZE
    for kind, terminal in (
            ("svg", f"svg size {wide},{tall} enhanced font 'Arial,{FONT}' "
                    "background 'white'"),
            ("png", f"pngcairo size {wide * SCALE},{tall * SCALE} enhanced "
                    f"font 'DejaVu Sans,{FONT * 0.70:g}' fontscale {SCALE} "
                    f"linewidth {SCALE} pointscale {SCALE} "
                    "background 'white'")):
        text = f"set terminal {terminal}\n" + SCRIPT.format(
            name=f"{DRAWING}.{kind}", **script)
        subprocess.run(["gnuplot"], input=text.encode(), check=True)
