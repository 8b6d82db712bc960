"""pages.py - keep measurements as JSON and show them in a Markdown page.

Each part of a page is between two marker comments; only the text between the
markers is replaced.  A page that does not exist is created.
"""

import json
import math
import os
import re
import time

from measure import machine


class Kept:
    """Measurements by part, saved after every update."""

    def __init__(self, path):
        self.path, self.parts = path, {}
        if os.path.exists(path):
            with open(path) as f:
                self.parts = json.load(f)

    def saver(self, part, **about):
        about.update(time=time.strftime("%Y-%m-%d"), machine=machine(),
                     load=os.getloadavg()[0])
        start = time.monotonic()

        def save(rows):
            about["minutes"] = (time.monotonic() - start) / 60
            self.parts[part] = {"about": about, "rows": rows}
            with open(self.path + ".tmp", "w") as f:
                json.dump(self.parts, f, indent=1)
                f.write("\n")
            os.replace(self.path + ".tmp", self.path)

        return save


# ---- numbers and tables ----------------------------------------------------

def three(v):
    """Three significant digits."""
    if v == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(v))))
    return f"{round(v, 2 - math.floor(math.log10(abs(v)))):,.{digits}f}"


def short(v, before=""):
    """12.3K, 4.56M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("K", 1e3)):
        if v >= size:
            return three(v / size) + before + unit
    return f"{v:,}{before}"


def in_bytes(v):
    return short(v, " ") + "B"


def seconds(v):
    return f"{three(v)} s" if v >= 0.1 else f"{three(v * 1000)} ms"


def megabytes(v):
    return f"{three(v / 1000)} GB" if v >= 10000 else f"{v:,.0f} MB"


def table(head, rows, left=1):
    """A Markdown table; the first left columns are left-aligned."""
    text = "| " + " | ".join(head) + " |\n|"
    text += "---|" * left + "--:|" * (len(head) - left) + "\n"
    return text + "".join("| " + " | ".join(row) + " |\n" for row in rows)


def when(part):
    """When and how a part was measured; parts may be from different runs."""
    a = part["about"]
    took = f"{a['minutes']:.0f} minutes" if a["minutes"] >= 1.5 else \
        f"{three(60 * a['minutes'])} seconds"
    text = f"Measured on {a['time']} in {took}; system load before the " \
           f"start: {a['load']:.1f}"
    if "limit_s" in a:
        text += f"; time limit per run: {a['limit_s']:g} s"
    return text + "."


# ---- the page --------------------------------------------------------------

def write_page(kind, places, path):
    """Replace the parts of a page (name -> Markdown)."""
    text = "# Results\n"
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            text = f.read()
    for name, new_text in places.items():
        begin = f"<!-- {kind}:{name}:begin -->"
        end = f"<!-- {kind}:{name}:end -->"
        new = f"{begin}\n{new_text}{end}"
        if begin in text:
            text = re.sub(re.escape(begin) + ".*?" + re.escape(end),
                          lambda _: new, text, flags=re.S)
        else:
            text += f"\n{new}\n"
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
