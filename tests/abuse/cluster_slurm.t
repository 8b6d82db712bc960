#!/usr/bin/python3
"""cluster_slurm.t - examples/cluster/slurm.sh on a real Slurm cluster of one
node: tasks are cancelled, killed and requeued, jobs are submitted again, and
the store is the same as that of a single run."""

import glob
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from cluster import (ENV, TOKENS, configured, hits, interrupt,  # noqa: E402
                     made, run_script, single)
from parts import write_collection  # noqa: E402
from slurm import Slurm, missing  # noqa: E402
from tap import WORK, cooc, ended, ok, skip  # noqa: E402

SEED = int(os.environ.get("CLUSTER_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
print(f"# CLUSTER_SEED={SEED}", flush=True)
if missing():
    skip("slurm.sh makes the store of a single run", missing())
    ended()
os.chmod(WORK, 0o711)       # for munged
if os.environ.get("TMPDIR"):
    os.chmod(os.environ["TMPDIR"], 0o711)

STORE = WORK + "/s.cooc"
PARTS = 6
COMMANDS = ["index-part", "merge", "count-part", "count", "check"]
write_collection("docs.txt", documents=6000)
single([WORK + "/docs.txt"], "want.cooc", "--min-df", "2",
       documents=6000)


def submit(slurm, script):
    """Run the script on the login node."""
    done = run_script("bash", script, env=dict(
        ENV, SLURM_CONF=slurm.env["SLURM_CONF"]))
    return done.returncode == 0 and b"The last job is" in done.stdout, \
        done.stdout.decode()


def queue(slurm, *options):
    """The ids of jobs in the queue."""
    return slurm.run("squeue", "-h", "-r", "-o", "%i", *options).split()


def drained(slurm):
    slurm.wait(lambda: not queue(slurm), "the queue becomes empty", 300)


def held(n, slurm):
    """The pids of n processes, when they are stopped."""
    slurm.wait(lambda: len(os.listdir(TOKENS + "/hit")) >= n,
               f"{n} processes are stopped", 120)
    return list(hits())


def logs():
    out = ""
    for path in sorted(glob.glob(STORE + ".parts/*.log")):
        with open(path, errors="replace") as f:
            out += f"{os.path.basename(path)}: {f.read()}"
    return out


def finished(slurm, name):
    """Wait for the jobs and test the store."""
    drained(slurm)
    made(STORE, WORK + "/want.cooc", name, logs(), killed=True)


def stopped_tasks(slurm, script, command):
    """Stop two tasks; cancel one and kill -9 the other.  The jobs that wait
    for them must go, too."""
    interrupt(command, "STOP", times=2)
    submit(slurm, script)
    pids = held(2, slurm)
    job = {"index-part": "cooc-index", "count-part": "cooc-count"}[command]
    slurm.wait(lambda: len(queue(slurm, "-n", job)) == 2,
               "only the stopped tasks are left", 120)
    slurm.run("scancel", queue(slurm, "-n", job)[0])
    slurm.wait(lambda: len(queue(slurm, "-n", job)) < 2,
               "the task is cancelled")
    alive = [p for p in pids if os.path.exists(f"/proc/{p}") and
             "\nState:\tZ" not in open(f"/proc/{p}/status").read()]
    for pid in alive:
        os.kill(pid, 9)
    drained(slurm)
    return len(alive)


with Slurm(WORK + "/slurm", cpus=4) as slurm:
    script = configured("slurm.sh", INPUTS=[WORK + "/docs.txt"], STORE=STORE,
                        PARTS=PARTS, CORES=1, MEMORY="256M",
                        SBATCH=["--time=60"], FILTERS=["--min-df", "2"])
    good, said = submit(slurm, script)
    ok(good, "slurm.sh submits its jobs", said)
    finished(slurm, "the jobs make the store of a single run")

    # ---- tasks that are cancelled and killed

    n = stopped_tasks(slurm, script, "index-part")
    have = glob.glob(STORE + ".parts/*.cooc")
    ok(n == 1 and not os.path.exists(STORE) and len(have) == PARTS - 2,
       "a cancelled and a killed part of the index: no later job runs", n,
       have, logs())
    n = stopped_tasks(slurm, script, "count-part")
    ok(n == 1 and "finish-4294967294.log" not in os.listdir(STORE + ".parts"),
       "the next run completes the index; two parts of the count are cancelled "
       "and killed", n, logs())
    status = cooc("count", STORE, "--status")
    ok("partly counted" in status, "cooc count --status shows what is missing",
       status)
    submit(slurm, script)
    finished(slurm, "the third run makes the store of a single run")

    # ---- requeued

    interrupt("index-part", "STOP")
    submit(slurm, script)
    for step, after in zip(COMMANDS[:4], COMMANDS[1:]):
        held(1, slurm)
        interrupt(after, "STOP" if after != "check" else "CONT")
        job = "cooc-" + {"count": "finish"}.get(step, step.split("-")[0])
        slurm.wait(lambda: len(queue(slurm, "-n", job)) == 1,
                   "only the stopped task is left", 120)
        task, = queue(slurm, "-n", job)
        said = slurm.run("scontrol", "requeue", task)
        ok(not said, f"{step}: a stopped task is requeued", said)
        slurm.wait(lambda: "PENDING" in slurm.run(
            "squeue", "-h", "-o", "%T", "-j", task), "the task waits again")
        # By default, Slurm waits for two minutes before it starts it.
        slurm.run("scontrol", "update", "JobId=" + task,
                  "StartTime=now+4seconds")
    finished(slurm, "requeued tasks need no second run")

    # ---- random kills

    for turn in range(3):
        for command in COMMANDS:
            interrupt(command, "KILL", round(draw.uniform(0.005, 0.2), 3),
                      times=2)
        runs = 0
        while runs < 12 and (runs == 0 or os.path.exists(STORE + ".parts")):
            submit(slurm, script)
            drained(slurm)
            runs += 1
        hit = hits()
        ok(not os.path.exists(STORE + ".parts"), f"{len(hit)} processes were "
           f"killed at random moments; the jobs were submitted {runs} times",
           logs())
        finished(slurm, "the store is the same")
ok(len(slurm.daemons) == 3 and None not in [d.poll() for d in slurm.daemons],
   "no daemon is left")
ended()
