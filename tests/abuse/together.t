#!/usr/bin/env python3
"""together.t - concurrent use of one store: threads that query, processes that
write, processes that read while others write.

TOGETHER=short only runs the threads, for the thread sanitizer."""

import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import left_over, same  # noqa: E402
from tap import BUILD, COOC, DATA, cooc, ended, ok, run  # noqa: E402

SHORT = os.environ.get("TOGETHER") == "short"
READERS = 8

# ---- threads -----------------------------------------------------------------

os.mkdir("threads")
done = subprocess.run([BUILD + "/tests/abuse/together", "threads", "8",
                       "1" if SHORT else "12"], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True)
ok(done.returncode == 0 and done.stdout.endswith(" 0 wrong\n"),
   "eight threads get the same answers as one", done.stdout, done.stderr)
print("# eight threads:", done.stdout.strip())
if SHORT:
    ended()

# ---- two writers -------------------------------------------------------------


def collection(path, *args):
    with open(path, "wb") as f:
        f.write(subprocess.run([sys.executable, DATA + "/collection.py",
                                *map(str, args)], stdout=subprocess.PIPE,
                               check=True).stdout)


collection("docs.txt", 3000, 3000, 60, 1)
collection("more.txt", 500, 3000, 60, 2)
AS = ["--format", "lines", "-q", "--rows", "full"]
cooc("count", "docs.txt", "-o", "docs.cooc", *AS)
cooc("count", "more.txt", "-o", "more.cooc", *AS)
cooc("merge", "docs.cooc", "more.cooc", "-o", "both.cooc", "-q")
# From standard input, so that they wait; it also names the documents.
with open("more.txt") as f:
    subprocess.run([COOC, "index", "-", "-o", "in.cooc", *AS], stdin=f,
                   check=True)
with open("more.txt") as f:
    subprocess.run([COOC, "count", "-", "-o", "counted.cooc", *AS], stdin=f,
                   check=True)
shutil.copytree("docs.cooc", "grown.cooc")
with open("more.txt") as f:
    subprocess.run([COOC, "add", "grown.cooc", "-", *AS], stdin=f, check=True)

Writer = collections.namedtuple("Writer", "args result waits")
REPLACING = {
    "index": Writer(["index", "-", "-o", "s.cooc", "--force", *AS],
                    "in.cooc", True),
    "count": Writer(["count", "s.cooc", "--force", "-q", "-j1"], "docs.cooc",
                    False),
    "index and count": Writer(["count", "-", "-o", "s.cooc", "--force", *AS],
                              "counted.cooc", True),
    "add": Writer(["add", "s.cooc", "-", *AS], "grown.cooc", True),
    "merge": Writer(["merge", "docs.cooc", "more.cooc", "-o", "s.cooc",
                     "--force", "-q", "-j1"], "both.cooc", False),
}
MAKING = {name: w._replace(args=[a for a in w.args if a != "--force"])
          for name, w in REPLACING.items() if name not in ("count", "add")}


def holds_lock(pid):
    with open("/proc/locks") as f:
        return any("FLOCK" in line and line.split()[-4] == str(pid)
                   for line in f)


def begin(writer):
    """Start it and pause it while it has the store; None if it was too fast."""
    child = subprocess.Popen([COOC, *writer.args], stderr=subprocess.PIPE,
                             stdin=subprocess.PIPE if writer.waits
                             else subprocess.DEVNULL)
    while child.poll() is None and not holds_lock(child.pid):
        time.sleep(0.0005)
    child.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return child if child.poll() is None else None


def finish(child, writer):
    """Let it finish; return its output."""
    child.send_signal(signal.SIGCONT)
    text = b""
    if writer.waits:
        with open("more.txt", "rb") as f:
            text = f.read()
    return child.communicate(text if writer.waits else None, timeout=120)[1]


def attempt(writer):
    """Run it completely while another process has the store."""
    with open("more.txt" if writer.waits else "/dev/null", "rb") as f:
        return run(*writer.args, stdin=f, timeout=120)


def fresh(before):
    for name in os.listdir("."):
        if name.startswith("s.cooc"):
            shutil.rmtree(name)
    if before:
        shutil.copytree(before, "s.cooc")


def started(writer, before):
    for _ in range(100):
        fresh(before)
        child = begin(writer)
        if child:
            return child
    ok(False, f"{writer.args[0]} can be paused while it runs")
    ended()


counts = collections.Counter()
for before, writers in (("docs.cooc", REPLACING), (None, MAKING)):
    state = "a store" if before else "a new store"
    for one, first in writers.items():
        wrong, torn, late, after = [], [], [], []
        for two, second in writers.items():
            child = started(first, before)
            done = attempt(second)
            counts["pairs"] += 1
            if done.returncode != 1 or not re.fullmatch(
                    "cooc: s.cooc: another process( \\(process "
                    rf"{child.pid}\))? is writing this store; wait until it "
                    "finishes\n", done.stderr.decode()):
                wrong.append((two, done))
            if before and not same("s.cooc", before) and one != "count":
                torn.append((two, os.listdir("s.cooc")))
            if before and run("check", "s.cooc", "-q").returncode:
                torn.append((two, run("check", "s.cooc", "-q")))
            said = finish(child, first)
            if child.returncode or not same("s.cooc", first.result) or \
                    left_over(".", "s.cooc"):
                late.append((two, said, os.listdir(".")))
            # The lock of a killed process is released.
            child = started(first, before)
            child.kill()
            child.communicate()
            done = attempt(second)
            # An unfinished store is removed by the next process that makes it,
            # documents to be added by the next one that adds.
            there = [f for f in left_over(".", "s.cooc") if two != "count" and
                     (two == "add" or f != "./s.cooc.added.part")]
            if done.returncode or not same("s.cooc", second.result) or there:
                after.append((two, done, os.listdir(".")))
            counts["killed"] += 1
        ok(not wrong, f"while {one} writes {state}, every other writer is "
           "refused and the message names the process", *wrong)
        ok(not torn, f"refused writers do not change the store of {one}",
           *torn)
        ok(not late, f"{one} finishes {state}", *late)
        ok(not after, f"a killed {one} does not block other writers", *after)
print(f"# {counts['pairs']} ordered pairs of writers, the second refused; "
      f"{counts['killed']} writers killed, the next one right")

# ---- many writers at random moments ------------------------------------------

REASONS = ("another process", "already exists", "already counted",
           "indexed but not counted", "No such file",
           "was replaced while it was being merged", "keep replacing")
draw = random.Random(int(os.environ.get("TOGETHER_SEED") or
                         random.randrange(10**6)))
wrong, ends = [], collections.Counter()
collection("few.txt", 60, 60, 12, 3)
cooc("count", "few.txt", "-o", "few.cooc", *AS)
cooc("count", "few.txt", "-o", "few2.cooc", *AS)
few = [["index", "few.txt", "-o", "s.cooc", *AS],
       ["index", "few.txt", "-o", "s.cooc", "--force", *AS],
       ["count", "few.txt", "-o", "s.cooc", *AS],
       ["count", "few.txt", "-o", "s.cooc", "--force", *AS],
       ["count", "s.cooc", "-q"], ["count", "s.cooc", "-q", "--force"],
       ["count", "s.cooc", "-q", "--force", "--rows", "compact",
        "--compact-df", "3"],
       ["add", "s.cooc", "few.txt", *AS],
       ["merge", "few.cooc", "few2.cooc", "-o", "s.cooc", "-q"],
       ["merge", "few.cooc", "few2.cooc", "-o", "s.cooc", "-q", "--force"],
       ["merge", "s.cooc", "few2.cooc", "-o", "s.cooc2", "-q", "--force"]]
for turn in range(60):
    fresh("few.cooc" if draw.random() < 0.7 else None)
    crowd = []
    for args in draw.choices(few, k=6):
        time.sleep(draw.choice([0, 0, 0.002, 0.01]))
        crowd.append((args, subprocess.Popen([COOC, *args],
                                             stdin=subprocess.DEVNULL,
                                             stderr=subprocess.PIPE)))
    for args, child in crowd:
        said = child.communicate(timeout=120)[1].decode()
        ends[child.returncode] += 1
        if child.returncode and (child.returncode != 1 or
                                 not any(r in said for r in REASONS)):
            wrong.append((turn, args, child.returncode, said))
    for store in filter(os.path.exists, ("s.cooc", "s.cooc2")):
        done = run("check", store, "-q")
        if done.returncode:
            wrong.append((turn, "damaged", done.stderr))
    if left_over(".", "s.cooc"):
        wrong.append((turn, left_over(".", "s.cooc")))
ok(not wrong and ends[0] and ends[1], "each of six concurrent writers succeeds "
   "or is refused, and the store is good", dict(ends), *wrong)
print(f"# 60 crowds of six writers: {ends[0]} right, {ends[1]} refused")

# ---- eight readers and one writer --------------------------------------------

fresh("few.cooc")
collection("new.txt", 30, 60, 12, 4)
cooc("index", "few.txt", "-o", "bare.cooc", *AS)
shutil.copytree("few.cooc", "more2.cooc")
cooc("add", "more2.cooc", "new.txt", *AS)
shutil.copytree("few.cooc", "compact.cooc")
cooc("count", "compact.cooc", "-q", "--force", "--rows", "compact",
     "--compact-df", "3")
cooc("count", "new.txt", "-o", "new.cooc", *AS)
STATES = ["few.cooc", "bare.cooc", "more2.cooc", "compact.cooc"]
ROUND = [["count", "s.cooc", "--force", "-q"],
         ["add", "s.cooc", "new.txt", *AS],
         ["count", "few.txt", "-o", "s.cooc", "--force", *AS],
         ["count", "s.cooc", "--force", "-q", "--rows", "compact",
          "--compact-df", "3"],
         ["count", "s.cooc", "--force", "-q"],
         ["merge", "few.cooc", "new.cooc", "-o", "s.cooc", "--force", "-q"],
         ["index", "few.txt", "-o", "s.cooc", "--force", *AS],
         ["count", "s.cooc", "-q"]]
readers = []
for i in range(READERS):
    os.mkdir(f"scratch{i}")
    readers.append(subprocess.Popen(
        [BUILD + "/tests/abuse/watcher", "s.cooc", f"scratch{i}", *STATES],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True))
failed = [done for _ in range(25) for done in map(lambda a: run(*a), ROUND)
          if done.returncode]
ok(not failed, "a store is written 200 times while eight processes read it",
   *failed)
sums, said = [0] * (2 + len(STATES)), []
for reader in readers:
    out, err = reader.communicate()
    said.append(err)
    sums = [a + int(b) for a, b in zip(sums, out.split())]
ok(sums[0] == 0, "no reader is refused", sums, *said)
ok(sums[1] == 0 and all(sums[2:]), "each reader sees the complete store before "
   "or after a change", sums, *said)
print(f"# readers opened it {sum(sums)} times while it was written 200 "
      f"times: {sums[0]} refused, {sums[1]} wrong, states seen {sums[2:]}")

# ---- concurrent exports to one file ------------------------------------------

for form in ("tsv", "npz", "sqlite", "gephi-csv"):
    cooc("export", "few.cooc", "--format", form, "-o", "want", "-q")
    crowd = [subprocess.Popen([COOC, "export", "few.cooc", "--format", form,
                               "-o", "got", "-q"], stderr=subprocess.PIPE)
             for _ in range(6)]
    said = [c.communicate()[1] for c in crowd]
    files = {n.replace("want", "got", 1): n for n in os.listdir(".")
             if n.startswith("want")}
    ok(not any(c.returncode for c in crowd) and
       sorted(files) == sorted(n for n in os.listdir(".")
                               if n.startswith("got")) and
       all(open(a, "rb").read() == open(b, "rb").read()
           for a, b in files.items()),
       f"six concurrent exports to one {form} file leave it complete", *said,
       os.listdir("."))
    for a, b in files.items():
        os.unlink(a)
        os.unlink(b)
ended()
