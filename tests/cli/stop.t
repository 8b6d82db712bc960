#!/usr/bin/env python3
"""stop.t - SIGINT and SIGTERM end index and count in every phase, with status
130 and 143 and a message on what is kept.  No temporary file is left, and the
next run finishes the work.  Ctrl-C also ends commands that wait for the other
end of a pipe."""

import fcntl
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from parts import (left_over, parts, same, stop_in,  # noqa: E402
                   write_collection)
from tap import COOC, cooc, ended, ok, run  # noqa: E402

write_collection("docs.txt")
cooc("index", "docs.txt", "-o", "indexed.cooc", "-q")
shutil.copytree("indexed.cooc", "want.cooc")
cooc("count", "want.cooc", "-q")

# ---- index

stopped, wrong = set(), []
for phase in ("reading", "ordering terms", "writing the index"):
    for number in (signal.SIGINT, signal.SIGTERM):
        status, now, last = stop_in(phase, number, 0, "index", "docs.txt",
                                    "-o", "i.cooc", "-j1")
        if status == 128 + number and \
           last == "cooc: interrupted; nothing was stored\n":
            stopped.add(phase)
            if os.path.exists("i.cooc"):
                wrong.append(f"{phase}: there is a store")
        elif status or not same("i.cooc", "indexed.cooc"):
            wrong.append(f"{phase}: {status} {now} {last}")
        if left_over(".", "i.cooc") or os.path.exists("i.cooc.part"):
            wrong.append(f"{phase}: leaves {left_over('.', 'i.cooc')}")
        shutil.rmtree("i.cooc", ignore_errors=True)
ok("reading" in stopped, "a signal ends index", stopped)
ok(not wrong, "an interrupted index stores nothing, or everything if the "
   "signal was late", *wrong)

# ---- count

KEPT = re.compile(r"cooc: interrupted( at \d+%)?; (\d+) of (\d+) row files? (?:is|are) "
                  r"finished and kept; run the same command to continue\n")
NONE = re.compile(r"cooc: interrupted( at \d+%)?; c.cooc is indexed but not "
                  r"counted; run the same command to continue\n")


SOON = re.compile(r"cooc: interrupted; nothing was changed; run the same "
                  r"command to continue\n")


def stop_count(phase, number, wait, *args):
    """Interrupt a count: the error, if any, and whether parts were kept."""
    status, now, last = stop_in(phase, number, wait, "count", "c.cooc", *args)
    there, kept = parts("c.cooc"), KEPT.fullmatch(last)
    if left_over("c.cooc"):
        return f"leaves {left_over('c.cooc')}", None
    if status == 0:
        return None if same("c.cooc", "want.cooc") else last, None
    if status == 128 + number and SOON.fullmatch(last) and now != "counting":
        return None, 0
    if status != 128 + number or not (kept or NONE.fullmatch(last)):
        return f"{phase} {args}: {status} {now} {last}", None
    if (int(kept[2]) if kept else 0) != len(there):
        return f"{last}, but there are {len(there)}", None
    if run("check", "c.cooc", "-q").returncode:
        return "the store is damaged", None
    return None, len(there)


def go_on(*args):
    before = parts("c.cooc")
    done = run("count", "c.cooc", "-q", *args)
    after = parts("c.cooc")
    if b"already counted" not in done.stderr and done.returncode:
        return str(done)
    if not same("c.cooc", "want.cooc") or \
       any(after[n] != before[n] for n in before):
        return f"not the same: {sorted(os.listdir('c.cooc'))}"
    return None


for method in ("bit-scan", "list-scan", "multi-scan", "list-blocks",
               "list-pairs", "naive"):
    wrong, stops = [], 0
    for i, wait in enumerate((0.01, 0.05, 0.3)):
        shutil.copytree("indexed.cooc", "c.cooc")
        why, kept = stop_count("counting", (signal.SIGINT, signal.SIGTERM)
                               [i % 2], wait, "--method", method, "-j2")
        stops += kept is not None
        for problem in (why, go_on()):
            if problem:
                wrong.append(f"{wait} s: {problem}")
        shutil.rmtree("c.cooc")
    ok(stops or method == "bit-scan", f"a signal stops {method}", stops)
    ok(not wrong, f"the next run resumes {method} to the same bytes", *wrong)

wrong = []
for phase in ("checking the index", "verifying finished row files", "estimating",
              "counting"):
    shutil.copytree("want.cooc", "c.cooc")
    shutil.copy("indexed.cooc/manifest.json", "c.cooc")
    os.unlink("c.cooc/rows-0004.bin")
    why, kept = stop_count(phase, signal.SIGTERM, 0, "-j1")
    for problem in (why, go_on()):
        if problem:
            wrong.append(f"{phase}: {problem}")
    shutil.rmtree("c.cooc")
ok(not wrong, "a resumed count is interrupted in every phase", *wrong)

shutil.copytree("want.cooc", "c.cooc")
status, now, last = stop_in("counting", signal.SIGINT, 0.05, "count",
                            "c.cooc", "--force", "--method", "list-scan",
                            "-j1")
ok(status == 130 and re.fullmatch(r"cooc: interrupted at \d+%; the pairs "
                                r"counted before are unchanged\n", last)
   and same("c.cooc", "want.cooc"), "an interrupted recount changes "
   "nothing", status, last)
shutil.rmtree("c.cooc")

# ---- index and count in one

status, now, last = stop_in("counting", signal.SIGINT, 0.1, "count",
                            "docs.txt", "-o", "c.cooc", "--method",
                            "list-scan", "-j1")
ok(status == 130 and last.endswith("run the same command to continue\n"),
   "an interrupted count -o says how to resume", status, last)
ok(go_on() is None, "counting the store resumes count -o", go_on())
shutil.rmtree("c.cooc")

# ---- Ctrl-C while cooc waits for another process


def sleeps(child):
    with open(f"/proc/{child.pid}/stat") as f:
        return f.read().rpartition(")")[2].split()[0] == "S"


def waits(child, pipe=None):
    """Wait until it sleeps for a while, because a pipe is full or standard
    input is empty."""
    calm = 0
    for _ in range(3000):
        time.sleep(0.01)
        full = pipe is None or select.select([pipe], [], [], 0)[0]
        calm = calm + 1 if full and sleeps(child) else 0
        if calm == 20 or child.poll() is not None:
            return


def interrupt(*args, stdin=subprocess.DEVNULL):
    """Ctrl-C while standard output is not read: status and stderr."""
    read, write = os.pipe()
    fcntl.fcntl(write, 1031, 4096)      # F_SETPIPE_SZ
    child = subprocess.Popen([COOC, *args], stdin=stdin, stdout=write,
                             stderr=subprocess.PIPE)
    os.close(write)
    waits(child, None if stdin == subprocess.PIPE else read)
    child.send_signal(signal.SIGINT)
    try:
        status = child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        status = "still running"
    said = child.stderr.read().decode()
    if child.stdin:
        child.stdin.close()
    os.close(read)
    return status, said.rpartition("cooc: ")[2]


with open("words.txt", "w") as f:
    f.write("\n".join(line.split("\t")[0] for line in
                      cooc("terms", "want.cooc", "-n", "99").split("\n")[1:]))
word = open("words.txt").readline().strip()
cooc("export", "want.cooc", "--format", "mtx", "-o", "want.mtx", "-q")
for args in (("terms", "want.cooc"), ("top", "want.cooc", word, "-n0"),
             ("row", "want.cooc", word), ("docs", "want.cooc", word),
             ("pairs", "want.cooc", "-n0"), ("measures", "--json"),
             ("pairs", "want.cooc", "-n0", "--by", "llr"),
             ("between", "want.cooc", "words.txt", "words.txt"),
             ("within", "want.cooc", "words.txt", "--by", "npmi"),
             ("within", "want.cooc", "words.txt", "--matrix"),
             ("similar", "want.cooc", "--terms", "words.txt", "-n0"),
             ("dump", "want.mtx")):
    got = interrupt(*args)
    ok(got == (130, "interrupted\n"), f"Ctrl-C ends {' '.join(args)}", got)
for kind in "tsv", "csv", "jsonl", "raw", "gexf", "graphml", "pajek":
    got = interrupt("export", "want.cooc", "--format", kind)
    ok(got == (130, "interrupted; nothing was exported\n"),
       f"Ctrl-C ends an export of {kind} that is not read", got)
for args, text in (
        (("index", "-", "-o", "n.cooc"), "interrupted; nothing was stored\n"),
        (("count", "-", "-o", "n.cooc"), "interrupted; nothing was stored\n"),
        (("add", "indexed.cooc", "-"),
         "interrupted; indexed.cooc is unchanged\n"),
        (("pairs", "want.cooc", "--from", "-"), "interrupted\n")):
    got = interrupt(*args, stdin=subprocess.PIPE)
    ok(got == (130, text), f"Ctrl-C ends {' '.join(args)} while it waits for "
       "input", got)
ok(not os.path.exists("n.cooc") and not left_over("."),
   "commands interrupted at their input store nothing", left_over("."))

# ---- progress and statistics as JSON

done = run("count", "docs.txt", "-o", "c.cooc", "--progress-json", "-j1")
lines = [json.loads(line) for line in done.stderr.splitlines()]
phases = [line["phase"] for line in lines]
want = ["looking at the inputs", "reading", "ordering terms",
        "writing the index", "checking the index", "estimating",
        "estimate", "counting", "writing the manifest"]
ok([p for i, p in enumerate(phases) if i == 0 or phases[i - 1] != p] == want,
   "--progress-json reports every phase", phases)
ok(all(set(line) == {"phase", "unit", "done", "total", "percent",
                     "documents", "pairs", "bytes", "seconds", "left"}
       for line in lines if line["phase"] != "estimate"),
   "every line of --progress-json has the same members", lines)
guess = lines[phases.index("estimate")]
manifest = json.load(open("c.cooc/manifest.json"))
size = sum(s["id"]["size"] for s in manifest["rows"]["shards"])
ok(guess["increments"] == manifest["increments"] and
   abs(guess["pairs"] - manifest["rows"]["pairs"]) <
   0.15 * manifest["rows"]["pairs"] and
   abs(guess["bytes"] - size) < 0.15 * size and
   guess["parts"] == len(manifest["rows"]["shards"]) and
   guess["available"] > guess["needed"] > size,
   "the estimate is close to the result", guess, manifest["rows"]["pairs"],
   size)
done = run("count", "docs.txt", "-o", "c.cooc", "--force", "-q",
           "--progress-json", "--stats-json", "stats.json")
ok(done.returncode == 0 and not done.stderr and not done.stdout,
   "--quiet prints nothing", done)
stats = json.load(open("stats.json"))
names = [p["phase"] for p in stats["phases"]]
ok(names == ["starting"] + [p for p in want if p != "estimate"] and
   stats["status"] == "done" and stats["command"] == "count" and
   stats["documents"] == 2600 and stats["method"] == "bit-scan" and
   stats["pairs"] == manifest["rows"]["pairs"] and stats["memory"] > 0 and
   stats["threads"] > 0 and stats["kernel"] and stats["head_terms"] > 255 and
   stats["bytes_written"] > size and stats["cpu_seconds"] > 0 and
   stats["bytes_read"] >= os.path.getsize("docs.txt") and
   all(p["peak_memory"] > 10**6 and p["seconds"] >= 0
       for p in stats["phases"]),
   "--stats-json has every phase and the totals", stats)
done = run("count", "c.cooc", "--stats-json", "stats.json")
stats = json.load(open("stats.json"))
ok(done.returncode == 1 and stats["status"] == "failed",
   "--stats-json reports a failure", stats)
done = run("index", "docs.txt", "-o", "j.cooc", "--stats-json",
           "none/stats.json", "-q")
ok(done.returncode == 1 and done.stderr ==
   b"cooc: the directory none does not exist; create it first: mkdir -p "
   b"none\n", "--stats-json that cannot be written is an error", done)
ok(not left_over("."), "no temporary files are left", left_over("."))
ended()
