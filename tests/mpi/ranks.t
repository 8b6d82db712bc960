#!/usr/bin/env python3
"""ranks.t - any number of ranks makes the bytes of a single process; errors are
printed once, and name the rank and its host; jobs that end early are resumed.

    make mpi-test
"""

import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import DATA, cooc, ended, ok, run, skip  # noqa: E402
from parts import same, write_collection  # noqa: E402
from ranks import (ENV, MPI, children, end_of, mpirun,  # noqa: E402
                   need_mpi, start, stats, wait_for_ranks)

need_mpi()
HOST = socket.gethostname()
write_collection("docs.txt", documents=1500)
with open("docs.txt") as f:
    words = f.readline().split()
with open("terms.txt", "w") as f:   # words of a document, one by one and in pairs
    f.write("\n".join(words[:20] + [" ".join(words[i:i + 2])
                                     for i in range(0, len(words) - 1, 3)]))
FULL = ["--rows", "full"]
SLOW = [*FULL, "--method", "naive", "-j1"]     # about three seconds
RANKS = (1, 2, 3, 5)


def clean(store="n.cooc"):
    for path in (store, f".{store}.parts", "stats.json"):
        shutil.rmtree(path, ignore_errors=True)
        if os.path.exists(path):
            os.unlink(path)


def left():
    """What a job must not leave."""
    return [n for n in os.listdir(".") if n.startswith(".") or
            n.endswith(".part")] + \
        [n for n in (os.listdir("n.cooc") if os.path.exists("n.cooc") else [])
         if n.startswith(".")]


# ---- the same bytes

for name, options in (("full rows", FULL),
                      ("compact rows", []),
                      ("stems and filters", ["--stem", "english", "--min-df",
                                             "3", "--top-terms", "2000"]),
                      ("phrases of a list of terms", ["--terms",
                                                      "terms.txt"])):
    clean("want.cooc")
    cooc("count", "docs.txt", "-o", "want.cooc", "-q", *options)
    for n in RANKS:
        clean()
        done = mpirun(n, "count", "docs.txt", "-o", "n.cooc", "-q", "-j1",
                      "--stats-json", "stats.json", *options)
        ok(done.returncode == 0 and same("n.cooc", "want.cooc") and
           not left(), f"{n} ranks make the same store: {name}",
           done.stderr.decode(), left())
        facts = stats()
        each = facts["per_rank"]
        ok(facts["ranks"] == n == len(each) and
           [r["rank"] for r in each] == list(range(n)) and
           facts["bytes_sent"] == 1024 * facts["messages"] ==
           sum(r["bytes_sent"] for r in each) and
           all(r["host"] == HOST and r["seconds_to_start"] > 0
               for r in each) and (n == 1 or all(r["messages"] > 0
                                                 for r in each)),
           "the statistics describe each rank", facts)

cooc("index", "docs.txt", "-o", "indexed.cooc", "-q")
cooc("count", "docs.txt", "-o", "full.cooc", "-q", *FULL)
for n in RANKS:
    clean()
    shutil.copytree("indexed.cooc", "n.cooc")
    done = mpirun(n, "count", "n.cooc", *FULL, "--json")
    out = done.stdout.decode()
    ok(done.returncode == 0 and same("n.cooc", "full.cooc") and not left(),
       f"{n} ranks count a store", done.stderr.decode(), left())
    facts = json.loads(out)
    ok(facts["ranks"] == n and (
        "busiest_rank" not in facts if n == 1 else
        0 <= facts["busiest_rank"] < n and
        facts["busiest_rank_host"] == HOST == facts["least_busy_rank_host"] and
        facts["busiest_rank_seconds"] >= facts["least_busy_rank_seconds"]),
       "the report describes the ranks", out)
    clean()
    done = mpirun(n, "index", "docs.txt", "-o", "n.cooc", "-q")
    ok(done.returncode == 0 and same("n.cooc", "indexed.cooc") and not left(),
       f"{n} ranks index documents", done.stderr.decode(), left())
for i, extra in enumerate((["--memory", "64M", "--method", "naive"],
                           ["--batch-postings", "40000"],
                           ["--method", "list-scan", "-j2"])):
    clean()
    done = mpirun(3, "count", "docs.txt", "-o", "n.cooc", "-q", *FULL, *extra)
    ok(done.returncode == 0 and same("n.cooc", "full.cooc"),
       f"3 ranks with {' '.join(extra)} make the same store",
       done.stderr.decode(), left())
os.makedirs("folder/deep")
with open("docs.txt", encoding="utf-8") as f:
    for i, line in enumerate(f):
        if i == 40:
            break
        with open(f"folder/{'deep/' if i % 2 else ''}{i}.txt", "w",
                  encoding="utf-8") as g:
            g.write(line)
clean("want.cooc")
cooc("count", "folder", DATA + "/drinks.txt", "-o", "want.cooc", "-q")
for n in (2, 5):
    clean()
    done = mpirun(n, "count", "folder", DATA + "/drinks.txt", "-o", "n.cooc",
                  "-q")
    ok(done.returncode == 0 and same("n.cooc", "want.cooc") and not left(),
       f"{n} ranks index a folder and a file", done.stderr.decode(), left())
clean()
with open("one.txt", "w", encoding="utf-8") as f:
    f.write("a b\n")
clean("want.cooc")
cooc("count", "one.txt", "-o", "want.cooc", "-q")
done = mpirun(5, "count", "one.txt", "-o", "n.cooc", "-q")
ok(done.returncode == 0 and same("n.cooc", "want.cooc"),
   "5 ranks index one document", done.stderr.decode(), left())

# ---- wrong usage and failures


def fails(name, status, text, *args, ranks=3, **how):
    """The error is printed once, and the job ends with this status."""
    done = mpirun(ranks, *args, **how)
    err = done.stderr.decode()
    ok(done.returncode == status and err.count(text) == 1 and
       len(re.findall("^cooc: ", err, re.M)) == 1, name, done.returncode, err)


clean()
for n in 1, 3:
    def refused(name, *how, n=n):
        fails(f"{name}, {n} ranks", *how, ranks=n)

    refused("wrong usage is reported once", 2, "unknown option '--rose'", "count",
          "docs.txt", "--rose")
    refused("a missing input is an error", 1, "none.txt: cannot open", "count",
          "none.txt", "-o", "n.cooc")
    refused("a missing store is an error", 1, "none.cooc: ", "count", "none.cooc")
    refused("a counted store is not counted again", 1, "already counted", "count",
          "full.cooc")
    refused("--force on a counted store is refused", 1, "'cooc count --force'", "count",
          "full.cooc", "--force")
    refused("standard input cannot be shared", 2, "standard input", "count", "-",
          "-o", "n.cooc")
    refused("--part is refused", 2, "divides the work itself", "index",
          "docs.txt", "--part", "1/2", "-o", "n.cooc")
    refused("--part is refused when counting", 2, "divides the work itself", "count",
          "indexed.cooc", "--part", "1/2")
    refused("an existing store is not replaced", 1, "already", "index", "docs.txt",
          "-o", "full.cooc")
    refused("--status is refused", 2, "cooc count NAME.cooc --status",
            "count", "indexed.cooc", "--status")
    ok(not left() and not os.path.exists("n.cooc"), "and nothing is left",
       left())
TCP = ["--mca", "btl", "tcp,self"]      # no file in shared memory
with open("fail", "w", encoding="utf-8") as f:  # as if the disk were small
    f.write(f"#!/bin/bash\nulimit -f 100\nexec '{MPI}' \"$@\"\n")
os.chmod("fail", 0o755)
shutil.copytree("indexed.cooc", "n.cooc")
fails("the failure of a rank names it", 1, f" on {HOST}: ", "count",
      "n.cooc", *SLOW, "-q", program="./fail", options=TCP)
done = mpirun(3, "count", "n.cooc", "-q", *FULL)
ok(done.returncode == 0 and same("n.cooc", "full.cooc") and not left(),
   "and the same command continues", done.stderr.decode(), left())
clean()
fails("a rank that fails to index names itself", 1, f" on {HOST}: ",
      "count", "docs.txt", "-o", "n.cooc", *SLOW, "-q", program="./fail",
      options=TCP)
done = mpirun(3, "count", "docs.txt", "-o", "n.cooc", "-q", *FULL)
ok(done.returncode == 0 and same("n.cooc", "full.cooc") and not left(),
   "and the same command continues", done.stderr.decode(), left())
clean()
done = mpirun(2, "count", "docs.txt", "-o", "full.cooc", "-q", "--force",
              *FULL)
ok(done.returncode == 0 and not os.path.exists(".full.cooc.parts"),
   "--force replaces a store", done.stderr.decode(), left())

# ---- wrong launches

for variable in ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"):
    done = subprocess.run([MPI, "count", "docs.txt", "-o", "n.cooc"],
                          env=dict(ENV, **{variable: "4"}),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    ok(done.returncode == 1 and not os.path.exists("n.cooc") and
       f"one of 4 ({variable})".encode() in done.stderr and
       b"mpirun of Open MPI" in done.stderr,
       f"{variable} says that another MPI has started it", done)
done = subprocess.run(["mpirun", "-n", "1", MPI, "count", "docs.txt", "-o",
                       "n.cooc", ":", "-n", "1", MPI, "count", "docs.txt",
                       "-o", "m.cooc"], env=ENV, stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                      check=False)
ok(done.returncode == 2 and b"started with other arguments" in done.stderr and
   not os.path.exists("n.cooc"), "all ranks must have the same arguments",
   done)
with open(MPI, "rb") as f:
    text = f.read()
with open("older", "wb") as f:
    f.write(text.replace(b"0.1.0\0", b"0.0.9\0"))
os.chmod("older", 0o755)
done = subprocess.run(["mpirun", "-n", "1", MPI, "count", "docs.txt", "-o",
                       "n.cooc", ":", "-n", "1", "./older", "count",
                       "docs.txt", "-o", "n.cooc"], env=ENV,
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, check=False)
ok(done.returncode == 1 and b"has cooc 0.0.9, " in done.stderr and
   b"install the same versions" in done.stderr,
   "all ranks must have the same version", done)
for args, text in ((["--help"], b"mpirun -n 4 cooc-mpi"),
                   (["count", "--help"], b"mpirun -n R cooc-mpi count"),
                   (["--version"], b"cooc-mpi 0."), ([], b"usage: mpirun")):
    done = subprocess.run([MPI, *args], env=ENV, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    ok(text in done.stdout + done.stderr and
       done.returncode == (0 if args else 2),
       " ".join(["cooc-mpi", *args]) + " works without mpirun", done)

# ---- Ctrl-C, a killed rank, a stopped rank

clean()
shutil.copytree("indexed.cooc", "n.cooc")
child = start(3, "count", "n.cooc", *SLOW)
wait_for_ranks(child, 3)
time.sleep(0.7)
child.send_signal(signal.SIGINT)
status, err = end_of(child)
ok(status not in (0, None), "Ctrl-C ends the job", status, err)
ok(err.count("interrupted") <= 1, "Ctrl-C is reported once", err)
done = mpirun(3, "count", "n.cooc", *FULL, "-q")
ok((done.returncode == 0 or b"already counted" in done.stderr) and
   same("n.cooc", "full.cooc") and not left(),
   "after Ctrl-C, the same command continues", done.stderr.decode(), left())
clean()
shutil.copytree("indexed.cooc", "n.cooc")
child = start(3, "count", "n.cooc", *SLOW)
found = wait_for_ranks(child, 3)
time.sleep(0.5)
os.kill(found[1], signal.SIGKILL)
status, err = end_of(child)
ok(status not in (0, None) and "exited on signal 9" in err,
   "the death of a rank ends the job", status, err)
done = mpirun(2, "count", "n.cooc", *FULL, "-q")
ok(done.returncode == 0 and same("n.cooc", "full.cooc") and not left(),
   "then the job continues, even with another number of ranks",
   done.stderr.decode(), left())
ok(run("check", "n.cooc", "-q").returncode == 0, "the store is valid")

# ---- killed while reading, continued with another number of ranks


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()


def in_parts(pattern):
    return glob.glob(f".n.cooc.parts/{pattern}")


def kill_while_reading(ranks, pattern):
    """Kill all ranks when there is such a file.  They may be faster."""
    for _ in range(5):
        clean()
        child = start(ranks, "index", "long.txt", "-o", "n.cooc", "-j1")
        wait_for(lambda: in_parts(pattern))
        for pid in children(child.pid):
            os.kill(pid, signal.SIGKILL)
        end_of(child)
        if in_parts(pattern) and not os.path.exists("n.cooc"):
            return True
    return False


subprocess.run("for i in $(seq 20); do cat docs.txt; done >long.txt",
               shell=True, check=True)
clean("want.cooc")
cooc("index", "long.txt", "-o", "want.cooc", "-q")
for n, m in (2, 1), (1, 2), (1, 1), (2, 3):
    ok(kill_while_reading(n, "*-of-4.cooc" if n == 2 else "all.cooc.part"),
       f"{n} ranks were killed while reading", in_parts("*"),
       os.listdir("."))
    finished = in_parts("*-of-4.cooc")
    before = {p: os.stat(p).st_ino for p in finished}
    child = start(m, "index", "long.txt", "-o", "n.cooc", "-q", "-j1")
    used = []
    wait_for(lambda: used.append(
        {p: os.stat(p).st_ino for p in before if os.path.exists(p)})
        or child.poll() is not None)
    status, err = end_of(child)
    ok(status == 0 and same("n.cooc", "want.cooc") and not left(),
       f"and {m} continue", err, left())
    ok(all(u == before for u in used[:3]), "with the finished parts", before,
       used[:3])

# ---- inputs that differ between ranks

HIDE = """#!/bin/bash
[ "$OMPI_COMM_WORLD_RANK" = 1 ] || exec '%s' "$@"
exec unshare --mount bash -c "$HIDDEN"' && exec "$@"' - '%s' "$@"
""" % (MPI, MPI)
with open("hide", "w", encoding="utf-8") as f:
    f.write(HIDE)
os.chmod("hide", 0o755)
os.makedirs("in/put")
shutil.copy("docs.txt", "in/put/a.txt")
shutil.copy("docs.txt", "in/z.txt")
with open("docs.txt", encoding="utf-8") as f, \
        open("short.txt", "w", encoding="utf-8") as g:
    g.writelines(f.readlines()[:700])
with open("docs.txt", encoding="utf-8") as f, \
        open("other.txt", "w", encoding="utf-8") as g:
    g.write(f.read().replace("w1 ", "w2 "))
os.mkdir("empty")
for name in "a.txt", "z.txt":
    os.utime("in/put/a.txt" if name == "a.txt" else "in/z.txt", (10**9,) * 2)
os.utime("short.txt", (10**9,) * 2)
if subprocess.run(["unshare", "--mount", "true"],
                  stderr=subprocess.DEVNULL, check=False).returncode:
    skip("inputs that differ between ranks are an error",
         "cannot unshare mounts")
else:
    for name, hidden, text in (
            ("a shorter file", "mount --bind short.txt in/z.txt",
             f"rank 1 on {HOST}: in/z.txt: has {os.stat('short.txt').st_size:d}"
             " bytes of 2001-09-09 01:46:40 UTC here, but "
             f"{os.stat('in/z.txt').st_size:d} bytes of 2001-09-09 01:46:40 UTC"
             f" for rank 0 on {HOST}; let all ranks read the same"),
            ("another file of the same size",
             "mount --bind other.txt in/put/a.txt",
             f"rank 1 on {HOST}: in/put/a.txt: has "),
            ("no files", "mount --bind empty in/put",
             f"rank 1 on {HOST}: in/put/a.txt: is not seen by this rank"),
            ("one file more", "mount --bind in/put empty",
             f"rank 1 on {HOST}: empty/a.txt: is not seen by rank 0 on {HOST}"),
            ("one file less", "mount --bind empty in/put",
             f"rank 1 on {HOST}: in/put/a.txt: is not seen by this rank")):
        clean()
        fails(f"a rank sees {name}", 1, text, "index", "in", "empty", "-o",
              "n.cooc", "-q", program="./hide", ranks=2,
              env=dict(ENV, HIDDEN=hidden))
        ok(not left() and not os.path.exists("n.cooc"), "and nothing is left",
           left())

# ---- parts that do not fit together

clean()
clean("want.cooc")
cooc("index", "docs.txt", "-o", "want.cooc", "-q")
kill_while_reading(2, "*-of-4.cooc")
good = in_parts("*-of-4.cooc")[0]
note = open(good + "/counting.json", "rb").read()
shutil.rmtree(good)
cooc("index", "docs.txt", "--part", os.path.basename(good).replace(
    "-of-", "/").replace(".cooc", ""), "-o", good, "-q")
with open(good + "/counting.json", "wb") as f:
    f.write(note)
for _ in range(2):
    fails("parts that do not fit say what to do", 1, "with --force discards "
          "the parts", "index", "long.txt", "-o", "n.cooc", "-q", ranks=2)
clean("want.cooc")
cooc("index", "long.txt", "-o", "want.cooc", "-q")
done = mpirun(2, "index", "long.txt", "-o", "n.cooc", "-q", "--force")
ok(done.returncode == 0 and same("n.cooc", "want.cooc") and not left(),
   "--force starts over", done.stderr.decode(), left())
ended()
