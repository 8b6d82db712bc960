"""Results as tables: DataFrames or structured arrays of NumPy."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional

import numpy as np

from ._lib import dll

ENTRY = np.dtype([("term", "u4"), ("reserved", "u4"), ("count", "u8")])
HIT = np.dtype([("x", "u4"), ("y", "u4"), ("count", "u8"), ("fx", "u8"),
                ("fy", "u8"), ("total", "u8"), ("score", "f8")])


def take(pointer: Any, n: int, kind: Any) -> np.ndarray:
    """Copy an array that the library allocated, and free it."""
    try:
        if not n:
            return np.empty(0, kind)
        size = n * np.dtype(kind).itemsize
        bytes_there = (ctypes.c_char * size).from_address(pointer.value)
        return np.frombuffer(memoryview(bytes_there), kind).copy()
    finally:
        dll.cooc_free(pointer)


def table(columns: Dict[str, Any], frame: Optional[bool]) -> Any:
    """A DataFrame or a structured array.  With frame=None, it is a DataFrame
    if pandas is installed."""
    if frame is not False:
        try:
            import pandas
        except ImportError:
            if frame:
                raise
        else:
            return pandas.DataFrame(columns)
    kinds = [(name, getattr(values, "dtype", object))
             for name, values in columns.items()]
    out = np.empty(len(next(iter(columns.values()))), dtype=kinds)
    for name, values in columns.items():
        out[name] = values
    return out
