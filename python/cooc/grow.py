"""Merge stores, and add documents to a store."""

from __future__ import annotations

import ctypes
from contextlib import ExitStack
from typing import Any, Dict, Iterable, Optional, Sequence, Union

from . import _abi
from ._feed import Documents, build
from ._lib import (StrPath, Work, as_dict, c_text, dll, one_of, refuse,
                   set_options)
from .build import (COUNT, READING, count_options, count_report, documents_of,
                    index_options, path_array, split_share, write_list)
from .store import Store

_FROM = {"auto": _abi.COOC_MERGE_AUTO, "rows": _abi.COOC_MERGE_ROWS,
         "documents": _abi.COOC_MERGE_DOCUMENTS}
_WAY = COUNT - {"recount"} | {"pairs_from", "batch_pairs", "accept_rules"}
FILTERS = {"min_df", "max_df", "max_df_share", "top_terms", "terms_file",
           "terms"}
_MERGE = _WAY | FILTERS | {"replace"}
_INPUT = READING - {"count_follows"} | {"terms", "terms_file"}


def _merge_options(options: Dict[str, Any], work: Work) -> _abi.MergeOptions:
    """A struct of keyword arguments.  Its field "from" is called pairs_from,
    because "from" is a keyword of Python."""
    out, options = _abi.MergeOptions(), dict(options)
    source = options.pop("pairs_from", None)
    if source is not None:
        options["from"] = one_of("pairs_from", source, _FROM,
                                 {"cheaper": "auto"})
    out.count = ctypes.pointer(count_options(
        {k: options.pop(k) for k in COUNT & set(options)}, work))
    set_options(out, options)
    return out


def _merge_report() -> _abi.MergeReport:
    return _abi.MergeReport(count=ctypes.pointer(count_report()))


def _as_dict(report: _abi.MergeReport) -> Dict[str, Any]:
    """The report, with the source of the counts by name."""
    values = as_dict(report)
    values["pairs_from"] = list(_FROM)[values.pop("from")]
    return values


def merge(stores: Sequence[StrPath], path: StrPath, *, progress: Any = None,
          **options: Any) -> Dict[str, Any]:
    """Merge stores into a new store, which has their documents in that order
    and is counted if one of them is.

    The stores must have been made with the same options and lists, and without
    limits on frequency; otherwise cooc.InvalidError explains what differs.
    The parts of an index (see cooc.index()) may be given in any order.
    min_df, max_df, top_terms and terms drop terms, as in cooc.index(), but by
    their frequency in all stores.  Other options are replace; pairs_from
    ("rows" adds up the counts of the stores, "documents" counts again, "auto",
    the default, chooses the faster of the two; the result is the same);
    batch_pairs; accept_rules (merge documents that were read by different
    versions of cooc or ICU); and those of cooc.count_store() except recount.
    Returns a report.

    >>> import cooc
    >>> cooc.count({"a": "milk tea"}, "a.cooc").close()
    >>> cooc.count({"b": "tea with milk"}, "b.cooc").close()
    >>> cooc.merge(["a.cooc", "b.cooc"], "both.cooc")["documents"]
    2
    >>> cooc.open("both.cooc")["milk", "tea"]
    2
    """
    refuse("merge", options, _MERGE)
    split_share(options)
    work, report = Work(progress), _merge_report()
    names = path_array(stores)
    with ExitStack() as until:
        terms = options.pop("terms", None)
        if terms is not None:
            options["terms_file"] = write_list("terms", terms, until)
        struct = _merge_options(options, work)
        work.run(dll.cooc_merge, names, len(names), c_text(path),
                 ctypes.byref(struct), ctypes.byref(report))
    work.finish()
    return _as_dict(report)


def _first_number(path: StrPath) -> int:
    """The number of the first document to add, while the store is locked."""
    with Store(path) as store:
        return store.info.documents


def add(path: StrPath,
        inputs: Union[StrPath, Sequence[StrPath], None] = None, *,
        documents: Optional[Iterable[Any]] = None, named: bool = False,
        vocab: Optional[Iterable[str]] = None, progress: Any = None,
        **options: Any) -> Dict[str, Any]:
    """Add documents to a store; they become terms like its own documents.

    Give either inputs, the paths of files or directories, or documents, an
    iterable as for cooc.count(), with named and vocab as there.  Documents
    without a name are numbered on from those of the store.  Whatever happens,
    the old store or the complete new one has the name.  A store that is open
    keeps answering for the old documents; open it again to see the new ones.

    Files are read with the format and the options that the store was made
    with, unless you give others; vocab_file must be given again.  Give
    terms or terms_file if the store was made with a list of terms: the same
    list again.  Other options are those of cooc.merge() without replace.
    Returns the reports of what was read ("index") and of the new store
    ("merge").

    >>> import cooc
    >>> cooc.count(["milk tea"], "more.cooc").close()
    >>> with open("more.txt", "w") as f:
    ...     _ = f.write("tea with milk\\n")
    >>> cooc.add("more.cooc", "more.txt", format="lines")["merge"]["documents"]
    2
    >>> cooc.add("more.cooc", documents=["black tea"])["merge"]["documents"]
    3
    """
    if (inputs is None) == (documents is None):
        raise TypeError("give add() either inputs, which are paths, or "
                        "documents=")
    if documents is None and (named or vocab is not None):
        raise TypeError("named and vocab apply to documents, not to files")
    reading = _INPUT if documents is None else _INPUT - READING
    refuse("add", options, _WAY | reading)
    work, name = Work(progress), c_text(path)
    indexed, report = _abi.IndexReport(), _merge_report()
    with ExitStack() as until:
        struct = _abi.AddOptions(
            input=ctypes.pointer(index_options(
                {k: v for k, v in options.items() if k in reading}, work,
                until)),
            merge=ctypes.pointer(_merge_options(
                {k: v for k, v in options.items() if k in _WAY}, work)))
        reports = ctypes.byref(indexed), ctypes.byref(report)
        if documents is None:
            names = documents_of(inputs)                    # type: ignore
            work.run(dll.cooc_add, name, names, len(names),
                     ctypes.byref(struct), *reports)
        else:
            build(Documents(documents, named, vocab), work,
                  lambda builder, err: dll.cooc_builder_open_add(
                      builder, name, ctypes.byref(struct), err),
                  lambda builder, err: dll.cooc_builder_finish_add(
                      builder, *reports, err),
                  lambda: _first_number(path))
    work.finish()
    return {"index": dict(as_dict(indexed), notes=work.notes),
            "merge": _as_dict(report)}
