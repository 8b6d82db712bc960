#!/usr/bin/env python3
"""memory.t - --memory limits all memory used by a count, which then counts in
batches and makes the same store.  No temporary file is left behind."""

import filecmp
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, cooc, ended, ok, run, skip  # noqa: E402

LIMIT = 64 << 20
# Run a command and print its peak memory.
PEAK = ("import os, resource, sys\n"
        "pid = os.fork()\n"
        "if not pid: os.execv(sys.argv[1], sys.argv[1:])\n"
        "_, status, used = os.wait4(pid, 0)\n"
        "print(used.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))\n")


def same(a, b):
    names = sorted(os.listdir(a))
    return names == sorted(os.listdir(b)) and \
        filecmp.cmpfiles(a, b, names, shallow=False)[0] == names


def count(index, *options):
    """Count a copy of the store; return the report and the process."""
    shutil.rmtree("c.cooc", ignore_errors=True)
    shutil.copytree(index, "c.cooc")
    done = run("count", "c.cooc", *options)
    report = dict(line.split("\t") for line in
                  done.stdout.decode().splitlines() if "\t" in line)
    return report, done


def peak(index, *options):
    shutil.rmtree("c.cooc", ignore_errors=True)
    shutil.copytree(index, "c.cooc")
    done = subprocess.run([sys.executable, "-c", PEAK, COOC, "count",
                           "c.cooc", "-q", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    words = done.stdout.split()
    if len(words) != 2 or words[1] != b"0":
        ok(False, "a count with little memory succeeds", done.stderr.decode())
        ended()
    return int(words[0])


# ---- limits that are refused

with open("tiny.txt", "w") as f:
    f.write("a b c\nb c d\n")
cooc("index", "tiny.txt", "-o", "tiny.cooc", "-q")
for size in "1", "63M", "65535K":
    _, done = count("tiny.cooc", "--memory", size)
    ok(done.returncode == 2 and done.stderr ==
       b"cooc: --memory must be at least 64M to count\n"
       b"try 'cooc count --help'\n", f"--memory {size} is refused", done)
done = run("count", "tiny.txt", "-o", "new.cooc", "--memory", "32M")
ok(done.returncode == 2 and not os.path.exists("new.cooc"),
   "too little memory is refused before indexing", done)
report, done = count("tiny.cooc", "--memory", "64M")
ok(done.returncode == 0 and "batches" not in report,
   "--memory 64M is enough, and a small store is counted without batches",
   done)

# ---- every method in batches; the ids of the rarest terms are past the zone

random.seed(4)
WORDS = [f"w{i}" for i in range(90000)]
with open("wide.txt", "w") as f:
    for i in range(1500):
        n = random.randrange(1, 40)
        words = [WORDS[int(len(WORDS) * random.random() ** 5)]
                 for _ in range(n)]
        f.write(" ".join(words + WORDS[i * 60:i * 60 + 60]) + "\n")
cooc("index", "wide.txt", "-o", "wide.cooc", "-q")
shutil.copytree("wide.cooc", "want.cooc")
cooc("count", "want.cooc", "-q", "-j", "1", "--method", "list-scan")
WAYS = [["list-scan"], ["bit-scan"], ["bit-scan", "--kernel", "scalar"],
        ["bit-scan", "--head-terms", "100000"], ["list-blocks"],
        ["list-blocks", "--block-terms", "700"], ["multi-scan"],
        ["naive", "--flush-pairs", "20000"]]
for way in WAYS:
    for threads in "1", "3":
        for size, fewest in ("60000", 2), ("1500", 33):
            if way[0][0] in "lmn" and way[0] != "list-scan" and \
                    (size, threads) != ("60000", "3"):
                continue  # slow methods
            report, done = count("wide.cooc", "--batch-postings", size, "-j",
                                 threads, "--method", *way)
            good = done.returncode == 0 and same("want.cooc", "c.cooc")
            ok(good and int(report["batches"]) >= fewest,
               f"{' '.join(way)} -j {threads} in batches of {size} makes the "
               "same store", done)

with open("narrow.txt", "w") as f:
    for i in range(300):
        f.write(" ".join(random.sample(WORDS[:200], 12)) + "\n")
cooc("index", "narrow.txt", "-o", "narrow.cooc", "-q")
shutil.copytree("narrow.cooc", "few.cooc")
cooc("count", "few.cooc", "-q", "-j", "1")
for method in "list-pairs", "multi-scan", "naive", "list-blocks", "bit-scan":
    for size in "1", "50", "700":
        report, done = count("narrow.cooc", "--batch-postings", size, "-j",
                             "2", "--method", method)
        ok(done.returncode == 0 and same("few.cooc", "c.cooc"),
           f"{method} in batches of {size} postings makes the same store",
           done)

for df in "1", "3", "255":
    shutil.rmtree("less.cooc", ignore_errors=True)
    shutil.copytree("wide.cooc", "less.cooc")
    cooc("count", "less.cooc", "-q", "--rows", "compact", "--compact-df", df)
    report, done = count("wide.cooc", "--batch-postings", "20000", "-j", "2",
                         "--rows", "compact", "--compact-df", df)
    ok(done.returncode == 0 and same("less.cooc", "c.cooc"),
       f"without rows up to df {df}, batches make the same store", done)

# ---- the limit: 12 million postings, 48 MB for each of both indexes

with open("large.txt", "w") as f:
    orders = [random.sample(WORDS[:20000], 20000) for _ in range(4)]
    for i in range(240000):
        start = random.randrange(19950)
        f.write(" ".join(orders[i % 4][start:start + 50]) + "\n")
cooc("index", "large.txt", "-o", "large.cooc", "-q")
shutil.copytree("large.cooc", "large-want.cooc")
cooc("count", "large-want.cooc", "-q", "--method", "bit-scan")
with open(COOC, "rb") as f:
    program = f.read()
if b"__asan_init" in program or b"__tsan_init" in program:
    skip("peaks are measured", "a sanitizer needs memory of its own")
else:
    free = peak("large.cooc", "--method", "bit-scan", "-j", "2",
                "--head-terms", "4096")
    ok(free > LIMIT, f"without --memory a count uses {free >> 20} MB")
    for method in "bit-scan", "list-scan":
        for threads in ("2", "8") if method == "bit-scan" else ("2",):
            used = peak("large.cooc", "--method", method, "-j", threads,
                        "--memory", "64M")
            ok(used <= LIMIT, f"{method} -j {threads} --memory 64M uses "
               f"{used >> 20} MB")
            ok(same("c.cooc", "large-want.cooc"),
               f"{method} -j {threads} --memory 64M makes the same store")

    used = peak("large.cooc", "--head-terms", "65536", "--memory", "64M")
    ok(used <= LIMIT, f"--head-terms 65536 --memory 64M uses {used >> 20} MB")
    with open("rare.txt", "w") as f:
        for i in range(0, 5000000, 50):
            f.write(" ".join([f"r{k}" for k in range(i, i + 50)] +
                             WORDS[i % 9000:i % 9000 + 10]) + "\n")
    cooc("index", "rare.txt", "-o", "rare.cooc", "-q")
    used = peak("rare.cooc", "--memory", "64M", "-j", "2")
    ok(used <= LIMIT, f"five million terms use {used >> 20} MB")

# ---- a merge of more documents than fit into memory: 20 MB, a sixth of it

with open("large.txt") as f:
    lines = [f"d{i}\t{line}" for i, line in zip(range(100000), f)]
for name, part in (("whole", lines), ("first", lines[:50000]),
                   ("second", lines[50000:])):
    with open("part.tsv", "w") as f:
        f.writelines(part)
    cooc("index", "part.tsv", "-o", name + ".cooc", "-q")
cooc("merge", "first.cooc", "second.cooc", "-o", "merged.cooc", "-q",
     "--memory", "64M")
ok(same("merged.cooc", "whole.cooc"),
   "documents that do not fit into memory are merged")

# ---- one document of 20,000 terms, and 100,000 terms in short ones

with open("long.txt", "w") as f:
    many = [f"x{i}" for i in range(100000)]
    f.write(" ".join(many[:20000]) + "\n")
    for i in range(0, 100000, 50):
        f.write(" ".join(many[i:i + 50]) + "\n")
cooc("index", "long.txt", "-o", "long.cooc", "-q")
report, done = count("long.cooc", "--memory", "64M", "--batch-postings",
                     "30000")
ok(done.returncode == 0 and run("check", "c.cooc", "-q").returncode == 0,
   "a document longer than a batch is counted", done)

# ---- no temporary files are left behind

os.mkdir("elsewhere")
FORCED = ["--memory", "64M", "--method", "bit-scan", "--batch-postings",
          "2000000"]
report, done = count("large.cooc", *FORCED, "--tmpdir", "elsewhere")
ok(done.returncode == 0 and int(report.get("batches", 0)) > 1 and
   os.listdir("elsewhere") == [], "no file is left in --tmpdir", done)


def limited():
    """Limit files to 100 kB, without a signal."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


shutil.rmtree("c.cooc")
shutil.copytree("large.cooc", "c.cooc")
done = run("count", "c.cooc", *FORCED, "--tmpdir", "elsewhere",
           preexec_fn=limited)
ok(done.returncode == 1 and b"elsewhere" in done.stderr and
   b"--tmpdir" in done.stderr,
   "without space for temporary files, the error names the directory", done)
ok(os.listdir("elsewhere") == [] and same("c.cooc", "large.cooc"),
   "a count without space for temporary files leaves nothing",
   os.listdir("elsewhere"), os.listdir("c.cooc"))

for name, number in ("kill -9", signal.SIGKILL), ("SIGINT", signal.SIGINT):
    wrong = []
    for i in range(3):
        child = subprocess.Popen([COOC, "count", "c.cooc", "-q", "--force",
                                  *FORCED], stdin=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        time.sleep(0.2 + 0.2 * i)
        child.send_signal(number)
        child.wait()
        left = [f for f in os.listdir("c.cooc")
                if "rows-" not in f and not f.startswith(".tmp-count-") and
                f not in os.listdir("large.cooc")]
        if left:
            wrong.append(left)
    ok(not wrong, f"{name} leaves no temporary file", wrong)
done = run("count", "c.cooc", "-q", "--force", *FORCED)
ok(done.returncode == 0 and same("c.cooc", "large-want.cooc"),
   "the run after a kill or an interrupt makes the same store", done)
ended()
