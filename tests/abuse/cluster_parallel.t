#!/usr/bin/python3
"""cluster_parallel.t - examples/cluster/parallel.sh with GNU parallel, on this
machine and two "hosts" behind a stand-in for ssh: parts are killed, hosts fail,
the script is killed and run again, and the store is that of a single run."""

import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from cluster import (BIN, TOKENS, configured, hits, interrupt,  # noqa: E402
                     killed, made, program, run_script, single, until_done)
from parts import write_collection  # noqa: E402
from tap import WORK, ended, ok, skip  # noqa: E402

SEED = int(os.environ.get("CLUSTER_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
print(f"# CLUSTER_SEED={SEED}", flush=True)
if not shutil.which("parallel"):
    skip("parallel.sh makes the store of a single run",
         "parallel is not installed (scripts/setup cluster)")
    ended()
INPUTS = [WORK + "/some documents.txt", WORK + "/more"]
STORE = WORK + "/a store.cooc"
COMMANDS = ["index-part", "merge", "count-part", "count", "check"]
write_collection(INPUTS[0], documents=3000)
os.mkdir(INPUTS[1])
write_collection(INPUTS[1] + "/more.txt", documents=1000, seed=2)
WORDS = ["--format", "lines", "--stem", "english"]
FILTERS = ["--max-df", "70%"]
single(INPUTS, "want.cooc", *WORDS, *FILTERS, documents=4000)
program("ssh", f"""\
#!/bin/bash
# ssh [-OPTION...] HOST COMMAND: run it here, in another directory.  A host
# that is called broken fails.
while [[ $1 == -* ]]; do shift; done
host=$1
shift
[ "$1" != -- ] || shift
echo "$host" >>'{TOKENS}/hosts'
[ "$host" != broken ] || exit 255
cd / && exec /bin/sh -c "$*"
""")


def hosts(*names):
    """Write the file of hosts."""
    with open("hosts", "w") as f:
        for name in names:
            f.write(name + "\n")


script = configured("parallel.sh", INPUTS=INPUTS, STORE=f'"{STORE}"',
                    PARTS=9, HOSTS=WORK + "/hosts", OPTIONS=WORDS,
                    FILTERS=FILTERS)
hosts(":", f"{BIN}/ssh node1", f"{BIN}/ssh node2")
done = run_script("bash", script)
with open(TOKENS + "/hosts") as f:
    seen = set(f.read().split())
ok(done.returncode == 0 and seen == {"node1", "node2"},
   "parallel.sh uses all hosts", seen, done.stdout.decode())
made(STORE, "want.cooc", "parallel.sh makes the store of a single run",
     done.stdout.decode())
interrupt("index-part", times=4)
interrupt("count-part", times=4)
done = run_script("bash", script)
hit = hits()
ok(done.returncode == 0 and len(hit) > 3,
   f"{len(hit)} parts were killed and repeated", done.stdout.decode())
made(STORE, "want.cooc", "the store is right", done.stdout.decode())
hosts(":", f"{BIN}/ssh broken")
runs, said = until_done("bash", script)
ok(runs, f"a host that fails does not prevent the store ({runs} runs)", said)
made(STORE, "want.cooc", "the store is right", said, killed=True)
hosts(":", f"{BIN}/ssh node1")
for turn in range(6):
    for command in COMMANDS:
        interrupt(command, "KILL", round(draw.uniform(0.005, 0.1), 3),
                  times=draw.randrange(5))
    at_work = sum(killed(["bash", script], draw.uniform(0.1, 4))
                  for _ in range(4))
    runs, said = until_done("bash", script, times=12)
    ok(runs, f"parts were killed at random moments ({len(hits())}), and the "
       f"script ({at_work}); it finished in run {runs}", said)
    made(STORE, "want.cooc", "the store is right", said, killed=True)
ended()
