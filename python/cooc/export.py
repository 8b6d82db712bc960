"""Export to files for other programs."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np

from . import _abi
from ._lib import (StrPath, Work, as_dict, c_text, dll, one_of, option_names,
                   refuse, set_options)
from .errors import InvalidError

if TYPE_CHECKING:
    from .store import Store

_SHAPES = {"default": _abi.COOC_SHAPE_DEFAULT,
           "triangle": _abi.COOC_SHAPE_TRIANGLE,
           "symmetric": _abi.COOC_SHAPE_SYMMETRIC}
_OPTIONS = option_names(_abi.ExportOptions) - {
    "format", "shape", "scoring", "terms", "n_terms", "has_min_score"}


def write_export(store: "Store", path: StrPath, format: str,
                 scoring: _abi.Scoring, ids: Optional[np.ndarray], shape: str,
                 progress: Any, options: Dict[str, Any]) -> Dict[str, Any]:
    """Write the file and return a report."""
    refuse("export", options, _OPTIONS)
    kind = one_of("shape", shape, _SHAPES, {"usual": "default"})
    if ids is not None and not len(ids):
        raise InvalidError("terms is empty; leave it out for all terms")
    struct, report, work = _abi.ExportOptions(), _abi.ExportReport(), \
        Work(progress)
    set_options(struct, {"format": format, **options})
    struct.shape, struct.scoring = kind, scoring
    struct.watch = ctypes.pointer(work.watch)
    if ids is not None:
        struct.terms, struct.n_terms = ids.ctypes.data, len(ids)
    with store._open() as db:
        work.run(dll.cooc_export, db, c_text(path), ctypes.byref(struct),
                 ctypes.byref(report))
    work.finish()
    return as_dict(report)
