#!/usr/bin/python3
"""install.t - pip installs the package from its folder, without a network,
and the library with it."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok, skip  # noqa: E402
from pyhelp import LIBRARY, cooc  # noqa: E402

if subprocess.run([sys.executable, "-c", "import setuptools, wheel, pip"],
                  stderr=subprocess.DEVNULL).returncode:
    skip("pip installs the package", "no python3-pip here")
    ended()

# In a copy: building leaves files behind.
subprocess.run(["cp", "-r", SRC + "/python", "python"], check=True)
done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet",
                       "--no-build-isolation", "--no-index", "--no-deps",
                       "--target", "there", "./python"],
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      env=dict(os.environ, COOC_LIBRARY=LIBRARY))
ok(done.returncode == 0, "pip install succeeds", done.stdout.decode())
have = sorted(os.listdir("there/cooc")) if os.path.isdir("there/cooc") else []
want = {n for n in os.listdir(SRC + "/python/cooc")
        if n.endswith((".py", ".typed"))}
ok(want < set(have) and "libcooc.so.0" in have, "every module, the mark of "
   "type hints and the library are there", have)
ok(any(n == f"cooc-{cooc.__version__}.dist-info"
       for n in os.listdir("there")), "with the version", os.listdir("there"))
code = """
import cooc, os
with cooc.count(["a b", "b c"], "s.cooc") as store:
    assert store["a", "b"] == 1
print(os.path.relpath(cooc._lib.dll._name))
"""
env = dict(os.environ, PYTHONPATH=os.path.abspath("there"), COOC_LIBRARY="")
done = subprocess.run([sys.executable, "-c", code], env=env,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
ok(done.stdout == b"there/cooc/libcooc.so.0\n", "and counts with its own "
   "library", done.stdout.decode())
ended()
