"""The names of terms and documents, read on demand."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, Iterator, List

import numpy as np

from . import _abi
from ._lib import failure
from .errors import InvalidError

if TYPE_CHECKING:
    from .store import Store


def number_of(n: int, what: str) -> str:
    """A number with its unit, in the singular or plural.

    >>> number_of(1, "term"), number_of(2000, "term")
    ('1 term', '2,000 terms')
    """
    return f"{n:,} {what}{'s' * (n != 1)}"


def one_dimension(what: str, array: np.ndarray) -> None:
    """Refuse arrays with several rows, because only one would be read."""
    if array.ndim != 1:
        raise InvalidError(f"{what} must be a one-dimensional array, not one "
                           f"of shape {array.shape}; ravel() flattens it")


class Names(Sequence):
    """A sequence of names.  Indexing with an array gives a list of names.

    >>> import cooc
    >>> store = cooc.open("tea.cooc")
    >>> store.terms[0], len(store.terms)
    ('tea', 5)
    >>> ids, counts = store.row("coffee")
    >>> store.terms[ids]
    ['tea', 'milk', 'beans']
    """

    def __init__(self, store: "Store", read: Callable[..., int],
                 size: int) -> None:
        self._store, self._read, self._size = store, read, size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return self._some(range(*which.indices(self._size)))
        if isinstance(which, (int, np.integer)):
            i = int(which) + (self._size if which < 0 else 0)
            return self._some(self._checked([i]))[0]
        return self._some(self._checked(which))

    def _checked(self, which: Any) -> Iterator[int]:
        if isinstance(which, np.ndarray):
            one_dimension("indices", which)
            if which.dtype == bool:
                raise TypeError("names are selected by index, not by a mask; "
                                "convert the mask with np.flatnonzero()")
        for i in map(operator.index, which):
            if not 0 <= i < self._size:
                raise IndexError(f"index {i} is out of range; the store has "
                                 f"{number_of(self._size, 'name')}")
            yield i

    def __iter__(self) -> Iterator[str]:
        for first in range(0, self._size, 4096):
            yield from self[first:first + 4096]

    def _some(self, ids: Any) -> List[str]:
        name, size, err = ctypes.c_void_p(), ctypes.c_size_t(), _abi.Err()
        where = ctypes.byref(name), ctypes.byref(size), ctypes.byref(err)
        read, string_at, out = self._read, ctypes.string_at, []
        with self._store._open() as db:
            for i in ids:
                if read(db, i, *where) < 0:
                    raise failure(err)
                text = string_at(name.value or 0, size.value)
                out.append(text.decode("utf-8", "surrogateescape"))
        return out

    def __repr__(self) -> str:
        some = ", ".join(map(repr, self[:3]))
        more = ", ..." * (self._size > 3)
        return f"<{number_of(self._size, 'name')}: {some}{more}>"
