#!/usr/bin/python3
"""install.t - pip installs the package with the library from its folder,
without a network, and the commands in README.md do the same."""

import os
import re
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

# In a copy, because building leaves files in the folder.
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
ok(want < set(have) and "libcooc.so.0.1" in have, "every module, py.typed "
   "and the library are installed", have)
ok(any(n == f"cooc-{cooc.__version__}.dist-info"
       for n in os.listdir("there")), "the installed package has the version",
   os.listdir("there"))
code = """
import cooc, os
with cooc.count(["a b", "b c"], "s.cooc") as store:
    assert store["a", "b"] == 1
print(os.path.relpath(cooc._lib.dll._name))
"""
env = dict(os.environ, PYTHONPATH=os.path.abspath("there"), COOC_LIBRARY="")
done = subprocess.run([sys.executable, "-c", code], env=env,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
ok(done.stdout == b"there/cooc/libcooc.so.0.1\n", "the package uses its own "
   "library", done.stdout.decode())

# ---- the commands of README.md

with open(SRC + "/README.md") as f:
    lines = re.search(r"^```sh\n(.*?)^```", f.read(), re.M | re.S)[1]
with open(SRC + "/docs/PYTHON.md") as f:
    text = f.read()
ok(all("    " + line in text for line in lines.splitlines()),
   "README.md and docs/PYTHON.md have the same commands", lines)
first, rest = lines.split("\n", 1)
ok(first.startswith("make && scripts/setup python"), "the first command "
   "needs nothing but make and Debian packages", first)
if subprocess.run([sys.executable, "-c", "import ensurepip"],
                  stderr=subprocess.DEVNULL).returncode:
    skip("the commands of README.md install the package",
         "no python3-venv here")
    ended()
home = os.path.abspath("home")
os.mkdir(home)
done = subprocess.run(["bash", "-euc", rest], stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT,
                      env=dict(os.environ, COOC_LIBRARY=LIBRARY, HOME=home,
                               PATH=os.path.dirname(sys.executable) + ":" +
                               os.environ["PATH"]))
ok(done.returncode == 0, "the commands of README.md install the package",
   done.stdout.decode())
env = dict(os.environ, COOC_LIBRARY="", HOME=home)
env.pop("PYTHONPATH", None)
os.remove("python/setup.py")    # the copy must not be used
done = subprocess.run([home + "/cooc-python/bin/python", "-c", """
import cooc
with cooc.count(["a b", "b c"], "r.cooc") as store:
    assert store["a", "b"] == 1
print(cooc.__file__)
"""], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
ok(done.stdout.decode().startswith(home + "/cooc-python/lib/"),
   "the installed package counts", done.stdout.decode())
ended()
