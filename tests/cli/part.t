#!/usr/bin/env python3
"""part.t - parts that are counted by several processes, killed, repeated or
overlapping, and then finished, make the same bytes as a single count."""

import json
import os
import random
import shutil
import signal
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import (left_over, parts, same, start,  # noqa: E402
                   write_collection)
from tap import cooc, ended, ok, run  # noqa: E402

SEED = int(os.environ.get("PART_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
print(f"# PART_SEED={SEED}", flush=True)

FULL, COMPACT = ["--rows", "full"], ["--rows", "compact", "--compact-df", "6"]
write_collection("docs.txt")
cooc("index", "docs.txt", "-o", "indexed.cooc", "-q")
for name, rows in (("full", FULL), ("compact", COMPACT), ("usual", [])):
    shutil.copytree("indexed.cooc", f"{name}.cooc")
    cooc("count", f"{name}.cooc", "-q", *rows)
n_parts = len(parts("full.cooc"))
ok(n_parts > 4, f"there are several row files ({n_parts})")


def fresh(name="c.cooc"):
    shutil.rmtree(name, ignore_errors=True)
    shutil.copytree("indexed.cooc", name)


def part(i, n, *args, store="c.cooc"):
    return run("count", store, "--part", f"{i}/{n}", "-q", *args)


def units(store="c.cooc"):
    return sorted(n for n in os.listdir(store)
                  if n.startswith(("rows-", "omitted-")))


def finish(want, name, *args, before=None):
    """The final count keeps all units and makes the same bytes."""
    done = run("count", "c.cooc", "-q", *args)
    after = parts("c.cooc")
    rewritten = [n for n in before or [] if after.get(n) != before[n]]
    ok(done.returncode == 0 and same("c.cooc", want) and not rewritten, name,
       done, rewritten, sorted(os.listdir("c.cooc")))


# ---- one after the other, with different N, threads, memory and methods

for want, rows in (("full", FULL), ("compact", COMPACT), ("usual", [])):
    for n in (1, 2, 3, 7, 40):
        fresh()
        wrong = [(i, d) for i in range(1, n + 1)
                 if (d := part(i, n, f"-j{i % 3 + 1}", *rows)).returncode]
        ok(not wrong, f"{n} parts are counted, rows {want}", *wrong)
        before = parts("c.cooc")
        ok(len(before) == len(parts(f"{want}.cooc")) and
           any(u.startswith("omitted-") for u in units()),
           f"{n} parts make all row files and all shares of unwritten rows",
           units())
        left = [f for f in left_over("c.cooc") if "/.tmp-part-" not in f]
        ok(not left, "a part leaves no temporary files", *left)
        finish(f"{want}.cooc", f"{n} parts are the same as one count",
               before=before)

ways = [["--method", m] for m in ("bit-scan", "list-scan", "naive",
                                  "list-blocks", "list-pairs", "multi-scan")]
ways += [["--memory", "64M"], ["--batch-postings", "100000"],
         ["--batch-postings", "100000", "--method", "list-scan", "-j2"]]
for want, rows in (("full", FULL), ("compact", COMPACT)):
    fresh()
    n = len(ways)
    wrong = [(way, d) for i, way in enumerate(ways)
             if (d := part(i + 1, n, *way, *rows)).returncode]
    ok(not wrong, f"each part with another method or memory, rows {want}",
       *wrong)
    finish(f"{want}.cooc", "the bytes are the same",
           before=parts("c.cooc"))
    for way in ways:
        fresh()
        done = part(2, 3, *way, *rows)
        before = parts("c.cooc")
        ok(done.returncode == 0 and before, f"part 2 of 3, {way}", done)
        finish(f"{want}.cooc", f"a count adds the others after {way}",
               before=before)
fresh()
done = [part(2, 3, *FULL), part(2, 3)]
ok(all(d.returncode == 0 for d in done),
   "a part without --rows uses the rows of earlier parts", *done)
finish("full.cooc", "and so does the final count")

# ---- at the same time

for n in (2, 5):
    fresh()
    crowd = [start("count", "c.cooc", "--part", f"{i}/{n}", "-q", "-j1",
                   *FULL) for i in range(1, n + 1)]
    ends = [c.wait() for c in crowd]
    ok(ends == [0] * n, f"{n} parts run at the same time", ends)
    finish("full.cooc", "the bytes are the same", before=parts("c.cooc"))
fresh()
crowd = [start("count", "c.cooc", "--part", p, "-q", "-j1", *COMPACT)
         for p in ("1/1", "1/1", "1/2", "2/3", "2/3", "9/9")]
ends = [c.wait() for c in crowd]
ok(ends == [0] * 6, "the same part and overlapping parts run at the same time",
   ends)
finish("compact.cooc", "the bytes are the same", before=parts("c.cooc"))

# ---- killed

def seconds_of_part():
    fresh()
    start = time.monotonic()
    part(1, 1, *FULL)
    return time.monotonic() - start


wrong, hits, kept = [], 0, 0
whole = min(seconds_of_part() for _ in range(3))
for i in range(12):
    want, rows = draw.choice((("full", FULL), ("compact", COMPACT)))
    fresh()
    n = draw.choice((1, 2, 3))
    for k in range(1, n + 1):
        crowd = [start("count", "c.cooc", "--part", f"{k}/{n}", "-q", "-j1",
                       *rows) for _ in range(draw.choice((1, 2)))]
        time.sleep(draw.uniform(0, whole / n))
        for c in crowd:
            c.kill()
            hits += c.wait() < 0
    before = parts("c.cooc")
    kept += len(before)
    if run("check", "c.cooc", "-q").returncode:
        wrong.append(f"{i}: the store is damaged")
    if draw.random() < 0.5 and part(1, n, *rows).returncode:
        wrong.append(f"{i}: part 1 cannot be repeated")
    after = parts("c.cooc")
    done = run("count", "c.cooc", "-q", *rows)
    now = parts("c.cooc")
    if done.returncode or not same("c.cooc", f"{want}.cooc"):
        wrong.append(f"{i}: {done} {sorted(os.listdir('c.cooc'))}")
    if any(after.get(f) != before[f] for f in before) or \
       any(now[f] != after[f] for f in after):
        wrong.append(f"{i}: a finished unit was written again")
ok(hits > 0 and kept > 0, f"{hits} parts were killed, {kept} row files kept")
ok(not wrong, "a final count finishes killed parts", *wrong)

# ---- who excludes whom


def locked(path):
    """Whether a process has a lock on this file."""
    try:
        inode = os.stat(path).st_ino
    except OSError:
        return False
    with open("/proc/locks") as f:
        return any(line.split()[-3].endswith(f":{inode}") for line in f)


def hold(*args, store="c.cooc", prefix=".tmp-part-"):
    """Start, and stop as soon as its journal is locked.  The process has ended
    if this was too late."""
    child, journal = start(*args), None
    while child.poll() is None and not (journal and locked(journal)):
        journal = next((f"{store}/{n}" for n in os.listdir(store)
                        if n.startswith(prefix) and f"-{child.pid}-" in n),
                       None)
    child.send_signal(signal.SIGSTOP)
    time.sleep(0.01)
    if journal and not locked(journal):
        child.kill()
        child.wait()
    return child


fresh()
for i in range(20):     # unless it ends too early
    child = hold("count", "c.cooc", "--part", "1/1", "-q", "-j1", *FULL)
    if child.poll() is None:
        break
    fresh()
for args in (["count", "c.cooc"], ["index", "docs.txt", "-o", "c.cooc", "-f"],
             ["add", "c.cooc", "docs.txt"],
             ["merge", "full.cooc", "-o", "c.cooc", "-f"]):
    done = run(*args, "-q")
    ok(done.returncode == 1 and b"(part 1/1); wait until it finishes" in
       done.stderr and f"process {child.pid} on ".encode() in done.stderr,
       f"{args[0]} does not run beside a part", done)
done = run("count", "c.cooc", "--part", "2/2", "-q", *FULL)
ok(done.returncode == 0, "another part does", done)
child.send_signal(signal.SIGCONT)
ok(child.wait() == 0, "the part is not disturbed")
finish("full.cooc", "then the count is finished")
fresh()
for i in range(20):
    child = hold("count", "c.cooc", "-q", "-j1", *FULL, prefix=".tmp-count-")
    if child.poll() is None:
        break
    fresh()
done = part(1, 2)
ok(done.returncode == 1 and b"is writing this store; wait until it finishes"
   in done.stderr,
   "a part does not run beside a count", done)
child.send_signal(signal.SIGCONT)
child.wait()

# ---- status


def status():
    return json.loads(cooc("count", "c.cooc", "--status", "--json"))


fresh()
s = status()
ok(s["state"] == "not counted" and s["row_files_finished"] == 0 and
   [f["state"] for f in s["files"]] == ["missing"] * len(s["files"]),
   "the status of a store that is not counted", s)
part(2, 3, *FULL)
s = status()
done = [f for f in s["files"] if f["state"] == "finished"]
ok(s["state"] == "partly counted" and s["rows_written"] == "full" and
   s["row_files"] == n_parts and 0 < s["row_files_finished"] < n_parts and
   20 < s["percent_finished"] < 50 and s["processes"][0]["state"] == "finished" and
   done and all(f["counted_as"] == "part 2/3" and f["host"] and f["process"]
                for f in done), "the status after a part", s)
child = hold("count", "c.cooc", "--part", "3/3", "-q", "-j1", *FULL)
s = status()
mine = [p for p in s["processes"] if p["process"] == child.pid]
ok(child.poll() is not None or
   (s["state"] == "being counted" and s["processes_running"] == 1 and
    mine and mine[0]["state"] == "running" and
    mine[0]["counts"] == "part 3/3"), "the status while a part runs", s)
child.kill()
child.wait()
s = status()
mine = [p for p in s["processes"] if p["process"] == child.pid]
ok(s["processes_running"] == 0 and all(p["state"] == "stopped" for p in mine),
   "a killed part is not running", s)
part(1, 1, *FULL)
s = status()
ok(s["state"] == "ready to finish" and s["percent_finished"] == 100,
   "the status after all parts", s)
finish("full.cooc", "then the count is finished")
s = status()
ok(s["state"] == "counted" and s["percent_finished"] == 100 and
   s["row_files_finished"] == n_parts, "the status of a counted store", s)

# ---- errors

done = part(1, 2)
ok(done.returncode == 1 and b"already counted" in done.stderr,
   "a part of a counted store is an error", done)
fresh()
part(1, 2, *FULL)
for args in (["--rows", "compact"], COMPACT):
    for final in ([], ["--part", "2/2"]):
        done = run("count", "c.cooc", "-q", *final, *args)
        ok(done.returncode == 2 and b"parts of this store were counted with "
           b"full rows" in done.stderr, f"{args} after full rows", done)
done = run("count", "c.cooc", "-q", "--force", *COMPACT)
ok(done.returncode == 0 and same("c.cooc", "compact.cooc"),
   "--force starts over with other rows", done)
fresh()
part(1, 2, *COMPACT)
done = part(2, 2, "--rows", "compact", "--compact-df", "7")
ok(done.returncode == 2 and b"omit df 1 to 6" in done.stderr,
   "another --compact-df is an error", done)
for bad in ("0/3", "4/3", "1", "1/", "/2", "a/b", "1/0", "-1/3", "1/2/3", " 1/2",
            "1/99999999999"):
    done = run("count", "c.cooc", "--part", bad)
    ok(done.returncode == 2 and b"--part must be I/N" in done.stderr,
       f"--part {bad} is wrong usage", done)
done = run("count", "docs.txt", "-o", "x.cooc", "--part", "1/2")
ok(done.returncode == 2 and b"cooc index" in done.stderr,
   "--part needs a store", done)

# ---- what a killed count leaves behind

LEFT = [".tmp-count-host-1-0123456789abcdef", ".rows-0000.bin.tmp-0123456789abcdef",
        ".tmp-part-host-2-0123456789abcdef"]


def litter(store, want):
    """A copy of a store with the files of killed processes."""
    shutil.rmtree(store, ignore_errors=True)
    shutil.copytree(want, store)
    for name in LEFT:
        with open(f"{store}/{name}", "w") as f:
            f.write("cooc counting 1\thost\t1\t2\tcount\n0\t3\n")


with open("more.txt", "w") as f:
    f.write("w1 w2 more\n")
shutil.copytree("full.cooc", "added.cooc")
cooc("add", "added.cooc", "more.txt", "-q")
cooc("merge", "full.cooc", "added.cooc", "-o", "merged.cooc", "-q")
litter("c.cooc", "full.cooc")
for args in (["check"], ["stats"], ["top", "w1"], ["count", "--status"]):
    here, there = (run(args[0], store, *args[1:]) for store in
                   ("c.cooc", "full.cooc"))
    ok(here.returncode == there.returncode == 0 and
       here.stdout.replace(b"c.cooc", b"full.cooc") == there.stdout,
       f"{args[0]} is not disturbed by left-over files", here, there)
done = run("merge", "c.cooc", "added.cooc", "-o", "m.cooc", "-q")
ok(done.returncode == 0 and same("m.cooc", "merged.cooc"),
   "merge is not disturbed", done)
done = run("add", "c.cooc", "more.txt", "-q")
ok(done.returncode == 0 and same("c.cooc", "added.cooc"),
   "add removes left-over files", done, sorted(os.listdir("c.cooc")))
litter("c.cooc", "full.cooc")
done = run("count", "c.cooc", "-q", "--force")
ok(done.returncode == 0 and same("c.cooc", "full.cooc"),
   "count --force removes them", done, sorted(os.listdir("c.cooc")))
litter("c.cooc", "full.cooc")
done = run("count", "c.cooc", "-q")
ok(done.returncode == 1 and same("c.cooc", "full.cooc"),
   "so does a count that is refused", done, sorted(os.listdir("c.cooc")))
litter("c.cooc", "full.cooc")
done = run("index", "docs.txt", "-o", "c.cooc", "-q", "--force")
ok(done.returncode == 0 and same("c.cooc", "indexed.cooc"),
   "index --force removes them", done, sorted(os.listdir("c.cooc")))

# ---- damage

for name in ("rows-0001.bin", "omitted-0000.bin"):
    for how in ("flip", "cut", "empty"):
        fresh()
        part(1, 1, *COMPACT)
        path = f"c.cooc/{name}"
        size = os.path.getsize(path)
        if how == "flip":
            with open(path, "r+b") as f:
                f.seek(size // 3)
                byte = f.read(1)
                f.seek(size // 3)
                f.write(bytes([byte[0] ^ 1]))
        else:
            os.truncate(path, size - 1 if how == "cut" else 0)
        again = draw.random() < 0.5
        if again:
            done = part(1, 1, *COMPACT)
            ok(done.returncode == 0, "a part counts a damaged unit again",
               done)
        finish("compact.cooc", f"{name}: {how} is repaired")
fresh()
part(1, 1, *COMPACT)
with open("c.cooc/counting.parts", "r+b") as f:
    f.write(b"\xff")
for args in ([], ["--part", "1/2"]):
    done = run("count", "c.cooc", "-q", *args)
    ok(done.returncode == 1 and b"counting.parts" in done.stderr and
       b"damaged" in done.stderr, "a damaged agreement is an error", done)
os.unlink("c.cooc/counting.parts")
finish("compact.cooc", "it can be removed", *COMPACT)
shutil.rmtree("c.cooc")
shutil.copytree("indexed.cooc", "c.cooc")
with open("c.cooc/inverted.bin", "r+b") as f:
    f.write(b"\x77")
done = part(1, 1, *FULL)
ok(done.returncode == 1 and b"inverted.bin: is damaged" in done.stderr,
   "a part verifies the lists that it reads", done)
ended()
