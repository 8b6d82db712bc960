#!/usr/bin/env python3
"""hosts.t - cooc-mpi on two hosts, which are namespaces of this machine: the
same bytes as one process, as many bytes on the wire as are reported, and errors
that name the host.

    make mpi-test
"""

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, cooc, ended, ok  # noqa: E402
from parts import same, write_collection  # noqa: E402
from ranks import MPI, need_hosts, need_mpi, stats  # noqa: E402

need_mpi()
hosts = need_hosts()
FULL = ["--rows", "full"]


def clean(store="n.cooc"):
    for path in (store, os.path.join(os.path.dirname(store), "." +
                                     os.path.basename(store) + ".parts")):
        shutil.rmtree(path, ignore_errors=True)


def fails(name, done, *texts):
    err = done.stderr.decode()
    ok(done.returncode == 1 and all(t in err for t in texts), name,
       done.returncode, err)


def main():
    write_collection("docs.txt")
    with open("tiny.txt", "w", encoding="utf-8") as f:
        f.write("a b\nb c\n")
    cooc("count", "docs.txt", "-o", "want.cooc", "-q", *FULL)

    # ---- the same bytes
    wire, sent = {}, {}
    for ranks, on_a in ((2, 1), (5, 3)):
        clean()
        done = hosts.mpirun(ranks, "count", "docs.txt", "-o", "n.cooc", "-q",
                            "--stats-json", "stats.json", *FULL, on_a=on_a)
        ok(done.returncode == 0 and same("n.cooc", "want.cooc"),
           f"{ranks} ranks on two hosts make the same store",
           done.stderr.decode())
        names = [r["host"] for r in stats()["per_rank"]]
        ok(names.count("nodea") == on_a and
           names.count("nodeb") == ranks - on_a, "each host has its ranks",
           names)

    # ---- traffic.  Open MPI itself sends about as much at the start as a short
    # job, so a short job is subtracted from a longer one.  All messages are
    # sent from one host to the other.
    cooc("index", "tiny.txt", "-o", "short.cooc", "-q")
    subprocess.run([BUILD + "/bench/cooc-generate", "-n", "20000",
                    "long.cooc"], check=True)
    for name in ("short", "long"):
        before = hosts.bytes_sent()
        done = hosts.mpirun(13, "count", name + ".cooc", "-q", "-j1",
                            "--stats-json", "stats.json", *FULL, on_a=1)
        wire[name] = hosts.bytes_sent() - before
        sent[name] = stats()["bytes_sent"]
        ok(done.returncode == 0, f"a {name} job runs", done.stderr.decode())
    ratio = (wire["long"] - wire["short"]) / (sent["long"] - sent["short"])
    clean("long.cooc")
    print(f"# short job: {sent['short']} bytes reported, {wire['short']} sent;"
          f" long job: {sent['long']} bytes reported, {wire['long']} sent; "
          f"ratio of the differences: {ratio:.2f}")
    ok(wire["long"] >= sent["long"] and 1 <= ratio <= 1.3,
       "the bytes reported are at least 1/1.3 of those on the wire",
       wire, sent)

    # ---- errors
    os.makedirs("shared")
    hosts.on("nodeb", "mount", "-t", "tmpfs", "none", os.path.abspath("shared"))
    clean("shared/n.cooc")
    fails("a directory that is not shared is an error",
          hosts.mpirun(2, "count", "docs.txt", "-o", "shared/n.cooc", "-q"),
          "shared/.n.cooc.parts: rank 1 on nodeb does not see what rank 0 on "
          "nodea writes", "use a file system that all hosts mount")
    ok(os.listdir("shared") == [], "and leaves nothing",
       os.listdir("shared"))
    cooc("index", "docs.txt", "-o", "shared/i.cooc", "-q")
    fails("a store that is not shared is an error",
          hosts.mpirun(2, "count", "shared/i.cooc", "-q"),
          "rank 1 on nodeb does not see")
    shutil.copy("docs.txt", "shared/docs.txt")
    clean()
    fails("an input that is not shared is an error",
          hosts.mpirun(2, "count", "shared/docs.txt", "-o", "n.cooc", "-q"),
          "rank 1 on nodeb: shared/docs.txt: is not seen by this rank, but by "
          "rank 0 on nodea")
    hosts.on("nodeb", "sh", "-c",
             f"cd '{os.getcwd()}' && head -n 9 docs.txt >shared/docs.txt && "
             "touch -r docs.txt shared/docs.txt")
    clean()
    fails("an input that differs is an error",
          hosts.mpirun(2, "count", "shared/docs.txt", "-o", "n.cooc", "-q"),
          "rank 1 on nodeb: shared/docs.txt: has ", "for rank 0 on nodea")
    with open(MPI, "rb") as f, open("older", "wb") as g:
        g.write(f.read().replace(b"0.1.0\0", b"0.0.9\0"))
    os.chmod("older", 0o755)
    hosts.on("nodeb", "mount", "--bind", os.path.abspath("older"), MPI)
    clean()
    fails("another version on a host is an error",
          hosts.mpirun(2, "count", "docs.txt", "-o", "n.cooc", "-q"),
          "rank 1 on nodeb has cooc 0.0.9, ", "rank 0 on nodea has cooc 0.1.0")
    ok(not os.path.exists("n.cooc"), "and makes no store")


try:
    main()
finally:
    hosts.close()
ended()
