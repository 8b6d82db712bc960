"""format_speed.py - how fast cooc index reads each input format."""

import json
import os
import shutil
import subprocess

from format_files import FORMATS, documents_of, write_ciff
from measure import cores, measure, say
from pages import table, three, when

MOST = 40_000_000       # characters of text
NAMES = ("this", "reference")


def input_of(kind, documents, work):
    """Write the documents in one format: the arguments of cooc index."""
    name, form, write, options = kind
    path = work.file(name.replace(" ", "-").replace(",", ""))
    write(path, documents, name)
    if callable(options):
        options = options(path)
    named = ["--format", form] if form else []
    return path, [path, *named, *options]


def knows(cooc, form):
    """Whether this build reads the format."""
    done = subprocess.run([cooc, "index", "/nonexistent", "--format", form,
                           "-o", "/nonexistent/x"], capture_output=True,
                          check=False)
    return b"nonexistent" in done.stderr


def readers(args, form, arguments):
    """The programs to compare: name -> path."""
    new = form is None or {"--split", "--group-by"} & set(arguments)
    found = {"this": args.build + "/cooc"}
    if args.reference and not new and knows(args.reference + "/cooc", form):
        found["reference"] = args.reference + "/cooc"
    return found


def in_turns(programs, arguments, args, work):
    """The best wall time by program and number of threads."""
    best = {}
    for turn in range(args.repeat):
        for name in (NAMES if turn % 2 == 0 else NAMES[::-1]):
            if name not in programs:
                continue
            for j in (1, cores()):
                m = measure([programs[name], "index", "-j", str(j), "-f",
                             "--json", "-o", work.file("read.cooc"),
                             *arguments], locale="C.UTF-8")
                key = f"{name}_{j}"
                report = json.loads(m["printed"])
                best["bytes"] = max(report["input_bytes"],
                                    best.get("bytes", 0))
                best["documents"] = report["documents"]
                best[key] = min(m["wall_s"], best.get(key, m["wall_s"]))
    return best


def formats(known, args, save):
    texts = [c for c in known if c.text()]
    rows, work = [], texts[-1].work
    documents = documents_of(texts[-1].text(), MOST)

    def add(name, programs, arguments):
        say(f"format {name}")
        rows.append({"format": name,
                     **in_turns(programs, arguments, args, work)})
        save({"collection": texts[-1].name, "threads": cores(),
              "commit": args.commit, "formats": rows})

    for kind in FORMATS:
        path, arguments = input_of(kind, documents, work)
        add(kind[0], readers(args, kind[1], arguments), arguments)
        if kind[0] == "transactions":
            store, ciff = work.file("read.cooc"), work.file("index.ciff")
            write_ciff(args.build + "/cooc", store, ciff)
            add("ciff", {"this": args.build + "/cooc"}, [ciff])
        if os.path.isdir(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


def page_formats(part):
    found = part["rows"]
    j = found["threads"]
    compared = any("reference_1" in r for r in found["formats"])
    head = ["format", "bytes read", "1 thread", f"{j} threads"]
    if compared:
        head += [f"{found['commit']}: 1 thread", f"{j} threads", "ratios"]

    def rate(r, key):
        return f"{three(r['bytes'] / 1e6 / r[key])} MB/s" if key in r else ""

    def ratio(r, threads):
        return f"{r[f'reference_{threads}'] / r[f'this_{threads}']:.2f}"

    rows = []
    for r in found["formats"]:
        row = [r["format"], f"{r['bytes'] / 1e6:.1f} MB", rate(r, "this_1"),
               rate(r, f"this_{j}")]
        if compared:
            row += [rate(r, "reference_1"), rate(r, f"reference_{j}"),
                    ", ".join(ratio(r, t) for t in (1, j))
                    if "reference_1" in r else ""]
        rows.append(row)
    n = found["formats"][0]["documents"]
    return f"{when(part)} {n:,} documents of {found['collection']}; best " \
        "wall times.\n\n" + table(head, rows)
