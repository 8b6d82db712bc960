"""Answers with several columns: a DataFrame, or numpy's structured array; and
the library's own arrays."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional

import numpy as np

ENTRY = np.dtype([("term", "<u4"), ("count", "<u4")])
HIT = np.dtype([("x", "<u4"), ("y", "<u4"), ("count", "<u8"),
                ("df_x", "<u8"), ("df_y", "<u8"), ("documents", "<u8"),
                ("score", "<f8")])


def take(pointer: Any, n: int, kind: Any, free: Any) -> np.ndarray:
    """Copy the library's array, and give it back."""
    try:
        if not n:
            return np.empty(0, kind)
        size = n * np.dtype(kind).itemsize
        bytes_there = (ctypes.c_char * size).from_address(pointer.value)
        return np.frombuffer(memoryview(bytes_there), kind).copy()
    finally:
        free(pointer)


def table(columns: Dict[str, Any], frame: Optional[bool]) -> Any:
    """frame None: a DataFrame if there is pandas."""
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
