#!/usr/bin/env python3
"""messages.t - scripts/messages lists all messages.  Messages of the library do
not name options of the command line; the program adds them."""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok, run  # noqa: E402


def listed(*folders):
    done = subprocess.run([SRC + "/scripts/messages", *folders],
                          stdout=subprocess.PIPE, check=True)
    return [line.split("\t", 2) for line in done.stdout.decode().splitlines()]


every = listed()
ok(len(every) > 400 and all(len(m) == 3 and re.match(r"\w[\w/.]+:\d+$", m[0])
                            for m in every), f"{len(every)} messages")
for code, text in (
        ("COOC_ENOMEM", "out of memory"),
        ("COOC_EEXISTS replace", "already exists; choose another name or "
         "replace it"),
        ("COOC_EBUSY", "another process%s is writing this store; wait until "
         "it finishes"),
        ("COOC_EFORMAT", "expected three numbers: document, word, count"),
        ("COOC_EINVAL", "no TAB between variant and preferred form"),
        ("system", "cannot open"),
        ("warning", "no new record has text in the field %s; the fields are: "
         "%s"),
        ("print", "cooc: %llu of %llu %s %s finished and kept")):
    ok([code, text] in [m[1:] for m in every], f"the list contains '{text}'")
ok({m[0].split("/")[1] for m in listed("src/read")} == {"read"},
   "the list can be limited to a folder")

library = [m for m in every if m[0].startswith("src/") and
           m[0].split("/")[1] not in ("ask", "mpi", "cli") and m[1] != "print"]
ok(len(library) > 200, f"{len(library)} messages are of the library")
wrong = [m for m in library if re.search(r"--[a-z]|\bcooc [a-z]+ [A-Z%-]|"
                                         r"\bcooc_\w+\(", m[2])]
ok(not wrong,
   "no message of the library names an option, a command or a C function",
   *wrong)
wrong = [m for m in library if m[1].startswith("COOC_") and
         re.match(r"%(\.\d+)?s:( |%)", m[2]) and m[0].split(":")[0] not in
         ("src/base/err.c", "src/base/sized.c")]
ok(not wrong, "messages on a file are made with err_path", *wrong)

fields = set()
for header in ("cooc.h", "cooc_build.h", "cooc_bulk.h", "cooc_export.h",
               "cooc_parts.h"):
    with open(f"{SRC}/include/{header}", encoding="utf-8") as f:
        fields |= set(re.findall(r"\b(\w+)(?:\[\w+\])?[;,]", f.read()))
options = {m[1].split(" ", 1)[1] for m in library
           if re.match(r"COOC_\w+ \w", m[1])}
names = {n for o in options for n in o.split(", ")}
ok(len(names) > 20 and names <= fields, "options of messages are fields of a "
   "public struct", names - fields)

# ---- additions of the program

with open("docs.txt", "w") as f:
    f.write("a b\nb c\n")
run("count", "docs.txt", "-o", "s.cooc", "-q")
for args, message in (
        (["index", "docs.txt", "-o", "s.cooc", "-q", "--stop", "docs.txt"],
         "s.cooc: already exists; choose another name or replace it with "
         "--force"),
        (["count", "s.cooc"], "s.cooc: the pairs of this store are already "
         "counted; use --force to count them again"),
        (["index", "docs.txt", "-o", "n.cooc", "--memory", "1M"],
         "memory must be at least 16 MiB to index (--memory)"),
        (["index", "docs.txt", "-o", "n.cooc", "-j", "9999"],
         "threads must be at most 1024 (--threads)"),
        (["count", "s.cooc", "--force", "--tmpdir", "s.cooc"],
         "s.cooc: is a store; name another directory for temporary files "
         "(--tmpdir)")):
    done = run(*args)
    ok(done.returncode and done.stderr.decode().split("\n")[0] ==
       "cooc: " + message, f"cooc {' '.join(args)}: {message}", done)
ended()
