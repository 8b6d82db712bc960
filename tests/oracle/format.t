#!/usr/bin/env python3
"""format.t - a second reader of stores, written from docs/FORMAT.md alone.

It reads every file of a store and finds the counts that the documents have by
definition.  (The hashes are not recomputed here.)
"""

import collections
import itertools
import json
import os
import subprocess
import sys
from struct import unpack

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from tap import DATA, cooc, ended, ok  # noqa: E402

KINDS = {"terms.bin": "terms", "terms.off": "offsets", "terms.sort": "sorted",
         "docs.bin": "docs", "docs.off": "offsets", "forward.bin": "forward",
         "forward.off": "offsets", "inverted.bin": "inverted",
         "inverted.off": "offsets", "stop.txt": "list",
         "thesaurus.txt": "list"}


def payload(path, kind, size):
    """The payload of a file with a valid frame."""
    with open(path, "rb") as f:
        data = f.read()
    magic, name, version, block, length = unpack("<8s8sIIQ", data[-48:-16])
    blocks = -(-length // 65536)
    if (magic, name.rstrip(b"\0").decode(), version, block) != \
       (b"coocblob", kind, 1, 65536) or \
       len(data) != length + 8 * blocks + 48 or len(data) != size:
        raise ValueError(f"{path}: {magic} {name} {version} {length}")
    return data[:length]


class Code:
    """A reader of the bytes of a row."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                return value

    def bits(self, n):
        at = self.at
        self.at += (n + 7) // 8
        return [self.data[at + i // 8] >> i % 8 & 1 for i in range(n)]


def decode(data):
    """Columns and counts of a row."""
    c = Code(data)
    n, bits, blocks, far = c.varint(), c.byte(), c.varint(), c.varint()
    columns = [i for i, bit in enumerate(c.bits(256 * blocks)) if bit]
    previous = 256 * blocks - 1
    for two in c.bits(n - len(columns) + far):
        code = c.byte() + (c.byte() << 8 if two else 0)
        if code == 65535:
            previous += code
        else:
            previous += code + 1
            columns.append(previous)
    counts, inside = [1] * n, list(range(n))
    for j in range(bits - 1):
        inside = [i for i, bit in zip(inside, c.bits(len(inside))) if bit]
        for i, bit in zip(inside, c.bits(len(inside))):
            counts[i] += (1 + bit) << j
    if c.at != len(data):
        raise ValueError("bytes left")
    return dict(zip(columns, counts))


def read_store(store):
    with open(store + "/manifest.json") as f:
        m = json.load(f)
    files = {name: payload(f"{store}/{name}", kind, m["files"][name]["size"])
             for name, kind in KINDS.items()}

    def u64(name):
        return unpack(f"<{len(files[name]) // 8}Q", files[name])

    def u32(name):
        return unpack(f"<{len(files[name]) // 4}I", files[name])

    def cut(data, offsets):
        return [data[a:b] for a, b in zip(offsets, offsets[1:])]

    terms = [t.decode() for t in cut(files["terms.bin"], u64("terms.off"))]
    names = [d.decode() for d in cut(files["docs.bin"], u64("docs.off"))]
    forward = cut(u32("forward.bin"), u64("forward.off"))
    inverted = cut(u32("inverted.bin"), u64("inverted.off"))
    rows = []
    for shard in m["rows"]["shards"]:
        data = payload(f"{store}/{shard['file']}", "rows",
                       shard["id"]["size"])
        n = shard["last"] - shard["first"]
        offsets = unpack(f"<{n + 1}Q", data[shard["row_bytes"]:-48])
        seal = unpack("<8sIIIIQQ", data[-48:-8])
        if seal != (b"coocrows", 1, m["rows"]["left_out"]["df"],
                    shard["first"], shard["last"], shard["pairs"],
                    shard["row_bytes"]):
            raise ValueError(f"{shard['file']}: {seal}")
        for t, code in enumerate(cut(data, offsets), shard["first"]):
            rows.append(decode(code) if code else {})
    left_out = m["rows"]["left_out"]
    if len(rows) + left_out["rows"] != len(terms) or \
       any((len(docs) <= left_out["df"]) != (t >= len(rows))
           for t, docs in enumerate(inverted)):
        raise ValueError(f"{len(rows)} rows and {left_out}")
    for t in range(len(rows), len(terms)):
        rows.append(dict(collections.Counter(
            s for d in inverted[t] for s in forward[d] if s < t)))
    if left_out["pairs"] != sum(map(len, rows[len(terms) -
                                              left_out["rows"]:])):
        raise ValueError(f"wrong number of pairs: {left_out}")
    return m, terms, u32("terms.sort"), names, forward, inverted, rows


example = bytes.fromhex("04 03 00 00 08 00 00 00 1f 01 0c 01 01 00")
ok(decode(example) == {0: 1, 1: 1, 2: 5, 290: 2},
   "the example of docs/FORMAT.md is right", decode(example))

for documents, vocabulary, length, why, *options in (
        (500, 3000, 40, "rare terms"), (700, 400, 150, "dense rows"),
        (1, 5, 40, "one document"),
        (500, 3000, 40, "compact rows", "--rows=compact", "--compact-df=9"),
        (500, 3000, 40, "no row", "--rows=compact")):
    text = subprocess.run([sys.executable, DATA + "/collection.py",
                           str(documents), str(vocabulary), str(length)],
                          stdout=subprocess.PIPE, check=True).stdout.decode()
    with open("docs.txt", "w") as f:
        f.write(text)
    cooc("count", "docs.txt", "-o", "s.cooc", "-q", "--force", *options)
    m, terms, by_name, names, forward, inverted, rows = read_store("s.cooc")
    sets = [set(line.split()) for line in text.splitlines()]
    df = collections.Counter(w for s in sets for w in s)
    ok(terms == sorted(df, key=lambda w: (-df[w], w)),
       f"terms are numbered by frequency ({why})")
    ok([terms[t] for t in by_name] == sorted(terms),
       f"terms.sort has the terms in byte order ({why})")
    ok(names == [f"docs.txt:{i + 1}" for i in range(len(sets))],
       f"documents have their names ({why})")
    ids = {w: t for t, w in enumerate(terms)}
    ok([list(d) for d in forward] == [sorted(ids[w] for w in s)
                                      for s in sets],
       f"forward lists are the documents ({why})")
    turned = [[] for _ in terms]
    for d, one in enumerate(forward):
        for t in one:
            turned[t].append(d)
    ok([list(t) for t in inverted] == turned,
       f"inverted lists are the inverse of the forward lists ({why})")
    want = [collections.Counter() for _ in terms]
    for one in forward:
        for s, t in itertools.combinations(one, 2):
            want[t][s] += 1
    ok(rows == [dict(r) for r in want],
       f"rows have the counts of the definition ({why})",
       *[(t, r, w) for t, (r, w) in enumerate(zip(rows, want))
         if r != dict(w)][:2])
    ok(m["increments"] == sum(len(s) * (len(s) - 1) // 2 for s in sets) and
       m["rows"]["pairs"] == sum(map(len, want)) and
       m["postings"] == sum(map(len, sets)) and
       m["documents"] == len(sets) and m["terms"] == len(terms),
       f"the totals of the manifest are right ({why})", m)
ended()
