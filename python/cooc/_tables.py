"""Answers with several columns: a DataFrame, or numpy's structured array."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np


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
