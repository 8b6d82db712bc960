"""oracle_formats.py - random documents as files of every format.

Each writer of FORMATS puts documents into a file (or a directory) and returns
what cooc must read from it: for each document its name and its text (a str)
or, in reduced formats, its name and its list of terms.

A document is a dict: "id", "pieces" (bytes of text; or pairs of a term and
its weight; or of a number of the vocabulary and its weight) and "deco", a
number that decides on details such as line ends.
"""

import gzip
import json
import os
import random
import re

REDUCED = ("triples", "uci", "ldac", "svmlight", "transactions")
NUMBERED = ("uci", "ldac", "svmlight")
TEXT = ("lines", "tsv", "jsonl", "files", "trec", "html")
# Names for --encoding, and Python's names for the same encodings.
ENCODINGS = {"ISO-8859-1": "iso-8859-1", "ISO-8859-15": "iso-8859-15",
             "ISO-8859-7": "iso-8859-7", "KOI8-R": "koi8-r",
             "windows-1251": "cp1251", "windows-1254": "cp1254",
             "UTF-16LE": "utf-16-le", "UTF-16BE": "utf-16-be",
             "UTF-16": "utf-16", "GB18030": "gb18030", "EUC-KR": "euc-kr",
             "UTF-32LE": "utf-32-le"}


def decode(data):
    """Decode; each ill-formed sequence becomes one U+FFFD."""
    return data.decode("utf-8", "replace")


def joined(doc):
    return b"".join(doc["pieces"])


def end_of_line(case, last, empty):
    """The last line may lack a newline if it is not empty."""
    if last and not empty and case["deco"] & 1:
        return b""
    return b"\r\n" if case["deco"] & 2 else b"\n"


def put(case, path, data):
    """Write a file in the encoding of the case, compressed or not."""
    if case["options"].get("encoding"):
        data = data.decode().encode(ENCODINGS[case["options"]["encoding"]])
    elif data[:1] in (b"\xff", b"\xfe"):    # might be a byte order mark
        raise ValueError("a file begins with a byte order mark")
    if case["gzip"]:
        data = gzip.compress(data, 1)
    with open(path, "wb") as f:
        f.write(data)


def put_lines(case, path, lines):
    put(case, path, b"".join(
        line + end_of_line(case, i + 1 == len(lines), not line)
        for i, line in enumerate(lines)))


def one_line(doc):
    return joined(doc).replace(b"\n", b" ")


def write_lines(case, docs, path):
    texts = [one_line(doc) for doc in docs]
    if texts and texts[0][:1] in (b"\xff", b"\xfe"):
        texts[0] = b" " + texts[0]
    put_lines(case, path, texts)
    return [(f"{path}:{i + 1}", decode(t)) for i, t in enumerate(texts)]


def write_tsv(case, docs, path):
    texts = [one_line(doc) for doc in docs]
    put_lines(case, path, [doc["id"].encode() + b"\t" + t
                           for doc, t in zip(docs, texts)])
    return [(doc["id"], decode(t)) for doc, t in zip(docs, texts)]


# ---- jsonl

def json_string(draw, data):
    """A JSON string, partly escaped; invalid UTF-8 is kept."""
    out = []
    escape = draw.choice((0, 0, 0.3))
    for c in data.decode("utf-8", "surrogateescape"):
        if "\udc80" <= c <= "\udcff":
            out.append(c.encode("utf-8", "surrogateescape"))
        elif c in '"\\' or c < " " or draw.random() < escape:
            units = c.encode("utf-16-be")
            out += [b"\\u%02x%02x" % tuple(units[i:i + 2])
                    for i in range(0, len(units), 2)]
        else:
            out.append(c.encode())
    return b'"' + b"".join(out) + b'"'


def json_id(draw, doc):
    """An id as JSON and as the name of the document; None: no id."""
    number = draw.choice((7, 12345678901234567890123, 1.5, "1.50", "-0", "1e3",
                          "1E+2", "0.1", 9007199254740993, "100000000000.0"))
    kind = draw.randrange(8)
    if kind == 0:
        return None, None
    if kind == 1:
        return b"null", None
    if kind == 2:
        return str(number).encode(), str(number)
    if kind == 3:
        return b'"caf\\u00e9 %d"' % (doc["deco"] % 99), \
            f"caf\xe9 {doc['deco'] % 99}"
    return json.dumps(doc["id"]).encode(), doc["id"]


def json_fields(draw, case, doc):
    """The record's members as bytes, and its text."""
    pieces = doc["pieces"]
    cut = draw.randint(0, len(pieces))
    head, rest = pieces[:cut], pieces[cut:]
    text = [decode(b"".join(head)), decode(b"".join(rest))]
    first, second = (json_string(draw, b"".join(p)) for p in (head, rest))
    broken = draw.random() < 0.1
    if broken:              # half a surrogate pair
        second = second[:-1] + b' half\\ud83dpair"'
        text[1] += " half\ufffdpair"
    if case["json"] == 0:   # the default field
        return [b'"text": [' + first + b", " + second + b"]",
                b'"other": "unseen"'], text
    if case["json"] == 1:   # an array of objects, and another field
        return [b'"title": ' + first,
                b'"body": [{"text": ' + second +
                b', "n": 3}, {"x": "unseen"}]',
                b'"text": "unseen"'], text
    return [b'"a.b": ' + first, b'"text": "unseen"',    # a name with a dot
            b'"c": {"d": {"e": [[' + second + b"], null, 5]}}"], text


JSON_OPTIONS = (
    {}, {"text-field": "title,body.text", "id-field": "key"},
    {"text-field": "a.b,c.d.e", "id-field": "meta.id"})


def write_jsonl(case, docs, path):
    lines, read = [], []
    for doc in docs:
        draw = random.Random(doc["deco"])
        if draw.random() < 0.1:
            lines.append(draw.choice((b"", b" \t")))    # not a document
        members, text = json_fields(draw, case, doc)
        value, name = json_id(draw, doc)
        if value:
            key = (b'"id": ', b'"key": ', b'"meta": {"id": ')[case["json"]]
            members.insert(draw.randint(0, len(members)), key + value + (
                b"}" if case["json"] == 2 else b""))
        lines.append(b"{" + b", ".join(members) + b"}")
        read.append((name or f"{path}:{len(lines)}", "\n".join(text)))
    put_lines(case, path, lines)
    return read


# ---- a file for each document

def write_files(case, docs, path):
    """A directory, or one file per argument, perhaps with NUL bytes."""
    read, names, named = {}, [], case["named"] and docs
    for i, doc in enumerate(docs):
        sub = ("", "", "a/", "a.b/", "b/c/")[doc["deco"] % 5]
        name = f"{path}/{sub}{doc['deco'] % 7}-{i}.txt"
        data = joined(doc)
        if data[:1] in (b"\xff", b"\xfe"):
            data = b" " + data
        os.makedirs(os.path.dirname(name), exist_ok=True)
        put(case, name, data)
        names.append(name)
        if named or b"\0" not in data:
            read[name] = decode(data)
    if not named:
        os.makedirs(path, exist_ok=True)
        if case["deco"] & 4:
            with open(path + "/.hidden", "w") as f:
                f.write("unseen")
        names = sorted(read, key=lambda n: [p.encode() for p in n.split("/")])
    case["arguments"][path] = names if named else [path]
    return [(name, read[name]) for name in names if name in read]


# ---- markup

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")


def markup(doc, pieces):
    """Pieces as text, without soft hyphens, and as they are in the file."""
    text = UNSEEN.sub(" ", decode(b"".join(pieces)))
    out = text.replace("&", "&amp;").replace("<", "&lt;")
    if doc["deco"] & 8:
        out = out.replace(">", "&gt;").replace("é", "&eacute;")
        out = out.replace("ß", "&#223;").replace("语", "&#x8bed;")
    return text.replace("\xad", ""), out


LEFT_OUT = ("DOCID", "DOCOLDNO", "FILEID", "DOCTYPE", "DATE", "PAGE")


def write_trec(case, docs, path):
    """Newswire: elements with text, elements without, comments."""
    out, read = [], []
    wanted = case["options"].get("text-field")
    for doc in docs:
        draw = random.Random(doc["deco"])
        body, text = [f"<DOCNO> {doc['id']} </DOCNO>"], []
        pieces = list(doc["pieces"])
        page = not wanted and draw.random() < 0.2
        if page:        # all of it is text
            body.append("<DOCHDR> unseen\nhttp://unseen/ </DOCHDR>")
        while pieces:
            n = draw.randint(1, len(pieces))
            seen, shown = markup(doc, pieces[:n])
            del pieces[:n]
            tag = draw.choice(("HEADLINE", "TEXT", "TEXT", "BYLINE", "LP", "p",
                               None))
            body.append(f"<{tag}>{shown}</{tag}>" if tag else f"\n{shown}\n")
            if not wanted or tag in wanted.split(","):
                text.append(seen)
            if not page and draw.random() < 0.4:
                tag = draw.choice(LEFT_OUT)
                body.append(f"<{tag}> unseen {draw.randrange(9)} </{tag}>")
            if draw.random() < 0.2:
                body.append("<!-- unseen -->")
        # A requested element must be in some document.
        body += [f"<{tag}></{tag}>"
                 for tag in (wanted.split(",") if wanted else ())]
        out.append("<DOC>\n" + "\n".join(body) + "\n</DOC>\n")
        read.append((doc["id"], "\n".join(text)))
    put(case, path, "".join(out).encode())
    return read


def write_html(case, docs, path):
    read = []
    os.makedirs(path)
    for i, doc in enumerate(docs):
        draw = random.Random(doc["deco"])
        cut = draw.randint(0, len(doc["pieces"]))
        title, shown_title = markup(doc, doc["pieces"][:cut])
        text, shown = markup(doc, doc["pieces"][cut:])
        name = f"{path}/{i:03}.html"
        put(case, name, (
            "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>" +
            shown_title + "</title><style>unseen</style></head><body><p>" +
            shown + "</p><script>unseen</script><p>one<b>word</b> two<br>words"
            "<!-- unseen --></p></body></html>\n").encode())
        read.append((name, f"{title}\n{text}\noneword two\nwords"))
    return read


# ---- reduced

def write_triples(case, docs, path):
    lines, read = [], []
    for doc in docs:
        name, terms = doc["id"].encode(), []
        if not doc["pieces"]:
            lines.append(name + b"\t")
        for term, weight in doc["pieces"]:
            lines.append(name + b"\t" + term +
                         (b"\t" + weight.encode() if weight else b""))
            if weight != "0":
                terms.append(decode(term))
        read.append((doc["id"], terms))
    put_lines(case, path, lines)
    return read


def numbered(case, doc, first):
    """(number in the file, weight, term) of each piece, ascending."""
    weights = dict(doc["pieces"])
    vocab = case["vocab"]
    return [(i + first, weights[i],
             decode(vocab[i]) if vocab else str(i + first))
            for i in sorted(weights)]


def write_vocab(case):
    if case["vocab"]:
        with open("vocab", "wb") as f:
            f.write(b"".join(word + b"\n" for word in case["vocab"]))


def write_uci(case, docs, path):
    write_vocab(case)
    entries = [[e for e in numbered(case, doc, 1)
                if e[1] != "0"] for doc in docs]
    lines = [b"%d" % n for n in (len(docs), 500, sum(map(len, entries)))]
    if case["vocab"]:
        lines[1] = b"%d" % len(case["vocab"])
    for i, of_doc in enumerate(entries):
        lines += [b"%d %d %s" % (i + 1, e[0], e[1].encode()) for e in of_doc]
    put_lines(case, path, lines)
    return [(str(i + 1), [e[2] for e in of_doc])
            for i, of_doc in enumerate(entries)]


def write_ldac(case, docs, path):
    write_vocab(case)
    lines, read = [], []
    for i, doc in enumerate(docs):
        entries = numbered(case, doc, 0)
        line = " ".join([str(len(entries))] + [f"{e[0]}:{e[1]}"
                                               for e in entries])
        lines.append(line.encode() if entries or doc["deco"] & 1 else b"")
        read.append((f"{path}:{i + 1}", [e[2] for e in entries
                                         if e[1] != "0"]))
    put_lines(case, path, lines)
    return read


def write_svmlight(case, docs, path):
    write_vocab(case)
    first = 0 if case["options"].get("zero-based") else 1
    lines, read = [], []
    for i, doc in enumerate(docs):
        entries = numbered(case, doc, first)
        line = " ".join([("-1", "+1", "0.5")[doc["deco"] % 3]] +
                        [f"{e[0]}:{e[1]}" for e in entries])
        if doc["deco"] % 5 == 0:
            line += " # comment 9:9"
        lines.append(line.encode() if entries or doc["deco"] & 1 else b"")
        read.append((f"{path}:{i + 1}", [e[2] for e in entries
                                         if float(e[1]) != 0]))
    put_lines(case, path, lines)
    return read


def write_transactions(case, docs, path):
    separators = case["options"].get("separators", " \t,")
    lines, read = [], []
    for i, doc in enumerate(docs):
        draw = random.Random(doc["deco"])
        line, terms = b"", []
        for term, _ in doc["pieces"]:
            line += term + draw.choice(separators).encode() + \
                draw.choice((b"", b"", b" "))
            terms.append(decode(term))
        lines.append(line)
        read.append((f"{path}:{i + 1}", terms))
    put_lines(case, path, lines)
    return read


FORMATS = {name: globals()["write_" + name] for name in TEXT + REDUCED}
