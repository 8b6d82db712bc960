"""plots.py - draw the figures with gnuplot, as SVG and PNG.

Each method has the same colour, dash pattern and marker in every figure, and
its name at the end of its line.  The colours are those of Okabe and Ito, which
colour-blind readers can distinguish; two are darker, so that names are
legible.  Dashes and markers are sufficient without colours.
"""

import math
import shutil
import subprocess

from cells import OURS

BLACK, BLUE, GREEN = "#000000", "#0072B2", "#009E73"
ORANGE, RED, PURPLE = "#C27C00", "#D55E00", "#B0588A"
# Width, dash, marker, colour of each line; our method has heavy lines.
STYLE = {"naive": (2, "(2,3)", 10, ORANGE),
         "list-pairs": (2, "(12,6)", 4, PURPLE),
         "multi-scan": (2, "(14,4,2,4)", 8, GREEN),
         "list-blocks": (2, "(6,3)", 12, RED),
         "list-scan": (2, "solid", 6, BLUE), OURS: (3.2, "solid", 7, BLACK)}
ALL_CORES = (3.2, "(4,3)", 5, BLACK)
FONT = 15           # pixels, at scale 1
SCALE = 2           # scale of the PNG
GREY = "#555555"
# Times and memory stated in the paper: documents, seconds or MB, label.
STATED = {"wall_s": [(10000, 7200, "naive, almost 2 h"),
                     (31623, 3600, "list-pairs, multi-scan, over 1 h"),
                     (100000, 1800, "list-blocks, list-scan, 1/2 h")],
          "peak_MB": [(10000, 200000, "naive, over 200 GB")]}


def style(name):
    return STYLE.get(name, ALL_CORES)


def plain(v):
    """1,000 or 0.01."""
    return f"{v:,.0f}" if v >= 1 else f"{v:g}"


def decades(low, high):
    """The powers of ten from at most low to at least high."""
    return [10.0 ** e for e in range(math.floor(math.log10(low) + 1e-9),
                                     math.ceil(math.log10(high) - 1e-9) + 1)]


def spread(wanted, gap, low, high):
    """Positions close to the wanted ones, ascending, at least gap apart."""
    groups = []     # [members, position of the first]
    for w in sorted(wanted):
        groups.append([[w], w])
        while len(groups) > 1 and groups[-1][1] < \
                groups[-2][1] + gap * len(groups[-2][0]):
            last = groups.pop()
            groups[-1][0] += last[0]
            members = groups[-1][0]
            groups[-1][1] = sum(m - i * gap for i, m in
                                enumerate(members)) / len(members)
    places = []
    for members, first in groups:
        first = min(max(first, low), high - gap * (len(members) - 1))
        if places:
            first = max(first, places[-1] + gap)
        places += [first + i * gap for i in range(len(members))]
    return places


class Panel:
    """One plot: lines (name -> points) on logarithmic axes.

    Its edges are in pixels from the left and the bottom of the page.
    """

    def __init__(self, lines, left, right, bottom, top):
        self.lines = {k: p for k, p in lines.items() if p}
        self.left, self.right, self.bottom, self.top = left, right, bottom, top
        xs = [x for p in self.lines.values() for x, _ in p]
        self.xlow, self.xhigh = min(xs), max(xs)
        if self.xlow == self.xhigh:
            self.xhigh *= 10
        self.xticks, self.xminor = decades(self.xlow, self.xhigh), None
        self.pitch, self.stated, self.limit = FONT * 1.1, [], None

    def range_y(self, low, high):
        self.ylow, self.yhigh = low / 1.6, high * 1.6
        self.yticks = [y for y in decades(self.ylow, self.yhigh)
                       if self.ylow <= y <= self.yhigh]

    def pixel_y(self, y):
        share = math.log10(y / self.ylow) / math.log10(self.yhigh / self.ylow)
        return self.bottom + share * (self.top - self.bottom)

    def pixel_x(self, x):
        # a margin of 3 % on both sides
        low, high = math.log10(self.xlow), math.log10(self.xhigh)
        edge = 0.03 * (high - low)
        return self.left + (math.log10(x) - low + edge) / \
            (high - low + 2 * edge) * (self.right - self.left)

    def ends(self):
        """(name, x, y) of the last point of each line, in pixels."""
        return sorted(((name, self.pixel_x(p[-1][0]), self.pixel_y(p[-1][1]))
                       for name, p in self.lines.items()),
                      key=lambda end: end[2])

    def ink(self):
        """Points on all lines, for placing labels."""
        if self.limit:
            yield from ((x, self.pixel_y(self.limit)) for x in
                        range(int(self.left), int(self.right), FONT))
        for points in self.lines.values():
            at = [(self.pixel_x(x), self.pixel_y(y)) for x, y in points]
            yield from at
            for (x1, y1), (x2, y2) in zip(at, at[1:]):
                yield from ((x1 + (x2 - x1) * k / 50, y1 + (y2 - y1) * k / 50)
                            for k in range(50))

    def names(self):
        """Yield (name, end of its line, position of the label).

        Labels are to the right of the panel, moved apart; the label of a line
        that ends within the panel is placed where it overlaps least.
        """
        last = [e for e in self.ends() if e[1] >= self.pixel_x(self.xhigh)]
        places = spread([y for _, _, y in last], self.pitch,
                        self.bottom + FONT / 2, self.top - FONT / 2)
        for (name, x, y), place in zip(last, places):
            yield name, (x, y), (self.right + FONT * 1.3, place)
        ink, taken = list(self.ink()), []
        for name, x, y in self.ends():
            if x >= self.pixel_x(self.xhigh):
                continue
            wide, high = 0.6 * FONT * len(name), FONT * 0.6

            def trouble(at):
                box = at[0] - 3, at[0] + wide, at[1] - high, at[1] + high
                return sum(box[0] < px < box[1] and box[2] < py < box[3]
                           for px, py in ink) + sum(
                    50 for other in taken
                    if box[0] < other[1] and other[0] < box[1]
                    and box[2] < other[3] and other[2] < box[3]) + \
                    100 * (box[0] < self.left + 4 or box[3] > self.top
                           or box[1] > self.right + 80)

            at = min(((x + dx * FONT if dx > 0 else x - wide * -dx,
                       y + dy * FONT)
                      for dx, dy in ((1.3, 0), (1.3, 0.6), (1.3, -0.6),
                                     (-0.5, 1.3), (-0.9, 1.1), (1.0, 1.3),
                                     (-0.5, 2.3), (-0.9, 2.1), (1.0, 2.3),
                                     (-1.1, 0), (1.0, -1.3))),
                     key=trouble)
            taken.append((at[0], at[0] + wide, at[1] - high, at[1] + high))
            yield name, (x, y), at

    def write_names(self, page):
        for name, (x, y), (to, place) in self.names():
            if to > x + FONT:
                yield (f"set arrow from screen {(x + 7) / page[0]:.5f},"
                       f"{y / page[1]:.5f} to screen "
                       f"{(to - 3) / page[0]:.5f},{place / page[1]:.5f} "
                       "nohead lw 0.6 lc rgb '#777777'")
            elif place > y + FONT:      # the label is above the point
                yield (f"set arrow from screen {x / page[0]:.5f},"
                       f"{(y + 9) / page[1]:.5f} to screen "
                       f"{x / page[0]:.5f},"
                       f"{(place - FONT * 0.6) / page[1]:.5f} "
                       "nohead lw 0.6 lc rgb '#777777'")
            weight = f"{{/:Bold {name}}}" if style(name)[0] > 3 else name
            yield (f"set label \"{weight}\" at screen "
                   f"{to / page[0]:.5f},{place / page[1]:.5f} left front "
                   f"textcolor rgb '{style(name)[3]}'")

    def script(self, page, title, xlabel, ylabel):
        low, high = math.log10(self.xlow), math.log10(self.xhigh)
        edge = 10 ** (0.03 * (high - low))
        for side, v in (("l", self.left / page[0]),
                        ("r", self.right / page[0]),
                        ("b", self.bottom / page[1]),
                        ("t", self.top / page[1])):
            yield f"set {side}margin at screen {v:.5f}"
        yield "unset label\nunset arrow"
        yield f"set xrange [{self.xlow / edge:g}:{self.xhigh * edge:g}]"
        yield f"set yrange [{self.ylow:g}:{self.yhigh:g}]"
        for axis, ticks, minor in (("x", self.xticks, self.xminor),
                                   ("y", self.yticks, None)):
            minor = minor or [v * k for k in range(2, 10) for v in
                              decades(ticks[0] / 10, ticks[-1])]
            yield f"set {axis}tics (" + ", ".join(
                [f'"{plain(v)}" {v:g}' for v in ticks]
                + [f'"" {v:g} 1' for v in minor]) + ") nomirror"
        yield f'set xlabel "{xlabel}"'
        # A label, because gnuplot drops an axis label that seems too wide.
        yield (f'set label "{ylabel}" at screen '
               f"{(self.left - 5 * FONT) / page[0]:.5f},"
               f"{(self.bottom + self.top) / 2 / page[1]:.5f} center "
               "rotate by 90")
        yield (f'set label "{{/:Bold {title}}}" at screen '
               f"{self.left / page[0]:.5f},"
               f"{(self.top + 1.4 * FONT) / page[1]:.5f} left")
        limit = self.limit
        if limit and self.ylow < limit < self.yhigh:
            yield (f"set arrow from graph 0,first {limit:g} to graph 1,first "
                   f"{limit:g} nohead dt (5,4) lw 1 lc rgb '{GREY}'")
            yield (f'set label "time limit: {limit:g} s" at graph 0.015,'
                   f"first {limit:g} offset 0,0.6 left "
                   f"textcolor rgb '{GREY}'")
        yield from self.write_names(page)
        plots = []
        for i, (name, points) in enumerate(self.lines.items()):
            width, dash, mark, colour = style(name)
            yield f"$line{i} << END"
            yield from (f"{x:g} {y:g}" for x, y in points)
            yield "END"
            plots.append(f"$line{i} with linespoints lw {width} dt {dash} "
                         f"pt {mark} ps {1.0 if width > 3 else 1.15} "
                         f"lc rgb '{colour}'")
        if self.stated:
            yield "$stated << END"
            yield from (f"{x} {y}" for x, y, _ in self.stated)
            yield "END"
            plots.append("$stated with points pt 2 ps 1.2 lw 1.6 "
                         f"lc rgb '{GREY}'")
        for x, y, who in self.stated:
            yield (f'set label "{{/:Italic paper: {who}}}" at first '
                   f"{x},{y} offset -1.2,0 right textcolor rgb '{GREY}'")
        yield "plot " + ", \\\n  ".join(plots)


def gnuplot(path, page, body):
    """Draw a script as SVG and PNG."""
    for kind, terminal in (
            ("svg", f"svg size {page[0]},{page[1]} enhanced font "
                    f"'Arial,{FONT}' background 'white'"),
            ("png", f"pngcairo size {page[0] * SCALE},{page[1] * SCALE} "
                    f"enhanced font 'DejaVu Sans,{FONT * 0.70:g}' "
                    f"fontscale {SCALE} linewidth {SCALE} "
                    f"pointscale {SCALE} background 'white'")):
        subprocess.run(["gnuplot"], check=True, text=True, input=(
            "set encoding utf8\n"
            f"set terminal {terminal}\nset output '{path}.{kind}'\n{body}\n"))


def picture(path, page, panels):
    """Draw (panel, further arguments of script()) as SVG and PNG."""
    head = ("set logscale xy\nunset key\nset border 3 lw 0.8\n"
            "set tics scale 0.8,0.4\n"
            "set grid xtics ytics lt 1 lw 0.7 lc rgb '#dddddd'\n")
    body = "\n".join("\n".join(panel.script(page, *words))
                     for panel, words in panels)
    gnuplot(path, page, f"{head}set multiplot\n{body}\nunset multiplot")


def points(rows, by, what):
    """name -> [(x, y)], ascending.  The paper's methods with one thread
    only, as in the paper."""
    lines = {}
    for row in rows:
        for name, cell in row["methods"].items():
            if cell.get(what) and ("," not in name or
                                   name.startswith(OURS)):
                lines.setdefault(name, []).append((row[by], cell[what]))
    return {name: sorted(line) for name, line in lines.items()}


def draw_sizes(part, folder):
    page = 1000, 640
    for what, file, title, unit in (
            ("wall_s", "paper-time", "Time to count all pairs",
             "Wall time (s)"),
            ("peak_MB", "paper-memory", "Peak memory of counting all pairs",
             "Peak memory (MB)")):
        lines = points(part["rows"], "documents", what)
        panel = Panel(lines, 95, page[0] - 190, 70, page[1] - 45)
        ys = [y for p in lines.values() for _, y in p]
        limit = part["about"]["limit_s"] if what == "wall_s" else None
        panel.limit = limit
        if not part["about"]["collection"]:
            panel.stated = [s for s in STATED[what] if s[0] <= panel.xhigh]
        panel.range_y(min(ys), max(ys + [2 * limit if limit else 0]
                                   + [y for _, y, _ in panel.stated]))
        picture(f"{folder}/{file}", page,
                [(panel, (title, "Documents", unit))])


def draw_growth(part, folder):
    page, first, gap, name = (1260, 520), 30, 65, 110
    wide = (page[0] - first) / 3
    titles = {"documents": ("More documents", "Documents"),
              "length": ("Longer documents", "Distinct terms per document"),
              "terms": ("More terms", "Distinct terms in the collection")}
    rows, panels = part["rows"], []
    ys = [c["counting_cpu_s"] for r in rows for c in r["methods"].values()
          if c.get("counting_cpu_s")]
    for i, (varied, (title, xlabel)) in enumerate(titles.items()):
        lines = points([r for r in rows if r["varied"] == varied], varied,
                       "counting_cpu_s")
        if not lines:
            continue
        panel = Panel(lines, first + i * wide + gap,
                      first + (i + 1) * wide - name, 70, page[1] - 45)
        panel.range_y(min(ys), max(ys))
        ticks = sorted({r[varied] for r in rows if r["varied"] == varied})
        if len(panel.xticks) <= 5:
            panel.xticks, panel.xminor = ticks[::2], ticks[1::2]
        panels.append((panel, (title, xlabel, "" if i else
                               "CPU time of counting (s)")))
    picture(f"{folder}/paper-growth", page, panels)


def draw(parts, folder):
    if not shutil.which("gnuplot"):
        print("Skipping figures: gnuplot is not installed.")
        return
    if "sizes" in parts:
        draw_sizes(parts["sizes"], folder)
    if "growth" in parts:
        draw_growth(parts["growth"], folder)
