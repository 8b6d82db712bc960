"""reading.py - measure how fast cooc index reads documents, compared with
"wc -w" on the same file in the same run, in the faster of two locales; and
what 100,000 phrases of the documents cost."""

import collections
import json
import os
import random
import re
import subprocess
import sys

from measure import SRC, keep, measure, table


def plain_file(given, work):
    """The path of an uncompressed file of documents."""
    path = given or SRC + "/demo/debian.tsv"
    if not given and not os.path.exists(path):
        path = SRC + "/demo/local.tsv"
    if not os.path.isfile(path):
        sys.exit(f"bench: {path} does not exist" +
                 ("" if given else "; run 'make demo' first"))
    if path.endswith(".zst"):
        plain = work.file(os.path.basename(path)[:-4])
        subprocess.run(["zstd", "-dq", path, "-o", plain], check=True)
        return plain
    return path


PHRASES = 100000
SAMPLE = 30_000_000     # characters from which phrases are taken
FREQUENT = 300          # words that phrases of a terminology do not begin with


def write_phrases(path, out):
    """Write phrases of two and three words that occur in the documents, as
    many as there are up to PHRASES."""
    with open(path, encoding="utf-8", errors="replace") as f:
        words = re.findall(r"\w+", f.read(SAMPLE).lower())
    common = {w for w, _ in
              collections.Counter(words).most_common(FREQUENT)}
    draw = random.Random(1)
    found = set()
    for i in range(len(words) - 3):
        phrase = words[i:i + draw.choice((2, 2, 3))]
        if phrase[0] not in common and phrase[-1] not in common:
            found.add(" ".join(phrase))
    chosen = draw.sample(sorted(found), min(PHRASES, len(found)))
    with open(out, "w", encoding="utf-8") as f:
        f.write("".join(p + "\n" for p in chosen))
    return out


def read_times(build, path, repeat, work, phrases=False):
    """The best time of each command, one row per command.  phrases: measure
    the cost of phrases as well."""
    size = os.stat(path).st_size
    # Which locale is faster depends on the version of wc.
    commands = {"wc -w, C": ["wc", "-w", path],
                "wc -w, C.UTF-8": ["wc", "-w", path]}
    for j in ("1", "2"):
        commands["cooc index -j " + j] = \
            [build + "/cooc", "index", "-j", j, "--json", "-f", "-o",
             work.file("read.cooc"), path]
    for j in ("1", "2") if phrases else ():
        listed = write_phrases(path, work.file("phrases.txt"))
        plain = commands["cooc index -j " + j]
        commands[f"cooc index -j {j} --phrases"] = \
            plain[:-1] + ["--phrases", listed, path]
    best = {}
    for _ in range(repeat):
        for name, command in commands.items():
            m = measure(command,
                        locale="C.UTF-8" if "UTF-8" in name else "C")
            if name not in best or m["wall_s"] < best[name]["wall_s"]:
                best[name] = m
    n = json.loads(best["cooc index -j 1"]["printed"])["documents"]
    wc = min(best[name]["wall_s"] for name in best if name[:2] == "wc")
    return [{"what": name, "bytes": size, "documents": n,
             "wall_s": m["wall_s"], "cpu_s": m["cpu_s"],
             "peak_MB": m["peak_MB"], "MB_per_s": size / 1e6 / m["wall_s"],
             "documents_per_s": n / m["wall_s"],
             "speed_to_wc": wc / m["wall_s"],
             "time_to_plain": m["wall_s"] /
             best[name.replace(" --phrases", "")]["wall_s"]}
            for name, m in best.items()]


def reading(args, work):
    path = plain_file(args.collection, work)
    rows = read_times(args.build, path, args.repeat, work, phrases=True)
    name, size = os.path.basename(path), rows[0]["bytes"]
    keep("reading", {"collection": name, "bytes": size}, rows,
         f"Reading {name}, {size / 1e6:.1f} MB, {rows[0]['documents']:,} "
         f"documents, best of {args.repeat}:\n\n"
         + table(rows, ["what", "wall_s", "cpu_s", "peak_MB", "MB_per_s",
                        "documents_per_s", "speed_to_wc",
                        "time_to_plain"]))
