"""faulty.py - run cooc with calls that fail, and check the files it leaves.

A Job is a command in a small directory.  faults.so (tests/abuse/faults.c)
counts its calls and makes the n-th call of a kind fail, or kills the process
there; then the rules of judge() must hold.
"""

import errno
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

from power_loss import calls, endings, losses, put
from tap import BUILD, COOC, run

FAULTS = BUILD + "/tests/abuse/faults.so"
KINDS = ("write sync rename map open read close size remove look lock thread "
         "memory").split()
ONCE = {
    "write": (errno.ENOSPC, errno.EIO, "short"),
    "sync": (errno.EIO,), "rename": (errno.EIO,), "map": (errno.ENOMEM,),
    "open": (errno.EACCES, errno.EMFILE, errno.ENOSPC),
    "read": (errno.EIO, "short", errno.EINTR), "close": (errno.EIO,),
    "size": (errno.ENOSPC,), "remove": (errno.EACCES,),
    "look": (errno.EIO,), "lock": (errno.ENOLCK,),
    "thread": (errno.EAGAIN,), "memory": (errno.ENOMEM,),
}
# A sanitizer maps and allocates memory itself, and exits if it cannot.
with open(COOC, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()
if SANITIZED:
    del ONCE["map"], ONCE["memory"]
# A disk stays full and memory stays exhausted: this and all later calls fail.
FROM_THEN_ON = ("write", "memory", "open", "thread")
# Kills are tried at these calls; the other calls do not change the disk.
KILLED = ("write", "sync", "rename", "open", "remove", "size", "close")
# Without one of these calls nothing can be written safely.
OF_WRITING = ("write", "sync", "rename", "map", "open", "memory")
# Failures of these calls must be reported, because data may be missing.
MUST_FAIL = ("sync", "rename", "write")


def available():
    """Why faults cannot be injected on this machine, or None."""
    if not os.path.exists(FAULTS):
        return "faults.so is not available for this machine"
    done = run("--version", env=dict(os.environ, LD_PRELOAD=FAULTS,
                                     **SANITIZERS))
    return done.stderr.decode() if done.returncode == 99 else None


# A report of a sanitizer must not look like a clean failure; leaks cannot be
# detected in a process with trapped system calls.
SANITIZERS = {
    "ASAN_OPTIONS": "exitcode=77:detect_leaks=0:verify_asan_link_order=0:"
                    "allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=77",
}


class Fault:
    """The n-th call of a kind, how it fails, and whether later calls fail."""

    def __init__(self, kind, at, how, on=False):
        self.kind, self.at, self.how, self.on = kind, at, how, on

    def environment(self):
        return {"FAULT_KIND": self.kind, "FAULT_HOW": str(self.how),
                "FAULT_AT": f"{self.at}{'+' if self.on else ''}"}

    def hinders_tidying(self):
        """Whether files cannot be removed: needs unlink, open and memory."""
        return self.kind == "remove" or \
            self.on and self.kind in ("open", "memory")

    def __str__(self):
        how = errno.errorcode.get(self.how, self.how)
        return f"{self.kind} {self.at}{'+' if self.on else ''} {how}"


def tree(path):
    """All files below path: name to bytes, None for a directory.  The journals
    of parts have random names and contain times, so they are left out."""
    found = {}
    for at, dirs, files in os.walk(path):
        at = os.path.relpath(at, path)
        for name in dirs:
            found[os.path.normpath(f"{at}/{name}")] = None
        for name in files:
            if name.startswith(".tmp-part-"):
                continue
            name = os.path.normpath(f"{at}/{name}")
            with open(f"{path}/{name}", "rb") as f:
                found[name] = f.read()
            if name == "stats.json":
                found[name] = without_times(found[name])
    return found


def without_times(text):
    """The part of statistics that is the same in each run."""
    try:
        return " ".join(json.loads(text)).encode()
    except ValueError:
        return text


def below(files, name):
    """The part of a tree with this name."""
    return {n: data for n, data in files.items()
            if n == name or n.startswith(name + "/")}


class Job:
    """A command, the directory it needs, and the files it makes.

    start   a directory that is copied
    makes   files or stores that the command makes or changes
    grows   a store is counted in place: finished parts may remain
    pair    two files that belong together: without the first, the second
            does not matter
    """

    def __init__(self, name, start, args, makes=(), grows=False, pair=False,
                 stdin=None):
        self.name, self.args = name, args
        self.start = os.path.abspath(start)
        self.makes, self.grows, self.pair = list(makes), grows, pair
        self.stdin = stdin
        self.before = tree(start)
        self.local = threading.local()
        self.calls, self.want, self.output = {}, {}, b""

    def place(self):
        """A copy of the start directory for this thread."""
        at = f"{self.start}.{threading.get_ident()}"
        if getattr(self.local, "clean", None) != at:
            shutil.rmtree(at, ignore_errors=True)
            shutil.copytree(self.start, at, symlinks=True)
        self.local.clean = at
        return at

    def run(self, at, fault=None, record=None, wait=60):
        """Run the command in a directory, with faults.so."""
        log = at + ".log"
        env = dict(os.environ, LD_PRELOAD=FAULTS, FAULT_LOG=log,
                   **SANITIZERS)
        if record:
            env["FAULT_RECORD"] = record
        if fault:
            env.update(fault.environment())
        with open(f"{at}/{self.stdin}" if self.stdin else os.devnull) as f:
            done = subprocess.run([COOC, *self.args], stdin=f, cwd=at,
                                  stdout=subprocess.PIPE, env=env,
                                  stderr=subprocess.PIPE, timeout=wait)
        with open(log, "rb") as f:
            numbers = struct.unpack(f"{len(KINDS) + 2}Q", f.read())
        done.calls = dict(zip(KINDS, numbers))
        done.hits = numbers[len(KINDS)]
        return done

    def learn(self):
        """Run it without a fault: number of calls, and the right result."""
        at = self.place()
        done = self.run(at)
        if done.returncode:
            raise RuntimeError(f"{self.name}: {done.stderr}")
        self.calls, self.output = done.calls, done.stdout
        self.want = tree(at)
        self.local.clean = None
        return self

    def both(self, here):
        return [here.get(name) for name in self.makes]

    def is_whole(self, here):
        return all(below(here, n) == below(self.want, n) for n in self.makes)

    def once_more(self, at):
        """Run the command again without a fault: errors in the result."""
        here = tree(at)
        whole = self.is_whole(here)
        if whole and self.args[0] == "add":
            return []               # it would be added twice
        done = self.run(at)
        there = {name: data for name, data in tree(at).items()
                 if not (name in here and ".tmp-" in name)}  # left by an export
        refused = done.returncode == 1 and is_clean(done.stderr) and \
            self.is_whole(there)        # the result already exists
        if done.returncode and not refused:
            return [f"the next run: {done.returncode} {done.stderr}"]
        if not self.makes and done.stdout != self.output:
            return ["the next run printed something else"]
        if there != self.want:
            return [f"the next run made {different(there, self.want)}"]
        return []

    def state(self, at, here, tidy=True):
        """Errors in the files that a failed run has left."""
        wrong = []
        for name in self.makes:
            now = below(here, name)
            if now in (below(self.before, name), below(self.want, name)):
                continue
            if self.pair and not below(here, self.makes[0]):
                continue
            if not now or not self.grows:
                wrong.append(f"{name} is neither old nor new: "
                             f"{different(now, below(self.want, name))}")
                continue
            check = subprocess.run([COOC, "check", "-q", name], cwd=at,
                                   stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
            if check.returncode:
                wrong.append(f"{name} does not pass: {check.stderr}")
        if self.pair and below(here, self.makes[0]) and \
                self.both(here) not in (self.both(self.before),
                                        self.both(self.want)):
            wrong.append("there are files of two different exports")
        for name in set(here) | set(self.before):
            mine = any(name == m or name.startswith(m + "/")
                       for m in self.makes)
            if not mine and name not in here:
                wrong.append(f"{name} is gone")
            elif tidy and name not in self.before and \
                    name not in self.want and not (mine and self.grows and
                                                   may_stay(name)):
                wrong.append(f"{name} is left over")
            elif not mine and name in self.before and \
                    here[name] != self.before[name]:
                wrong.append(f"{name} has changed")
        return wrong

    def judge(self, fault):
        """Run with the fault: errors, and whether the fault was hit."""
        at = self.place()
        try:
            done = self.run(at, fault)
        except subprocess.TimeoutExpired:
            self.local.clean = None
            return ["hangs"], True
        here = tree(at)
        wrong = []
        if done.returncode == 0:
            left = set(here) - set(self.want)
            if done.stdout != self.output or \
                    {n: here[n] for n in set(here) - left} != self.want:
                wrong.append(f"done, but made {different(here, self.want)}")
            elif any(not is_rubbish(n) for n in left):
                wrong.append(f"done, but left {sorted(left)}")
            elif left:
                wrong += self.once_more(at)
            if done.hits and fault.kind in MUST_FAIL and \
                    fault.how != "short":
                wrong.append("done, though it was not told to the disk")
        elif done.returncode != 1:
            wrong.append(f"ends with {done.returncode}: {done.stderr}")
        elif not is_clean(done.stderr):
            wrong.append(f"says {done.stderr}")
        if done.returncode and here != self.before:
            wrong += self.state(at, here, done.returncode > 0 and
                                not fault.hinders_tidying())
            wrong += self.once_more(at)
        if here != self.before:
            self.local.clean = None
        return [f"{self.name}: {fault}: {w}" for w in wrong], done.hits > 0

    def judge_kill(self, fault):
        """Like judge(), for a fault that ends the process."""
        at = self.place()
        done = self.run(at, fault)
        self.local.clean = None
        if not done.hits:
            return [], False
        wrong = self.state(at, tree(at), tidy=False) + self.once_more(at)
        if done.returncode != -signal.SIGKILL:
            wrong.append(f"ends with {done.returncode}")
        return [f"{self.name}: {fault}: {w}" for w in wrong], True

    def lose_power(self, seed=1, first=0, lies=()):
        """Lose power at every call, or from call first on, counted from the
        end if negative: number of calls, number of trees that may be left,
        and errors in them.  If the disk lies about syncs, stop at the first
        error."""
        at, wrong, trees = self.place(), [], 0
        inputs = {n.split("/")[0] for n in self.before} - set(self.makes)
        record = at + ".record"
        self.run(at, record=record)
        self.local.clean = None
        many = sum(1 for _ in calls(record))
        for last, files in losses(record, self.before, at, seed, lies):
            if last < (first if first >= 0 else many + first):
                continue
            trees += 1
            put(files, at, inputs)
            wrong += [f"{self.name}: call {last}: {w}" for w in
                      self.state(at, tree(at), tidy=False) +
                      self.once_more(at)]
            if lies and wrong:
                break
        for files in endings(record, self.before, at, seed, lies):
            wrong += self.forgotten(files)
        return many, trees, wrong

    def forgotten(self, files):
        """Files missing in a tree after the command reported success.
        Statistics are not synced."""
        here = {n: data for n, data in files.items() if not is_rubbish(n)}
        return [f"{self.name}: done, and then {name} was lost: "
                f"{different(below(here, name), below(self.want, name))}"
                for name in self.makes if name != "stats.json" and
                below(here, name) != below(
                    {n: data for n, data in self.want.items()
                     if not is_rubbish(n)}, name)]

    def clear(self):
        """Remove the copies."""
        parent = os.path.dirname(self.start) or "."
        for name in os.listdir(parent):
            if name.startswith(os.path.basename(self.start) + "."):
                path = f"{parent}/{name}"
                if os.path.isdir(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)


def is_rubbish(name):
    """Whether a file may remain if it cannot be removed, or come back after a
    power failure: it is harmless, and the next run removes it."""
    base = os.path.basename(name)
    return name.split("/")[0] in ("n.cooc.part", "n.cooc.added.part") or \
        base in ("counting.json", "counting.parts") or \
        base.startswith(("omitted-", ".tmp-count-", ".tmp-part-"))


def may_stay(name):
    """Finished units of a count, what its parts agree on, and the note that
    names its documents."""
    name = os.path.basename(name)
    return name in ("counting.json", "counting.parts") or \
        name.startswith(("rows-", "omitted-")) and name.endswith(".bin")


def is_clean(text):
    """Whether it is one line printed by cooc."""
    return text.startswith(b"cooc: ") and \
        text.endswith(b"\n") and text.count(b"\n") == 1 and len(text) > 12


def different(a, b):
    return sorted(n + (" (missing)" if n not in a else
                       " (too many)" if n not in b else " (changed)")
                  for n in set(a) | set(b) if a.get(n, 0) != b.get(n, 0))[:8]


def faults_of(job, kinds=KINDS, every=1, on=True, draw=random):
    """Each call of the job failing in each way; every n-th allocation from a
    random one; on: also with all later calls failing."""
    def numbers(kind):
        many = job.calls[kind]
        step = every if kind == "memory" else 1
        return range(1 + draw.randrange(max(1, min(step, many))), many + 1,
                     step)

    for kind in kinds:
        if kind not in ONCE:
            continue
        for how in ONCE[kind]:
            for n in numbers(kind):
                yield Fault(kind, n, how)
        if on and kind in FROM_THEN_ON:
            for n in numbers(kind):
                yield Fault(kind, n, ONCE[kind][0], True)


def kills_of(job):
    """SIGKILL in place of each call, and in the middle of each write."""
    for kind in KILLED:
        for n in range(1, job.calls[kind] + 1):
            yield Fault(kind, n, "kill")
            if kind == "write":
                yield Fault(kind, n, "tear")


def try_all(judge, faults, workers=2):
    """Judge many faults: errors, and the number of hits of each kind.  A run on
    one thread makes the same calls each time, so every fault must be hit; with
    more threads, almost every fault."""
    faults, wrong, hits = list(faults), [], dict.fromkeys(KINDS, 0)
    missed = []
    with ThreadPoolExecutor(workers) as pool:
        for (some, hit), fault in zip(pool.map(judge, faults), faults):
            wrong += some
            hits[fault.kind] += hit
            if not hit:
                missed.append(f"{fault}: never happened")
    job = judge.__self__        # judge is a method of a job
    if len(missed) > (len(faults) // 10 if job.calls["thread"] else 0):
        wrong += [f"{job.name}: {m}" for m in missed]
    return wrong, hits


def unhit(hits, kinds):
    """An error for each of these kinds that was never hit."""
    return [f"no fault of {kind} has hit" for kind in kinds
            if kind in ONCE and not hits[kind]]


def summary(hits):
    """The kinds that were hit, with their numbers."""
    return ", ".join(f"{kind} {n}" for kind, n in hits.items() if n)
