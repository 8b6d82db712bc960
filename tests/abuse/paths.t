#!/usr/bin/env python3
"""paths.t - stores in the wrong place, outputs in the wrong place, and stores
that contain other things than regular files.

    make abuse ABUSE=paths
    PATH_SEED=7 ...          repeat the random choices
    PATH_COMMANDS=19 ...     every command on every file, instead of 10

Three kinds of abuse, each with every command and every file of a store:

1. A file of a store is replaced by a pipe, a device, a socket, a folder, a
   link to a file outside, a link to itself, or a dangling link.  Every command
   ends in time with status 1 and names the file, or does not need it; nothing
   outside the store changes.
2. Stores and leftovers of killed commands are put into a folder of documents
   under random names.  The counts are those of the folder without them.
3. Every output is directed to every file of a store, directly and by links,
   and to folders full of files, links and folders with names of temporary
   files.  Only the output itself changes.
"""

import hashlib
import os
import random
import shutil
import socket
import stat
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
if os.access("/dev/shm", os.W_OK):
    os.environ["TMPDIR"] = "/dev/shm"
from tap import COOC, cooc, ended, ok  # noqa: E402
from parts import kill_after, same, timed, write_collection  # noqa: E402

SEED = int(os.environ.get("PATH_SEED") or random.randrange(10**6))
draw = random.Random(SEED)
LIMIT = 20          # seconds, more than any command here needs
SOME = int(os.environ.get("PATH_COMMANDS") or 10)
print(f"# PATH_SEED={SEED}", flush=True)


def run(*args, cwd=None):
    """Run cooc: exit status, or None if it hangs, and standard error."""
    try:
        done = subprocess.run([COOC, *args], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=LIMIT, cwd=cwd, check=False)
    except subprocess.TimeoutExpired:
        return None, "hangs"
    return done.returncode, done.stderr.decode(errors="replace")


def tree(*tops):
    """Everything below: path to kind and contents."""
    found = {}
    for top in tops:
        for path in [top] + [f"{at}/{n}" for at, dirs, files in os.walk(top)
                             for n in dirs + files]:
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                with open(path, "rb") as f:
                    found[path] = hashlib.md5(f.read()).hexdigest()
            elif stat.S_ISLNK(mode):
                found[path] = "link to " + os.readlink(path)
            else:
                found[path] = oct(stat.S_IFMT(mode))
    return found


def changes(before, after):
    return sorted(p for p in before.keys() | after.keys()
                  if before.get(p) != after.get(p))


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


os.mkdir("outside")
write("a.txt", "tea milk sugar\ntea milk\ncoffee milk\ntea lemon\n")
write("b.txt", "tea biscuits\ncoffee cake milk\n")
write("stop", "the\n")
write("thesaurus", "chai\ttea\n")
HOW = ["--stop", "stop", "--thesaurus", "thesaurus", "-q", "--rows", "full"]
cooc("index", "a.txt", "-o", "indexed", *HOW)
cooc("count", "a.txt", "-o", "counted", *HOW)
cooc("count", "b.txt", "-o", "second", *HOW)
FILES = sorted(os.listdir("counted"))

# ---- 1. other things in place of files

shutil.copytree("counted", "outside/copy")
write("outside/any", "any\n")


def make_socket(path):
    """Bind in the directory, because names of sockets must be short."""
    here = os.getcwd()
    os.chdir(os.path.dirname(path))
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(os.path.basename(path))
    finally:
        os.chdir(here)


def make_device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero
    except PermissionError:
        os.symlink("/dev/zero", path)


KINDS = {
    "pipe": os.mkfifo,
    "device": make_device,
    "socket": make_socket,
    "folder": os.mkdir,
    "link to a device": lambda p: os.symlink("/dev/zero", p),
    "link to the same file outside": lambda p: os.symlink(
        os.path.abspath("outside/copy/" + os.path.basename(p)), p),
    "link to another file outside": lambda p: os.symlink(
        os.path.abspath("outside/any"), p),
    "link to itself": lambda p: os.symlink(os.path.basename(p), p),
    "link to nothing": lambda p: os.symlink("nothing", p),
}
COMMANDS = [
    ["stats", "s"], ["check", "s"], ["pair", "s", "tea", "milk"],
    ["top", "s", "tea"], ["similar", "s", "tea"], ["row", "s", "tea"], ["pairs", "s"], ["terms", "s"],
    ["docs", "s", "tea"], ["within", "s", "tea", "milk"], ["export", "s"],
    ["export", "s", "--format", "npz", "-o", "x.npz"], ["dump", "s"],
    ["count", "s", "-q"], ["count", "s", "--force", "-q"],
    ["add", "s", "b.txt", "-q"], ["merge", "s", "second", "-o", "n", "-q"],
    ["index", "a.txt", "-o", "s", "--force", *HOW],
    ["count", "a.txt", "-o", "s", *HOW], ["index", "s", "-o", "n"],
]
MADE = ["s", "n", "n.part", "s.part", "s.added.part", "x.npz",
        "x.npz.terms.txt"]
keep = ["outside", "counted", "second", "a.txt", "b.txt"]
before = tree(*keep)
tried = 0
for kind, make in KINDS.items():
    wrong = []
    for name in [*FILES, "counting.json", ".manifest.json.tmp",
                 ".rows-0000.bin.tmp"]:
        for command in draw.sample(COMMANDS, SOME):
            for made in MADE:
                remove(made)
            shutil.copytree("counted" if name in FILES else "indexed", "s")
            remove("s/" + name)
            make("s/" + name)
            status, said = run(*command)
            tried += 1
            if status not in (0, 1, 2) or (status and
                                           not said.startswith("cooc: ")):
                wrong.append(f"{name}: {command}: {status} {said}")
            if status == 0 and name in FILES and command[0] in (
                    "stats", "check", "top", "add", "merge"):
                wrong.append(f"{name}: {command} does not detect it")
            left = [m for m in MADE if m.endswith("part") and
                    os.path.lexists(m)]
            if left:
                wrong.append(f"{name}: {command} leaves {left}: {said}")
    now = tree(*keep)
    wrong += [f"{p} has changed" for p in changes(before, now)]
    ok(not wrong, f"a {kind} in place of a file does no harm", *wrong[:20])
for made in MADE:
    remove(made)

# ---- 2. stores among documents

os.mkdir("docs")
for i in range(40):
    write(f"docs/{i:02}.txt", " ".join(draw.choices(
        [f"word{j}" for j in range(200)], k=30)))
cooc("count", "docs", "-o", "want", "-q")
write_collection("large.txt", documents=150, terms=2000, length=100)
write_collection("medium.txt", documents=50, terms=2000, length=100, seed=2)
for size in "large", "medium":
    cooc("count", size + ".txt", "-o", size, "--thesaurus", "thesaurus", "-q")
NAMES = ["store", "store.cooc", "x.part", "2024", "a b", "ä", "d.txt", "Z",
         "json.cooc.part", "x.added.part", "%s", "00.txt.d"]
JOBS = [["index", "large.txt", "-o", "n"], ["count", "large.txt", "-o", "n"],
        ["merge", "large", "medium", "-o", "n"],
        ["add", "large", "large.txt"]]


def prepare():
    """Make a folder for a command that will be killed."""
    shutil.rmtree("kill", ignore_errors=True)
    os.mkdir("kill")
    shutil.copy("large.txt", "kill")
    shutil.copytree("large", "kill/large")
    shutil.copytree("medium", "kill/medium")


def scatter():
    """Put stores, finished or not, into the folder; return their names."""
    there = []
    for name in draw.sample(NAMES, draw.randint(1, 4)):
        top = draw.choice(["docs", "docs/sub"])
        to = f"{top}/{name}"
        os.makedirs(top, exist_ok=True)
        if os.path.lexists(to):
            continue
        what = draw.randrange(4)
        if what == 0:
            shutil.copytree(draw.choice(["counted", "indexed", "large"]), to)
        elif what == 1:
            os.symlink(os.path.abspath("counted"), to)
        elif what == 2:             # some files of a store
            shutil.copytree("large", to)
            for file in draw.sample(os.listdir(to), draw.randrange(12)):
                os.unlink(f"{to}/{file}")
        else:                       # leftovers of a killed command
            job = draw.choice(JOBS)
            prepare()
            kill_after(draw.uniform(0, 1.1 * seconds[job[0]]), *job, "-q",
                       cwd="kill")
            for left in os.listdir("kill"):
                if left.split(".")[0] == "n" or left.endswith("part"):
                    os.rename(f"kill/{left}", f"{to}-{left}")
                    there.append(f"{to}-{left}")
        if os.path.lexists(to):
            there.append(to)
    return there


seconds = {}
for job in JOBS:
    prepare()
    seconds[job[0]] = timed(*job, "-q", cwd="kill")
wrong, scattered = [], 0
for trial in range(25):
    there = scatter()
    scattered += len(there)
    held = {t: sorted(os.listdir(t)) for t in there}
    status, said = run("count", "docs", "-o", "got", "-q", "--force")
    if status or not same("got", "want"):
        wrong.append(f"{trial}: {held}: {status} {said}")
    own = "docs/sub/own" if os.path.isdir("docs/sub") else "docs/own"
    run("count", "docs", "-o", own, "-q")
    status, said = run("count", "docs", "-o", own, "-q", "--force")
    if status or not same(own, "want"):
        wrong.append(f"{trial}, in the folder: {held}: {status} {said}")
    for path in [*there, own]:
        remove(path)
    remove("docs/sub")
ok(not wrong, f"{scattered} stores and leftovers in folders of documents are "
   "skipped", *wrong[:10])

# ---- 3. outputs

shutil.copytree("counted", "own")
os.symlink("own", "own-link")
OUTPUTS = [["export", "second", "-o"], ["export", "own", "-o"],
           ["export", "second", "--format", "npz", "-o"],
           ["export", "second", "--format", "sqlite", "-o"],
           ["export", "second", "--format", "gephi-csv", "-o"],
           ["index", "a.txt", "-o", "n", "-q", "--stats-json"],
           ["count", "a.txt", "-o", "n", "-q", "--stats-json"],
           ["merge", "counted", "second", "-o", "n", "-q", "--stats-json"],
           ["add", "s", "b.txt", "-q", "--stats-json"],
           ["count", "s", "-q", "--force", "--stats-json"],
           ["index", "a.txt", "-o"], ["index", "a.txt", "--force", "-o"],
           ["merge", "counted", "second", "--force", "-o"]]
before = tree("own", *keep)
wrong = []
for name in [*FILES, "new", ".manifest.json.tmp", "counting.json"]:
    remove("link")
    os.symlink("own/" + name, "link")
    for output in OUTPUTS:
        for target in (f"own/{name}", f"own-link/{name}", f"./own//{name}",
                       "link"):
            remove("n")
            remove("s")
            shutil.copytree("counted", "s")
            status, said = run(*output, target)
            dangling = target == "link" and not os.path.exists("own/" + name)
            if status not in ((0, 1) if dangling else (1, 2)):
                wrong.append(f"{output} {target}: {status} {said}")
            if dangling:
                remove("link")
                os.symlink("own/" + name, "link")
now = tree("own", *keep)
wrong += [f"{p} has changed" for p in changes(before, now)]
ok(not wrong, "no output is written into a store", *wrong[:20])
wrong = []
for option in (["count", "s", "--force", "-q"], ["export", "second"],
               ["merge", "counted", "second", "-o", "n", "-q"],
               ["add", "s", "b.txt", "-q"]):
    for where in ("own", "own-link", "own/", "./own/."):
        status, said = run(*option, "--tmpdir", where)
        if status != 2:
            wrong.append(f"{option} {where}: {status} {said}")
wrong += [f"{p} has changed" for p in changes(before, tree("own", *keep))]
ok(not wrong, "no temporary file is written into a store", *wrong[:20])

# All possible names of temporary files are already taken.
wrong = []
for kind in ("file", "link", "link to nothing", "folder"):
    for output in OUTPUTS[:10]:
        remove("out")
        os.mkdir("out")
        remove("n")
        remove("s")
        shutil.copytree("counted", "s")
        write("out/mine", "mine\n")
        for ending in ("tmp", "tmp-0", "tmp-1-0", "part", "TMP", "bak", "~"):
            for form in ("x.{}", ".x.{}", "x.terms.txt.{}", "x.npz.{}"):
                path = "out/" + form.format(ending)
                if kind == "file":
                    write(path, "mine\n")
                elif kind == "folder":
                    os.mkdir(path)
                else:
                    os.symlink("mine" if kind == "link" else "none", path)
        was = tree("out")
        status, said = run(*output, "out/x")
        new = {"out/x", "out/x.terms.txt", "out/x.nodes.csv"}
        bad = [p for p in changes(was, tree("out")) if p not in new]
        if status or bad:
            wrong.append(f"{kind}: {output}: {status} {said} {bad}")
ok(not wrong, "existing files with names of temporary files are kept",
   *wrong[:20])
print(f"# {tried} commands on stores with other things than regular files")
ended()
