"""From a store to scipy.sparse, without a detour over text."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _abi
from ._lib import Work, dll

if TYPE_CHECKING:
    import scipy.sparse

    from .store import Store


def fill_matrix(store: "Store", spec: _abi.Matrix, ids: Optional[np.ndarray],
                counts: bool, dtype: Any,
                progress: Any) -> "scipy.sparse.csr_matrix":
    """The matrix of a struct cooc_matrix that lacks its arrays."""
    from scipy.sparse import csr_matrix

    work = Work(progress)
    spec.watch = work.watch
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
    if dtype is None:
        dtype = np.int64 if counts else np.float64
    elif counts and np.dtype(dtype) == np.int32 and \
            store.info.documents < 2**31:
        values = values.view(np.int32)      # the same, without a copy
    small = max(size, spec.n) < 2**31
    index = columns.view(np.int32) if small else columns.astype(np.int64)
    out = csr_matrix((values.astype(dtype, copy=False), index,
                      starts.astype(np.int32 if small else np.int64)),
                     shape=(spec.n, spec.n), copy=False)
    if ids is not None:
        out.sort_indices()
    if not counts:
        out.eliminate_zeros()
    return out
