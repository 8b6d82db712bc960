"""format_files.py - write the same documents in every format that cooc reads.

Formats of text hold the text of each document, formats of terms its words,
one or more times each.  Text has no line ends and no markup, so it can be
quoted by doubling quotation marks or replacing three characters.
"""

import json
import os
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from io import BytesIO
from xml.sax.saxutils import escape

WORD = re.compile(r"[^\W_]+")


def words(text):
    return WORD.findall(text.lower())


def by_document(make, header="", end=""):
    """A writer of one file, in which make() formats one document."""
    def write(path, documents, _):
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(header)
            f.writelines(make(name, text) for name, text in documents)
            f.write(end)
    return write


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def as_baskets(_, text):
    return " ".join(sorted(set(words(text)))) + "\n"


def as_triples(name, text):
    return "".join(f"{name}\t{word}\t{n}\n"
                   for word, n in Counter(words(text)).items())


def as_conllu(name, text):
    rows = "".join(f"{i}\t{w}\t{w.lower()}\tNOUN\t_\t_\t0\troot\t_\t_\n"
                   for i, w in enumerate(WORD.findall(text), 1))
    return f"# newdoc id = {name}\n# sent_id = {name}\n{rows}\n"


def as_vertical(name, text):
    rows = "".join(f"{w}\tNN\t{w.lower()}\n" for w in WORD.findall(text))
    return f'<doc id="{name}">\n<s>\n{rows}</s>\n</doc>\n'


def as_page(_, text):
    return f"<html><head><title>x</title></head><body><p>{escape(text)}</p>" \
        "</body></html>\n"


def as_warc(name, text):
    page = as_page(name, text).encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8" \
           b"\r\n\r\n" + page
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: "
            f"http://x/{name}\r\nContent-Type: application/http; msgtype="
            f"response\r\nContent-Length: {len(http)}\r\n\r\n").encode() \
        + http + b"\r\n\r\n"


def as_docx(text):
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", "<Types/>")
        z.writestr("word/document.xml", '<?xml version="1.0"?><w:document '
                   'xmlns:w="http://schemas.openxmlformats.org/'
                   'wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
                   f"{escape(text)}</w:t></w:r></w:p></w:body></w:document>")
    return out.getvalue()


def write_warc(path, documents, _):
    with open(path, "wb") as f:
        f.writelines(as_warc(name, text) for name, text in documents)


def write_grouped(path, documents, _):
    """One row per word, the rows of a document far apart."""
    rows = [[(name, word) for word in words(text)] for name, text in documents]
    longest = max(map(len, rows))
    with open(path, "w", encoding="utf-8") as f:
        f.write("id,item\n")
        for i in range(longest):
            f.writelines(f"{r[i][0]},{r[i][1]}\n" for r in rows if i < len(r))


def write_many(make, end):
    """A writer of a folder with one file per document."""
    def write(path, documents, _):
        os.mkdir(path)
        for name, text in documents:
            with open(f"{path}/{name}{end}", "wb") as f:
                f.write(make(text))
    return write


def write_tar(path, documents, _):
    with tarfile.open(path, "w") as tar:
        for name, text in documents:
            data = text.encode()
            entry = tarfile.TarInfo(name + ".txt")
            entry.size = len(data)
            tar.addfile(entry, BytesIO(data))


def write_bags(path, documents, kind):
    """uci, ldac and svmlight: numbered words, and a file of their names."""
    ids, bags = {}, []
    for _, text in documents:
        bag = Counter(words(text))
        for word in bag:
            ids.setdefault(word, len(ids))
        bags.append(sorted((ids[w], n) for w, n in bag.items()))
    with open(path + ".vocab", "w", encoding="utf-8") as f:
        f.writelines(word + "\n" for word in ids)
    with open(path, "w", encoding="utf-8") as f:
        if kind == "uci":
            f.write(f"{len(bags)}\n{len(ids)}\n{sum(map(len, bags))}\n")
        for i, bag in enumerate(bags, 1):
            if kind == "uci":
                f.writelines(f"{i} {w + 1} {n}\n" for w, n in bag)
            elif kind == "ldac":
                f.write(f"{len(bag)} " +
                        " ".join(f"{w}:{n}" for w, n in bag) + "\n")
            else:
                f.write("1 " + " ".join(f"{w + 1}:{n}" for w, n in bag)
                        + "\n")


def options_of_bags(path):
    return ["--vocab", path + ".vocab"]


# Name, --format, writer, further options (a function: of the path).
FORMATS = (
    ("lines", "lines", by_document(lambda _, t: t + "\n"), []),
    ("tsv", "tsv", by_document(lambda n, t: f"{n}\t{t}\n"), []),
    ("csv", "csv", by_document(lambda n, t: f"{n},{quoted(t)},x\n",
                               "id,text,note\n"),
     ["--text-field", "text", "--id-field", "id"]),
    ("csv, split into terms", "csv",
     by_document(lambda n, t: f'{n},"{";".join(words(t))}"\n', "id,text\n"),
     ["--text-field", "text", "--split", ";"]),
    ("csv, grouped rows", "csv", write_grouped,
     ["--text-field", "item", "--split", "none", "--group-by", "id"]),
    ("jsonl", "jsonl",
     by_document(lambda n, t: json.dumps({"id": n, "text": t},
                                         ensure_ascii=False) + "\n"), []),
    ("files", "files", write_many(str.encode, ".txt"), []),
    ("files in a tar archive", "files", write_tar, []),
    ("docx", None, write_many(as_docx, ".docx"), []),
    ("html", "html",
     write_many(lambda t: as_page("", t).encode(), ".html"), []),
    ("warc", "warc", write_warc, []),
    ("trec", "trec", by_document(
        lambda n, t: f"<DOC>\n<DOCNO>{n}</DOCNO>\n<TEXT>\n{escape(t)}\n"
        "</TEXT>\n</DOC>\n"), []),
    ("xml", "xml", by_document(
        lambda n, t: f"<r><i>{n}</i><t>{escape(t)}</t></r>\n", "<l>\n",
        "</l>\n"),
     ["--record", "r", "--id-field", "i", "--text-field", "t"]),
    ("wos", "wos", by_document(
        lambda n, t: f"PT J\nTI x\nAB {t}\nUT {n}\nER\n\n",
        "FN Clarivate Analytics Web of Science\nVR 1.0\n", "EF\n"), []),
    ("ris", "ris", by_document(
        lambda n, t: f"TY  - JOUR\nID  - {n}\nTI  - x\nAB  - {t}\nER  - \n\n"),
     []),
    ("medline", "medline", by_document(
        lambda n, t: f"PMID- {n[1:]}\nTI  - x\nAB  - {t}\n\n"), []),
    ("bibtex", "bibtex", by_document(
        lambda n, t: f"@article{{{n},\n  title = {{x}},\n  abstract = {{"
        + re.sub(r"[{}\\]", " ", t) + "}\n}\n"), []),
    ("conllu", "conllu", by_document(as_conllu), []),
    ("vertical", "vertical", by_document(as_vertical), []),
    ("triples", "triples", by_document(as_triples), []),
    ("uci", "uci", write_bags, options_of_bags),
    ("ldac", "ldac", write_bags, options_of_bags),
    ("svmlight", "svmlight", write_bags, options_of_bags),
    ("transactions", "transactions", by_document(as_baskets), []),
)


def write_ciff(cooc, store, path):
    """The inverted index of a store, as cooc writes it."""
    subprocess.run([cooc, "export", "-q", store, "--format", "ciff", "-o",
                    path], check=True)


def documents_of(path, most):
    """The first documents of a file of lines, which may begin with an id and
    a TAB, with names that are valid in every format."""
    documents, size = [], 0
    with open(path, encoding="utf-8", errors="replace", newline="\n") as f:
        for i, line in enumerate(f):
            text = line.rstrip("\n").rpartition("\t")[2]
            text = re.sub(r"[\0-\x1f\x7f\ufffe\uffff]", " ", text)
            documents.append((f"d{i}", text))
            size += len(text)
            if size > most:
                break
    return documents
