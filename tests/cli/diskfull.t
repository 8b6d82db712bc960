#!/usr/bin/env python3
"""diskfull.t - too little disk space: a count is refused beforehand or, with
--force, fails when the disk is full.  Finished parts are kept, and with more
space the same command finishes with the same bytes."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import left_over, parts, same, write_collection  # noqa: E402
from tap import COOC, cooc, ended, ok, run, skip  # noqa: E402


def size_of(store):
    return sum(os.path.getsize(f"{store}/{n}") for n in os.listdir(store))


def mount(*options):
    return subprocess.run(["mount", *options, "cooc-test", "disk"],
                          stderr=subprocess.DEVNULL).returncode == 0


FULL = ["--rows", "full"]
write_collection("docs.txt")
cooc("index", "docs.txt", "-o", "indexed.cooc", "-q")
shutil.copytree("indexed.cooc", "want.cooc")
cooc("count", "want.cooc", "-q", *FULL)
rows = size_of("want.cooc") - size_of("indexed.cooc")
files = {n: os.path.getsize(f"want.cooc/{n}") for n in parts("want.cooc")}

# ---- a limit on the size of files, which does not need a mount

limit = (min(files.values()) + max(files.values())) // 2
shutil.copytree("indexed.cooc", "c.cooc")
done = subprocess.run(
    [COOC, "count", "c.cooc", "-q", "-j1", *FULL], stdin=subprocess.DEVNULL,
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=lambda:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
there = parts("c.cooc")
ok(done.returncode == 1 and there and re.fullmatch(
    rb"cooc: c.cooc/\.rows-\d+.bin.tmp-[0-9a-f]{16}: cannot write: File too large; "
    rb"%d of %d row files? (?:is|are) finished and kept; run the same command to continue\n"
    % (len(there), len(files)), done.stderr),
   f"a write that fails keeps the finished parts ({len(there)} of "
   f"{len(files)})", done)
ok(not left_over("c.cooc"), "a write that fails leaves no temporary file",
   left_over("c.cooc"))
done = run("count", "c.cooc", *FULL, "-q", "-j1")
ok(done.returncode == 0 and same("c.cooc", "want.cooc") and
   all(parts("c.cooc")[n] == there[n] for n in there),
   "the same command finishes the count", done)

# ---- the size of temporary files

shutil.copytree("indexed.cooc", "b.cooc")
done = run("count", "b.cooc", *FULL, "--batch-postings", "100000", "--json",
           "--progress-json")
guess = [json.loads(line) for line in done.stderr.splitlines()
         if b'"estimate"' in line][0]
told = json.loads(done.stdout)
ok(guess["batches"] == told["batches"] > 5 and
   abs(guess["temporary_bytes"] / told["temporary_bytes"] - 1) < 0.1,
   f"temporary files are as large as estimated ({told['temporary_bytes']})",
   guess, told)

# ---- a small disk

os.mkdir("disk")
room = size_of("indexed.cooc") + rows // 2
if os.geteuid() or not mount("-t", "tmpfs", "-o", f"size={room}"):
    skip("a full disk", "a small file system cannot be mounted here")
    ended()
try:
    done = run("index", "docs.txt", "-o", "disk/c.cooc", "-q")
    ok(done.returncode == 0 and same("disk/c.cooc", "indexed.cooc"),
       "one index fits on the disk", done)
    done = run("index", "docs.txt", "-o", "disk/d.cooc", "-q")
    ok(done.returncode == 1 and b"the disk is full" in done.stderr and
       os.listdir("disk") == ["c.cooc"],
       "a second index that does not fit leaves nothing", done,
       os.listdir("disk"))
    done = run("count", "disk/c.cooc", *FULL)
    ok(done.returncode == 1 and not done.stdout and re.fullmatch(
        rb"cooc: [\d.]+ million increments to count; about [\d.]+ million "
        rb"pairs in [\d.]+ MB; [\d.]+ MB free\n"
        rb"cooc: disk/c.cooc: the rows need about [\d.]+ MB of disk space, "
        rb"but [\d.]+ MB is free; free some space, move the store to another "
        rb"disk, add --rows compact, or count anyway with --force\n",
        done.stderr),
       "a count that will not fit is refused", done)
    ok(not parts("disk/c.cooc"), "a refused count has written no parts")
    done = run("count", "disk/c.cooc", *FULL, "-q", "--force", "-j1")
    there = parts("disk/c.cooc")
    told = re.fullmatch(
        rb"cooc: disk/c.cooc/\.rows-\d+.bin.tmp-[0-9a-f]{16}: cannot write: the disk is "
        rb"full; free some space or use another disk; "
        rb"%d of %d row files? (?:is|are) finished and kept; free at least ([\d.]+) MB, "
        rb"then run the same command to continue\n" % (len(there), len(files)),
        done.stderr)
    ok(done.returncode == 1 and there and told,
       f"with --force a count fails when the disk is full ({len(there)} of "
       f"{len(files)} parts kept)", done)
    ok(not left_over("disk/c.cooc") and
       run("check", "disk/c.cooc", "-q").returncode == 0,
       "a full disk leaves a good store without temporary files",
       left_over("disk/c.cooc"))
    done = run("count", "disk/c.cooc", *FULL, "-q")
    ok(done.returncode == 1 and b"the rows need about" in done.stderr and
       parts("disk/c.cooc") == there,
       "without --force the count is refused again and its parts are kept",
       done)
    more = int(float(told[1]) * 1.05e6) if told else rows
    ok(mount("-o", f"remount,size={room + more}"), "the disk grows by the "
       "requested size")
    done = run("count", "disk/c.cooc", *FULL, "-q")
    ok(done.returncode == 0 and same("disk/c.cooc", "want.cooc") and
       all(parts("disk/c.cooc")[n] == there[n] for n in there),
       "the same command resumes to the same bytes", done)
    done = run("count", "disk/c.cooc", *FULL, "-q", "--force", "-j1")
    ok(done.returncode == 1 and same("disk/c.cooc", "want.cooc") and
       done.stderr.endswith(b"; the pairs counted before are unchanged\n"),
       "a recount without space for one part is refused", done)
    mount("-o", f"remount,size={room + more + max(files.values())}")
    done = run("count", "disk/c.cooc", *FULL, "-q", "--force", "-j1")
    ok(done.returncode == 0 and same("disk/c.cooc", "want.cooc"),
       "a recount with space for one part succeeds", done)
    # ---- a part

    shutil.rmtree("disk/c.cooc")
    shutil.copytree("indexed.cooc", "disk/c.cooc")
    mount("-o", f"remount,size={room}")
    part = ["count", "disk/c.cooc", *FULL, "-q", "-j1", "--part"]
    done = run(*part, "1/1")
    ok(done.returncode == 1 and not parts("disk/c.cooc") and
       b"the rows need about" in done.stderr,
       "a part that will not fit is refused", done)
    done = run(*part, "1/1", "--force")
    there = parts("disk/c.cooc")
    left = [f for f in left_over("disk/c.cooc") if "/.tmp-part-" not in f]
    ok(done.returncode == 1 and there and not left and
       b"the disk is full" in done.stderr and
       b"%d of %d row files" % (len(there), len(files)) in done.stderr and
       run("check", "disk/c.cooc", "-q").returncode == 0,
       f"with --force, a part fails when the disk is full ({len(there)} of "
       f"{len(files)} row files kept)", done, *left)
    done = run("count", "disk/c.cooc", "--status", "--json")
    told = json.loads(done.stdout or b"{}")
    ok(done.returncode == 0 and told["row_files_finished"] == len(there) and
       told["state"] == "partly counted",
       "the status of a store on a full disk", done)
    mount("-o", f"remount,size={room + rows + rows // 2}")
    done = [run(*part, f"{i}/2") for i in (1, 2)]
    ok(not any(d.returncode for d in done) and
       all(parts("disk/c.cooc")[n] == there[n] for n in there),
       "other parts continue when there is space", *done)
    done = run("count", "disk/c.cooc", *FULL, "-q", "-j1")
    ok(done.returncode == 0 and same("disk/c.cooc", "want.cooc"),
       "the count of the parts makes the same bytes", done)
    # ---- temporary files of batches need space as well

    shutil.rmtree("disk/c.cooc")
    shutil.copytree("indexed.cooc", "disk/c.cooc")
    mount("-o", f"remount,size={room + rows}")
    batches = ["count", "disk/c.cooc", "--batch-postings", "100000", *FULL]
    done = run(*batches)
    ok(done.returncode == 1 and re.search(
        rb"cooc: in \d+ batches, with temporary files of about "
        rb"[\d.]+ MB\ncooc: disk/c.cooc: rows and temporary files need about "
        rb"[\d.]+ MB of disk space, but ", done.stderr),
       "batches are refused where only the rows would fit", done)
    done = run(*batches, "--tmpdir", ".", "-q")
    ok(done.returncode == 0 and same("disk/c.cooc", "want.cooc"),
       "batches with --tmpdir on another disk succeed", done)
    shutil.copytree("indexed.cooc", "c2.cooc")
    mount("-o", f"remount,size={room + rows + rows // 2}")
    batches[1] = "c2.cooc"
    done = run(*batches, "--tmpdir", "disk")
    ok(done.returncode == 1 and re.search(
        rb"cooc: disk: temporary files need about [\d.]+ MB of disk space, but "
        rb"[\d.]+ MB is free; free some space, name another directory with "
        rb"--tmpdir, allow more --memory, or count anyway with --force\n",
        done.stderr), "too little space for --tmpdir is refused", done)
finally:
    subprocess.run(["umount", "disk"])
ended()
