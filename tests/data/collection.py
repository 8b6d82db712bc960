"""collection.py - a made-up collection, the same on every machine.

    python3 collection.py DOCUMENTS TERMS LENGTH [SEED] >docs.txt

Terms are drawn by a Zipf-like law from w0, w1, ...; a document has up to
twice LENGTH words, some have one or none.
"""

import sys


def main(documents, terms, length, seed=1):
    state = seed

    def draw(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) * n >> 31

    for _ in range(documents):
        words = []
        for _ in range(draw(2 * length)):
            words.append("w%d" % draw(1 + draw(1 + draw(terms))))
        print(" ".join(words))


main(*map(int, sys.argv[1:]))
