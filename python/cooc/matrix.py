"""Matrices of SciPy, filled by the library."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _abi
from ._lib import Work, dll
from .errors import InvalidError

if TYPE_CHECKING:
    import scipy.sparse

    from .store import Store


_TYPES = "bBhHiIlLqQfdgFDG"     # those of scipy.sparse except bool


def _checked(dtype: Any, counts: bool) -> np.dtype:
    """The type of the cells, checked before their values are known."""
    if dtype is None:
        return np.dtype(np.int64 if counts else np.float64)
    try:
        kind = np.dtype(dtype)
    except TypeError:
        raise InvalidError(f"dtype cannot be {dtype!r}") from None
    if kind.char not in _TYPES or not kind.isnative:
        raise InvalidError("a sparse matrix of numbers cannot have the type "
                           f"{kind}")
    if kind.kind in "iu" and not counts:
        raise InvalidError("scores are not integers, so dtype cannot be "
                           f"{kind}; use float32 or float64")
    return kind


def _check_fit(values: np.ndarray, kind: np.dtype) -> None:
    """Refuse a type that cannot hold every count exactly."""
    most = np.iinfo(kind).max if kind.kind in "iu" else \
        2 ** (np.finfo(kind).nmant + 1)
    if most >= np.iinfo(values.dtype).max or not len(values):
        return
    largest = int(values.max())
    if largest > most:
        enough = "int32" if largest < 2**31 else "int64"
        raise InvalidError(f"{kind} cannot hold a count of {largest:,}; use "
                           f"{enough}")


def fill_matrix(store: "Store", spec: _abi.Matrix, ids: Optional[np.ndarray],
                counts: bool, dtype: Any,
                progress: Any) -> "scipy.sparse.csr_matrix":
    """The matrix that a struct cooc_matrix describes; its arrays are set
    here."""
    from scipy.sparse import csr_matrix

    kind = _checked(dtype, counts)
    work = Work(progress)
    spec.watch = ctypes.pointer(work.watch)
    starts = np.empty(spec.n + 1, np.uint64)
    spec.starts = starts.ctypes.data
    if ids is not None:
        spec.terms = ids.ctypes.data
    with store._open() as db:
        work.run(dll.cooc_matrix_size, db, ctypes.byref(spec))
        size = int(starts[-1])
        columns = np.empty(size, np.uint32)
        values = np.empty(size, np.uint32 if counts else np.float64)
        spec.columns = columns.ctypes.data
        if counts:
            spec.counts = values.ctypes.data
        else:
            spec.scores = values.ctypes.data
        work.run(dll.cooc_matrix_fill, db, ctypes.byref(spec))
    work.finish()
    if counts:
        _check_fit(values, kind)
        if kind == np.int32:
            values = values.view(kind)      # no copy
    small = max(size, spec.n) < 2**31
    index = columns.view(np.int32) if small else columns.astype(np.int64)
    out = csr_matrix((values.astype(kind, copy=False), index,
                      starts.astype(np.int32 if small else np.int64)),
                     shape=(spec.n, spec.n), copy=False)
    if ids is not None:
        out.sort_indices()
    if not counts:
        out.eliminate_zeros()
    return out
