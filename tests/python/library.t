#!/usr/bin/python3
"""library.t - the package knows the public headers as the compiler does,
finds the library, and refuses one of another version."""

import ctypes
import inspect
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import BUILD, SRC, ended, ok, skip  # noqa: E402
from pyhelp import LIBRARY, cooc, raised  # noqa: E402
from cooc import _abi, _lib  # noqa: E402
from cooc._messages import advice  # noqa: E402

made = subprocess.run([SRC + "/scripts/python-abi", "--print"], check=True,
                      stdout=subprocess.PIPE).stdout.decode()
with open(SRC + "/python/cooc/_abi.py") as f:
    ok(f.read() == made, "_abi.py matches the headers; if not, run "
       "scripts/python-abi")

# The layout of the structs, as the compiler sees it.
headers = sorted(os.listdir(SRC + "/include"))
lines = [f"#include <{name}>" for name in headers + ["stdio.h"]]
lines.append("int main(void) {")
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
    lines.append(f'printf("{name} %llu\\n", (unsigned long long){name});')
    want[name] = getattr(_abi, name) % 2**64
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
   "are those of the compiler", *[(n, want[n], got.get(n)) for n in want
                           if got.get(n) != want[n]])

sized = {name for name, struct in _abi.STRUCTS.items()
         if struct._fields_[0][0] == "size"}
ok(len(sized) > 15 and
   all(_abi.STRUCTS[n]().size == ctypes.sizeof(_abi.STRUCTS[n]) and
       bytes(_abi.STRUCTS[n]())[8:] == bytes(ctypes.sizeof(_abi.STRUCTS[n]) -
                                             8) for n in sized),
   f"{len(sized)} structs are created with their size and zeros", sized)

exported = {line.split()[-1].split("@")[0] for line in subprocess.run(
    ["nm", "-D", "--defined-only", LIBRARY], stdout=subprocess.PIPE,
    check=True).stdout.decode().splitlines()}
exported = {n for n in exported if n.startswith("cooc_")}
lacking = set(_abi.FUNCTIONS) - exported
ok(exported <= set(_abi.FUNCTIONS) and lacking <= _lib.OPTIONAL,
   "the library exports the functions of the headers",
   exported - set(_abi.FUNCTIONS), lacking - _lib.OPTIONAL)
if lacking:
    skip("the library has every function of the headers",
         "not yet: " + ", ".join(sorted(lacking)))
else:
    ok(True, "the library has every function of the headers")
used = set()
for name in os.listdir(SRC + "/python/cooc"):
    if name.endswith(".py") and name != "_abi.py":
        with open(f"{SRC}/python/cooc/{name}") as f:
            used |= set(re.findall(r"\bdll\.(cooc_\w+)", f.read()))
ok(len(used) > 20 and used <= set(_abi.FUNCTIONS) - _lib.OPTIONAL,
   f"the {len(used)} functions that the package calls are all required",
   used & _lib.OPTIONAL, used - set(_abi.FUNCTIONS))
with open(SRC + "/meson.build") as f:
    ok(cooc.__version__ == _abi.VERSION and
       f"version: '{cooc.__version__}'" in f.read(),
       "the package has the version of meson.build")


# ---- the wrong library

class Other:
    """A library in which something is different."""

    _name = "libother.so"

    def __init__(self, version=cooc.__version__, lacks=()):
        self.version, self.lacks = version, lacks

    def __getattr__(self, name):
        if name in self.lacks:
            raise AttributeError(name)
        return {"cooc_version": lambda: self.version.encode(),
                "cooc_version_number": lambda: self.number(),
                "cooc_global_init": lambda flags, err: -5
                }.get(name, lambda: None)

    def number(self):
        major, minor, patch = map(int, self.version.split("."))
        return 10000 * major + 100 * minor + patch


major, minor, patch = map(int, cooc.__version__.split("."))
ok(_abi.COOC_VERSION_NUMBER == Other().number() ==
   _lib.dll.cooc_version_number(), "the version number is that of the "
   "version")
for other, what in ((Other(), "the right library"),
                    (Other(version=f"{major}.{minor}.{patch + 1}"),
                     "a library with another patch number"),
                    (Other(lacks=_lib.OPTIONAL),
                     "a library without the optional functions")):
    ok(not raised(ImportError, _lib._bind, other), what + " is bound")
for other, say in ((Other(version="9.1.0"), "is cooc 9.1.0, but this package "
                    f"is for cooc {cooc.__version__}"),
                   (Other(version=f"{major}.{minor + 1}.0"),
                    f"is cooc {major}.{minor + 1}.0, but this package is"),
                   (Other(version=f"{major + 1}.{minor}.0"),
                    f"is cooc {major + 1}.{minor}.0, but this package is"),
                   (Other(lacks=["cooc_top"]), "it has no cooc_top()")):
    e = raised(ImportError, _lib._bind, other)
    ok(e and say in str(e), f"refused: {say}", e)

# ---- the allocators of ICU and jansson

ALLOCATORS = """
import ctypes, sys
%s
def jansson():
    used = ctypes.c_void_p(), ctypes.c_void_p()
    ctypes.CDLL("libjansson.so.4").json_get_alloc_funcs(*map(ctypes.byref,
                                                             used))
    return [u.value for u in used]
before = jansson()
import cooc
print("changed" if jansson() != before else "unchanged")
with cooc.count(["Caf\u00e9 tea", "tea"], "icu.cooc", replace=True) as store:
    print(store["CAF\u00c9", "tea"])
%s
"""


def allocators(before, after=""):
    return subprocess.run(
        [sys.executable, "-c", ALLOCATORS % (before, after)],
        env=dict(os.environ, PYTHONPATH=SRC + "/python"),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()


said = allocators("")
ok(said == "changed\n1\n", "import cooc calls cooc_global_init()", said)
refuse = f"""
library = ctypes.CDLL({LIBRARY!r})
real = ctypes.CDLL
class Refusing(real):
    def __getattr__(self, name):
        if name == "cooc_global_init":
            return lambda flags, err: {_abi.COOC_EINVAL}
        return super().__getattr__(name)
ctypes.CDLL = Refusing
"""
said = allocators(refuse)
ok(said == "unchanged\n1\n", "import cooc ignores an error of "
   "cooc_global_init()", said)
if subprocess.run([sys.executable, "-c", "import icu"],
                  stderr=subprocess.DEVNULL).returncode:
    skip("PyICU may be in use before cooc is imported", "no python3-icu here")
else:
    said = allocators("""
import icu
def cut(text):
    words = icu.BreakIterator.createWordInstance(icu.Locale("en"))
    words.setText(text)
    return list(words)
words = cut("black tea")
""", "print(words, cut('green tea'))")
    ok(said.split("\n")[1:] == ["1", "[5, 6, 9] [5, 6, 9]", ""],
       "PyICU may be in use before cooc is imported", said)

# ---- errors

for code, text, option, want in (
        (_abi.COOC_EEXISTS, "x: replace it", "replace",
         "x: replace it with replace=True"),
        (_abi.COOC_EEXISTS, "x: is counted", "recount",
         "x: is counted; use recount=True to count them again"),
        (_abi.COOC_ENOTCOUNTED, "x: is not counted yet", "",
         "x: is not counted yet; call cooc.count_store()"),
        (_abi.COOC_EINVAL, "a bad list", "stop_file", "a bad list (stop)"),
        (_abi.COOC_EINVAL, "too small", "memory", "too small (memory)"),
        (_abi.COOC_EFORMAT, "a--b.cooc: is damaged", "",
         "a--b.cooc: is damaged")):
    e = _lib.failure(_abi.Err(code, 0, text.encode(), b"", option.encode()))
    ok(str(e) == want, f"in Python: {want}", e)

# Every field that a message of the library names is a parameter.
known = set()
for function in (cooc.count, cooc.index, cooc.add, cooc.merge,
                 cooc.count_store, cooc.Store.export, cooc.Store.terms_like,
                 cooc.Store.top):
    known |= set(re.findall(r"\w+", function.__doc__)) | \
        set(inspect.signature(function).parameters)
listed = subprocess.run([SRC + "/scripts/messages"], check=True,
                        stdout=subprocess.PIPE).stdout.decode()
fields = {field for names in re.findall(r"\tCOOC_\w+ (\w[\w, ]*)\t", listed)
          for field in names.split(", ")}
ok(len(fields) > 20 and not (strange := {
    f for f in fields if not any(w in known for w in
                                 re.findall(r"\w+", advice(f, 0)))}),
   f"{len(fields)} fields in messages are parameters of Python", strange)

e = _lib.failure(_abi.Err(_abi.COOC_EIO, 13, b"x/terms.bin: cannot open",
                          b"x/terms.bin", b""))
ok(isinstance(e, cooc.SystemRefusedError) and
   (str(e), e.errno, e.path, e.option) ==
   ("x/terms.bin: cannot open", 13, "x/terms.bin", None),
   "an error has the path and errno", repr(e), vars(e))
e = _lib.failure(_abi.Err(_abi.COOC_EINVAL, 0, b"wrong", b"", b"min_df"))
ok(isinstance(e, cooc.InvalidError) and (e.path, e.option) == (None, "min_df"),
   "an error has the option", repr(e), vars(e))


def importing(env, path=SRC + "/python"):
    return subprocess.run(
        [sys.executable, "-c", "import cooc; print(cooc._lib.dll._name)"],
        env=dict(os.environ, PYTHONPATH=path, **env), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)


done = importing({"COOC_LIBRARY": "/none/libcooc.so"})
ok(done.returncode == 1 and b"ImportError: cooc needs its shared library" in
   done.stdout and b"set COOC_LIBRARY" in done.stdout,
   "without a library, the ImportError says what to do",
   done.stdout.decode())

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
   "a package has its library in its own folder", done.stdout.decode())
os.rename("t/python/cooc/libcooc.so.0.1", "t/libcooc.so.0.1")
done = importing({"COOC_LIBRARY": "", "LD_LIBRARY_PATH": here},
                 here + "/python")
ok(done.stdout.decode().strip() == "libcooc.so.0.1", "otherwise the "
   "system's library is loaded", done.stdout.decode())
ended()
