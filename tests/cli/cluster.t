#!/usr/bin/python3
"""cluster.t - the scripts in examples/cluster/ that need nothing but a shell:
ssh and Kubernetes, with stand-ins for ssh and kubectl.  GNU parallel, Slurm and
Dask are tested by make abuse ABUSE=cluster."""

import json
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from cluster import (ENV, TOKENS, configured, hits, interrupt,  # noqa: E402
                     killed, made, program, run_script, single, until_done)
from guide_page import Page  # noqa: E402
from parts import write_collection  # noqa: E402
from tap import SRC, WORK, ended, ok, skip  # noqa: E402

SEED = int(os.environ.get("CLUSTER_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
print(f"# CLUSTER_SEED={SEED}", flush=True)

FOLDER = SRC + "/examples/cluster"
with open(SRC + "/docs/CLUSTER.md", encoding="utf-8") as f:
    PAGE = f.read()
scripts = sorted(os.listdir(FOLDER))
lost = [s for s in scripts if f"](../examples/cluster/{s})" not in PAGE]
ok(not lost, "docs/CLUSTER.md links to every script", lost)
broken = Page(SRC + "/docs/CLUSTER.md").broken()
ok(not broken, "all links of docs/CLUSTER.md lead somewhere", broken)
wrong = [s for s in scripts if s.endswith(".sh") and
         subprocess.run(["bash", "-n", f"{FOLDER}/{s}"]).returncode]
ok(not wrong, "every shell script can be parsed", wrong)
with open("program.py", "w") as f:
    f.write("import sys\nfor p in sys.argv[1:]:\n"
            "    compile(open(p).read(), p, 'exec')\n")
done = subprocess.run([sys.executable, "program.py",
                       *(f"{FOLDER}/{s}" for s in scripts
                         if s.endswith(".py"))])
ok(done.returncode == 0, "every Python program can be parsed")

# Inputs with a space, two formats, and a quotation mark in a name.
INPUTS = [WORK + "/some documents.jsonl", WORK + "/it's"]
STORE = WORK + "/a store.cooc"
write_collection("lines.txt", documents=800)
with open("lines.txt") as lines, open(INPUTS[0], "w") as f:
    f.writelines(json.dumps({"text": line}) + "\n" for line in lines)
os.mkdir(INPUTS[1])
for i in range(30):
    with open(f"{INPUTS[1]}/{i}.txt", "w") as f:
        f.write(" ".join(f"w{draw.randrange(6000)}" for _ in range(300)))
QUOTED = [p.replace("'", "'\\''") for p in INPUTS]
WORDS = ["--min-length", "2"]
FILTERS = ["--min-df", "2", "--max-df", "60%"]
single(INPUTS, "want.cooc", *WORDS, *FILTERS, documents=830)

# ---- ssh

program("ssh", f"""\
#!/bin/bash
# ssh -n HOST COMMAND: run it here, in another directory
[ "$1" = -n ] || exit 255
echo "$2" >>'{TOKENS}/hosts'
cd / && exec /bin/sh -c "$3"
""")
how = dict(INPUTS=QUOTED, STORE=f'"{STORE}"', PARTS=7, OPTIONS=WORDS,
           FILTERS=FILTERS)
script = configured("ssh.sh", HOSTS=["node1", "node2", "node3"], **how)
done = run_script("bash", script)
with open(TOKENS + "/hosts", encoding="utf-8") as f:
    hosts = sorted(f.read().split())
ok(done.returncode == 0 and hosts == sorted(2 * (3 * ["node1"] + 2 * [
    "node2"] + 2 * ["node3"])), "ssh.sh gives every host its parts",
   done.stdout.decode(), hosts)
made(STORE, "want.cooc", "ssh.sh makes the store of a single run",
     done.stdout.decode())
interrupt("index-part", times=3)
interrupt("count-part", times=3)
done = run_script("bash", script)
hit = hits()
ok(done.returncode == 0, f"ssh.sh repeats parts that were killed ({len(hit)})",
   done.stdout.decode())
made(STORE, "want.cooc", "the store is right", done.stdout.decode())
interrupt("index-part", times=20, seconds=0)
done = run_script("bash", script)
hits()
ok(done.returncode == 1 and b"failed on node" in done.stdout and
   b"run this script again" in done.stdout,
   "ssh.sh reports parts that fail three times", done.stdout.decode())
interrupt("merge", seconds=0.01)
interrupt("count", seconds=0.01)
interrupt("check", seconds=0.001)
runs, said = until_done("bash", script)
hits()
ok(runs, "ssh.sh continues after merge, count and check were killed", said)
made(STORE, "want.cooc", "the store is right", said, killed=True)
at_work = sum(killed(["bash", script], draw.uniform(0.05, 1))
              for _ in range(6))
runs, said = until_done("bash", script)
ok(runs, f"ssh.sh continues after it was killed ({at_work} times)", said)
made(STORE, "want.cooc", "the store is right", said, killed=True)

# ---- Kubernetes

try:
    import yaml
except ImportError:
    skip("Kubernetes jobs make the store of a single run",
         "python3-yaml is not installed")
    ended()
with open(FOLDER + "/kubernetes.yaml", encoding="utf-8") as f:
    settings, *jobs = yaml.safe_load_all(f)
steps = {j["metadata"]["labels"]["step"]: j["spec"] for j in jobs}
ok(list(steps) == ["index", "merge", "count", "finish"] and
   settings["kind"] == "ConfigMap" and
   all(j["kind"] == "Job" and j["apiVersion"] == "batch/v1" for j in jobs),
   "kubernetes.yaml has the settings and four jobs", list(steps))
ok(all(steps[s]["completionMode"] == "Indexed" and
       str(steps[s]["completions"]) == settings["data"]["PARTS"] and
       steps[s]["parallelism"] <= steps[s]["completions"]
       for s in ("index", "count")), "the indexed jobs have all parts")
names = [(c["name"], set(c["envFrom"][0]["configMapRef"].values()),
          {m["name"] for m in c["volumeMounts"]})
         for s in steps.values()
         for c in s["template"]["spec"]["containers"]]
ok(all(n == ("cooc", {settings["metadata"]["name"]}, {"shared"})
       for n in names) and
   all([v["name"] for v in s["template"]["spec"]["volumes"]] == ["shared"]
       for s in steps.values()),
   "containers use the settings and the volume", names)
ok(all(isinstance(v, str) for v in settings["data"].values()),
   "all settings are strings")

program("kubectl", f"""\
#!{sys.executable}
# Runs the jobs of the file in a shell; a container that fails is repeated.
import os, subprocess, sys, yaml
state = "{TOKENS}/complete"
def option(name):
    return sys.argv[sys.argv.index(name) + 1]
if sys.argv[1] == "apply":
    step = option("-l").partition("=")[2]
    with open(option("-f")) as f:
        settings, *jobs = yaml.safe_load_all(f)
    for job in jobs:
        if job["metadata"]["labels"]["step"] != step:
            continue
        spec = job["spec"]
        command = spec["template"]["spec"]["containers"][0]["command"]
        left = spec["backoffLimit"]
        for i in range(spec.get("completions", 1)):
            env = dict(os.environ, **settings["data"])
            if spec.get("completionMode") == "Indexed":
                env["JOB_COMPLETION_INDEX"] = str(i)
            while subprocess.run(command, env=env, cwd="/").returncode:
                left -= 1
                if left < 0:
                    open(state + ".failed", "w").close()
                    sys.exit()
        open(state, "w").close()
elif sys.argv[1] == "wait":
    failed = "--for=condition=failed" in sys.argv
    sys.exit(not os.path.exists(state + ".failed" * failed))
elif sys.argv[1] == "delete":
    for name in state, state + ".failed":
        if os.path.exists(name):
            os.unlink(name)
else:
    sys.exit("kubectl " + " ".join(sys.argv[1:]))
""")


def kubernetes(name, backoff=100, **data):
    """The example with other settings, as a user edits it."""
    settings["data"].update(data)
    for step in steps.values():
        step["backoffLimit"] = backoff
        if "completions" in step:
            step.update(completions=int(settings["data"]["PARTS"]),
                        parallelism=2)
    with open("kubernetes.yaml", "w") as f:
        yaml.safe_dump_all([settings, *jobs], f)
    return configured(name)


# As in the example, names are separated by spaces.
os.rename(INPUTS[0], WORK + "/documents.jsonl")
os.rename(INPUTS[1], WORK + "/folder")
INPUTS = [WORK + "/documents.jsonl", WORK + "/folder"]
STORE = WORK + "/k.cooc"
single(INPUTS, "k-want.cooc", *WORDS, *FILTERS, documents=830)
script = kubernetes("kubernetes.sh", INPUTS=" ".join(INPUTS), STORE=STORE,
                    PARTS="5", CORES="1", OPTIONS=" ".join(WORDS),
                    FILTERS=" ".join(FILTERS))
done = run_script("bash", script)
ok(done.returncode == 0, "kubernetes.sh runs all jobs", done.stdout.decode())
made(STORE, "k-want.cooc", "the jobs make the store of a single run",
     done.stdout.decode())
for command in "index-part", "merge", "count-part", "count", "check":
    interrupt(command, times=2, seconds=0.01)
done = run_script("bash", script)
hit = hits()
ok(done.returncode == 0, f"containers that are killed start again ({len(hit)})",
   done.stdout.decode())
made(STORE, "k-want.cooc", "the store is right", done.stdout.decode())
script = kubernetes("kubernetes.sh", backoff=0)
interrupt("count-part", seconds=0)
done = run_script("bash", script)
ok(done.returncode == 1 and b"failed; see: kubectl logs" in done.stdout,
   "kubernetes.sh reports a job that fails", done.stdout.decode())
hits()
runs, said = until_done("bash", script)
ok(runs == 1, "and continues when it is run again", said)
made(STORE, "k-want.cooc", "the store is right", said, killed=True)
ended()
