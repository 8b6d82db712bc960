#!/usr/bin/env python3
"""pages.t - the text of pages, web archives and TREC documents, from the
command line."""

import html
import html.entities
import os
import subprocess
import sys
import unicodedata

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import SRC, cooc, ended, ok, run  # noqa: E402


def words(name, data, *options):
    """The terms of a file with these bytes, sorted."""
    with open(name, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    done = run("index", name, "-o", "i.cooc", "-q", "--force", *options)
    if done.returncode or done.stderr:
        return [done.stderr.decode()]
    lines = cooc("terms", "i.cooc", "-n", "0").splitlines()
    return sorted(line.split("\t")[0] for line in lines[1:])


def check(name, got, want):
    ok(got == sorted(want.split()), name, got)


def record(http):
    return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://x/"
            b"\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(http), http))


# ---- the same page in three formats

page = ("before<html><body>one</body></html><p>two</p>\n<html>three</html>"
        "<script>no()</script><!-- no --> super<wbr>cali co&shy;op b\u00adc")
want = "before one two three supercali coop bc"
check("text before, between and after pages is text",
      words("p.html", page), want)
check("a TREC web document has the same text as a page", words(
    "p.trec", "<DOC>\n<DOCNO>1</DOCNO>\n<DOCHDR>no</DOCHDR>\n" + page +
    "\n</DOC>\n"), want)
check("a web archive has the same text as a page", words(
    "p.warc", record(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" +
                     page.encode())), want)

# ---- character encodings

cafe = "caf\u00e9"
check("a byte order mark takes precedence over <meta>", words(
    "p.html", b"\xef\xbb\xbf<meta charset=koi8-r>caf\xc3\xa9"), cafe)
check("a byte order mark takes precedence over HTTP", words(
    "p.warc", record(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; "
                     b"charset=koi8-r\r\n\r\n\xef\xbb\xbfcaf\xc3\xa9")), cafe)
check("a byte order mark applies to all TREC documents of a file", words(
    "p.trec", b"\xef\xbb\xbf<DOC><TEXT>caf\xc3\xa9<meta charset=koi8-r>"
    b"</TEXT></DOC>"), cafe)
for name, lie in {
        "a comment": "<!-- <meta charset=koi8-r> -->",
        "a script": "<script>'<meta charset=koi8-r>'</script>",
        "an attribute": "<p title='<meta charset=koi8-r>'>"}.items():
    check(f"a <meta> in {name} is ignored", words(
        "p.html", lie + cafe), cafe)
check("an unknown encoding in HTTP is not an error", words(
    "p.warc", record(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; "
                     b"charset=utf8mb4\r\n\r\ncaf\xc3\xa9")), cafe)
check("gb2312 is read as its superset, as in browsers", words(
    "p.html", b"<meta charset=gb2312>\x82\x31\xa4\x32"),
      b"\x82\x31\xa4\x32".decode("gb18030"))

# ---- chunks

chunked = b"5\r\none t\r\n3;x=y\r\nwo \r\n0\r\n\r\n"
for coding in "chunked", "identity, chunked", "Identity , Chunked ":
    check(f"Transfer-Encoding: {coding}", words(
        "p.warc", record(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                         b"Transfer-Encoding: %s\r\n\r\n" % coding.encode() +
                         chunked)), "one two")
check("a text that begins like a chunk size is not a chunk", words(
    "p.warc", record(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                     b"Transfer-Encoding: chunked\r\n\r\nadd a fee\nnow")),
      "add a fee now")
done = run("index", "p.warc", "-o", "i.cooc", "--force")
with open("p.warc", "wb") as f:
    f.write(record(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                   b"Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n"))
skipped = cooc("index", "p.warc", "-o", "i.cooc", "--force", "--json")
ok('"inputs_skipped": 1' in skipped or '"inputs_skipped":1' in skipped,
   "a compressed transfer is skipped and reported", skipped)

# ---- fields of TREC documents

wire = """<DOC><DOCNO>n1</DOCNO><DOCID>n2</DOCID><FILEID>n3</FILEID>
<DOCOLDNO>n4</DOCOLDNO><DOCTYPE>n5</DOCTYPE><DATE><P>n6</P></DATE>
<PAGE>n7</PAGE><!-- n8 --><TITLE>title</TITLE><BODY>body</BODY>
<HEADLINE>headline</HEADLINE><BYLINE>by</BYLINE><TEXT>text</TEXT></DOC>
"""
check("all fields of a document are text except metadata",
      words("p.trec", wire), "title body headline by text")
check("--text-field reads only the named elements, in upper or lower case",
      words("p.trec", wire, "--text-field", "HeadLine,text"),
      "headline text")
check("--text-field may name an element with metadata",
      words("p.trec", wire, "--text-field", "docid"), "n2")
done = run("index", "p.trec", "-o", "i.cooc", "--force", "--text-field", "hl")
said = done.stderr.decode()
ok(done.returncode == 2 and 'no record has text in the field "hl"' in said and
   "HEADLINE" in said, "elements that no document has are named", said)

# ---- character references, compared with Python

names = [n for n, text in html.entities.html5.items()
         if all(unicodedata.category(c)[0] == "L" for c in text)]
texts = ["&" + n for n in names]
texts += [f"&#{i};" for i in range(0xc0, 0x250)] + ["&#x3b1", "&#x0003A9;"]
ok(len(texts) > 800, f"{len(texts)} references to letters are checked")
with open("refs.trec", "w", encoding="ascii") as f:
    for i, text in enumerate(texts):
        f.write(f"<DOC><DOCNO>{i}</DOCNO>{text}</DOC>\n")
with open("refs.txt", "w", encoding="utf-8") as f:
    for text in texts:
        f.write(html.unescape(text) + "\n")
got = []
for source in "refs.trec", "refs.txt":
    cooc("index", source, "-o", "i.cooc", "-q", "--force")
    got.append(cooc("terms", "i.cooc", "-n", "0"))
ok(got[0] == got[1] and got[0].count("\n") > 400,
   "references give the same characters as in Python", *got)
ended()
