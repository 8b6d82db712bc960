"""Several stores become one, a store grows."""

from __future__ import annotations

import ctypes
from contextlib import ExitStack
from typing import Any, Dict, Sequence, Union

from . import _abi
from ._lib import StrPath, Work, as_dict, c_text, dll, refuse, set_options
from .build import (COUNT, READING, documents_of, fill_count, fill_index,
                    force_is, path_array)
from .errors import InvalidError

_FROM = {"cheaper": _abi.COOC_FROM_CHEAPER, "rows": _abi.COOC_FROM_ROWS,
         "documents": _abi.COOC_FROM_DOCUMENTS}
_WAY = COUNT - {"recount"} | {"pairs_from", "batch_pairs", "accept_rules"}
_MERGE = _WAY | {"replace"}
_INPUT = READING - {"then_count"} | {"terms", "terms_file"}


def _fill(out: _abi.MergeOptions, options: Dict[str, Any],
          work: Work) -> None:
    way = options.get("pairs_from") or "cheaper"
    if way not in _FROM:
        raise InvalidError('pairs_from is "cheaper", "rows" or "documents", '
                           f"not {way!r}")
    set_options(out, {**{k: v for k, v in options.items() if k not in COUNT},
                      "pairs_from": _FROM[way]})
    fill_count(out.count, {k: v for k, v in options.items() if k in COUNT},
               work)


def _told(report: _abi.MergeReport) -> Dict[str, Any]:
    """The report; where the counts came from by name."""
    told = as_dict(report)
    told["pairs_from"] = list(_FROM)[report.pairs_from]
    return told


def merge(stores: Sequence[StrPath], path: StrPath, *, progress: Any = None,
          **options: Any) -> Dict[str, Any]:
    """Make one new store of the documents of several, in that order; it is
    counted if one of them is.

    They must have been made with the same options and lists, and without
    limits on frequency, or cooc.InvalidError explains what differs.  Options
    are replace, pairs_from ("rows" adds up old counts, "documents" counts anew; the
    default takes the cheaper, and the result is the same), batch_pairs,
    accept_rules (unite documents read by different versions of cooc or
    ICU), and those of cooc.count_store().  Returns a report.

    >>> import cooc
    >>> cooc.count({"a": "milk tea"}, "a.cooc").close()
    >>> cooc.count({"b": "tea with milk"}, "b.cooc").close()
    >>> cooc.merge(["a.cooc", "b.cooc"], "both.cooc")["documents"]
    2
    >>> cooc.open("both.cooc")["milk", "tea"]
    2
    """
    refuse("merge", options, _MERGE)
    struct, report, work = _abi.MergeOptions(), _abi.MergeReport(), \
        Work(progress)
    dll.cooc_merge_options_init(ctypes.byref(struct))
    _fill(struct, options, work)
    names = path_array(stores)
    with force_is(ExistsError="replace=True",
                  DiskFullError="ignore_space=True"):
        work.run(dll.cooc_merge, names, len(names), c_text(path),
                 ctypes.byref(struct), ctypes.byref(report))
    work.finish()
    return _told(report)


def add(path: StrPath, inputs: Union[StrPath, Sequence[StrPath]], *,
        progress: Any = None, **options: Any) -> Dict[str, Any]:
    """Add the documents of files to a store; they become terms the way its
    own did.  Whatever happens, it is the old store or the new one, whole.

    A store that is open meanwhile must be opened again to see them.  Options
    are format, encoding, text_fields, id_field, vocab_file, separators,
    zero_based, which a store does not keep; terms or terms_file, if the store
    was made with such a list: the same again; and those of cooc.merge()
    without replace.  Returns the reports of what was read ("index") and of the new store ("merge").

    >>> import cooc
    >>> cooc.count({"a": "milk tea"}, "more.cooc").close()
    >>> with open("more.txt", "w") as f:
    ...     _ = f.write("tea with milk\\n")
    >>> cooc.add("more.cooc", "more.txt", format="lines")["merge"]["documents"]
    2
    """
    refuse("add", options, _WAY | _INPUT)
    struct, indexed, report = _abi.AddOptions(), _abi.IndexReport(), \
        _abi.MergeReport()
    work = Work(progress)
    dll.cooc_add_options_init(ctypes.byref(struct))
    names = documents_of(inputs)
    with ExitStack() as until:
        fill_index(struct.input, {k: v for k, v in options.items()
                                  if k in _INPUT}, work, until)
        _fill(struct.merge, {k: v for k, v in options.items() if k in _WAY},
              work)
        struct.adjust_rows = options.get("rows") is not None
        with force_is(DiskFullError="ignore_space=True"):
            work.run(dll.cooc_add, c_text(path), names, len(names),
                     ctypes.byref(struct), ctypes.byref(indexed),
                     ctypes.byref(report))
    work.finish()
    return {"index": as_dict(indexed), "merge": _told(report)}
