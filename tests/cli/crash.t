#!/usr/bin/env python3
"""crash.t - after a kill at any moment, an interrupt or a second start, there
is a complete store or none, and the next run makes the same bytes."""

import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, DATA, cooc, ended, ok, run  # noqa: E402

ROUNDS = 10


def start(*args):
    return subprocess.Popen([COOC, *args], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def same(a, b):
    if sorted(os.listdir(a)) != sorted(os.listdir(b)):
        return False
    return filecmp.cmpfiles(a, b, os.listdir(a), shallow=False)[0] == \
        os.listdir(a)


def is_good(store):
    done = run("check", store, "-q")
    return done.returncode == 0, done.stderr.decode()


def timed(*args):
    begin = time.monotonic()
    cooc(*args)
    return time.monotonic() - begin


with open("docs.txt", "w") as f:
    for i in range(60000):
        f.write(f"x{i} y{i // 3} z{i % 1000} w{i % 7} v{i % 50}\n")

# ---- kill -9 while indexing

seconds = timed("index", "docs.txt", "-o", "want.cooc", "-q")
wrong, killed, whole = [], 0, 0
for i in range(ROUNDS):
    child = start("index", "docs.txt", "-o", "i.cooc", "-q")
    time.sleep(seconds * (i + 0.5) / ROUNDS)
    child.kill()
    killed += child.wait() < 0
    child.communicate()
    if os.path.exists("i.cooc"):
        whole += 1
        if not same("i.cooc", "want.cooc"):
            wrong.append(f"round {i}: incomplete store")
    elif run("stats", "i.cooc").returncode != 1:
        wrong.append(f"round {i}: no store, but a result")
    done = run("index", "docs.txt", "-o", "i.cooc", "-q", "--force")
    if done.returncode or not same("i.cooc", "want.cooc"):
        wrong.append(f"round {i}: the next run: {done}")
    if os.path.exists("i.cooc.part"):
        wrong.append(f"round {i}: the next run leaves i.cooc.part")
    shutil.rmtree("i.cooc")
ok(killed > 0, f"indexing was killed ({killed} of {ROUNDS} times)")
ok(not wrong, "a kill while indexing leaves a complete store or none",
   *wrong)

# ---- kill -9 while replacing

with open("other.txt", "w") as f:
    f.write("a b\n")
cooc("index", "other.txt", "-o", "old.cooc", "-q")
wrong = []
for i in range(ROUNDS):
    shutil.copytree("old.cooc", "i.cooc")
    child = start("index", "docs.txt", "-o", "i.cooc", "-q", "--force")
    time.sleep(seconds * (i + 0.5) / ROUNDS)
    child.kill()
    child.communicate()
    if not os.path.exists("i.cooc"):
        wrong.append(f"round {i}: neither store exists")
    elif not same("i.cooc", "old.cooc") and not same("i.cooc", "want.cooc"):
        wrong.append(f"round {i}: neither the old nor the new store")
    done = run("index", "docs.txt", "-o", "i.cooc", "-q", "--force")
    if done.returncode or not same("i.cooc", "want.cooc"):
        wrong.append(f"round {i}: the next run: {done}")
    shutil.rmtree("i.cooc")
ok(not wrong, "a kill while replacing leaves the old store or the new one",
   *wrong)

# ---- kill -9 while counting

with open("long.txt", "wb") as f:
    f.write(subprocess.run([sys.executable, DATA + "/collection.py", "1000",
                            "3000", "60"], stdout=subprocess.PIPE,
                           check=True).stdout)
cooc("index", "long.txt", "-o", "long.cooc", "-q")
shutil.copytree("long.cooc", "counted.cooc")
FULL = ["--rows", "full"]
ways = [["-j2", *FULL], ["-j1", "--method", "list-blocks", *FULL],
        ["-j1", "--method", "naive", "--flush-pairs", "100000", *FULL]]
seconds = [timed("count", "counted.cooc", "-q", "--force", *way)
           for way in ways]
wrong, killed = [], 0
for i in range(ROUNDS):
    way = i % len(ways)
    shutil.copytree("long.cooc", "c.cooc")
    child = start("count", "c.cooc", "-q", *ways[way])
    time.sleep(seconds[way] * (i + 0.5) / ROUNDS)
    child.kill()
    killed += child.wait() < 0
    child.communicate()
    good, told = is_good("c.cooc")
    if not good:
        wrong.append(f"round {i}: {told}")
    if run("pairs", "c.cooc").returncode == 0:
        run("count", "c.cooc")  # removes the journal of the killed count
        if not same("c.cooc", "counted.cooc"):
            wrong.append(f"round {i}: partly counted")
    done = run("count", "c.cooc", "-q", "--force", *FULL)
    if done.returncode or not same("c.cooc", "counted.cooc"):
        wrong.append(f"round {i}: the next run: {done}")
    shutil.rmtree("c.cooc")
ok(killed > 0, f"counting was killed ({killed} of {ROUNDS} times)")
ok(not wrong, "a kill while counting leaves a good store, counted or not",
   *wrong)

# ---- kill -9 while exporting

seconds = timed("export", "counted.cooc", "-q", "-o", "want.tsv")
wrong = []
for i in range(ROUNDS // 2):
    child = start("export", "counted.cooc", "-q", "-o", "x.tsv")
    time.sleep(seconds * (i + 0.5) / ROUNDS * 2)
    child.kill()
    child.communicate()
    if os.path.exists("x.tsv") and \
       not filecmp.cmp("x.tsv", "want.tsv", shallow=False):
        wrong.append(f"round {i}: incomplete file")
    if os.path.exists("x.tsv"):
        os.unlink("x.tsv")
cooc("export", "counted.cooc", "-q", "-o", "x.tsv")
ok(not wrong and filecmp.cmp("x.tsv", "want.tsv", shallow=False),
   "a kill while exporting leaves a complete file or none", *wrong)
left = [n for n in os.listdir(".") if n.startswith(".x.tsv.")]
ok(all(re.fullmatch(r"\.x\.tsv\.tmp-[0-9a-f]{16}", n) for n in left),
   "files left by a kill have hidden names of temporary files", *left)

# ---- Ctrl-C and SIGTERM: exit status and the state of the store

SLOW = ["--method", "list-pairs", "-j1", "--rows", "full"]


def interrupt(number, ready, *args):
    """Start, wait until ready() and a little longer, send the signal."""
    child = start(*args)
    for _ in range(2000):
        if ready(child) or child.poll() is not None:
            break
        time.sleep(0.005)
    child.send_signal(number)
    out, err = child.communicate()
    return child.returncode, out.decode(), err.decode()


with open("slow.txt", "wb") as f:
    f.write(subprocess.run([sys.executable, DATA + "/collection.py", "1200",
                            "8000", "150"], stdout=subprocess.PIPE,
                           check=True).stdout)
cooc("index", "slow.txt", "-o", "slow.cooc", "-q")
names = sorted(os.listdir("slow.cooc"))


def counting(child):
    return any("rows-" in n for n in os.listdir("slow.cooc"))


for number in (signal.SIGINT, signal.SIGTERM):
    got = interrupt(number, counting, "count", "slow.cooc", *SLOW, "-q")
    ok(got[:2] == (128 + number, "") and re.fullmatch(
        r"cooc: interrupted at \d+%; slow.cooc is indexed but not counted; "
        r"run the same command to continue\n", got[2]),
       f"{number.name} ends count and reports the state of the store", got)
    ok(sorted(os.listdir("slow.cooc")) == names and is_good("slow.cooc")[0],
       f"{number.name} leaves the store unchanged", os.listdir("slow.cooc"))


def feed(child):
    """Write documents; return whether the store is being made."""
    try:
        child.stdin.write(b"some more words\n" * 10000)
        child.stdin.flush()
    except BrokenPipeError:
        return True
    return os.path.exists("stdin.cooc.part")


def feed_and_interrupt():
    child = start("index", "-", "-o", "stdin.cooc")
    while not feed(child):
        pass
    child.send_signal(signal.SIGINT)
    for _ in range(1000):   # it notices at the next input
        if child.poll() is not None:
            break
        feed(child)
    try:
        out, err = child.communicate(timeout=60)
    except BrokenPipeError:
        out, err = child.stdout.read(), child.stderr.read()
    return child.wait(), out.decode(), err.decode()


got = feed_and_interrupt()
ok(got == (130, "", "cooc: -: each line is a document; to make the whole file "
           "one document, add --format files\n"
           "cooc: interrupted; nothing was stored\n"),
   "SIGINT ends index with 130 and reports that nothing was stored", got)
ok(not [n for n in os.listdir(".") if n.startswith("stdin.cooc")],
   "SIGINT leaves no store", os.listdir("."))
child = start("index", "-", "-o", "idle.cooc")
while not os.path.exists("idle.cooc.part"):
    time.sleep(0.005)
time.sleep(0.1)
child.send_signal(signal.SIGINT)
try:
    child.wait(timeout=2)
except subprocess.TimeoutExpired:
    pass
ok(child.poll() == 130, "SIGINT ends index while it waits for standard input",
   child.poll())
child.kill()
child.communicate()

child = subprocess.Popen([COOC, "count", "long.cooc", "-q", *SLOW],
                         stderr=subprocess.PIPE, preexec_fn=lambda:
                         signal.signal(signal.SIGINT, signal.SIG_IGN))
time.sleep(0.1)
child.send_signal(signal.SIGINT)
ok(child.wait() == 0, "a signal that the caller ignores is ignored",
   child.communicate())

# ---- two writers


def is_refused(done, store, child):
    """Some file systems do not report who holds a lock."""
    return re.fullmatch(
        rf"cooc: {store}: another process( \(process {child.pid}\))? is "
        r"writing this store; wait until it finishes\n", done.stderr.decode())


child = start("count", "slow.cooc", *SLOW)
while not counting(child) and child.poll() is None:
    time.sleep(0.005)
done = run("count", "slow.cooc")
ok(done.returncode == 1 and is_refused(done, "slow.cooc", child),
   "a store is not counted by two processes", done)
done = run("index", "other.txt", "-o", "slow.cooc", "--force")
ok(done.returncode == 1 and b"is writing this store" in done.stderr,
   "a store that is being counted is not replaced", done)
done = run("top", "slow.cooc", "w1")
ok(done.returncode == 0, "a store that is being counted can be queried", done)
running = child.poll() is None
child.send_signal(signal.SIGINT)
child.communicate()
ok(running and is_good("slow.cooc")[0],
   "a store counted among other commands is good",
   is_good("slow.cooc"))

child = start("index", "-", "-o", "two.cooc")
while not feed(child) and not os.path.exists("two.cooc.part"):
    pass
done = run("index", "other.txt", "-o", "two.cooc")
ok(done.returncode == 1 and is_refused(done, "two.cooc", child),
   "a store is not made by two processes", done)
out, err = child.communicate()
ok(child.returncode == 0 and is_good("two.cooc")[0],
   "the first of two processes finishes the store", err)

# Many at once: one wins, the others are refused or find the finished store.
crowd = [start("index", "docs.txt", "-o", "crowd.cooc", "-q", "-j1")
         for _ in range(6)]
ends = [c.communicate() for c in crowd]
won = [c.returncode for c in crowd].count(0)
ok(won == 1 and same("crowd.cooc", "want.cooc"),
   "one of six processes that make the same store wins",
   [c.returncode for c in crowd], [e[1] for e in ends])
ok(all(e[1].startswith(b"cooc: crowd.cooc") and e[1].count(b"\n") == 1
       for c, e in zip(crowd, ends) if c.returncode),
   "the other five processes report why they failed", [e[1] for e in ends])
crowd = [start("index", "docs.txt", "-o", "crowd.cooc", "-q", "-j1",
               "--force") for _ in range(6)]
ends = [c.communicate() for c in crowd]
ok(0 in [c.returncode for c in crowd] and same("crowd.cooc", "want.cooc"),
   "six processes with --force make one complete store",
   [c.returncode for c in crowd],
   [e[1] for e in ends])
ok(not os.path.exists("crowd.cooc.part"),
   "six processes leave no unfinished store",
   os.listdir("."))
ended()
