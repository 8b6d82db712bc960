"""cluster.py - functions for tests of examples/cluster/.

The scripts run a command "cooc" that this module puts into PATH.  It kills or
stops itself if the test has asked for that with interrupt().
"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import time

from parts import left_over, same
from tap import COOC, SRC, WORK, cooc, ok

TOKENS = WORK + "/tokens"
BIN = WORK + "/bin"
ENV = dict(os.environ, PATH=f"{BIN}:/usr/bin:{os.environ['PATH']}")
COOC_SCRIPT = f"""\
#!/bin/bash
# cooc, which takes one request to be interrupted, if there is one.
command=$1
[[ $* == *--part* ]] && command+=-part
for request in '{TOKENS}'/"$command".*; do
    mv "$request" '{TOKENS}/taken/'$$ 2>/dev/null || continue
    read -r signal seconds <'{TOKENS}/taken/'$$
    if [[ $seconds == 0 ]]; then
        echo "$signal" >'{TOKENS}/hit/'$$
        kill -s "$signal" $$
    fi
    '{COOC}' "$@" &
    pid=$!
    sleep "$seconds"
    kill -s "$signal" $pid 2>/dev/null && echo "$signal" >'{TOKENS}/hit/'$pid
    wait $pid
    exit
done
exec '{COOC}' "$@"
"""
os.makedirs(BIN)
for folder in "taken", "hit":
    os.makedirs(f"{TOKENS}/{folder}")


def program(name, text):
    """Put a program into PATH."""
    with open(f"{BIN}/{name}", "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(f"{BIN}/{name}", 0o755)


program("cooc", COOC_SCRIPT)


def interrupt(command, sign="KILL", seconds=0.02, times=1):
    """Send a signal to the next processes that run this command, such as
    "index-part", after some seconds; 0: before they do anything, so that they
    cannot have finished."""
    for _ in range(times):
        name = f"{TOKENS}/{command}.{len(os.listdir(TOKENS))}" \
            f"-{time.monotonic_ns()}"
        with open(name + "~", "w", encoding="utf-8") as f:
            f.write(f"{sign} {seconds}\n")
        os.rename(name + "~", name)


def hits():
    """The processes that were interrupted, and with which signal; forget
    them, and requests that nobody took."""
    found = {}
    for path in glob.glob(TOKENS + "/hit/*"):
        with open(path, encoding="utf-8") as f:
            found[int(os.path.basename(path))] = f.read().strip()
        os.unlink(path)
    for path in glob.glob(TOKENS + "/*.*"):
        os.unlink(path)
    return found


def configured(name, **values):
    """Copy a script of examples/cluster/ as a user does, and set its values;
    lists are bash arrays."""
    with open(f"{SRC}/examples/cluster/{name}", encoding="utf-8") as f:
        text = f.read()
    for key, value in values.items():
        if isinstance(value, list) and name.endswith(".sh"):
            value = "(" + " ".join(f"'{v}'" for v in value) + ")"
        elif name.endswith(".py"):
            value = repr(value)
        text, found = re.subn(rf"^{key} ?= ?.*$", lambda m: (
            f"{key} = {value}" if " = " in m[0] else f"{key}={value}"),
            text, flags=re.M)
        if not found:
            raise ValueError(f"{name} has no setting {key}")
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)
    return os.path.abspath(name)


def run_script(*command, timeout=600, env=None):
    """Run a script; what it printed is in stdout."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, env=env or ENV,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=timeout)


def until_done(*command, times=6, before=lambda: None):
    """Run a script again until it succeeds, as its users are told to do: the
    number of runs, or None; and all output."""
    output = ""
    for n in range(1, times + 1):
        done = run_script(*command)
        output += done.stdout.decode(errors="replace")
        if done.returncode == 0:
            return n, output
        before()
    return None, output


def killed(command, seconds):
    """Run a script and kill it with all its children; whether it was still at
    work."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=ENV,
                             stdout=subprocess.DEVNULL, start_new_session=True,
                             stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    still = child.poll() is None
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:      # it has ended, with all its children
        pass
    child.wait()
    return still


def made(store, want, name, *notes, killed=False):
    """Test that a store is right and that nothing else is left; remove it."""
    if killed:
        # A count that was killed after it had written the manifest has left
        # the files of its parts; the next count removes them.
        subprocess.run([COOC, "count", store, "-q"], stdin=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
    more = [p for p in glob.glob(f"{store}.*")] + left_over(
        os.path.dirname(store), store)
    ok(os.path.isdir(store) and same(store, want) and not more, name, more,
       *notes)
    for path in [store, *more]:
        shutil.rmtree(path, ignore_errors=True)


def single(inputs, store, *options, documents):
    """Make a store in one run, which must have that many documents: with few
    of them, there is nothing to divide."""
    cooc("index", *inputs, "-o", store, "-q", *options)
    cooc("count", store, "-q")
    found = json.loads(cooc("stats", store, "--json"))["documents"]
    if found != documents:
        raise SystemExit(f"{store} has {found} documents, not {documents}")
