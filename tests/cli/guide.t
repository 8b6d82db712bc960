#!/usr/bin/env python3
"""guide.t - every command of the guide does what it says there.

A line of a console block that begins with "$ " is a command; the lines behind
it, if there are any, are what it prints.  Commands run in the order of the
page, in a folder with the files of tests/data/guide.
"""

import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, DATA, SRC, ended, ok, skip  # noqa: E402


def commands(page):
    """(line number, command, expected output or None) of each."""
    found = []
    with open(page, encoding="utf-8") as f:
        inside = False
        for number, line in enumerate(f, 1):
            if line.startswith("```"):
                inside = line.strip() == "```console"
            elif inside and line.startswith("$ "):
                found.append([number, line[2:].rstrip("\n"), None])
            elif inside and found[-1][1].endswith("\\"):
                found[-1][1] = found[-1][1][:-1] + line.strip()
            elif inside:
                found[-1][2] = (found[-1][2] or "") + line
    return found


def missing(command):
    """What of Debian's this command wants and is not here."""
    for module in re.findall(r"import (\w+)", command):
        if module in ("numpy", "scipy", "pandas", "networkx", "matplotlib") \
           and subprocess.run(["/usr/bin/python3", "-c", f"import {module}"],
                              stderr=subprocess.DEVNULL).returncode:
            return module
    for program in re.findall(r"(?:^|\| *)(sqlite3|jq|zstd) ", command):
        if not shutil.which(program):
            return program
    return None


def loads_in_python():
    """A library with a sanitizer in it does not."""
    return not subprocess.run(
        ["/usr/bin/python3", "-c", "import ctypes, sys; "
         "ctypes.CDLL(sys.argv[1])", BUILD + "/libcooc.so"],
        stderr=subprocess.DEVNULL).returncode


shutil.copytree(DATA + "/guide", ".", dirs_exist_ok=True)
env = dict(os.environ, PATH=f"{BUILD}:/usr/bin:{os.environ['PATH']}",
           PYTHONPATH=SRC + "/python", COOC_LIBRARY=BUILD + "/libcooc.so",
           PYTHONDONTWRITEBYTECODE="1", MPLBACKEND="agg")
python = loads_in_python()
for number, command, want in commands(SRC + "/docs/GUIDE.md"):
    name = f"line {number}: {command[:60]}"
    absent = missing(command)
    if not absent and "import cooc" in command and not python:
        absent = "library that Python can load"
    if absent:
        skip(name, f"no {absent} here")
        continue
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], env=env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    got = done.stdout.decode()
    ok(done.returncode == 0 and (want is None or got == want), name,
       f"exit status {done.returncode}", done.stderr.decode(), "printed:",
       got, "should print:", want)
ended()
