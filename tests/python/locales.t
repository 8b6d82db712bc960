#!/usr/bin/python3
"""locales.t - the locale of the program, for example its decimal point, does
not change names, files or what is read."""

import locale
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from pyhelp import cooc  # noqa: E402
from tap import ended, ok, skip  # noqa: E402

FORMATS = ["tsv", "jsonl", "mtx", "gexf", "pajek", "vosviewer"]
# A comma; a decimal point of two bytes; I and i that are not a pair.
LOCALES = [("de_DE", "ISO-8859-1"), ("ps_AF", "UTF-8"),
           ("tr_TR", "UTF-8")]


def results(name):
    """The names in two stores, and the bytes of their exports."""
    cooc.index("real.jsonl", name + ".cooc", id_field="id")
    cooc.count_store(name + ".cooc")
    with cooc.Store(name + ".cooc") as db:
        said = list(db.documents)
    cooc.index("PAGES", name + "-pages.cooc")
    with cooc.Store(name + "-pages.cooc") as db:
        said += [list(db.documents), list(db.terms)]
    with cooc.Store(name + ".cooc") as db:
        for fmt in FORMATS:
            db.export(f"{name}.{fmt}", format=fmt, by="pmi")
            with open(f"{name}.{fmt}", "rb") as f:
                said.append(f.read().replace(name.encode(), b"name"))
    return said


os.environ["LOCPATH"] = os.getcwd()
with open("real.jsonl", "w") as f:
    f.write('{"id": 1.5, "text": "a b c 0.5"}\n{"id": 2e-7, "text": "a b"}\n'
            '{"id": -0.25, "text": "c a 1,5"}\n{"id": 7, "text": "b x"}\n')
os.mkdir("PAGES")
with open("PAGES/INDEX.HTML", "w") as f:
    f.write("<HTML><TITLE>INK</TITLE><SCRIPT>hidden</SCRIPT><P>IN A TIN"
            "<STYLE>style</STYLE></HTML>")
want = results("C")
ok(want[:4] == ["1.5", "2e-7", "-0.25", "7"],
   "numbers can be names of documents", want[:4])
for name, charset in LOCALES:
    subprocess.run(["localedef", "--no-archive", "-c", "-i", name, "-f",
                    charset, "./" + name], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        skip(f"{name}: the same names and files", "localedef cannot make it")
        continue
    ok(locale.localeconv()["decimal_point"] != ".",
       f"{name} has a decimal point other than '.'")
    got = results(name)
    ok(got == want, f"{name}: the same names and files", got, want)
    locale.setlocale(locale.LC_ALL, "C")
ended()
