"""The measures of association of the library."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Dict, NamedTuple, Optional, Tuple

from . import _abi
from ._lib import c_text, call, dll
from .errors import InvalidError


class Measure(NamedTuple):
    """A measure of association.  `directed` means that the score from x to y
    differs from the score from y to x, `lower` that low scores mean strong
    association."""

    name: str
    title: str
    formula: str
    range: str
    zero: str
    directed: bool
    lower: bool


@lru_cache(maxsize=None)
def _table() -> Dict[str, Tuple[Measure, int]]:
    found: Dict[str, Tuple[Measure, int]] = {}
    while True:
        p = dll.cooc_measure_get(len(found))
        if not p:
            return found
        m = p.contents
        about = Measure(m.name.decode(), m.title.decode(), m.formula.decode(),
                        m.range.decode(), m.zero.decode(), m.directed, m.lower)
        found[about.name] = about, ctypes.addressof(m)


def measures() -> Tuple[Measure, ...]:
    """All measures, as `cooc measures` prints them; the first is the count.

    >>> import cooc
    >>> cooc.measures()[0].name
    'count'
    >>> print(cooc.measure("npmi").formula)
    log2(a / E) / -log2(a / N)
    """
    return tuple(m for m, _ in _table().values())


def measure(name: str) -> Measure:
    """The measure with this name.

    >>> import cooc
    >>> cooc.measure("confidence").directed
    True
    """
    return _find(name)[0]


def _find(name: str) -> Tuple[Measure, int]:
    if name not in _table():    # the library raises the error
        call(dll.cooc_measure_find, c_text(name),
             ctypes.byref(ctypes.c_void_p()))
    return _table()[name]


def make_scoring(name: str, reverse: bool = False,
                 shift: Optional[float] = None,
                 smoothing: Optional[float] = None) -> _abi.Scoring:
    """A struct cooc_scoring.  Smoothing makes a measure directed."""
    about, address = _find(name)
    if shift is not None and not shift > 0:
        raise InvalidError(f"shift must be above 0, not {shift}")
    if smoothing is not None and not smoothing > 0:
        raise InvalidError(f"smoothing must be above 0, not {smoothing}")
    if reverse and not about.directed and smoothing in (None, 1):
        raise InvalidError(f"reverse=True: {name} is the same in both "
                           "directions")
    return _abi.Scoring(address, reverse, shift or 0, smoothing or 0)
