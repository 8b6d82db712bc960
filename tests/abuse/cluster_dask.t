#!/usr/bin/python3
"""cluster_dask.t - cooc.distributed with a scheduler and two workers over TCP:
files, bags, series and dataframes give the store of a single process, also if
workers are killed in each phase; workers that cannot take part are named."""

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from cluster import configured, made, run_script, single  # noqa: E402
from parts import write_collection  # noqa: E402
from tap import SRC, WORK, ended, ok, skip  # noqa: E402
from pyhelp import LIBRARY, cooc, raised  # noqa: E402

try:
    import dask.bag
    import dask.dataframe
    import distributed  # noqa: F401
    import pandas
except ImportError as e:
    skip("cooc.distributed makes the store of a single process",
         f"{e.name} is not installed (scripts/setup cluster)")
    ended()
import cooc.distributed  # noqa: E402
from dask_cluster import DaskCluster  # noqa: E402

SEED = int(os.environ.get("CLUSTER_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
print(f"# CLUSTER_SEED={SEED}", flush=True)
INPUTS, STORE = [WORK + "/docs.txt", WORK + "/more.txt"], WORK + "/d.cooc"
write_collection(INPUTS[0], documents=6000)
write_collection(INPUTS[1], documents=500, seed=2)
LINES = {"format": "lines"}
single(INPUTS, "want.cooc", "--format", "lines", documents=6500)
single(INPUTS, "filtered.cooc", "--format", "lines", "--min-df", "3",
       "--max-df", "50%", "--min-length", "3", documents=6500)
PHASES = ["indexing parts", "merging parts", "counting parts", "finishing"]


class Killer:
    """A progress function that starts a worker in a phase and then kills
    another one, up to `times` times."""

    def __init__(self, cluster, phase, times=1):
        self.cluster, self.phase, self.times = cluster, phase, times
        self.seen, self.killed, self.now = set(), 0, ""

    def __call__(self, p):
        self.now = p.phase
        if p.phase == self.phase and self.times and \
                (p.phase, p.done) not in self.seen:
            self.seen.add((p.phase, p.done))
            self.times -= 1
            victim = draw.choice(sorted(self.cluster.workers(),
                                        key=lambda w: w.pid))
            self.cluster.start_worker()     # not in a thread that ends
            threading.Timer(draw.uniform(0, 0.3), self._kill, [victim]).start()

    def _kill(self, victim):
        self.killed += self.now == self.phase
        victim.kill()
        victim.wait()


def count(inputs, name, want, **how):
    """Count; test that the store is right."""
    if inputs is INPUTS:
        how.update(LINES)
    try:
        cooc.distributed.count(inputs, STORE, **how).close()
    except Exception as e:
        ok(False, name, repr(e), cluster.logs()[-2000:])
        shutil.rmtree(STORE, ignore_errors=True)
        return
    made(STORE, want, name, killed=True)


def refused(kind, say, name, function, *args, **how):
    e = raised(kind, function, *args, **how)
    left = [n for n in os.listdir(WORK) if n.startswith("d.cooc")]
    ok(e and all(s in str(e) for s in say) and not left, name, repr(e), left)


with DaskCluster(WORK + "/dask", workers=2) as cluster:
    client = cluster.client()
    script = configured("dask_count.py",
                        SCHEDULER=client.scheduler.address, INPUTS=INPUTS,
                        STORE=STORE, PARTS=6, OPTIONS=LINES)
    done = run_script(sys.executable, script, env=cluster.env)
    ok(done.returncode == 0 and b"6,500 documents" in done.stdout,
       "dask_count.py runs", done.stdout.decode())
    done = run_script(sys.executable, script, env=cluster.env)
    ok(done.returncode == 0 and b"Traceback" not in done.stdout,
       "dask_count.py accepts a finished store", done.stdout.decode())
    made(STORE, "want.cooc", "dask_count.py makes the store of a single run")

    # ---- workers that are killed

    for phase in PHASES:
        for parts in 5, 12:
            killer = Killer(cluster, phase)
            count(INPUTS, f"{phase}: a worker is killed, {parts} parts",
                  "want.cooc", client=client, parts=parts, progress=killer)
            print(f"# {killer.killed} workers killed", flush=True)
    for turn in range(3):
        killers = [Killer(cluster, p, times=2) for p in PHASES]

        def all_phases(p):
            for killer in killers:
                killer(p)
        count(INPUTS, "workers are killed in every phase, with filters",
              "filtered.cooc", client=client, parts=8, progress=all_phases,
              min_df=3, max_df="50%", min_length=3, retries=20)
        print(f"# {sum(k.killed for k in killers)} workers killed", flush=True)

    # ---- bags, series and dataframes

    texts = []
    for path in INPUTS:
        with open(path) as f:
            texts += f.read().splitlines()
    texts = texts[:3000] + ["", "-"] + texts[3000:]
    names = [f"document {i}" for i in range(len(texts))]
    cooc.count(texts, "numbered.cooc").close()
    cooc.count(zip(names, texts), "named.cooc", named=True, min_df=2).close()
    tokens = [t.split()[:50] for t in texts]
    cooc.count(tokens, "tokens.cooc", stop=["w1"], rows="full").close()
    bag = dask.bag.from_sequence(texts, npartitions=7)
    count(bag, "a bag of texts", "numbered.cooc", client=client)
    count(bag.map(lambda t: t.split()[:50]), "a bag of lists of tokens",
          "tokens.cooc", client=client, stop=["w1"], rows="full")
    pairs = dask.bag.from_sequence(list(zip(names, texts)), npartitions=5)
    count(pairs, "a bag of (name, text) pairs", "named.cooc", client=client,
          named=True, min_df=2)
    empty = dask.bag.from_sequence(texts, npartitions=7).filter(
        lambda t: t in texts[:10])
    cooc.count(texts[:10], "ten.cooc").close()
    count(empty, "a bag with empty partitions", "ten.cooc", client=client)
    words = [f"w{i}" for i in range(6000)]
    ids = [[int(w[1:]) for w in t if w[0] == "w"] for t in tokens]
    cooc.count(ids, "ids.cooc", vocab=words).close()
    count(dask.bag.from_sequence(ids, npartitions=4), "a bag of ids",
          "ids.cooc", client=client, vocab=words)
    frame = pandas.DataFrame({"name": names, "text": texts})
    frames = dask.dataframe.from_pandas(frame, npartitions=6)
    count(frames["text"], "a series of texts", "numbered.cooc", client=client)
    count(frames[["text"]], "a dataframe of texts", "numbered.cooc",
          client=client)
    count(frames, "a dataframe of names and texts", "named.cooc",
          client=client, min_df=2)
    for kind in bag, frames["text"]:
        for phase in ["measuring partitions"] * (kind is bag) + PHASES:
            killer = Killer(cluster, phase)
            count(kind, f"{type(kind).__name__}: a worker is killed while "
                  + phase, "numbered.cooc", client=client, parts=5,
                  progress=killer)
            print(f"# {killer.killed} workers killed", flush=True)
    refused(cooc.InvalidError, ["one column", "two"], "three columns are an "
            "error", cooc.distributed.count, frames.assign(more=1), STORE,
            client=client)
    refused(TypeError, ["Dask array"], "a Dask array is an error",
            cooc.distributed.count, frames["text"].to_dask_array(), STORE,
            client=client)
    refused(TypeError, ["index partition 1", "must be"],
            "a wrong document is reported with its worker",
            cooc.distributed.count, dask.bag.from_sequence(
                ["a", "b", 3, "d"], npartitions=2), STORE, client=client)

    # ---- stopped and continued

    def interrupt(p):
        if p.phase == "counting parts" and p.done >= 2:
            raise KeyboardInterrupt

    e = raised(KeyboardInterrupt, cooc.distributed.count, INPUTS, STORE,
               client=client, parts=6, progress=interrupt, **LINES)
    ok(e and not [n for n in os.listdir(WORK) if "d.cooc.parts" in n],
       "Ctrl-C stops the count")
    cooc.distributed.count_store(STORE, client=client, parts=9)
    made(STORE, "want.cooc", "count_store() continues it")
    child = subprocess.Popen([sys.executable, script], env=cluster.env,
                             stdout=subprocess.DEVNULL)
    due = time.monotonic() + 60
    while not os.path.exists(STORE) and time.monotonic() < due:
        time.sleep(0.01)
    time.sleep(draw.uniform(0, 0.5))
    child.kill()
    child.wait()
    done = run_script(sys.executable, script, env=cluster.env)
    for name in os.listdir(WORK):
        if name.startswith("d.cooc.parts-"):    # of the killed client
            shutil.rmtree(f"{WORK}/{name}")
    ok(done.returncode == 0, "dask_count.py continues after it was killed",
       done.stdout.decode())
    made(STORE, "want.cooc", "the store is right")

    # ---- workers that cannot take part

    def with_another(say, name, **how):
        other = cluster.start_worker(**how)
        client.wait_for_workers(len(cluster.workers()), timeout=60)
        refused((cooc.CoocError, ImportError), ["worker tcp://", *say], name,
                cooc.distributed.count, INPUTS, STORE, client=client,
                parts=12, **LINES)
        other.kill()
        other.wait()
        while len(client.nthreads()) > len(cluster.workers()):
            time.sleep(0.1)

    with_another(["No module named 'cooc'", "install cooc"],
                 "a worker without cooc", PYTHONPATH="")
    shutil.copytree(SRC + "/python/cooc", "other/cooc")
    with open("other/cooc/_abi.py") as f:
        text = f.read()
    with open("other/cooc/_abi.py", "w") as f:
        f.write(text.replace('\nVERSION = "', '\nVERSION = "9.'))
    with_another(["has cooc 9.", "install the same version"],
                 "a worker with another version",
                 PYTHONPATH=os.path.abspath("other"), COOC_LIBRARY=LIBRARY)
    hidden = ["unshare", "--mount", "sh", "-c",
              'mount -t tmpfs none "$0" && exec "$@"']
    os.mkdir("shared")
    if subprocess.run([*hidden, WORK + "/shared", "true"],
                      stderr=subprocess.DEVNULL).returncode:
        skip("a worker that cannot see the store", "cannot unshare mounts")
    else:
        STORE = WORK + "/shared/d.cooc"
        with_another(["cannot see", STORE, "share under the same path"],
                     "a worker that cannot see the store",
                     before=[*hidden, WORK + "/shared"])
        ok(not os.listdir("shared"), "nothing is left",
           os.listdir("shared"))
        STORE = WORK + "/d.cooc"
    count(INPUTS, "the other workers can still count", "want.cooc",
          client=client, parts=4)
    e = raised(RuntimeError, cooc.distributed.count, INPUTS, STORE,
               client=client, parts=4, retries=0, **LINES,
               progress=Killer(cluster, "indexing parts", times=4))
    ok(e is None or "failed 1 times" in str(e) and "died" in str(e),
       "without retries, a worker that dies is an error", repr(e))
ok(not cluster.workers() and not [
    n for n in os.listdir(WORK) if n.startswith("d.cooc.parts")],
   "no worker and no part is left", os.listdir(WORK))
signal.alarm(0)
ended()
