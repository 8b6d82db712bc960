"""pyhelp.py - the Python package of this checkout with the library of this
build, and functions shared by its tests.

A library with sanitizers requires their runtime to be loaded first, so the test
restarts itself with that runtime preloaded.  Memory that Python keeps until it
exits is not reported as a leak.
"""

import os
import subprocess
import sys

from tap import BUILD, SRC, ended, skip

LIBRARY = BUILD + "/libcooc.so.0.1"
os.environ["COOC_LIBRARY"] = LIBRARY
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def _preload_sanitizers():
    with open(LIBRARY, "rb") as f:
        asan = b"libasan.so" in f.read()
    if not asan or "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    path = subprocess.run(["gcc", "-print-file-name=libasan.so"],
                          stdout=subprocess.PIPE,
                          check=True).stdout.decode().strip()
    options = os.environ.get("ASAN_OPTIONS", "")
    env = dict(os.environ, LD_PRELOAD=path,
               ASAN_OPTIONS=options + ":detect_leaks=0")
    os.execve(sys.executable, [sys.executable, *sys.argv], env)


_preload_sanitizers()
try:
    import numpy    # noqa: F401
    import scipy.sparse     # noqa: F401
except ImportError:
    skip("the Python package works", "python3-scipy is not installed")
    ended()
sys.path.insert(0, SRC + "/python")
import cooc  # noqa: E402

TEA = {"monday": "tea coffee milk", "tuesday": "Tea, coffee beans!",
       "friday": "tea leaves", "saturday": "tea; milk", "sunday": ""}


def make_tea(path):
    """The store of the examples."""
    cooc.count(TEA, path).close()


def raised(kind, function, *args, **how):
    """The exception of that kind, or None."""
    try:
        function(*args, **how)
    except kind as e:
        return e
    return None
