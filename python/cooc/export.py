"""Files for other programs."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np

from . import _abi
from ._lib import StrPath, Work, as_dict, c_text, dll, refuse, set_options
from .errors import InvalidError

if TYPE_CHECKING:
    from .store import Store

_SHAPES = {"usual": _abi.COOC_SHAPE_USUAL,
           "triangle": _abi.COOC_SHAPE_TRIANGLE,
           "symmetric": _abi.COOC_SHAPE_SYMMETRIC}
_OPTIONS = {name for name, _ in _abi.ExportOptions._fields_} - {
    "format", "shape", "by", "terms", "n_terms", "watch"}


def write_export(store: "Store", path: StrPath, format: str, by: _abi.By,
                 ids: Optional[np.ndarray], shape: str, progress: Any,
                 options: Dict[str, Any]) -> Dict[str, Any]:
    """Write the file, and tell of it."""
    refuse("export", options, _OPTIONS)
    if shape not in _SHAPES:
        raise InvalidError('shape is "usual", "triangle" or "symmetric", not '
                           f"{shape!r}")
    score = options.get("min_score")
    if score is not None and score != score:
        raise InvalidError("min_score cannot be nan")
    if ids is not None and not len(ids):
        raise InvalidError("terms is empty; leave it out for all terms")
    struct, report, work = _abi.ExportOptions(), _abi.ExportReport(), \
        Work(progress)
    dll.cooc_export_options_init(ctypes.byref(struct))
    set_options(struct, {"format": format, **options})
    struct.shape, struct.by, struct.watch = _SHAPES[shape], by, work.watch
    if ids is not None:
        struct.terms, struct.n_terms = ids.ctypes.data, len(ids)
    with store._open() as db:
        work.run(dll.cooc_export, db, c_text(path), ctypes.byref(struct),
                 ctypes.byref(report))
    work.finish()
    return as_dict(report)
