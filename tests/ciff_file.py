"""ciff_file.py - write and read CIFF files, independently of cooc.

A posting list is (term, [(document, tf), ...]), a document (name, length);
terms and names are bytes.
"""

import struct


def varint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n >= 0x80:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    return bytes(out + bytes([n]))


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def text(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def delimited(message):
    return varint(len(message)) + message


def header(lists, docs, extra=b""):
    total = sum(length for _, length in docs)
    return delimited(
        number(1, 1) + number(2, len(lists)) + number(3, len(docs)) +
        number(4, len(lists)) + number(5, len(docs)) + number(6, total) +
        struct.pack("<Bd", 7 << 3 | 1, total / max(1, len(docs))) +
        text(8, b"a test") + extra)


def posting_list(term, postings, extra=b""):
    out, last = text(1, term) + number(2, len(postings)), 0
    out += number(3, sum(tf for _, tf in postings))
    for doc, tf in postings:
        out += text(4, number(1, doc - last) + number(2, tf) + extra)
        last = doc
    return delimited(out + extra)


def record(doc, name, length, extra=b""):
    return delimited(number(1, doc) + (text(2, name) if name else b"") +
                     number(3, length) + extra)


def write(lists, docs, extra=b""):
    """A file; extra, unknown fields, is added to every message."""
    return b"".join([header(lists, docs, extra)] +
                    [posting_list(*item, extra) for item in lists] +
                    [record(i, *doc, extra) for i, doc in enumerate(docs)])


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def take(self, n):
        if self.at + n > len(self.data):
            raise ValueError("truncated")
        self.at += n
        return self.data[self.at - n:self.at]

    def message(self):
        return Reader(self.take(self.varint()))

    def fields(self):
        """All fields of a message, as (number, value)."""
        while self.at < len(self.data):
            tag = self.varint()
            kind = tag & 7
            if kind == 0:
                yield tag >> 3, self.varint()
            elif kind == 1:
                yield tag >> 3, struct.unpack("<d", self.take(8))[0]
            elif kind == 2:
                yield tag >> 3, self.take(self.varint())
            else:
                raise ValueError(f"field {tag >> 3} has type {kind}")


def read_postings(fields):
    doc, postings = 0, []
    for field, value in fields:
        if field == 4:
            posting = dict(Reader(value).fields())
            doc += posting.get(1, 0)
            postings.append((doc, posting.get(2, 0)))
    return postings


def read(data):
    """The header, [(term, df, cf, postings), ...] and [(number, name, length),
    ...]; everything must be consumed."""
    r = Reader(data)
    head, lists, docs = dict(r.message().fields()), [], []
    for _ in range(head.get(2, 0)):
        fields = list(r.message().fields())
        single = dict(fields)
        lists.append((single[1], single.get(2, 0), single.get(3, 0),
                      read_postings(fields)))
    for _ in range(head.get(3, 0)):
        single = dict(r.message().fields())
        docs.append((single.get(1, 0), single.get(2, b""), single.get(3, 0)))
    if r.at != len(data):
        raise ValueError("trailing bytes")
    return head, lists, docs
