"""What a store tells of itself and of a pair."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from . import _abi
from ._lib import dll
from .measures import make_by


class Pair(NamedTuple):
    """Two terms in a collection: the whole 2x2 table."""

    x: str
    y: str
    count: int                  # type: ignore[assignment]
    df_x: int
    df_y: int
    documents: int

    def score(self, by: str = "npmi", reverse: bool = False) -> float:
        """A measure of this pair, from x to y or the other way round.

        >>> import cooc
        >>> cooc.open("tea.cooc").pair("coffee", "tea").score("jaccard")
        0.5
        """
        df = (self.df_y, self.df_x) if reverse else (self.df_x, self.df_y)
        pair = _abi.Pair(0, 0, self.count, *df, self.documents)
        return dll.cooc_score(ctypes.byref(pair),
                              make_by(by, reverse).measure)


class Info(NamedTuple):
    """Facts about a store."""

    documents: int
    terms: int
    postings: int
    tokens: int
    increments: int
    counted: bool
    pairs: int
    rows: str
    left_out_df: int
    left_out_rows: int
    left_out_pairs: int
    row_bytes: int
    store_bytes: int
    shortest: int
    longest: int
    mean_length: float
    sd_length: float
