#!/usr/bin/env python3
"""again.t - "count INPUT... -o NAME.cooc" goes on with a store that it left
uncounted if, and only if, inputs and options are the same as then."""

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
    """Index and fail to count: there is no directory at the end of a link."""
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
ok(NOTE not in os.listdir("want.cooc"), "no note is left when all is done")

# ---- the same

stopped("docs")
ok(os.path.exists(f"c.cooc/{NOTE}"), "a note tells what is being counted")
ok(run("check", "c.cooc").returncode == 0 and
   run("pair", "c.cooc", "tea", "milk").returncode == 0,
   "check and questions do not mind it")
goes_on("the same command goes on", "docs")
stopped("docs")
goes_on("with other ways to count, too", "docs", "-j1", "--memory", "64M",
        "--method", "list-scan")
stopped("docs")
goes_on("--force goes on as well, the outcome being the same", "docs",
        "--force")
stopped("docs", "--stop", "stop.txt")
goes_on("options that are the same", "docs", "--stop", "stop.txt",
        want="stop.cooc")
stopped("docs")
done = run("count", "docs", "-o", "c.cooc", "--json", "-q", "--stats-json",
           "s.json")
ok(done.returncode == 0 and done.stderr == b"" and
   b'"pairs"' in done.stdout and b'"input_bytes"' not in done.stdout and
   b'"status":"done"' in open("s.json", "rb").read().replace(b" ", b""),
   "reports tell of the count alone", done)
stopped("docs")
done = run("count", "c.cooc", "-q")
ok(done.returncode == 0 and same("c.cooc", "want.cooc"),
   "a count of the store removes the note", done)

# ---- not the same

stopped("docs")
refused("other options", "docs", "--keep-case", why=" with other options")
refused("other options", "docs", "--stop", "stop.txt",
        why=" with other options")
refused("other inputs", "docs/more", why=" from other inputs")
refused("more inputs", "docs", "one.txt", why=" from other inputs")
CHANGED = " from inputs that have changed since"
write("docs/more/9.txt", "whisky")
refused("a new file", "docs", why=CHANGED)
os.unlink("docs/more/9.txt")
goes_on("a file that came and went", "docs")
stopped("docs")
write("docs/a.txt", "coffee milk sugaR")
refused("a file changed, as long as before", "docs", why=CHANGED)
write("docs/a.txt", "coffee milk sugar")
refused("and changed back", "docs", why=CHANGED)
stopped("docs", "--stop", "stop.txt")
write("stop.txt", "tea\n")
refused("another stop list of that name", "docs", "--stop", "stop.txt",
        why=CHANGED)
stopped("one.txt")
os.rename("one.txt", "gone.txt")
refused("an input that is gone", "one.txt", why=CHANGED)
os.rename("gone.txt", "one.txt")
goes_on("and is back", "one.txt", want="c.cooc")

# ---- what cannot be continued, and notes that are not right

for how in ("-", "/dev/stdin"):
    shutil.rmtree("c.cooc")
    done = run("count", how, "-o", "c.cooc", "--tmpdir", "loop", "-q",
               stdin=None, input=b"tea milk\ntea rum\n")
    ok(done.returncode == 1 and NOTE not in os.listdir("c.cooc"),
       f"of {how} there is no note", done)
    refused(f"{how} cannot be read again", how, stdin=None,
            input=b"tea milk\ntea rum\n")
stopped("docs")
good = open(f"c.cooc/{NOTE}").read()
for name, text in (("empty", ""), ("cut", good[:-9]), ("long", good * 999),
                   ("of another version", good.replace("cooc ", "cook ")),
                   ("noise", "\0\xff" * 60)):
    write(f"c.cooc/{NOTE}", text)
    refused(f"a note that is {name} does not count", "docs")
os.unlink(f"c.cooc/{NOTE}")
os.mkfifo(f"c.cooc/{NOTE}")
refused("a note that is a pipe is not waited for", "docs")
os.unlink(f"c.cooc/{NOTE}")
refused("a store without a note is left alone", "docs")
cooc("count", "docs", "-o", "c.cooc", "-q", "--force")
ok(same("c.cooc", "want.cooc"), "--force starts over then")
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
   NOTE not in os.listdir("c.cooc"), "damage is found, once", done)
done = run("count", "docs", "-o", "c.cooc", "--force", "-q")
ok(done.returncode == 0 and same("c.cooc", "want.cooc"),
   "and --force starts over", done)
stopped("docs")
os.truncate("c.cooc/manifest.json", 40)
done = run("count", "docs", "-o", "c.cooc")
ok(done.returncode == 1 and b"already exists" in done.stderr,
   "a damaged manifest", done)
done = run("count", "docs", "-o", "c.cooc", "--force", "-q")
ok(done.returncode == 0 and same("c.cooc", "want.cooc"),
   "gives way to --force too", done)
ended()
