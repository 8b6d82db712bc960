"""speed_plot.py - draw the comparison with a reference build, as SVG and PNG.

Each job has one bar per collection: how many times as fast it is as with the
reference build.  The colours are those of the other figures.
"""

import shutil

from plots import BLUE, FONT, GREEN, GREY, ORANGE, gnuplot

JOBS = {"text to counted store, defaults": "text to store, defaults",
        "text to counted store, full rows": "text to store, full rows",
        "index, 1 thread": "index, 1 thread", "index": "index",
        "count, full rows": "count, full rows",
        "count, compact rows": "count, compact rows",
        "check, full rows": "check",
        "export npz of 20,000 terms, full rows": "export npz",
        "export npz of 20,000 terms by npmi, full rows": "export npz, npmi",
        "export glove of 20,000 terms, full rows": "export glove",
        "a million pairs by llr, full rows": "a million pairs by llr",
        "top, df about 2,000, full rows": "top, new process"}
COLOURS = (BLUE, ORANGE, GREEN)
LEFT, RIGHT, TOP, BOTTOM, BAR = 220, 60, 70, 55, 12     # pixels


def bars(rows):
    """[(label, [ratio per collection])], and the names of the collections."""
    names = list(dict.fromkeys(r["collection"] for r in rows["jobs"]))
    found = {(r["job"], r["collection"]):
             r["reference_wall_s"] / r["this_wall_s"] for r in rows["jobs"]}
    return [(label, [found[job, name] for name in names])
            for job, label in JOBS.items()
            if all((job, name) in found for name in names)], names


def script(rows):
    groups, names = bars(rows)
    pitch = BAR * len(names) + 14
    page = 900, TOP + BOTTOM + pitch * len(groups)
    high = max(v for _, values in groups for v in values) * 1.08
    yield page
    for side, v in (("l", LEFT / page[0]), ("r", 1 - RIGHT / page[0]),
                    ("b", BOTTOM / page[1]), ("t", 1 - TOP / page[1])):
        yield f"set {side}margin at screen {v:.5f}"
    yield f"set xrange [0:{high:g}]\nset yrange [{len(groups) * pitch}:0]"
    yield "set border 0\nunset key\nset tics scale 0 nomirror"
    yield "set grid xtics lt 1 lw 0.7 lc rgb '#dddddd'"
    yield 'set xtics format "%g×"'
    yield f'set xlabel "Speed relative to commit {rows["commit"]}"'
    yield "set ytics (" + ", ".join(
        f'"{label}" {(i + 0.5) * pitch}'
        for i, (label, _) in enumerate(groups)) + ")"
    yield (f"set arrow from 1,graph 0 to 1,graph 1 nohead lw 1.2 "
           f"lc rgb '{GREY}' front")
    for k, name in enumerate(names):    # the key, above the bars
        x, y = 20 + k * 290, page[1] - TOP / 2
        yield (f'set label "{{/:Bold ■}} {name}" at screen '
               f"{x / page[0]:.5f},{y / page[1]:.5f} left "
               f"textcolor rgb '{COLOURS[k % 3]}'")
    for i, (_, values) in enumerate(groups):
        for k, v in enumerate(values):
            low = i * pitch + 7 + k * BAR
            yield (f"set object rectangle from 0,{low} to {v:g},"
                   f"{low + BAR - 2} fc rgb '{COLOURS[k % 3]}' "
                   "fillstyle solid noborder")
            yield (f'set label "{v:.1f}" at {v:g},{low + BAR / 2 - 1} '
                   f"offset 0.4,0 left font ',{FONT * 0.5:g}' "
                   f"textcolor rgb '{GREY}'")
    yield "plot NaN notitle"


def draw(parts, folder):
    if "reference" not in parts:
        return
    if not shutil.which("gnuplot"):
        print("Skipping the figure: gnuplot is not installed.")
        return
    page, *lines = script(parts["reference"]["rows"])
    gnuplot(folder + "/speed-ratio", page, "\n".join(lines))
