"""From documents to stores."""

from __future__ import annotations

import ctypes
import os
import tempfile
from contextlib import ExitStack, contextmanager
from typing import Any, Dict, Iterable, Iterator, Mapping, Sequence, Union

from . import _abi
from ._feed import Lines, Pipe, feed
from ._lib import StrPath, Work, as_dict, dll, set_options
from .errors import CoocError
from .store import Store

_READING = {"format", "encoding", "text_fields", "id_field", "vocab_file",
            "separators", "zero_based", "then_count"}
_INDEX = {name for name, _ in _abi.IndexOptions._fields_} - {"watch"}
_COUNT = {name for name, _ in _abi.CountOptions._fields_} - {"watch"}
_LISTS = {"stop": "stop_file", "terms": "terms_file",
          "thesaurus": "thesaurus_file"}
_ROWS = {"all": _abi.COOC_ROWS_ALL, "costly": _abi.COOC_ROWS_COSTLY}


def _refuse(function: str, options: Mapping[str, Any],
            known: Iterable[str]) -> None:
    wrong = sorted(set(options) - set(known))
    if wrong:
        raise TypeError(f"{function}() has no option {wrong[0]!r}; there are: "
                        + ", ".join(sorted(known)))


@contextmanager
def _force_is(**option: str) -> Iterator[None]:
    """Errors that advise --force name our option for it, by their class."""
    try:
        yield
    except CoocError as e:
        name = option.get(type(e).__name__)
        if name:
            e.message = e.message.replace("--force", name)
        raise


def _write_list(name: str, words: Any, until: ExitStack) -> str:
    """A list of words, or a dict of variants, as a file."""
    lines = [f"{k}\t{v}" for k, v in words.items()] \
        if hasattr(words, "items") else list(words)
    for line in lines:
        if not isinstance(line, str):
            raise TypeError(f"{name}: {line!r} is no string")
        if "\n" in line or line.startswith("#") or \
                line.count("\t") != (name == "thesaurus"):
            raise ValueError(f"{name}: {line!r} cannot be in a list, for its "
                             "tabs, line ends or #")
    file = until.enter_context(tempfile.NamedTemporaryFile(
        "w", prefix="cooc-", suffix=".txt", encoding="utf-8"))
    file.write("".join(line + "\n" for line in lines))
    file.flush()
    return file.name


def _index_options(options: Dict[str, Any], work: Work,
                   until: ExitStack) -> _abi.IndexOptions:
    out = _abi.IndexOptions()
    dll.cooc_index_options_init(ctypes.byref(out))
    options = dict(options)
    for name, field in _LISTS.items():
        words = options.pop(name, None)
        if words is not None:
            options[field] = _write_list(name, words, until)
    set_options(out, options)
    out.watch = work.watch
    return out


def _index(inputs: Sequence[bytes], path: StrPath, options: _abi.IndexOptions,
           work: Work) -> _abi.IndexReport:
    """Begin to index; the report is filled when the work has ended."""
    report = _abi.IndexReport()
    array = (ctypes.c_char_p * len(inputs))(*inputs)
    work.start(dll.cooc_index, array, len(inputs), os.fsencode(path),
               ctypes.byref(options), ctypes.byref(report))
    return report


def index(inputs: Union[StrPath, Sequence[StrPath]], path: StrPath, *,
          progress: Any = None, **options: Any) -> Dict[str, Any]:
    """Read files into a new store, which cooc.count_store() can count.

    inputs are the paths of files or directories.  Options are those of struct
    cooc_index_options: format, encoding, text_fields, id_field, vocab_file,
    separators, zero_based, tokens, keep_case, drop_numbers, min_length,
    max_length, stop_file, stem, thesaurus_file, min_df, max_df, max_df_share,
    top_terms, terms_file, max_doc_terms, threads, memory, replace, then_count.
    stop and terms take a list of words, thesaurus a dict, instead of a file.

    progress is a function that is given a cooc.Progress now and then, or True
    for a line on standard error.  Returns a report.

    >>> import cooc
    >>> with open("notes.txt", "w") as f:
    ...     _ = f.write("black coffee\\ngreen tea\\n")
    >>> cooc.index("notes.txt", "notes.cooc", format="lines")["terms"]
    4
    """
    _refuse("index", options, _INDEX | set(_LISTS))
    if isinstance(inputs, (str, bytes, os.PathLike)):
        inputs = [inputs]                                   # type: ignore
    work = Work(progress)
    with ExitStack() as until:
        struct = _index_options(options, work, until)
        report = _index([os.fsencode(i) for i in inputs], path, struct, work)
        with _force_is(ExistsError="replace=True"):
            work.wait()
    work.finish()
    return as_dict(report)


def count_store(path: StrPath, *, progress: Any = None,
                **options: Any) -> Dict[str, Any]:
    """Count every pair of an indexed store.

    Options are those of struct cooc_count_options: method, threads, memory,
    batch_postings, tmpdir, flush_pairs, block_terms, accumulators,
    head_terms, kernel, rows ("all" or "costly"), costly_df, recount,
    ignore_space.  A count that was stopped is continued.  Returns a report.

    >>> import cooc
    >>> cooc.count_store("tea.cooc", recount=True)["pairs"]
    6
    """
    _refuse("count_store", options, _COUNT)
    struct, report, work = _abi.CountOptions(), _abi.CountReport(), \
        Work(progress)
    dll.cooc_count_options_init(ctypes.byref(struct))
    options = dict(options)
    if options.get("rows") is not None:
        if options["rows"] not in _ROWS:
            raise ValueError('rows is "all" or "costly", not '
                             f"{options['rows']!r}")
        options["rows"] = _ROWS[options["rows"]]
    set_options(struct, options)
    struct.watch = work.watch
    with _force_is(ExistsError="recount=True",
                   DiskFullError="ignore_space=True"):
        work.run(dll.cooc_count, os.fsencode(path), ctypes.byref(struct),
                 ctypes.byref(report))
    work.finish()
    return as_dict(report)


def count(documents: Iterable[Any], path: StrPath, *, named: bool = False,
          progress: Any = None, **options: Any) -> Store:
    """Count every pair of terms in documents, into a new store.

    documents is any iterable: of strings, which are cut into words, or of
    lists of strings, which are taken as they are; of (name, document) pairs
    with named=True; or a dict of documents by name.  They are read as they
    come and never held all at once.  Documents without a name have their
    number, from 0.

    Options are those of cooc.index(), without those about files, and those of
    cooc.count_store().  If the iterable fails there is no store.  If counting
    fails or is stopped, cooc.count_store(path) continues it.

    Returns the open store; what was read and dropped is in store.made.

    >>> import cooc
    >>> with cooc.count({"monday": ["black tea", "milk"], "friday": ["milk"]},
    ...                 "baskets.cooc") as store:
    ...     print(store.terms[:], store["milk", "black tea"])
    ['milk', 'black tea'] 1
    """
    index_names = (_INDEX | set(_LISTS)) - _READING
    _refuse("count", options, index_names | _COUNT)
    work, pipe = Work(progress), Pipe()
    with ExitStack() as until:
        until.callback(pipe.close)
        lines = Lines(documents, named)
        struct = _index_options({k: v for k, v in options.items()
                                 if k in index_names}, work, until)
        struct.format = lines.format.encode()
        report = _index([pipe.path.encode()], path, struct, work)
        try:
            feed(lines, pipe, work)
        except BaseException:
            work.stop()
            raise
        with _force_is(ExistsError="replace=True"):
            work.wait()
    work.finish()
    counted = count_store(path, progress=progress,
                          **{k: v for k, v in options.items() if k in _COUNT})
    store = Store(path)
    store.made = {"index": as_dict(report), "count": counted}
    return store


def check(path: StrPath, *, threads: int = 0,
          progress: Any = None) -> Dict[str, int]:
    """Verify every checksum, every order and both sums of a store; raises
    cooc.FormatError for the first thing that is wrong.

    >>> import cooc
    >>> cooc.check("tea.cooc")["pairs"]
    6
    """
    work, report = Work(progress), _abi.CheckReport()
    work.run(dll.cooc_check, os.fsencode(path), threads,
             ctypes.byref(work.watch), ctypes.byref(report))
    work.finish()
    return as_dict(report)
