#!/usr/bin/python3
"""doctests.t - run the examples in docstrings and in docs/PYTHON.md."""

import doctest
import importlib
import os
import pkgutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, ended, ok  # noqa: E402
from pyhelp import cooc, make_tea  # noqa: E402

make_tea("tea.cooc")
ran = 0
for _, name, _ in pkgutil.iter_modules(cooc.__path__, "cooc."):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    ran += result.attempted
    ok(not result.failed, f"the {result.attempted} examples of {name} "
       "pass")
result = doctest.testmod(cooc)
ok(not result.failed and result.attempted, "the examples of the package pass")
ok(ran > 40, f"{ran} examples were run")
os.mkdir("page")
os.chdir("page")
result = doctest.testfile(SRC + "/docs/PYTHON.md", module_relative=False)
ok(not result.failed and result.attempted > 20,
   f"the {result.attempted} examples of docs/PYTHON.md pass")

public = [getattr(cooc, n) for n in cooc.__all__]
public += [m for n, m in vars(cooc.Store).items() if not n.startswith("_")]
ok(all(p.__doc__ for p in public if callable(p)),
   "every public name has a docstring",
   [p for p in public if callable(p) and not p.__doc__])
ended()
