#!/usr/bin/python3
"""distributed.t - parts from Python, and Dask workers that are threads of this
process.  make abuse ABUSE=cluster uses processes, and kills them."""

import os
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, WORK, ended, ok, skip  # noqa: E402
from parts import same, write_collection  # noqa: E402
from pyhelp import cooc, raised  # noqa: E402
import cooc.distributed  # noqa: E402

write_collection("docs.txt", documents=800)
DOCS, X = WORK + "/docs.txt", WORK + "/x.cooc"


def left():
    return [n for n in os.listdir(".") if n.startswith("x.cooc")]


# ---- parts

cooc.index(DOCS, "want.cooc")
cooc.index(DOCS, "x.cooc")
total = cooc.count_store("want.cooc", rows="full")["increments"]
done = [cooc.count_part("x.cooc", i, 4, rows="full", threads=1)
        for i in (3, 1, 4, 2, 2)]
ok(sum(d["increments"] for d in done[:4]) == total and
   done[4]["increments"] in (0, done[3]["increments"]),
   "parts have all increments", done, total)
report = cooc.count_store("x.cooc")
ok(same("x.cooc", "want.cooc"), "parts are the same as one count", report)
e = raised(cooc.ExistsError, cooc.count_part, "x.cooc", 1, 2)
ok(e and "already counted" in str(e), "a counted store has no parts", e)
for part, parts in (0, 3), (4, 3), (1, 0):
    e = raised(cooc.InvalidError, cooc.count_part, "x.cooc", part, parts)
    ok(e and str(part) in str(e), f"part {part} of {parts} is refused", e)
e = raised(TypeError, cooc.count_part, "x.cooc", 1, 2, recount=True)
ok(e, "a part has no recount", e)
cooc.index(DOCS, "x.cooc", replace=True)
cooc.count_part("x.cooc", 1, 3, rows="full")
e = raised(cooc.InvalidError, cooc.count_part, "x.cooc", 2, 3, rows="compact")
ok(e, "all parts must write the same rows", e)
subprocess.run(["rm", "-rf", "x.cooc"])

# ---- without Dask

os.mkdir("lacks")
with open("lacks/distributed.py", "w") as f:
    f.write("raise ImportError('not here')\n")
child = subprocess.run([sys.executable, "-c", """
import sys
sys.path[:0] = ["lacks", sys.argv[1] + "/python"]
import cooc.distributed
try:
    cooc.distributed.count("docs.txt", "x.cooc")
except ImportError as e:
    print(e)
""", SRC], stdout=subprocess.PIPE)
ok(b"needs Dask (Debian: python3-distributed)" in child.stdout and not left(),
   "without Dask, the error says what to install", child, left())
try:
    import dask.bag
    import distributed
except ImportError:
    skip("cooc.distributed makes the store of a single process",
         "python3-distributed is not installed")
    ended()

# ---- with workers in this process

e = raised(ValueError, cooc.distributed.count, DOCS, X)
ok(e and not left(), "without a client, count() is refused", repr(e), left())
with distributed.Client(processes=False, n_workers=2, threads_per_worker=1,
                        dashboard_address=None, memory_limit="1GiB"):
    seen = []
    store = cooc.distributed.count(DOCS, X, parts=3, rows="full",
                                   progress=seen.append)
    ok(same(X, "want.cooc") and left() == ["x.cooc"],
       "files give the store of a single process", left())
    ok([p.phase for p in seen if p.done == p.total] == [
        "indexing parts", "merging parts", "counting parts", "finishing"],
       "progress is reported", seen)
    ok(len(store.made["index"]["parts"]) == 3 and
       store.made["count"]["increments"] == total, "store.made has the reports",
       store.made)
    store.close()
    e = raised(cooc.ExistsError, cooc.distributed.count, DOCS, X)
    ok(e and "replace=True" in str(e), "an existing store is kept", e)
    texts = ["Coffee with milk", "Black coffee", "", "Tea, no milk", "tea"]
    cooc.count(texts, "drinks.cooc").close()
    cooc.distributed.count(dask.bag.from_sequence(texts, npartitions=3), X,
                           replace=True, parts=2).close()
    ok(same(X, "drinks.cooc") and left() == ["x.cooc"],
       "a bag gives the store of a single process", left())
    subprocess.run(["rm", "-rf", X])
    for kind, say, how in (
            (cooc.InvalidError, "parts must be a positive", {"parts": 0}),
            (TypeError, "no option 'colour'", {"colour": 1}),
            (TypeError, "named and vocab apply to", {"named": True}),
            (cooc.InvalidError, "/2 on worker", {
                "parts": 2, "stem": "klingon"}),
            (cooc.NotFoundError, "nowhere", {"parts": 2,
                                             "stop_file": "nowhere"})):
        e = raised(kind, cooc.distributed.count, DOCS, X, **how)
        ok(e and say in str(e) and not left(), f"refused: {say}", repr(e),
           left())
    e = raised(FileNotFoundError, cooc.distributed.count, DOCS,
               WORK + "/none/x.cooc")
    ok(e and f"{WORK}/none does not exist" in str(e) and ".parts" not in str(e),
       "the folder of the store must exist", e)
    e = raised(cooc.NotFoundError, cooc.distributed.count_store, X)
    ok(e and not left(), "count_store() needs a store", e, left())

# ---- workers that leave, and jobs that never start


def bounded(name, function):
    """Whether a function returns within a minute, and its result or error."""
    found = []

    def run():
        try:
            found.append(function())
        except Exception as e:
            found.append(e)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    ok(found, name)
    return found[0] if found else None


def slow(partition):
    """Wait until the worker has been removed, if this is the first call."""
    try:
        os.mkdir(WORK + "/began")
    except FileExistsError:
        return partition
    while not os.path.exists(WORK + "/gone"):
        time.sleep(0.01)
    return partition


def remove_worker():
    while not os.path.exists(WORK + "/began"):
        time.sleep(0.01)
    busy = [w for w, keys in client.processing().items() if keys]
    client.retire_workers(busy[:1], close_workers=True, remove=True)
    os.mkdir(WORK + "/gone")


named = [(str(i), t) for i, t in enumerate(texts)]
cooc.count(named, "named.cooc", named=True).close()
with distributed.Client(processes=False, n_workers=2, threads_per_worker=1,
                        dashboard_address=None, memory_limit="1GiB") as client:
    bag = dask.bag.from_sequence(named, npartitions=1).map_partitions(slow)
    threading.Thread(target=remove_worker, daemon=True).start()
    bounded("a count ends, although the worker that made a partition left",
            lambda: cooc.distributed.count(bag, X, client=client, named=True,
                                           parts=2).close())
    ok(os.path.exists(X) and same(X, "named.cooc"),
       "and the store is right", left())
    subprocess.run(["rm", "-rf", X])
    cooc._team._STALLED_SECONDS = 3
    bag = dask.bag.from_sequence(named, npartitions=2)
    held = client.compute(bag.to_delayed(), workers=["inproc://127.0.0.1/0/0"])
    e = bounded("a partition that no worker can make is not awaited",
                lambda: cooc.distributed.count(
                    bag, X, client=client, named=True, retries=1))
    client.cancel(held)
    ok(isinstance(e, RuntimeError) and "failed 2 times" in str(e) and
       "had not started it" in str(e) and not left(),
       "and reported", repr(e), left())
ended()
