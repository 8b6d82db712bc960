"""tap.py - functions for tests in Python.

    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
    from tap import *

    ok(got == want, "a sentence that is true", got, want)
    ended()

tests/run sets COOC, BUILD, SRC and TMPDIR; without it they have defaults.  The
test runs in its own empty directory, which is removed at the end.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile

SRC = os.environ.get("SRC") or os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD") or SRC + "/build"
COOC = os.environ.get("COOC") or BUILD + "/cooc"
DATA = SRC + "/tests/data"
os.environ.setdefault("LC_ALL", "C.UTF-8")
# A shell ignores SIGINT in background jobs; cooc must not inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
WORK = tempfile.mkdtemp(prefix="cli.", dir=os.environ.get("TMPDIR"))
os.chdir(WORK)
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
_count = {"tests": 0, "failures": 0}
_owner = os.getpid()


@atexit.register
def _clean():
    if os.getpid() == _owner:
        os.chdir("/")
        shutil.rmtree(WORK, ignore_errors=True)


def ok(good, name, *notes):
    """Report one test; print the notes if it fails."""
    _count["tests"] += 1
    _count["failures"] += not good
    print("ok" if good else "not ok", _count["tests"], "-", name, flush=True)
    if not good:
        for note in notes:
            print("#", str(note)[:3000].replace("\n", "\n# "), flush=True)


def skip(name, why):
    _count["tests"] += 1
    print("ok", _count["tests"], "-", name, "# SKIP", why, flush=True)


def run(*args, **how):
    """Run cooc: a CompletedProcess with stdout and stderr as bytes."""
    how.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([COOC, *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **how)


def cooc(*args, **how):
    """The output of cooc; a failure ends the test."""
    done = run(*args, **how)
    if done.returncode:
        ok(False, "cooc " + " ".join(args), done.stderr.decode())
        ended()
    return done.stdout.decode()


def false_build(when):
    """Make a build directory with a cooc that loses the last byte of the rows
    if its arguments match these shell patterns; the store comes last."""
    os.makedirs("false")
    os.symlink(BUILD + "/bench", "false/bench")
    with open("false/cooc", "w") as f:
        f.write(f"""#!/bin/sh
'{COOC}' "$@" || exit
case "$*" in
{when})
    for last; do :; done
    truncate -s -1 "$last"/rows-0000.bin ;;
esac
""")
    os.chmod("false/cooc", 0o755)
    return os.path.abspath("false")


def ended():
    print(f"1..{_count['tests']}")
    sys.exit(_count["failures"] > 0)
