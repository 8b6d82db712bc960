#!/usr/bin/env python3
"""again.t - "count INPUT... -o NAME.cooc" resumes an uncounted store if and
only if inputs and options are the same as before."""

import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import same  # noqa: E402
from tap import COOC, cooc, ended, ok, run  # noqa: E402

NOTE = "counting.json"


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


os.symlink("loop", "loop")


def stopped(*args, **how):
    """Index, but fail to count because --tmpdir is a link to itself."""
    shutil.rmtree("c.cooc", ignore_errors=True)
    done = run("count", *args, "-o", "c.cooc", "--tmpdir", "loop", "-q",
               **how)
    ok(done.returncode == 1 and os.path.exists("c.cooc/manifest.json"),
       f"indexed but not counted: {' '.join(args)}", done)


def refused(name, *args, why="", **how):
    done = run("count", *args, "-o", "c.cooc", **how)
    ok(done.returncode == 1 and done.stderr.decode() ==
       f"cooc: c.cooc: is already indexed{why} but not counted; to count its "
       "pairs or continue an interrupted count, run: cooc count c.cooc; to "
       "start over, add --force\n", name, done)


def goes_on(name, *args, want="want.cooc"):
    done = run("count", *args, "-o", "c.cooc")
    ok(done.returncode == 0 and done.stderr.startswith(
        b"cooc: continuing the count of c.cooc\n") and
       same("c.cooc", want), name, done)


os.makedirs("docs/more")
for i, words in enumerate(("tea milk", "tea rum", "milk tea sugar", "rum")):
    write(f"docs/more/{i}.txt", words)
write("docs/a.txt", "coffee milk sugar")
write("stop.txt", "rum\n")
write("one.txt", "tea milk\ntea rum\n")
cooc("count", "docs", "-o", "want.cooc", "-q")
cooc("count", "docs", "--stop", "stop.txt", "-o", "stop.cooc", "-q")
ok(NOTE not in os.listdir("want.cooc"), "a finished count removes its note")

# ---- the same

stopped("docs")
ok(os.path.exists(f"c.cooc/{NOTE}"), "a note records what is being counted")
ok(run("check", "c.cooc").returncode == 0 and
   run("pair", "c.cooc", "tea", "milk").returncode == 0,
   "check and queries ignore the note")
goes_on("the same command resumes", "docs")
stopped("docs")
goes_on("a different method, memory or number of threads resumes", "docs",
        "-j1", "--memory", "64M", "--method", "list-scan")
stopped("docs")
goes_on("--force resumes, because the result is the same", "docs",
        "--force")
stopped("docs", "--stop", "stop.txt")
goes_on("the same options resume", "docs", "--stop", "stop.txt",
        want="stop.cooc")
stopped("docs")
done = run("count", "docs", "-o", "c.cooc", "--json", "-q", "--stats-json",
           "s.json")
ok(done.returncode == 0 and done.stderr == b"" and
   b'"pairs"' in done.stdout and b'"input_bytes"' not in done.stdout and
   b'"status":"done"' in open("s.json", "rb").read().replace(b" ", b""),
   "reports of a resumed count describe only the count", done)
stopped("docs")
done = run("count", "c.cooc", "-q")
ok(done.returncode == 0 and same("c.cooc", "want.cooc"),
   "a count of the store removes the note", done)

# ---- not the same

stopped("docs")
refused("--keep-case does not resume", "docs", "--keep-case",
        why=" with other options")
refused("a new stop list does not resume", "docs", "--stop", "stop.txt",
        why=" with other options")
refused("other inputs do not resume", "docs/more", why=" from other inputs")
refused("more inputs do not resume", "docs", "one.txt",
        why=" from other inputs")
CHANGED = " from inputs that have changed since"
write("docs/more/9.txt", "whisky")
refused("a new file does not resume", "docs", why=CHANGED)
os.unlink("docs/more/9.txt")
goes_on("a file that was added and removed resumes", "docs")
stopped("docs")
write("docs/a.txt", "coffee milk sugaR")
refused("a changed file of the same length does not resume", "docs",
        why=CHANGED)
write("docs/a.txt", "coffee milk sugar")
refused("a file changed back does not resume", "docs", why=CHANGED)
stopped("docs", "--stop", "stop.txt")
write("stop.txt", "tea\n")
refused("a changed stop list does not resume", "docs", "--stop", "stop.txt",
        why=CHANGED)
stopped("one.txt")
os.rename("one.txt", "gone.txt")
refused("a missing input does not resume", "one.txt", why=CHANGED)
os.rename("gone.txt", "one.txt")
goes_on("a restored input resumes", "one.txt", want="c.cooc")

# ---- counts that cannot be resumed, and invalid notes

for how in ("-", "/dev/stdin"):
    shutil.rmtree("c.cooc")
    done = run("count", how, "-o", "c.cooc", "--tmpdir", "loop", "-q",
               stdin=None, input=b"tea milk\ntea rum\n")
    ok(done.returncode == 1 and NOTE not in os.listdir("c.cooc"),
       f"{how} leaves no note", done)
    refused(f"{how} cannot be read again", how, stdin=None,
            input=b"tea milk\ntea rum\n")
stopped("docs")
good = open(f"c.cooc/{NOTE}").read()
for name, text in (("empty", ""), ("truncated", good[:-9]),
                   ("too long", good * 999),
                   ("of another version", good.replace("cooc ", "cook ")),
                   ("noise", "\0\xff" * 60)):
    write(f"c.cooc/{NOTE}", text)
    refused(f"a note that is {name} is ignored", "docs")
os.unlink(f"c.cooc/{NOTE}")
os.mkfifo(f"c.cooc/{NOTE}")
refused("a note that is a pipe is not read", "docs")
os.unlink(f"c.cooc/{NOTE}")
refused("a store without a note is not changed", "docs")
cooc("count", "docs", "-o", "c.cooc", "-q", "--force")
ok(same("c.cooc", "want.cooc"), "--force starts over without a note")
write(f"c.cooc/{NOTE}", good)
done = run("count", "docs", "-o", "c.cooc")
ok(done.returncode == 1 and b"already exists" in done.stderr and
   same("c.cooc", "want.cooc"), "a note in a counted store is removed", done)

# ---- a store that is damaged

stopped("docs")
with open("c.cooc/forward.bin", "r+b") as f:
    f.write(b"\x77")
done = run("count", "docs", "-o", "c.cooc")
ok(done.returncode == 1 and b"damaged" in done.stderr and
   NOTE not in os.listdir("c.cooc"), "damage is found and removes the note",
   done)
done = run("count", "docs", "-o", "c.cooc", "--force", "-q")
ok(done.returncode == 0 and same("c.cooc", "want.cooc"),
   "--force replaces a damaged store", done)
stopped("docs")
os.truncate("c.cooc/manifest.json", 40)
done = run("count", "docs", "-o", "c.cooc")
ok(done.returncode == 1 and b"already exists" in done.stderr,
   "a store with a damaged manifest is not resumed", done)
done = run("count", "docs", "-o", "c.cooc", "--force", "-q")
ok(done.returncode == 0 and same("c.cooc", "want.cooc"),
   "--force replaces a store with a damaged manifest", done)
ended()
