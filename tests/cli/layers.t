#!/usr/bin/env python3
"""layers.t - each folder of src/ is a stage and includes only earlier stages;
files and functions are short.  CONTRIBUTING.md has the rules."""

import collections
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok  # noqa: E402

STAGES = ("base kernel read token dict index rows count store jobs query export "
          "ask mpi cli").split()
SEES = {"ask": ("base",), "mpi": ("base",), "cli": ("base", "ask")}
FILE_LINES, FUNCTION_LINES, COLUMNS = 500, 60, 80
files = sorted(glob.glob(SRC + "/src/**/*.[ch]", recursive=True))
others = sorted(glob.glob(SRC + "/include/*.h") +
                glob.glob(SRC + "/bench/**/*.[ch]", recursive=True) +
                glob.glob(SRC + "/tests/abuse/*.[ch]") +
                glob.glob(SRC + "/tests/fuzz/*.[ch]"))
text = {os.path.relpath(f, SRC): open(f, encoding="utf-8").read()
        for f in files + others}
ok(len(files) > 50, f"{len(files)} files are checked")

folders = {os.path.relpath(f, SRC).split("/")[1] for f in files}
ok(folders == set(STAGES), "every folder of src/ is a stage",
   folders ^ set(STAGES))
ok(all(name.count("/") == 2 for name in text if name.startswith("src/")),
   "a stage has no subfolders")

wrong = []
for name in text:
    if not name.startswith("src/"):
        continue
    stage = name.split("/")[1]
    for include in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text[name],
                              re.M):
        to = include.split("/")[0] if "/" in include else None
        if "include/" + include in text:
            good = True
        elif to is None or not os.path.exists(f"{SRC}/src/{include}"):
            good = False
        elif name == "src/cli/program_mpi.c" and to == "mpi":
            good = True
        elif stage in SEES:
            good = to in SEES[stage] or to == stage
        else:
            good = to in STAGES and STAGES.index(to) <= STAGES.index(stage)
        if not good:
            wrong.append(f"{name} includes {include}")
ok(not wrong, "a stage includes only earlier stages; ask/, mpi/ and cli/ "
   "include only base/, cli/ also ask/, and public headers", *wrong)
ok(all(included.startswith("cooc") and "include/" + included in text
       for name in text if name.startswith("include/")
       for included in re.findall(r'^\s*#\s*include\s+"(.*)"', text[name],
                                  re.M)),
   "public headers include only public headers")

names = collections.Counter(os.path.basename(f) for f in files)
ok(max(names.values()) == 1, "file names are unique",
   [n for n in names if names[n] > 1])
wrong = [f"{name}: {t.count(chr(10))} lines" for name, t in text.items()
         if t.count("\n") > FILE_LINES]
ok(not wrong, f"no file has more than {FILE_LINES} lines", *wrong)
wrong = [f"{name}:{i}" for name, t in text.items()
         for i, line in enumerate(t.split("\n"), 1)
         if len(line) > COLUMNS or "\t" in line or line != line.rstrip()]
ok(not wrong, f"lines have at most {COLUMNS} columns, no tabs and no "
   "trailing blanks", *wrong)
wrong = [name for name, t in text.items() if not t.endswith("\n")]
ok(not wrong, "files end in a newline", *wrong)


def blank(match):
    """Replace comments and strings by blanks; keep newlines."""
    return re.sub(r"[^\n]", " ", match[0])


def functions(t):
    """(name, first line, last line) of each function definition."""
    t = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
               blank, t, flags=re.S)
    depth, start, lines = 0, 0, t.split("\n")
    for i, line in enumerate(lines):
        if depth == 0 and line.startswith("{"):
            start = i
        depth += line.count("{") - line.count("}")
        if line == "}" and depth == 0 and lines[start] == "{":
            head = start - 1
            while head > 0 and lines[head - 1].strip() and \
                    lines[head - 1][-1:] not in (";", "}"):
                head -= 1
            yield " ".join(lines[head:start])[:60], head + 1, i + 1


long, found = [], 0
for name, t in text.items():
    for what, first, last in functions(t):
        found += 1
        if last - first + 1 > FUNCTION_LINES:
            long.append(f"{name}:{first}: {last - first + 1} lines: {what}")
ok(found > 500, f"{found} functions are checked")
ok(not long, f"no function has more than {FUNCTION_LINES} lines", *long)
wrong = [name for name, t in text.items() if not t.startswith("/* ")]
ok(not wrong, "every file begins with a comment on its purpose", *wrong)
wrong = [name for name, t in text.items() if name.endswith(".h") and not
         re.search(r"^#ifndef (COOC_\w*H)\n#define \1\n", t, re.M)]
ok(not wrong, "every header has an include guard", *wrong)
ended()
