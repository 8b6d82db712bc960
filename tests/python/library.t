#!/usr/bin/python3
"""library.t - the package knows cooc.h as the compiler does, finds the
library, and refuses any other."""

import ctypes
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, ended, ok  # noqa: E402
from pyhelp import LIBRARY, cooc, raised  # noqa: E402
from cooc import _abi, _lib  # noqa: E402

made = subprocess.run([SRC + "/scripts/python-abi", "--print"], check=True,
                      stdout=subprocess.PIPE).stdout.decode()
with open(SRC + "/python/cooc/_abi.py") as f:
    ok(f.read() == made, "_abi.py is that of cooc.h; if not, run "
       "scripts/python-abi")

# What the compiler makes of the header.
lines = ["#include <cooc.h>", "#include <stdio.h>", "int main(void) {"]
want = {}
for name, struct in _abi.STRUCTS.items():
    lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
    want[name] = ctypes.sizeof(struct)
    for field, _ in struct._fields_:
        of = f"struct {name}, {field}"
        lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof({of}), '
                     f"sizeof(((struct {name} *)0)->{field}));")
        at = getattr(struct, field)
        want[f"{name}.{field}"] = (at.offset, at.size)
names = [n for n in vars(_abi) if n.startswith("COOC_")]
for name in names:
    lines.append(f'printf("{name} %d\\n", (int){name});')
    want[name] = getattr(_abi, name)
with open("layout.c", "w") as f:
    f.write("\n".join(lines + ["return 0; }"]))
subprocess.run(["gcc", f"-I{SRC}/include", "layout.c", "-o", "layout"],
               check=True)
got = {}
for line in subprocess.run(["./layout"], stdout=subprocess.PIPE,
                           check=True).stdout.decode().splitlines():
    name, *numbers = line.split()
    got[name] = tuple(map(int, numbers)) if len(numbers) > 1 \
        else int(numbers[0])
ok(got == want and len(got) > 200, f"{len(got)} sizes, offsets and constants "
   "are the compiler's", *[(n, want[n], got.get(n)) for n in want
                           if got.get(n) != want[n]])

exported = {line.split()[-1] for line in subprocess.run(
    ["nm", "-D", "--defined-only", LIBRARY], stdout=subprocess.PIPE,
    check=True).stdout.decode().splitlines()}
ok(set(_abi.FUNCTIONS) == {n for n in exported if n.startswith("cooc_")},
   "the library's functions are those of the header",
   set(_abi.FUNCTIONS) ^ exported)
with open(SRC + "/meson.build") as f:
    ok(cooc.__version__ == _abi.VERSION and
       f"version: '{cooc.__version__}'" in f.read(), "there is one version")


# ---- the wrong library

class Other:
    """A library in which something is different."""

    _name = "libother.so"

    def __init__(self, version=cooc.__version__, bad=None, lacks=None):
        self.version, self.bad, self.lacks = version, bad, lacks

    def __getattr__(self, name):
        if name == self.lacks:
            raise AttributeError(name)
        return {"cooc_version": lambda: self.version.encode(),
                "cooc_struct_size": lambda n: self.size(n)
                }.get(name, lambda: None)

    def size(self, name):
        return ctypes.sizeof(_abi.STRUCTS[name.decode()]) + \
            (name.decode() == self.bad)


ok(not raised(ImportError, _lib._bind, Other()), "the right library is bound")
for other, say in ((Other(version="9.1"), "is cooc 9.1, but this package is"),
                   (Other(bad="cooc_choice"), "another struct cooc_choice"),
                   (Other(lacks="cooc_top"), "it has no cooc_top()")):
    e = raised(ImportError, _lib._bind, other)
    ok(e and say in str(e), f"refused: {say}", e)


def importing(env, path=SRC + "/python"):
    return subprocess.run(
        [sys.executable, "-c", "import cooc; print(cooc._lib.dll._name)"],
        env=dict(os.environ, PYTHONPATH=path, **env), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)


done = importing({"COOC_LIBRARY": "/none/libcooc.so"})
ok(done.returncode == 1 and b"ImportError: cooc needs its shared library" in
   done.stdout and b"set COOC_LIBRARY" in done.stdout,
   "without a library the import says what to do", done.stdout.decode())

# ---- a checkout, and a package with the library in it

subprocess.run(f"mkdir -p t/include t/build && cp -r {SRC}/python t && "
               f"cp {SRC}/include/cooc.h t/include && "
               f"cp {BUILD}/libcooc.so.0.1 t/build", shell=True, check=True)
here = os.path.realpath("t")
done = importing({"COOC_LIBRARY": ""}, here + "/python")
ok(done.stdout.decode().strip() == here + "/build/libcooc.so.0.1",
   "a checkout has its library in build/", done.stdout.decode())
os.rename("t/build/libcooc.so.0.1", "t/python/cooc/libcooc.so.0.1")
done = importing({"COOC_LIBRARY": ""}, here + "/python")
ok(done.stdout.decode().strip() == here + "/python/cooc/libcooc.so.0.1",
   "or beside the package", done.stdout.decode())
os.rename("t/python/cooc/libcooc.so.0.1", "t/libcooc.so.0.1")
done = importing({"COOC_LIBRARY": "", "LD_LIBRARY_PATH": here},
                 here + "/python")
ok(done.stdout.decode().strip() == "libcooc.so.0.1", "or where the system has "
   "its libraries", done.stdout.decode())
ended()
