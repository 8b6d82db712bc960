#!/usr/bin/env python3
"""guide.t - every command of the guide prints what the guide shows.

A line of a console block that begins with "$ " is a command; the lines after
it, up to the next command, are its output, standard error included.  "..."
in the output matches any text of one line, and a line that is "..." alone
matches any number of lines.  A command must succeed, unless the line before
its block is "<!-- exit status N -->": then the last command of the block must
end with N.  The commands of a page run at a terminal of 80 columns, in their
order, in a directory of the page with the files of tests/data/guide.

The pages have no other kind of code block, so a command that is not run
cannot be shown.  Commands and options named in the text must exist, and
links must lead somewhere.

    GUIDE_UPDATE=1 tests/run build cli/guide.t

writes what the commands print into the pages; read the difference.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from guide_page import Page, matches, terminal  # noqa: E402
from screen import has_terminals  # noqa: E402
from tap import BUILD, COOC, DATA, SRC, WORK, ended, ok, skip  # noqa: E402

UPDATE = os.environ.get("GUIDE_UPDATE")
TERMINALS = has_terminals()
MODULES = ("numpy", "scipy", "pandas", "networkx", "matplotlib")
PROGRAMS = ("sqlite3", "Rscript", "zstd", "gzip")
ENV = dict(os.environ, PATH=f"{BUILD}:/usr/bin:{os.environ['PATH']}",
           PYTHONPATH=SRC + "/python", COOC_LIBRARY=BUILD + "/libcooc.so",
           PYTHONDONTWRITEBYTECODE="1", PYTHONUNBUFFERED="1",
           TERM="xterm", HOME=WORK)


def succeeds(*command):
    return not subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode


# A library that was built with a sanitizer cannot be loaded by Python.
PYTHON = succeeds("/usr/bin/python3", "-c", "import ctypes, sys; "
                  "ctypes.CDLL(sys.argv[1])", BUILD + "/libcooc.so")


def missing(command):
    """What this command needs and this machine does not have, or None."""
    text = command
    for name in re.findall(r"\S+\.py\b", command):
        if os.path.exists(name):
            with open(name, encoding="utf-8") as f:
                text += "\n" + f.read()
    if re.search(r"\bpython3 ", command):
        if re.search(r"\bimport cooc\b", text) and not PYTHON:
            return "library that Python can load"
        for module in MODULES:
            if re.search(rf"\b(import|from) {module}\b", text) and \
               not succeeds("/usr/bin/python3", "-c", "import " + module):
                return module
    for program in PROGRAMS:
        if re.search(rf"(^|[|;&] *){program} ", command) and \
           not shutil.which(program):
            return program
    return None


def run_page(page):
    """Run the commands of a page and compare what they print."""
    os.mkdir(page.name)
    shutil.copytree(DATA + "/guide", page.name, dirs_exist_ok=True)
    os.chdir(page.name)
    for command in page.commands:
        name = f"{page.name}:{command.line}: {command.text[:60]}"
        absent = missing(command.text) if TERMINALS else "terminal"
        if absent:
            skip(name, f"no {absent} here; the rest of {page.name} is skipped")
            break
        status, got = terminal(command.text, ENV)
        good = matches(command.output, got)
        if UPDATE and not good and status == command.status:
            command.replace(got)
            good = True
        ok(good and status == command.status, name,
           f"exit status {status}, not {command.status}" if
           status != command.status else "", "printed:", got,
           "should print:", command.output)
    os.chdir(WORK)


# ---- what the program knows

known = {}
listed = subprocess.run([COOC, "--help"], stdout=subprocess.PIPE).stdout
commands = listed.decode().split("Build a store:")[1]
for word in re.findall(r"^  ([a-z]+) {2,}", commands, re.M):
    told = subprocess.run([COOC, word, "--help"], stdout=subprocess.PIPE)
    known[word] = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*",
                                 told.stdout.decode()))
ok(len(known) > 15, "the commands and their options are known", known)
options = set().union(*known.values()) | {"--version"}


def unknown(page):
    """Commands and options in the text of a page that do not exist."""
    bad = []
    typed = [c.text.replace("build/", "") for c in page.commands]
    for span in page.spans + typed:
        command = re.match(r"cooc ([a-z]+)", span)
        if command and command[1] not in known and command[1] != "help":
            bad.append(span)
        have = known.get(command[1]) if command else options
        if span.startswith(("cooc ", "--")):
            bad += [span for o in re.findall(r"(?<![\w-])--[a-z-]+", span)
                    if o not in (have or ())]
    return bad


# ---- the pages

index = Page(SRC + "/docs/GUIDE.md")
pages = [Page(p) for p in sorted(glob.glob(SRC + "/docs/guide/*.md"))]
ok(len(pages) > 10, "there is one page per task", pages)
for page in pages:
    ok("guide/" + page.name + ".md" in index.links,
       f"docs/GUIDE.md links to {page.name}")
    ok(page.commands, f"{page.name} has commands")
for page in [index, *pages, Page(SRC + "/README.md")]:
    ok(not unknown(page), f"{page.name}: commands and options exist",
       *unknown(page))
    ok(not page.broken(), f"{page.name}: links lead somewhere",
       *page.broken())
    if page.name != "README":
        ok(not page.other_code, f"{page.name}: all code blocks are run",
           *page.other_code)
for page in [index, *pages]:
    run_page(page)
    if UPDATE:
        page.write()
ended()
