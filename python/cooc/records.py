"""Records: facts about a store, and a pair of terms."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from . import _abi
from ._lib import dll
from .measures import make_scoring


class Pair(NamedTuple):
    """The 2x2 table of two terms: the number of documents with both (count),
    with x (fx), with y (fy), and of all documents (total)."""

    x: str
    y: str
    count: int                  # type: ignore[assignment]
    fx: int
    fy: int
    total: int

    def score(self, by: str = "npmi", reverse: bool = False) -> float:
        """The score from x to y, or with reverse=True from y to x.

        >>> import cooc
        >>> cooc.open("tea.cooc").pair("coffee", "tea").score("jaccard")
        0.5
        """
        f = (self.fy, self.fx) if reverse else (self.fx, self.fy)
        pair = _abi.Pair(0, 0, self.count, *f, self.total)
        return dll.cooc_score(ctypes.byref(pair),
                              make_scoring(by, reverse).measure)


class Info(NamedTuple):
    """Facts about a store.  rows is "full" or "compact", or "" if the store is
    not counted.  omitted_* describe the rows that are not stored.  parts is 0
    unless the store is part number `part` of an index.  phrases is the number
    of phrases in its lists."""

    documents: int
    terms: int
    postings: int
    tokens: int
    denominator: int
    increments: int
    counted: bool
    rows: str
    pairs: int
    omitted_df: int
    omitted_rows: int
    omitted_pairs: int
    row_bytes: int
    store_bytes: int
    part: int = 0
    parts: int = 0
    phrases: int = 0


class Lengths(NamedTuple):
    """Number of distinct terms per document."""

    shortest: int
    longest: int
    mean: float
    sd: float
