#!/usr/bin/env python3
"""export_threads.t - an export has the same bytes for every number of threads
and memory limit; an export that fails or is killed leaves no file under its
name."""

import hashlib
import os
import re
import resource
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, DATA, cooc, ended, ok, run  # noqa: E402

# With 64 MiB, the mirrored half does not fit into memory.
with open("docs.txt", "w") as f:
    subprocess.run([sys.executable, DATA + "/collection.py", "1500", "6000",
                    "250"], stdout=f, check=True)
cooc("count", "docs.txt", "-o", "full.cooc", "-q", "--rows", "full")
cooc("count", "docs.txt", "-o", "compact.cooc", "-q", "--rows", "compact")
KINDS = [(s + rest).split() for s, rest in (
    ("npz", ""), ("npz", " --by npmi --diagonal"), ("npz", " --triangle"),
    ("glove", ""), ("glove", " --by pmi --min-score 2"),
    ("mtx", " --by npmi"), ("mtx", " --symmetric --by delta-p"),
    ("raw", ""), ("raw", " --symmetric --top-terms 700"),
    ("tsv", " --min-count 2"), ("tsv", " --by npmi --symmetric --diagonal"
                                " --top-terms 900"),
    ("csv", " --by chi2 --per-node 20"), ("jsonl", " --by npmi --min-count 3"),
    ("tsv", " --top-edges 5000 --by t"), ("csv", " --nodes 300"),
    ("sqlite", " --by npmi --top-terms 500"), ("sqlite", " --min-count 4"),
    ("gexf", " --min-count 12"))]


def digests(store, *options):
    """The exit status, and the bytes of all files, as hashes."""
    os.makedirs("here", exist_ok=True)
    done = run("export", store, "-q", "-o", "here/x", "--format", *options)
    found = [done.returncode, done.stderr]
    for name in sorted(os.listdir("here")):
        with open("here/" + name, "rb") as f:
            found.append((name, hashlib.sha256(f.read()).hexdigest()))
        os.remove("here/" + name)
    return found


for kind in KINDS:
    want = digests("full.cooc", *kind, "-j1")
    ok(want[0] == 0 and len(want) > 2, f"{' '.join(kind)} is exported", want)
    for how in ("full.cooc -j2 --memory 64M", "compact.cooc -j5"):
        store, *rest = how.split()
        got = digests(store, *kind, *rest)
        ok(got == want, f"{' '.join(kind)} has the same bytes with {how}",
           got, want)

# ---- pipes and devices

for kind in "npz", "glove", "mtx":
    os.mkfifo("pipe")
    with open("got", "wb") as f:
        reader = subprocess.Popen(["cat", "pipe"], stdout=f)
        cooc("export", "full.cooc", "-q", "--format", kind, "--top-terms",
             "1500", "-o", "pipe")
        reader.wait()
    cooc("export", "full.cooc", "-q", "--format", kind, "--top-terms", "1500",
         "-o", "want")
    with open("got", "rb") as got, open("want", "rb") as want:
        ok(got.read() == want.read(), f"{kind} has the same bytes in a pipe")
    os.remove("pipe")
done = run("export", "full.cooc", "-q", "--format", "raw", "-o", "/dev/null")
ok(done.returncode == 0 and not os.path.isfile("/dev/null"),
   "a device is written in place", done)

# ---- a disk that is full

for kind in "npz", "glove", "mtx", "tsv", "raw":
    with open("here/x", "w") as f:
        f.write("old\n")
    for limit in 1 << 20, 5 << 20, (5 << 20) + 4095:
        done = subprocess.run(
            [COOC, "export", "full.cooc", "-q", "--format", kind, "-o",
             "here/x"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=lambda:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        with open("here/x") as f:
            ok(done.returncode == 1 and done.stderr ==
               b"cooc: here/x: cannot write: File too large\n"
               and f.read() == "old\n" and os.listdir("here") == ["x"],
               f"{kind} that fails after {limit} bytes leaves the old file",
               done, os.listdir("here"))

# ---- a killed export


def kill_export(kind, bytes_first):
    """Kill an export when its hidden file has some bytes.  Returns the exit
    status and the visible files."""
    job = subprocess.Popen([COOC, "export", "full.cooc", "-q", "--format",
                            kind, "-j1", "-o", "here/x"], stdin=subprocess.DEVNULL)
    while job.poll() is None:
        hidden = [n for n in os.listdir("here")
                  if re.match(r"\.x\.tmp-", n)]
        if hidden and os.path.getsize("here/" + hidden[0]) >= bytes_first:
            break
        time.sleep(0.001)
    job.send_signal(signal.SIGKILL)
    status = job.wait()
    seen = sorted(n for n in os.listdir("here") if n[0] != ".")
    for name in os.listdir("here"):
        if name != "x":
            os.remove("here/" + name)
    return status, seen


for kind in "npz", "glove", "tsv":
    for bytes_first in 0, 1, 3 << 20:
        got = kill_export(kind, bytes_first)
        with open("here/x", "rb") as f:
            old = f.read(8)
        ok(got == (-signal.SIGKILL, ["x"]) and old == b"old\n",
           f"{kind} that is killed after {bytes_first} bytes leaves the old "
           "file", got, old)
ended()
