#!/usr/bin/env python3
"""archives.t - tar and zip as other programs write them: long names, sparse
files, links, sizes after the data, zip64, every compression; and damage."""

import io
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import COOC, ended, ok, run, skip  # noqa: E402

LONG = "n" * 120 + "/" + "m" * 140 + ".txt"


def documents(path, stdin=False, *options):
    """Names and terms of a store of the archive; or the error."""
    with open(path if stdin else os.devnull, "rb") as f:
        done = subprocess.run(
            [COOC, "index", "-" if stdin else path, "-o", "s.cooc", "-q",
             "--force", *options], stdin=f, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
    if done.returncode:
        return done.stderr.decode(errors="replace")
    found = {}
    for line in run("terms", "s.cooc", "-n0").stdout.decode().splitlines()[1:]:
        term = line.split("\t")[0]
        names = run("docs", "s.cooc", term).stdout.decode().splitlines()[1:]
        for name in names:
            found.setdefault(name.split("/", 1)[1], set()).add(term)
    return found


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


# ---- tar

WANT = {"a.txt": {"tea"}, LONG: {"milk"}, "é.txt": {"sugar"}}
for name in ("GNU", "PAX"):
    with tarfile.open("t.tar", "w", format=getattr(
            tarfile, name + "_FORMAT")) as t:
        for path, words in WANT.items():
            info = tarfile.TarInfo(path)
            data = " ".join(words).encode()
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
        info = tarfile.TarInfo("folder")
        info.type = tarfile.DIRTYPE
        t.addfile(info)
        info = tarfile.TarInfo("symbolic")
        info.type, info.linkname = tarfile.SYMTYPE, LONG
        t.addfile(info)
    got = documents("t.tar")
    ok(got == WANT, f"tar, {name}: long names, folders, symbolic links", got)
    with open("t.tar", "rb") as f:
        whole = f.read()
    wrong = []
    for at in range(513, len(whole.rstrip(b"\0")), 97):
        write("cut.tar", whole[:at])
        if isinstance(documents("cut.tar"), dict) and at % 512:
            wrong.append(at)
    ok(not wrong, f"tar, {name}: a truncated archive is refused", wrong)

os.mkdir("sparse")
with open("sparse/a", "wb") as f:
    for i in range(40):
        f.seek(i * 65536)
        f.write(b" w%d " % i)
SPARSE = {"sparse/a:1": {f"w{i}" for i in range(40)}}
for form in (["gnu"], ["oldgnu"], ["posix", "--sparse-version=0.0"],
             ["posix", "--sparse-version=0.1"],
             ["posix", "--sparse-version=1.0"]):
    if not shutil.which("tar"):
        skip("sparse files are read", "tar is not installed")
        break
    subprocess.run(["tar", "-cSf", "s.tar", f"--format={form[0]}", *form[1:],
                    "sparse"], check=True)
    got = documents("s.tar", False, "--format", "lines")
    ok(os.path.getsize("s.tar") < 1 << 20 and got == SPARSE,
       f"tar, {' '.join(form)}: a sparse file", got)

body = io.BytesIO()
with tarfile.open(fileobj=body, mode="w") as t:
    info = tarfile.TarInfo("a.txt")
    info.size = 3
    t.addfile(info, io.BytesIO(b"tea"))
    size = t.offset
for blocks, what in ((0, "without an end mark, a warning says so"),
                     (1, "with a short end mark, nothing is said"),
                     (2, "with an end mark, nothing is said")):
    write("end.tar", body.getvalue()[:size] + bytes(512 * blocks))
    got = documents("end.tar")
    done = run("index", "end.tar", "-o", "s.cooc", "--force", "-q")
    ok(got == {"a.txt": {"tea"}} and
       (b"has no end mark" in done.stderr) == (blocks == 0),
       f"tar: {what}", got, done.stderr.decode())

# ---- zip


class Pipe(io.RawIOBase):
    """A file that cannot seek: sizes follow the data."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


TEXTS = {"a.txt": b"tea", "d/b.txt": b"milk " * 30000 + b"sugar",
         "d/\u00e9.txt": b"PK\7\10 pot PK\3\4"}
WORDS = {"a.txt": {"tea"}, "d/b.txt": {"milk", "sugar"},
         "d/\u00e9.txt": {"pk", "pot"}}
for method, number in (("stored", 0), ("deflated", 8), ("bzip2", 12)):
    for out in (io.BytesIO(), Pipe()):
        with zipfile.ZipFile(out, "w") as z:
            for path, data in TEXTS.items():
                info = zipfile.ZipInfo(path)
                info.compress_type = number
                with z.open(info, "w", force_zip64=path == "a.txt") as f:
                    f.write(data)
            z.writestr("folder/", "")
        data = bytes(out.data) if isinstance(out, Pipe) else out.getvalue()
        write("z.zip", data)
        kind = "sizes after the data" if isinstance(out, Pipe) else "sizes"
        for stdin in (False, True):
            got = documents("z.zip", stdin)
            ok(got == WORDS, f"zip, {method}, {kind}, "
               f"{'a pipe' if stdin else 'a file'}", got)

with zipfile.ZipFile("l.zip", "w") as z:
    info = zipfile.ZipInfo("link")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    z.writestr(info, "tea")
    z.writestr("file", "milk")
got = documents("l.zip")
ok(got == {"file": {"milk"}}, "zip: a symbolic link is not a document", got)


def local(name, data, method=0, flags=0):
    """An entry without a directory."""
    return struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, flags, method, 0, 0x21,
                       zlib.crc32(data), len(data), len(data), len(name),
                       0) + name + data


entries = io.BytesIO()
with zipfile.ZipFile(entries, "w") as z:
    z.writestr("a", "tea")
    z.writestr("b", "milk")
DIRECTORY = entries.getvalue()
write("late.zip", DIRECTORY + bytes(100000))
for stdin in (False, True):
    got = documents("late.zip", stdin)
    ok(got == {"a": {"tea"}, "b": {"milk"}},
       "zip: any bytes may follow the directory", got)
for what, data, words in (
        ("a method that is not supported", local(b"a", b"tea", 98),
         "'a' has zip compression method 98, which is not supported"),
        ("an encrypted entry", local(b"a", b"tea", flags=1),
         "'a' is encrypted, which is not supported"),
        ("a truncated entry", local(b"a", b"tea")[:-1], "truncated"),
        ("another header", local(b"a", b"tea") + b"PK\3\5" + bytes(40),
         "the header of an entry"),
        ("a truncated directory", DIRECTORY[:-30], "directory is not complete"),
        ("a directory without an end", DIRECTORY[:-22],
         "directory is not complete"),
        ("a truncated end of the directory", DIRECTORY[:-1],
         "directory is not complete"),
        ("a wrong CRC", local(b"a", b"tea")[:-1] + b"x", "CRC")):
    write("bad.zip", data)
    for stdin in (False, True):
        got = documents("bad.zip", stdin)
        ok(isinstance(got, str) and words in got,
           f"zip: {what} is refused, {'a pipe' if stdin else 'a file'}", got)
ended()
