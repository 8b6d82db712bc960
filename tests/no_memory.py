"""no_memory.py - run tests/abuse/nomem.c on small inputs of every kind.

    for kind, counts, notes in try_all(stride=7, first=3):
        counts is {"allocations", "right", "nomem", "other"}
"""

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import tarfile
import zipfile

from tap import BUILD

PROGRAM = BUILD + "/tests/abuse/nomem"
CJK = ["東京の大学で日本語を勉強しています。", "北京大学的学生在图书馆看书。",
       "カタカナのテキストと漢字の文章", "中文分詞需要詞典 日本語も同じ"]
THAI = ["ภาษาไทยไม่มีช่องว่างระหว่างคำ", "นักเรียนอ่านหนังสือในห้องสมุด",
        "กรุงเทพมหานครเป็นเมืองหลวง"]
ENGLISH = ["Tea or coffee: the kettle decides.", "milk and tea and sugar",
           "the kettle sings while tea waits", "coffee with milk, twice"]
PAGE = ("<!DOCTYPE html><html><head><meta charset=\"%s\"><title>%s</title>"
        "</head><body><p>tea &amp; coffee &eacute;t&eacute;</p>"
        "<script>no();</script><p>%s</p></body></html>")
LINES = "".join(t + "\n" for t in ENGLISH + CJK[:2] + THAI[:1]).encode()


def tar_of(texts):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as t:
        for i, text in enumerate(texts):
            info = tarfile.TarInfo("d" * 60 * i + f"/{i}.txt")
            info.size = len(text.encode())
            t.addfile(info, io.BytesIO(text.encode()))
        info = tarfile.TarInfo("link.txt")
        info.type, info.linkname = tarfile.LNKTYPE, "/0.txt"
        t.addfile(info)
    return out.getvalue()


def zip_of(texts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for i, text in enumerate(texts):
            z.writestr(zipfile.ZipInfo(f"d/{i}-é.txt"), text,
                       zipfile.ZIP_DEFLATED if i % 2 else zipfile.ZIP_STORED)
    return out.getvalue()


def docx_of(texts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", "<Types/>")
        z.writestr("word/document.xml", '<w:document xmlns:w="http://schemas.'
                   'openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
                   "".join(f"<w:p><w:r><w:t>{t}</w:t></w:r></w:p>"
                           for t in texts) + "</w:body></w:document>")
    return out.getvalue()


def tool(*command):
    """What a program makes of LINES; None if it is not installed."""
    try:
        return subprocess.run(command, input=LINES, check=True,
                              stdout=subprocess.PIPE).stdout
    except FileNotFoundError:
        return None


def inputs():
    """Files of every kind in the working directory: kind to name."""
    page = "\n".join(CJK)
    made = {
        "Chinese and Japanese": ("cjk.txt", page.encode()),
        "Thai": ("thai.txt", "\n".join(THAI).encode()),
        "HTML": ("page.html", (PAGE % ("utf-8", "kettle", page)).encode()),
        "HTML, Shift_JIS": ("sjis.html", (PAGE % (
            "shift_jis", "kettle", CJK[0])).encode("shift_jis")),
        "JSON lines": ("docs.jsonl", "".join(
            json.dumps({"id": i, "text": t}) + "\n"
            for i, t in enumerate(ENGLISH + CJK[:1])).encode()),
        "XML": ("docs.xml", ("<docs>" + "".join(
            f"<doc id='{i}'><t>{t} <i>x</i> &eacute;</t></doc>"
            for i, t in enumerate(ENGLISH + CJK[:1])) + "</docs>").encode()),
        "CSV": ("docs.csv", ("id,text\n" + "".join(
            f'{i},"{t}\n""x"""\n' for i, t in enumerate(ENGLISH + CJK[:1]))
        ).encode()),
        "CSV, grouped": ("rows.csv", ("id,text\n" + "".join(
            f"{i % 7},{word}\n" for t in ENGLISH
            for i, word in enumerate(t.replace(",", "").split()))).encode()),
        "BibTeX": ("docs.bib", "".join(
            f"@article{{k{i},\n  title = {{{t} {{\\'e}}}}\n}}\n"
            for i, t in enumerate(ENGLISH)).encode()),
        "CoNLL-U": ("docs.conllu", "".join(
            f"# newdoc id = d{i}\n" + "".join(
                f"{j}\t{word}\t{word}\tNOUN" + "\t_" * 6 + "\n"
                for j, word in enumerate(t.split(), 1)) + "\n"
            for i, t in enumerate(ENGLISH)).encode()),
        "docx": ("a.docx", docx_of(ENGLISH + CJK[:1])),
        "tar.gz": ("a.tar.gz", gzip.compress(tar_of(ENGLISH + CJK[:1]))),
        "zip": ("a.zip", zip_of(ENGLISH + CJK[:1])),
        "xz": ("a.txt.xz", lzma.compress(LINES)),
        "bz2": ("a.txt.bz2", bz2.compress(LINES)),
        "zst": ("a.txt.zst", tool("zstd", "-qc")),
        "lz4": ("a.txt.lz4", tool("lz4", "-qc")),
    }
    for name, data in made.values():
        if data is not None:
            with open(name, "wb") as f:
                f.write(data)
    return {kind: name for kind, (name, data) in made.items()
            if data is not None}


def try_all(stride, first, wait=7200):
    """Run every kind: its name, counts and what was wrong."""
    place = "store"
    if os.access("/dev/shm", os.W_OK):
        place = f"/dev/shm/cooc-nomem-{os.getpid()}"
    for kind, name in inputs().items():
        done = subprocess.run([PROGRAM, place, str(stride), str(first), name],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=wait)
        fields = done.stdout.decode().rstrip("\n").split("\t")[1:]
        yield kind, dict(zip(("allocations", "right", "nomem", "other"),
                             map(int, fields))), done.stderr.decode()
    subprocess.run(["rm", "-rf", place, place + ".stderr"], check=True)
