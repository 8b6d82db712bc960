#!/usr/bin/env python3
"""sizes.t - extreme sizes: each works within its memory limit, or is refused
with a message that names the limit.

    make abuse ABUSE=sizes                  about 20 GB of disk in TMPDIR
    SIZES_SCALE=100 make abuse ABUSE=sizes  a hundredth of each size
    SIZES=gzip,empty make ...               some of the cases

Commands that take time or memory are printed with their seconds and their peak
memory: in total, and allocated (the rest is mapped files, which the kernel can
reclaim).
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, COOC, ended, ok  # noqa: E402

SCALE = int(os.environ.get("SIZES_SCALE") or 1)
CASES = [c for c in os.environ.get("SIZES", "").split(",") if c]
HUGE = BUILD + "/tests/abuse/huge"
M = 1 << 20
SLACK = 24 * M      # for the program itself, ICU's data, stacks


class Watched(threading.Thread):
    """A process with its memory sampled while it runs.

    rusage would report the peak of this script if that is higher.
    """

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.allocated = pid, 0, 0

    def run(self):
        try:
            while True:
                with open(f"/proc/{self.pid}/status") as f:
                    for line in f:
                        if line.startswith("VmHWM"):
                            self.peak = int(line.split()[1]) << 10
                        elif line.startswith("RssAnon"):
                            self.allocated = max(self.allocated,
                                                 int(line.split()[1]) << 10)
                time.sleep(0.005)
        except (OSError, ValueError):
            pass


class Done:
    pass


def cooc(*args, source=None, sink=None):
    """Run cooc, reading from one command and writing to another."""
    feed = subprocess.Popen(source, stdout=subprocess.PIPE) if source else None
    drain = subprocess.Popen(sink, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE) if sink else None
    start = time.monotonic()
    with open("stderr", "wb") as said, open("stdout", "wb") as out:
        child = subprocess.Popen(
            [COOC, *args], stderr=said,
            stdin=feed.stdout if feed else subprocess.DEVNULL,
            stdout=drain.stdin if drain else out)
    if feed:
        feed.stdout.close()
    if drain:
        drain.stdin.close()
    watched = Watched(child.pid)
    watched.start()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    watched.join()
    done = Done()
    done.seconds = time.monotonic() - start
    done.status = child.returncode
    done.peak = watched.peak or used.ru_maxrss << 10
    done.allocated = watched.allocated
    if drain:
        done.out = drain.stdout.read().decode()
        drain.wait()
    else:
        with open("stdout", errors="replace") as f:
            done.out = f.read()
    if feed:
        feed.wait()
    with open("stderr", errors="replace") as f:
        done.said = f.read()
    done.facts = {}
    if "--json" in args and done.out.startswith("{"):
        done.facts = json.loads(done.out.splitlines()[0])
    shown = [a if len(a) < 100 else a[:20] + "..." for a in args]
    if done.seconds > 1 or done.peak > 32 * M:
        print(f"# {done.seconds:7.1f} s {done.peak / M:7.0f} MiB "
              f"({done.allocated / M:.0f} allocated)  cooc {' '.join(shown)}",
              flush=True)
    return done


def works(done, name, *more):
    ok(done.status == 0 and all(more), name, done.status, done.said,
       done.out[:500], more)


def refused(done, name, *words):
    """Check that it failed cleanly, with all these words in its message."""
    ok(done.status == 1 and done.said.startswith("cooc: ") and
       all(w in done.said for w in words), name, done.status, done.said)


def within(done, limit, name):
    ok(done.peak <= limit, f"{name}: memory is within {limit // M} MiB",
       done.peak)


def allocates(done, limit, name):
    ok(done.allocated <= limit,
       f"{name}: allocated memory is within {limit // M} MiB",
       done.allocated)


def wanted(case):
    if CASES and case not in CASES:
        return False
    for name in os.listdir():
        shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
    print("#", case, flush=True)
    return True


# ---- more than 2^32 pairs

def check_pairs():
    n = max(150000 // SCALE, 100)
    subprocess.run([BUILD + "/bench/cooc-generate", "-n", str(n), "g.cooc"],
                   check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    done = cooc("count", "g.cooc", "--memory", "1G", "--json")
    pairs, increments = done.facts.get("pairs"), done.facts.get("increments")
    works(done, f"{n} documents have {pairs} pairs",
          SCALE > 1 or pairs > 1 << 32)
    within(done, 1024 * M, "counting them")
    done = cooc("check", "g.cooc")
    works(done, "every row and every sum is right")
    facts = cooc("stats", "g.cooc", "--json").facts
    ok((facts["distinct_pairs"], facts["increments"]) == (pairs, increments),
       "stats prints the same totals", facts)
    done = cooc("export", "g.cooc", "--format", "raw", sink=["wc", "-c"])
    rows = facts["vocabulary"]          # rows without pairs are left out
    more = int(done.out) // 8 - pairs
    works(done, "export writes the same number of pairs", 0 < more <= rows)
    first, second = facts["most_frequent_terms"][:2]
    pair = cooc("pair", "g.cooc", first["term"], second["term"], "--json")
    top = cooc("top", "g.cooc", first["term"], "-n", "1", "--json")
    works(pair, "a pair is found", pair.facts["df1"] == first["df"])
    works(top, "the strongest partner is found",
          top.facts["count"] >= pair.facts["count"])
    done = cooc("pairs", "g.cooc", "-n", "3", "--json")
    works(done, "the most frequent pair is found",
          done.facts["count"] == top.facts["count"])


# ---- long documents

def check_long():
    n = 200000 // SCALE
    met = n * (n - 1) // 2
    done = cooc("count", "-", "--format", "lines", "-o", "a.cooc", "--memory",
                "512M", "--json", source=[HUGE, "fresh", "1", str(n)])
    works(done, f"a document of {n} terms has {met} pairs",
          '"pairs": %d' % met in done.out or '"pairs":%d' % met in done.out)
    within(done, 512 * M, "counting it")
    works(cooc("check", "a.cooc"), "check accepts a store of one long document")
    done = cooc("top", "a.cooc", "w7", "-n", "0", sink=["wc", "-l"])
    works(done, "every term is a partner", int(done.out) in (n - 1, n))

    # The same next to small documents, with its terms in another order.
    with open("docs.txt", "wb") as f:
        subprocess.run([HUGE, "fresh", "1", str(n)], stdout=f, check=True)
        for d in range(1000):
            f.write(b" ".join(b"w%d" % (d * 7919 * i % n)
                              for i in range(1, 11)) + b"\n")
    done = cooc("count", "docs.txt", "--format", "lines", "-o", "b.cooc",
                "--memory", "512M", "--json")
    works(done, "a long document next to small ones is counted")
    within(done, 512 * M, "counting them")
    facts = cooc("stats", "b.cooc", "--json").facts
    ok(facts["distinct_pairs"] == met, "small documents add no new pair", facts)
    works(cooc("check", "b.cooc"),
          "check accepts a store of a long document and small ones")
    small = [{d * 7919 * i % n for i in range(1, 11)} for d in range(1000)]
    for x, y in ((7919, 15838), (0, 7919), (1, 2)):
        count = 1 + sum({x % n, y % n} <= s for s in small)
        got = cooc("pair", "b.cooc", f"w{x % n}", f"w{y % n}", "--json").facts
        ok(got.get("count") == count, f"w{x % n} and w{y % n} co-occur {count} "
           "times", got)


# ---- many terms, many documents

def check_terms():
    docs, each = 1000000 // SCALE, 50
    terms = docs * each
    done = cooc("index", "-", "--format", "lines", "-o", "a.cooc", "--memory",
                "1G", "--json", source=[HUGE, "fresh", str(docs), str(each)])
    works(done, f"{terms} distinct terms are indexed",
          done.facts.get("terms") == terms)
    allocates(done, 1024 * M + 32 * terms + SLACK, f"indexing {terms} terms")
    done = cooc("count", "a.cooc", "--memory", "1G", "--json")
    works(done, f"{terms} distinct terms are counted",
          done.facts.get("pairs") == docs * each * (each - 1) // 2)
    within(done, 1024 * M, f"counting {terms} distinct terms")
    works(cooc("check", "a.cooc"), f"{terms} distinct terms are checked")
    done = cooc("pair", "a.cooc", f"w{terms - 1}", f"w{terms - 2}", "--json")
    works(done, "the last two terms co-occur once",
          done.facts.get("count") == 1)
    done = cooc("top", "a.cooc", f"w{terms // 2}", "-n", "0", sink=["wc",
                                                                     "-l"])
    works(done, "a term has all its partners", int(done.out) in (49, 50))


def check_documents():
    docs, terms = 10000000 // SCALE, 1000
    done = cooc("index", "-", "--format", "lines", "-o", "a.cooc", "--memory",
                "512M", "--json", source=[HUGE, "few", str(docs), str(terms)])
    works(done, f"{docs} documents of three terms are indexed",
          done.facts.get("documents") == docs)
    allocates(done, 512 * M + SLACK, f"indexing {docs} documents")
    met = {}
    for d in range(terms):
        of = sorted({d, (d + 1) % terms, (3 * d + 2) % terms})
        for i, x in enumerate(of):
            for y in of[:i]:
                met[x, y] = met.get((x, y), 0) + docs // terms
    done = cooc("count", "a.cooc", "--memory", "512M", "--json")
    works(done, f"{docs} documents of three terms are counted",
          done.facts.get("pairs") == len(met),
          done.facts.get("increments") == sum(met.values()))
    within(done, 512 * M, f"counting {docs} documents of three terms")
    works(cooc("check", "a.cooc"), f"{docs} documents are checked")
    done = cooc("pairs", "a.cooc", "-n", "0", "--json")
    got = {}
    for line in done.out.splitlines():
        p = json.loads(line)
        x, y = int(p["term1"][1:]), int(p["term2"][1:])
        got[max(x, y), min(x, y)] = p["count"]
    ok(got == met, "every pair has the right count")


# ---- long terms

def check_words():
    longest = 65535
    with open("docs.txt", "w") as f:
        for n in (1000, longest, longest + 1, 10000000 // SCALE):
            f.write("before " + "x" * n + " after\n")
    done = cooc("count", "docs.txt", "--format", "lines", "-o", "a.cooc",
                "--memory", "512M", "--json")
    works(done, "terms of 64 KiB and 10 MB are read")
    facts = cooc("stats", "a.cooc", "--json").facts
    ok(facts["vocabulary"] == 4, f"terms of more than {longest} bytes are "
       "dropped", facts)
    done = cooc("index", "docs.txt", "--format", "lines", "-o", "b.cooc")
    works(done, "dropped terms are reported",
          "long_words_dropped\t2" in done.out)
    done = cooc("pair", "a.cooc", "before", "x" * longest, "--json")
    works(done, "the longest term is found", done.facts.get("count") == 1)
    done = cooc("export", "a.cooc", "--format", "jsonl")
    works(done, "the longest term is exported",
          '"' + "x" * longest + '"' in done.out)
    refused(cooc("pair", "a.cooc", "before", "x" * 100000),
            "a query for a longer term is refused")


# ---- one very long line

def check_line():
    size = 4 * 1024 * M // SCALE
    how = ["--memory", "512M", "-o", "a.cooc"]
    for form in ("lines", "files", "tsv", "html", "trec", "transactions"):
        done = cooc("index", "-", "--format", form, *how,
                    source=[HUGE, "words", str(size)])
        if SCALE == 1:
            refused(done, f"4 GiB on a single line are refused as {form}",
                    "MiB")
        within(done, (512 + 24) * M, f"reading 4 GiB on a line as {form}")
        shutil.rmtree("a.cooc", ignore_errors=True)
    subprocess.run(["sh", "-c", "{ printf '{\"text\":\"'; \"$0\" words "
                    f"{size}; printf '\"}}\\n'; }} > line.jsonl", HUGE],
                   check=True)
    done = cooc("index", "line.jsonl", *how)
    if SCALE == 1:
        refused(done, "4 GiB of JSON on a single line are refused",
                "line.jsonl:1", "MiB")
    within(done, (512 + 24) * M, "reading it")
    shutil.rmtree("a.cooc", ignore_errors=True)
    os.unlink("line.jsonl")
    with open("holes", "wb") as f:
        f.write(b"a")
        f.truncate(size)
    done = cooc("index", "holes", "--format", "lines", *how)
    if SCALE == 1:
        refused(done, "a file that is a hole after a letter is refused",
                "holes:1", "MiB")
    within(done, (512 + 24) * M, "reading it")
    shutil.rmtree("a.cooc", ignore_errors=True)
    # The same amount of text on many lines works.
    done = cooc("index", "-", "--format", "lines", *how, "--json",
                source=["sh", "-c", f'"$0" words {size} | tr 9 "\\n"', HUGE])
    works(done, "4 GiB on many lines are indexed",
          done.facts.get("input_bytes") == size)
    allocates(done, 512 * M + SLACK, "reading them")


def check_largest():
    """The largest document for the given memory, by the documentation."""
    size = 500 * M // SCALE
    with open("line.txt", "wb") as f:
        subprocess.run([HUGE, "words", str(size)], stdout=f, check=True)
    for form in ("lines", "html"):
        done = cooc("index", "line.txt", "--format", form, "--memory", "4G",
                    "-o", form + ".cooc", "--json")
        works(done, f"a document of {size // M} MiB is read as {form}",
              done.facts.get("documents") == 1)
        within(done, (4096 + 24) * M, "reading it")


# ---- decompression bombs and empty inputs

def check_gzip():
    for what, byte, why in (("zeros", b"\0", "NUL bytes"),
                            ("letters", b"a", "MiB")):
        packed = gzip.compress(byte * (100 * M // SCALE), 9)
        with open("bomb.gz", "wb") as f:
            for _ in range(100):
                f.write(packed)
        for form in ("lines", "files"):
            done = cooc("index", "bomb.gz", "--format", form, "--memory",
                        "512M", "-o", "a.cooc")
            if SCALE == 1:
                refused(done, f"10 GB of {what} in "
                        f"{os.stat('bomb.gz').st_size / M:.0f} MB are "
                        f"refused as {form}", "bomb.gz", why)
            within(done, (512 + 24) * M, f"reading a bomb as {form}")
            shutil.rmtree("a.cooc", ignore_errors=True)
    done = cooc("index", "bomb.gz", "--memory", "512M", "-o", "a.cooc")
    ok(done.status in (0, 1), "a bomb without --format is read or refused",
       done.said)
    within(done, (512 + 24) * M, "guessing")
    shutil.rmtree("a.cooc", ignore_errors=True)
    # The same with lines, which can be read.
    text = gzip.compress((b"alpha beta gamma " * 60 + b"\n") *
                         (10 * M // SCALE // 1021), 9)
    with open("text.gz", "wb") as f:
        for _ in range(100):
            f.write(text)
    done = cooc("count", "text.gz", "--format", "lines", "--memory", "512M",
                "-o", "a.cooc", "--json")
    works(done, "1 GB of lines compressed to "
          f"{os.stat('text.gz').st_size / 1000:.0f} kB is counted")
    within(done, (512 + 24) * M, "counting it")


def check_empty():
    with open("stop.txt", "w") as f:
        f.write("the\nof\n")
    for label, text, options, documents, terms in (
            ("no document", "", [], 0, 0),
            ("one empty document", "\n", [], 1, 0),
            ("one term", "alone\n", [], 1, 1),
            ("documents without terms", "\n...\n\n", [], 3, 0),
            ("only stop words", "the of\nof\n", ["--stop", "stop.txt"], 2, 0),
            ("only rare terms", "a b\nc d\n", ["--min-df", "3"], 2, 0),
            ("a pair", "a b\n", [], 1, 2)):
        with open("docs.txt", "w") as f:
            f.write(text)
        done = cooc("count", "docs.txt", "--format", "lines", "-o", "a.cooc",
                    "--force", "--memory", "64M", *options)
        works(done, f"{label}: counted")
        facts = cooc("stats", "a.cooc", "--json").facts
        pairs = terms * (terms - 1) // 2
        ok((facts.get("documents"), facts.get("vocabulary"),
            facts.get("distinct_pairs")) == (documents, terms, pairs),
           f"{label}: {documents} documents, {terms} terms, {pairs} pairs",
           facts)
        works(cooc("check", "a.cooc"), f"{label}: checked")
        done = cooc("pairs", "a.cooc", "--json")
        works(done, f"{label}: all pairs are listed",
              len(done.out.splitlines()) == pairs)
        for form in ("tsv", "raw", "npz", "mtx", "sqlite", "graphml"):
            to = [] if form in ("tsv", "raw") else ["-o", "out." + form]
            works(cooc("export", "a.cooc", "--format", form, *to),
                  f"{label}: export as {form} works")


for case, check in (("pairs", check_pairs), ("long", check_long),
                    ("terms", check_terms), ("documents", check_documents),
                    ("words", check_words), ("line", check_line),
                    ("largest", check_largest), ("gzip", check_gzip),
                    ("empty", check_empty)):
    if wanted(case):
        check()
ended()
