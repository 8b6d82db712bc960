#!/usr/bin/env python3
"""damage.t - a changed store is never used silently: check names the file,
whether it is changed, truncated, missing or from another store.

This test tries a few of each; abuse/damage.t tries every one."""

import glob
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import DATA, cooc, ended, ok, run  # noqa: E402

with open("docs.txt", "wb") as f:
    f.write(subprocess.run([sys.executable, DATA + "/collection.py", "60",
                            "300", "12"], stdout=subprocess.PIPE,
                           check=True).stdout)
with open("stop.txt", "w") as f:
    f.write("w1\n")
with open("thes.txt", "w") as f:
    f.write("w2\tw3\n")
cooc("count", "docs.txt", "-o", "good.cooc", "-q", "--rows", "full", "--stop", "stop.txt",
     "--thesaurus", "thes.txt")
ok(run("check", "good.cooc", "-q").returncode == 0, "the store is good")
files = sorted(os.listdir("good.cooc"))


def read(path):
    with open(path, "rb") as f:
        return f.read()


def damaged(name, change):
    """A copy of the store in which one file is changed."""
    shutil.rmtree("bad.cooc", ignore_errors=True)
    shutil.copytree("good.cooc", "bad.cooc")
    data = change(read("good.cooc/" + name))
    if data is None:
        os.unlink("bad.cooc/" + name)
    else:
        with open("bad.cooc/" + name, "wb") as f:
            f.write(data)


def flip(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


def refused(name):
    done = run("check", "bad.cooc")
    text = done.stderr.decode(errors="replace")
    return done.returncode == 1 and not done.stdout and \
        text.startswith("cooc: bad.cooc/" + name + ": ") and \
        text.count("\n") == 1, f"exit status {done.returncode}: {text}"


for name in files:
    size = len(read("good.cooc/" + name))
    silent = []
    for at in (size // 3, size - 1):
        damaged(name, lambda data: flip(data, at))
        good, told = refused(name)
        if not good:
            silent.append(f"byte {at}: {told}")
    ok(not silent, f"a flipped bit in {name} is detected and named", *silent)
    silent = []
    for keep in (0, size - 1):
        damaged(name, lambda data: data[:keep])
        good, told = refused(name)
        if not good:
            silent.append(f"first {keep} bytes: {told}")
    ok(not silent, f"a truncated {name} is detected and named", *silent)
    damaged(name, lambda data: data + b"\0")
    ok(*refused(name)[:1],
       f"a byte after the end of {name} is detected and named",
       refused(name)[1])
    damaged(name, lambda data: None)
    if name != "manifest.json":
        ok(*refused(name)[:1], f"a missing {name} is named",
           refused(name)[1])
    else:
        text = run("check", "bad.cooc").stderr.decode()
        ok(text == "cooc: bad.cooc: is not a cooc store (it has no "
           "manifest.json)\n", "a missing manifest is named", text)

# A file of another store has the right format, but not the right content.
with open("docs2.txt", "w") as f:
    f.write(open("docs.txt").read().replace("w7", "w8"))
cooc("count", "docs2.txt", "-o", "other.cooc", "-q", "--rows", "full", "--stop", "stop.txt",
     "--thesaurus", "thes.txt")
for name in files:
    if name in ("manifest.json", "stop.txt", "thesaurus.txt") or \
       read("other.cooc/" + name) == read("good.cooc/" + name):
        continue
    damaged(name, lambda data: read("other.cooc/" + name))
    ok(*refused(name)[:1], f"{name} of another store is refused",
       refused(name)[1])

# Not only check detects damage.
questions = {"terms.bin": ["top", "bad.cooc", "w5"],
             "forward.bin": ["top", "bad.cooc", "w5"],
             "inverted.bin": ["docs", "bad.cooc", "w5"],
             "docs.bin": ["docs", "bad.cooc", "w5"],
             "rows-0000.bin": ["export", "bad.cooc"]}
for name, args in questions.items():
    damaged(name, lambda data: flip(data, 3))
    done = run(*args)
    ok(done.returncode == 1 and ("bad.cooc/" + name).encode() in done.stderr,
       f"'cooc {args[0]}' detects damage in {name}", done)
    for at, what in ((-1, "footer"), (-49, "table")):
        damaged(name, lambda data: flip(data, len(data) + at))
        done = run(*args)
        ok(done.returncode == 1 and
           ("bad.cooc/" + name).encode() in done.stderr,
           f"'cooc {args[0]}' detects damage in the {what} of {name}", done)

# Files are read only when they are needed, but they must exist.
damaged("rows-0000.bin", lambda data: flip(data, len(data) - 1))
ok(run("pair", "bad.cooc", "w5", "w6").stdout ==
   run("pair", "good.cooc", "w5", "w6").stdout,
   "a query that does not need rows works with damaged rows")
for what, change in (("missing", lambda data: None),
                     ("truncated", lambda data: data[:-1]),
                     ("too long", lambda data: data + data)):
    damaged("rows-0000.bin", change)
    done = run("pair", "bad.cooc", "w5", "w6")
    ok(done.returncode == 1 and b"bad.cooc/rows-0000.bin" in done.stderr,
       f"a query that does not need rows fails if they are {what}", done)
damaged("forward.bin", lambda data: flip(data, 3))
done = run("count", "bad.cooc", "--force")
ok(done.returncode == 1 and b"bad.cooc/forward.bin" in done.stderr,
   "'cooc count' refuses damaged documents", done)

# Files and directories of other programs.
os.mkdir("folder")
with open("folder/letter", "w") as f:
    f.write("dear\n")
for command in (["stats"], ["check"], ["export"], ["pairs"],
                ["top", "w1"], ["pair", "w1", "w2"], ["docs", "w1"]):
    done = run(command[0], "folder", *command[1:])
    ok(done.returncode == 1 and done.stderr == b"cooc: folder: is not a cooc "
       b"store (it has no manifest.json)\n", f"'cooc {command[0]}' refuses a "
       "foreign directory", done)
done = run("count", "folder")
ok(done.returncode == 2 and done.stderr == b"cooc: no name for the store; run: "
   b"cooc count folder -o folder.cooc\ntry 'cooc count --help'\n",
   "'cooc count' of a foreign directory shows the command for documents", done)
for text, why in (("{}", "is not the manifest of a cooc store"),
                  ('{"format": "cooc store"}',
                   "is not the manifest of a cooc store"),
                  ('{"format": "another", "version": 1}',
                   "is not the manifest of a cooc store"),
                  ("", "is damaged: line 1: '[' or '{' expected near end of "
                   "file"),
                  ('{"format": "cooc store", "version": 0}',
                   "is damaged: format version 0 does not exist"),
                  ('{"format": "cooc store", "version": 1}',
                   "is damaged (checksum mismatch)")):
    with open("folder/manifest.json", "w") as f:
        f.write(text)
    done = run("stats", "folder")
    ok(done.returncode == 1 and done.stderr.decode() ==
       f"cooc: folder/manifest.json: {why}\n",
       f"a manifest of {text or 'nothing'} is refused", done)
with open("good.cooc/manifest.json") as f:
    manifest = json.load(f)
manifest["version"] = 2
damaged("manifest.json", lambda data: json.dumps(manifest).encode())
for command in (["stats"], ["check"], ["count", "--force"], ["top", "w1"]):
    done = run(command[0], "bad.cooc", *command[1:])
    ok(done.returncode == 1 and done.stderr ==
       b"cooc: bad.cooc/manifest.json: format version 2 is not "
       b"supported (at most 1); use a newer version of cooc\n",
       f"'cooc {command[0]}' refuses a newer store", done)
damaged("manifest.json", lambda data: data)
with open("bad.cooc/rows-0099.bin", "w") as f:
    f.write("left over")
ok(run("check", "bad.cooc").returncode == 0,
   "files that the manifest does not name are ignored")
ok(run("count", "bad.cooc", "--force", "-q").returncode == 0 and
   not glob.glob("bad.cooc/rows-0099.bin"),
   "a recount removes leftover rows")
damaged("rows-0000.bin", lambda data: data[:7] + b"?" + data[8:])
ok(run("check", "bad.cooc").returncode == 1 and
   run("count", "bad.cooc", "--force", "-q").returncode == 0 and
   run("check", "bad.cooc").returncode == 0,
   "a recount replaces damaged rows")
done = run("stats", "docs.txt")
ok(done.returncode == 1 and done.stderr == b"cooc: docs.txt: is a file, but "
   b"a cooc store is a directory; index the file first\n",
   "a file is not accepted as a store", done)
ended()
