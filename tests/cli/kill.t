#!/usr/bin/env python3
"""kill.t - after SIGKILL at more than fifty moments of indexing, counting and
resuming, the next run resumes to the same bytes; finished parts are kept,
invalid parts are not."""

import filecmp
import os
import random
import shutil
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import (kill_after, left_over, parts, same, start,  # noqa: E402
                   timed, write_collection)
from tap import cooc, ended, ok, run  # noqa: E402

SEED = int(os.environ.get("KILL_SEED") or random.randrange(10**6))
INDEXING, COUNTING, IN_ONE = 20, 36, 16
draw = random.Random(SEED)
print(f"# KILL_SEED={SEED}", flush=True)


def kill_with_parts(store, *args):
    """Kill it as soon as a part is finished."""
    child = start(*args)
    while child.poll() is None and not (os.path.exists(store) and
                                        parts(store)):
        time.sleep(0.0005)
    child.kill()
    return child.wait() < 0


write_collection("docs.txt")

# ---- indexing

seconds = timed("index", "docs.txt", "-o", "indexed.cooc", "-q")
wrong, killed = [], 0
for i in range(INDEXING):
    at = draw.uniform(0, 1.1 * seconds)
    again = draw.random() < 0.5 and i > 0   # a store already exists
    if again:
        shutil.copytree("indexed.cooc", "i.cooc")
    hit = kill_after(at, "index", "docs.txt", "-o", "i.cooc", "-q", "--force")
    killed += hit
    if os.path.exists("i.cooc") and not same("i.cooc", "indexed.cooc"):
        wrong.append(f"{i}, {at:.4f} s: incomplete store")
    done = run("index", "docs.txt", "-o", "i.cooc", "-q", "--force")
    if done.returncode or not same("i.cooc", "indexed.cooc"):
        wrong.append(f"{i}, {at:.4f} s: then {done}")
    if os.path.exists("i.cooc.part") or left_over(".", "i.cooc"):
        wrong.append(f"{i}, {at:.4f} s: left {left_over('.', 'i.cooc')}")
    shutil.rmtree("i.cooc")
ok(killed > 0, f"indexing was killed {killed} of {INDEXING} times")
ok(not wrong, "the same command repeats a killed index", *wrong)

# ---- counting

shutil.copytree("indexed.cooc", "want.cooc")
ways = [["--method", method, threads, "--rows", "full"]
        for method in ("bit-scan", "list-scan") for threads in ("-j1", "-j2")]
seconds = [timed("count", "want.cooc", "-q", "--force", *w) for w in ways]
n_parts = len(parts("want.cooc"))
ok(n_parts > 4, f"there are several parts ({n_parts})")
wrong, kills, hits, kept = [], 0, 0, 0
while kills < COUNTING:
    shutil.copytree("indexed.cooc", "c.cooc")
    for _ in range(draw.choice((1, 2, 4))):     # again while resuming
        way = draw.randrange(len(ways))
        at = draw.uniform(0, 1.1 * seconds[way])
        before = parts("c.cooc")
        if draw.random() < 0.3:
            hits += kill_with_parts("c.cooc", "count", "c.cooc", "-q",
                                    *ways[way])
        else:
            hits += kill_after(at, "count", "c.cooc", "-q", *ways[way])
        kills += 1
        after = parts("c.cooc")
        if any(after.get(n) != before[n] for n in before):
            wrong.append(f"{kills}: {ways[way]} {at:.4f}: lost a part")
        done = run("check", "c.cooc", "-q")
        if done.returncode:
            wrong.append(f"{kills}: {ways[way]} {at:.4f}: {done.stderr}")
    before = parts("c.cooc")
    done = run("count", "c.cooc", "-q", *draw.choice(ways))
    counted = done.returncode == 1 and b"already counted" in done.stderr
    if (done.returncode and not counted) or not same("c.cooc", "want.cooc"):
        wrong.append(f"{kills}: {ways[way]} {at:.4f}: then {done}, "
                     f"{sorted(os.listdir('c.cooc'))}")
    after = parts("c.cooc")
    if any(after.get(n) != before[n] for n in before):
        wrong.append(f"{kills}: a finished part was written again")
    kept += len(before) if not counted else 0
    shutil.rmtree("c.cooc")
ok(hits > 0, f"counting was killed {hits} of {kills} times")
ok(kept > 0, f"finished parts were kept ({kept})")
ok(not wrong, "the same command resumes a killed count to the same bytes and "
   "keeps finished parts", *wrong)
ok(INDEXING + kills >= 50, f"{INDEXING + kills} moments were tried")

# ---- a recount

wrong = []
for i in range(4):
    shutil.copytree("want.cooc", "c.cooc")
    at = draw.uniform(0, 1.1 * seconds[0])
    kill_after(at, "count", "c.cooc", "-q", "--force", *ways[0])
    if run("check", "c.cooc", "-q").returncode or \
       run("pairs", "c.cooc", "-n1").returncode:
        wrong.append(f"{at:.4f} s: the store is no longer good")
    done = run("count", "c.cooc", "-q", "--force", *ways[0])
    if done.returncode or not same("c.cooc", "want.cooc"):
        wrong.append(f"{at:.4f} s: then {done}")
    shutil.rmtree("c.cooc")
ok(not wrong, "a killed recount leaves a counted store", *wrong)

# ---- invalid parts

write_collection("other.txt", seed=2)
cooc("count", "other.txt", "-o", "other.cooc", "-q", "--rows", "full")


def change(store, name, at, value):
    with open(f"{store}/{name}", "r+b") as f:
        f.seek(at, 0 if at >= 0 else 2)
        f.write(value)


def cut(store, name):
    os.truncate(f"{store}/{name}", os.path.getsize(f"{store}/{name}") - 1)


strange = {
    "damaged": lambda s: change(s, "rows-0001.bin", 70000, b"\xff\x55"),
    "truncated": lambda s: cut(s, "rows-0001.bin"),
    "empty": lambda s: os.truncate(f"{s}/rows-0001.bin", 0),
    "of another collection": lambda s: shutil.copy(
        "other.cooc/rows-0001.bin", s),
    "in the wrong place": lambda s: shutil.copy(
        f"{s}/rows-0002.bin", f"{s}/rows-0001.bin"),
    "a file of another kind": lambda s: shutil.copy(
        f"{s}/forward.bin", f"{s}/rows-0001.bin"),
}
for why, spoil in strange.items():
    shutil.copytree("want.cooc", "c.cooc")
    shutil.copy("indexed.cooc/manifest.json", "c.cooc")
    spoil("c.cooc")
    for name in ("rows-9999.bin", "rows-0002.bin.tmp", "manifest.json.tmp",
                 "tmp-abc", ".rows-0002.bin.tmp", ".manifest.json.tmp",
                 ".tmp-abc"):
        with open("c.cooc/" + name, "w") as f:
            f.write("left over")
    before = parts("c.cooc")
    done = run("count", "c.cooc", "--rows", "full")
    after = parts("c.cooc")
    again = [n for n in after if after[n] != before.get(n)]
    ok(done.returncode == 0 and same("c.cooc", "want.cooc") and
       again == ["rows-0001.bin"] and
       f"cooc: {n_parts - 1} of {n_parts} row files are finished and kept; 1 was "
       "damaged or from another count and will be counted again\n".encode()
       in done.stderr, f"only a part that is {why} is counted again",
       done.stderr, again, sorted(os.listdir("c.cooc")))
    shutil.rmtree("c.cooc")

for method in ("naive", "list-blocks"):
    shutil.copytree("want.cooc", "c.cooc")
    shutil.copy("indexed.cooc/manifest.json", "c.cooc")
    os.unlink("c.cooc/rows-0003.bin")
    before = parts("c.cooc")
    done = run("count", "c.cooc", "--method", method, "-q", "--rows", "full")
    after = parts("c.cooc")
    ok(done.returncode == 0 and same("c.cooc", "want.cooc") and
       all(after[n] == before[n] for n in before),
       f"{method} adds a missing part and keeps the other parts", done)
    shutil.rmtree("c.cooc")

shutil.copytree("want.cooc", "c.cooc")
shutil.copy("indexed.cooc/manifest.json", "c.cooc")
before = parts("c.cooc")
done = run("count", "c.cooc", "-q", "--rows", "full")
ok(done.returncode == 0 and same("c.cooc", "want.cooc") and
   parts("c.cooc") == before, "nothing is counted if all parts exist",
   done)

# ---- other rows than before

COMPACT = ["--rows", "compact", "--compact-df", "3"]
shutil.copytree("indexed.cooc", "compact.cooc")
cooc("count", "compact.cooc", "-q", *COMPACT)
shutil.copy("indexed.cooc/manifest.json", "c.cooc")
done = run("count", "c.cooc", *COMPACT)
ok(done.returncode == 0 and same("c.cooc", "compact.cooc") and
   f"cooc: {len(parts('compact.cooc'))} were damaged or from another count and "
   "will be counted again\n".encode() in done.stderr,
   "parts of a count that left out other rows are not kept", done.stderr)
wrong = []
for i in range(4):
    shutil.rmtree("c.cooc")
    shutil.copytree("want.cooc", "c.cooc")
    at = draw.uniform(0, 1.1 * seconds[0])
    kill_after(at, "count", "c.cooc", "-q", "--force", *COMPACT, "-j1")
    if run("check", "c.cooc", "-q").returncode:
        wrong.append(f"{at:.4f} s: the store is no longer good")
    done = run("count", "c.cooc", "-q", "--force", *COMPACT)
    if done.returncode or not same("c.cooc", "compact.cooc"):
        wrong.append(f"{at:.4f} s: then {done}")
ok(not wrong, "a killed recount with other rows leaves a good store", *wrong)
shutil.rmtree("c.cooc")
shutil.copytree("want.cooc", "c.cooc")

# ---- documents and store in one command


def is_finished():
    """By the manifest; the note of the inputs may still exist."""
    return os.path.exists("c.cooc") and filecmp.cmp(
        "c.cooc/manifest.json", "want.cooc/manifest.json", shallow=False)


shutil.rmtree("c.cooc")
ways = [[*way, "--rows", "full"]
        for way in (["-j1"], ["-j2"], ["-j1", "--force"],
                    ["-j1", "--method", "list-scan"])]
both = [timed("count", "docs.txt", "-o", "c.cooc", "-q", "--force", *w)
        for w in ways]
wrong, kills, hits, kept = [], 0, 0, 0
for i in range(IN_ONE):
    shutil.rmtree("c.cooc", ignore_errors=True)
    way = draw.randrange(len(ways))
    command = ["count", "docs.txt", "-o", "c.cooc", *ways[way]]
    for _ in range(draw.choice((1, 3))):
        at = draw.uniform(0, 1.1 * both[way])
        before = parts("c.cooc") if os.path.exists("c.cooc") else {}
        if i % 3 == 0 and not before:   # counting is the shorter part
            hits += kill_with_parts("c.cooc", *command)
        else:
            hits += kill_after(at, *command)
        kills += 1
        after = parts("c.cooc") if os.path.exists("c.cooc") else {}
        where = f"{i}: {ways[way]} {at:.4f}"
        if any(after.get(n) != before[n] for n in before):
            wrong.append(f"{where}: lost a part")
        if after and run("check", "c.cooc", "-q").returncode:
            wrong.append(f"{where}: the store is damaged")
        before = after
        if is_finished():
            break
    finished = is_finished()
    indexed = os.path.exists("c.cooc") and not finished
    done = run(*command)
    if finished and "--force" not in command:
        if done.returncode != 1 or b"already exists" not in done.stderr:
            wrong.append(f"{where}: finished, then {done}")
    elif done.returncode:
        wrong.append(f"{where}: then {done}")
    if indexed and not done.stderr.startswith(
            b"cooc: continuing the count of c.cooc\n"):
        wrong.append(f"{where}: indexed, then {done}")
    if not same("c.cooc", "want.cooc") or left_over(".", "c.cooc"):
        wrong.append(f"{where}: {sorted(os.listdir('c.cooc'))}")
    after = parts("c.cooc")
    if not finished and any(after.get(n) != before[n] for n in before):
        wrong.append(f"{where}: a finished part was written again")
    kept += len(before) if not finished else 0
ok(hits > 0, f"count -o was killed {hits} of {kills} times")
ok(kept > 0, f"parts were kept ({kept})")
ok(not wrong, "the same command resumes a killed count -o", *wrong)
ended()
