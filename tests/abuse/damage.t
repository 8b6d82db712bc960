#!/usr/bin/env python3
"""damage.t - stores with every bit flipped, every shorter length, and more.

The program damage in this folder does it in memory, with one process per core.
Then some commands are run on damaged stores: their output and exit status.

    make abuse ABUSE=damage
    DAMAGE_EVERY=97 ...     only one damage in 97, different ones each time
    DAMAGE_SEED=7 ...       repeat a selection
"""

import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, DATA, cooc, ended, ok, run  # noqa: E402

EVERY = int(os.environ.get("DAMAGE_EVERY") or 1)
SEED = int(os.environ.get("DAMAGE_SEED") or random.randrange(10**6))
COLUMNS = ("tried found unopened right refused wrong crashed hung "
           "leaked").split()
ASKED = ("counted", "compact", "indexed", "large")

# ---- every damage, by the library -------------------------------------------


def share(number, of):
    """Start a process that tries its share of all damages."""
    where = tempfile.mkdtemp(prefix="damage.", dir=SHM)
    return where, subprocess.Popen(
        [BUILD + "/tests/abuse/damage", where, str(EVERY), str(SEED),
         str(number), str(of)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)


random.seed(SEED)
print(f"# DAMAGE_SEED={SEED}", flush=True)
SHM = "/dev/shm" if os.access("/dev/shm", os.W_OK) else os.getcwd()
jobs = os.cpu_count() or 1
table = collections.defaultdict(collections.Counter)
said, failed, shares = [], 0, []
try:
    for i in range(jobs):
        shares.append(share(i, jobs))
    for where, child in shares:
        out, err = child.communicate()
        said += err.splitlines()
        failed += child.returncode != 0
        for line in out.splitlines():
            trial, kind, *numbers = line.split("\t")
            table[trial, kind] += collections.Counter(
                dict(zip(COLUMNS, map(int, numbers))))
finally:
    for where, child in shares:
        child.kill()
        shutil.rmtree(where, ignore_errors=True)
ok(not failed, "every damage is reported or harmless", *said)
print(f"# one damage in {EVERY}" if EVERY > 1 else "# every damage")
print("#", f"{'trial':<14}{'damage':<9}",
      "".join(f"{c:>11}" for c in COLUMNS))
for (trial, kind), sums in table.items():
    print("#", f"{trial:<14}{kind:<9}",
          "".join(f"{sums[c]:>11}" for c in COLUMNS))
total = sum((c for c in table.values()), collections.Counter())
asked = sum((c for (trial, _), c in table.items() if trial in ASKED),
            collections.Counter())
ok(asked["tried"] > 0 and asked["found"] == asked["tried"],
   f"check found {asked['found']} of {asked['tried']} damages and named the "
   "file unless it is from another store")
ok(asked["right"] > 0 and asked["refused"] > 0 and asked["wrong"] == 0,
   f"{asked['unopened']} stores could not be opened; of "
   f"{asked['right'] + asked['refused']} answers of the other stores, "
   f"{asked['right']} were right, {asked['refused']} refused, "
   f"{asked['wrong']} wrong")
ok(total["wrong"] == total["crashed"] == total["hung"] == total["leaked"] == 0,
   f"none of {total['tried']} trials crashed, hung, leaked, wrote wrong bytes "
   "or changed a refused store")
print(f"# {total['tried']} damages; check found {asked['found']} of "
      f"{asked['tried']}, {asked['unopened']} were refused at opening; "
      f"{asked['right']} right answers, {asked['refused']} refused, "
      f"{asked['wrong']} wrong")

# ---- a sample, by the command line -------------------------------------------

with open("docs.txt", "wb") as f:
    f.write(subprocess.run([sys.executable, DATA + "/collection.py", "60",
                            "60", "12"], stdout=subprocess.PIPE,
                           check=True).stdout)
with open("stop.txt", "w") as f:
    f.write("w1\n")
with open("same.txt", "w") as f:
    f.write("w2\tw3\n")
with open("list.txt", "w") as f:
    f.write("w0\nw3\nw5\n")
HOW = ["-q", "--rows", "full", "--stop", "stop.txt", "--thesaurus", "same.txt", "--stem",
       "english"]
cooc("count", "docs.txt", "-o", "s.cooc", *HOW)
shutil.copytree("s.cooc", "good.cooc")
QUESTIONS = [["check", "s.cooc", "-q"], ["stats", "s.cooc"],
             ["pair", "s.cooc", "w0", "w5"], ["top", "s.cooc", "w5"],
             ["row", "s.cooc", "w5"], ["pairs", "s.cooc"],
             ["docs", "s.cooc", "w0", "w5"], ["terms", "s.cooc"],
             ["within", "s.cooc", "list.txt"], ["export", "s.cooc"],
             ["similar", "s.cooc", "w5", "--min-df", "2"],
             ["export", "s.cooc", "--format", "raw"]]
truth = {tuple(q): run(*q) for q in QUESTIONS}
ok(all(done.returncode == 0 for done in truth.values()),
   "every command succeeds on the good store",
   *[(q, d.stderr) for q, d in truth.items() if d.returncode])


def damages(data):
    """Some ways to damage a file."""
    at = random.randrange(len(data))
    yield data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + \
        data[at + 1:]
    yield data[:random.randrange(len(data))]
    yield data + b"\0"
    yield bytes(len(data))
    yield b""


tried = refused = right = 0
for name in sorted(os.listdir("good.cooc")):
    with open("good.cooc/" + name, "rb") as f:
        data = f.read()
    wrong = []
    for n, bad in enumerate(damages(data)):
        with open("s.cooc/" + name, "wb") as f:
            f.write(bad)
        for q in QUESTIONS:
            done = run(*q, timeout=60)
            tried += 1
            if done.returncode == 1 and done.stderr.decode().startswith(
                    "cooc: s.cooc/" + name):
                refused += 1
            elif q[0] != "check" and (done.returncode, done.stdout) == (
                    truth[tuple(q)].returncode, truth[tuple(q)].stdout):
                right += 1
            else:
                wrong.append(f"damage {n}: {' '.join(q)}: {done}")
    with open("s.cooc/" + name, "wb") as f:
        f.write(data)
    ok(not wrong, f"with a damaged {name} every command is right, or names "
       "the file and exits with 1", *wrong)
print(f"# {tried} commands: {right} right, {refused} refused")

# ---- leftovers next to a store -----------------------------------------------


def same(a, b):
    return sorted(os.listdir(a)) == sorted(os.listdir(b)) and all(
        open(f"{a}/{n}", "rb").read() == open(f"{b}/{n}", "rb").read()
        for n in os.listdir(a))


cooc("index", "docs.txt", "-o", "bare.cooc", *HOW)
cooc("merge", "good.cooc", "bare.cooc", "-o", "both.cooc", "-q")
shutil.copytree("good.cooc", "grown.cooc")
cooc("add", "grown.cooc", "docs.txt", "-q")
COMMANDS = [(["index", "docs.txt", "-o", "t.cooc", *HOW], "bare.cooc", None),
            (["count", "docs.txt", "-o", "t.cooc", *HOW], "good.cooc", None),
            (["index", "docs.txt", "-o", "t.cooc", "--force", *HOW],
             "bare.cooc", "good.cooc"),
            (["merge", "good.cooc", "bare.cooc", "-o", "t.cooc", "-q"],
             "both.cooc", None),
            (["add", "t.cooc", "docs.txt", "-q"], "grown.cooc", "good.cooc")]
for args, want, before in COMMANDS:
    wrong = []
    for trial in range(20):
        shutil.rmtree("t.cooc", ignore_errors=True)
        if before:
            shutil.copytree(before, "t.cooc")
        for part in ("t.cooc.part", "t.cooc.added.part"):
            shutil.copytree(random.choice(["good.cooc", "both.cooc"]), part)
            for name in os.listdir(part):
                path = f"{part}/{name}"
                with open(path, "rb") as f:
                    data = f.read()
                os.rename(path, random.choice([
                    path, path + ".tmp", f"{part}/.{name}.tmp"]))
                with open(path, "wb") as f:
                    f.write(random.choice(list(damages(data))))
            if random.random() < 0.5:
                os.unlink(part + "/manifest.json")
        done = run(*args, timeout=60)
        if done.returncode or not same("t.cooc", want) or \
                os.path.exists("t.cooc.part") or \
                (args[0] == "add" and os.path.exists("t.cooc.added.part")):
            wrong.append(f"{trial}: {done} {os.listdir('.')}")
        shutil.rmtree("t.cooc.added.part", ignore_errors=True)
        shutil.rmtree("t.cooc.part", ignore_errors=True)
    ok(not wrong, f"'cooc {args[0]}{' --force' * ('--force' in args)}' is not "
       "affected by leftovers of interrupted runs", *wrong)
ended()
