"""Make stores from documents."""

from __future__ import annotations

import ctypes
import os
import re
import tempfile
from contextlib import ExitStack
from typing import Any, Dict, Iterable, Optional, Sequence, Union

from . import _abi
from ._feed import Documents, build
from ._lib import (StrPath, Work, as_dict, c_text, dll, one_of, option_names,
                   refuse, set_options)
from .errors import InvalidError
from .store import Store

READING = {"format", "encoding", "text_fields", "id_field", "vocab_file",
            "separators", "zero_based", "delimiter", "header", "no_header",
            "split", "fold", "group_by", "record", "column", "pos",
            "skip_bad", "count_follows"}
INDEX = option_names(_abi.IndexOptions)
_TUNING = option_names(_abi.Tuning)
COUNT = option_names(_abi.CountOptions) - {"label", "rows_known"} | _TUNING
LISTS = {"merge_terms": "merge_terms_file", "phrases": "phrases_file",
         "stop": "stop_file", "terms": "terms_file",
         "thesaurus": "thesaurus_file"}
DOCUMENT_OPTIONS = (INDEX | set(LISTS)) - (READING - {"fold"}) - \
    {"part", "parts"}
_ROWS = {"full": _abi.COOC_ROWS_FULL, "compact": _abi.COOC_ROWS_COMPACT}
_OLD_ROWS = {"all": "full", "costly": "compact"}


def path_array(paths: Union[StrPath, Sequence[StrPath]]) -> Any:
    """One path or several, as an array for the library."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]                                     # type: ignore
    names = [c_text(p) for p in paths]
    return (ctypes.c_char_p * len(names))(*names)


def documents_of(inputs: Union[StrPath, Sequence[StrPath]]) -> Any:
    """The same for files with documents.  Refuses stores, which are
    directories as well."""
    array = path_array(inputs)
    for name in array:
        db = ctypes.c_void_p()
        if os.path.isdir(name) and \
                dll.cooc_open(ctypes.byref(db), name, None) == 0:
            dll.cooc_close(db)
            raise InvalidError(f"{os.fsdecode(name)} is a store, not "
                               "documents; cooc.count_store() counts its "
                               "pairs, cooc.merge() merges stores")
    return array


def write_list(name: str, words: Any, until: ExitStack) -> str:
    """Write a list of words, or a dict of variants, to a temporary file.  A
    string is a list of one word."""
    if isinstance(words, str):
        words = [words]
    lines = [f"{k}\t{v}" for k, v in words.items()] \
        if hasattr(words, "items") else list(words)
    for line in lines:
        if not isinstance(line, str):
            raise TypeError(f"{name}: a word must be a string, not "
                            f"{type(line).__name__} ({line!r:.80})")
        if "\n" in line or re.match(r"#(\s|$)", line, re.ASCII) or \
                line.count("\t") != (name == "thesaurus"):
            raise InvalidError(f"{name}: {line!r:.80} cannot be in a list; a "
                               "word must not contain tabs or line ends, nor "
                               "be '#' or start with '# '")
    file = until.enter_context(tempfile.NamedTemporaryFile(
        "w", prefix="cooc-", suffix=".txt", encoding="utf-8"))
    if name == "thesaurus":     # the first entry must not look like a title
        lines.insert(0, "label\treplace by")
    file.write("".join(line + "\n" for line in lines))
    file.flush()
    return file.name


def split_share(options: Dict[str, Any]) -> None:
    """Convert max_df="50%" to a share of all documents.

    >>> options = {"max_df": "12.5%"}
    >>> split_share(options)
    >>> options
    {'max_df_share': 0.125}
    """
    text = options.get("max_df")
    if not isinstance(text, str):
        return
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(%?)", text.strip())
    if not found or found[2] and not 0 < float(found[1]) <= 100 or \
            not found[2] and "." in text:
        raise InvalidError("max_df must be a number of documents, or a string "
                           f'like "50%", not {text!r}')
    if not found[2]:
        options["max_df"] = int(found[1])
    elif options.get("max_df_share"):
        raise InvalidError("give max_df as a share or max_df_share, not both")
    else:
        del options["max_df"]
        options["max_df_share"] = float(found[1] + "e-2")


def index_options(options: Dict[str, Any], work: Work,
                  until: ExitStack) -> _abi.IndexOptions:
    """A struct of keyword arguments.  Lists of words become temporary files,
    which are removed when `until` is closed."""
    out, options = _abi.IndexOptions(), dict(options)
    split_share(options)
    for name, field in LISTS.items():
        words = options.pop(name, None)
        if words is not None:
            options[field] = write_list(name, words, until)
    if isinstance(options.get("text_fields"), (list, tuple)):
        options["text_fields"] = "\n".join(options["text_fields"])
    set_options(out, options)
    out.watch = ctypes.pointer(work.watch)
    return out


def count_options(options: Dict[str, Any], work: Work) -> _abi.CountOptions:
    """A struct of keyword arguments."""
    out, tuning, options = _abi.CountOptions(), _abi.Tuning(), dict(options)
    if options.get("rows") is not None:
        options["rows"] = one_of("rows", options["rows"], _ROWS, _OLD_ROWS)
    set_options(tuning, {k: options.pop(k) for k in _TUNING & set(options)})
    set_options(out, options)
    out.tuning, out.watch = ctypes.pointer(tuning), ctypes.pointer(work.watch)
    return out


def count_report() -> _abi.CountReport:
    """An empty report with an empty estimate."""
    return _abi.CountReport(estimate=ctypes.pointer(_abi.Estimate()))


def index(inputs: Union[StrPath, Sequence[StrPath]], path: StrPath, *,
          progress: Any = None, **options: Any) -> Dict[str, Any]:
    """Read files into a new store, which cooc.count_store() can count.

    inputs are the paths of files or directories.  Options are the fields of
    struct cooc_index_options: format, encoding, text_fields, id_field,
    split, group_by, delimiter, header, no_header, record, column, pos,
    vocab_file, separators, fold, zero_based, tokens, keep_case, drop_numbers,
    min_length, max_length, stop_file, stem, thesaurus_file, min_df, max_df,
    max_df_share, top_terms, terms_file, max_doc_terms, threads, memory,
    replace, count_follows, skip_bad, part, parts, phrases_file,
    keep_phrase_words, merge_terms_file.
    phrases, stop and terms take a list of words or phrases and thesaurus a
    dict, instead of a file; a string is a single entry, not a path.  max_df may be a share such as
    "50%", memory a string such as "2G".

    text_fields is a string such as "title,abstract", or a list of names, which
    may contain commas.  encoding is "auto" by default: the encoding of each
    file is recognised; "auto,latin1" names the one of files that are not.

    part=3, parts=64 indexes only the third of 64 shares of the inputs, without
    min_df, max_df, top_terms and terms; cooc.merge() combines all parts.

    progress is a function that is called periodically with a cooc.Progress,
    or True for a line on standard error.  Returns a report; its member notes
    lists what was found out about the inputs: encodings, what was skipped.

    >>> import cooc
    >>> with open("notes.txt", "w") as f:
    ...     _ = f.write("black coffee\\ngreen tea\\n")
    >>> cooc.index("notes.txt", "notes.cooc", format="lines")["terms"]
    4
    """
    refuse("index", options, INDEX | set(LISTS))
    array, work = documents_of(inputs), Work(progress)
    report = _abi.IndexReport()
    with ExitStack() as until:
        struct = index_options(options, work, until)
        work.run(dll.cooc_index, array, len(array), c_text(path),
                 ctypes.byref(struct), ctypes.byref(report))
    work.finish()
    return dict(as_dict(report), notes=work.notes)


def count_store(path: StrPath, *, progress: Any = None,
                **options: Any) -> Dict[str, Any]:
    """Count every pair of an indexed store.

    Options are the fields of struct cooc_count_options: method, threads,
    memory, tmpdir, rows ("full" or "compact"), compact_df, recount,
    ignore_space; and of struct cooc_tuning: batch_postings, flush_pairs,
    block_terms, accumulators, head_terms, kernel.  A count that was stopped
    or has failed is continued.  Returns a report.

    >>> import cooc
    >>> cooc.count_store("tea.cooc", recount=True)["pairs"]
    6
    """
    refuse("count_store", options, COUNT)
    work, report = Work(progress), count_report()
    struct = count_options(options, work)
    work.run(dll.cooc_count, c_text(path), ctypes.byref(struct),
             ctypes.byref(report))
    work.finish()
    return as_dict(report)


def count_part(path: StrPath, part: int, parts: int, *,
               progress: Any = None, **options: Any) -> Dict[str, int]:
    """Count one part of the pairs of an indexed store, for example the third
    of 64 parts, which take about the same time.

    Parts can be counted at the same time by several processes, on any machines
    that see the directory of the store; a part may be killed and repeated.
    cooc.count_store() then finishes: it verifies all parts, counts those that
    are missing, and makes the store complete.  Options are those of
    cooc.count_store() except recount.  Returns the numbers of increments and
    pairs in this part.

    >>> import cooc
    >>> with open("rain.txt", "w") as f:
    ...     _ = f.write("rain and wind\\nwind and sun\\n")
    >>> _ = cooc.index("rain.txt", "rain.cooc", format="lines")
    >>> pairs = sum(cooc.count_part("rain.cooc", i, 3)["pairs"]
    ...             for i in (1, 2, 3))
    >>> pairs, cooc.count_store("rain.cooc")["pairs"]
    (5, 5)
    """
    refuse("count_part", options, COUNT - {"recount", "written"})
    if not 1 <= part <= parts:
        raise InvalidError(f"part must be from 1 to {parts}, not {part}")
    name, work = c_text(path), Work(progress)
    struct = count_options(options, work)
    struct.label = f"part {part}/{parts}".encode()
    done = {"increments": 0, "pairs": 0}

    def run(err: Any) -> int:
        counter = ctypes.c_void_p()
        first, last = ctypes.c_uint64(), ctypes.c_uint64()
        rc = dll.cooc_counter_open(ctypes.byref(counter), name,
                                   ctypes.byref(struct), err)
        for rows in True, False:
            report = _abi.CountReport()
            if rc == 0:
                rc = dll.cooc_counter_range(
                    counter, rows, part - 1, parts, ctypes.byref(first),
                    ctypes.byref(last), err)
            if rc == 0:
                rc = dll.cooc_counter_count(counter, first, last,
                                            ctypes.byref(report), err)
            done["increments"] += report.increments
            done["pairs"] += report.pairs
        dll.cooc_counter_close(counter)
        return rc

    work.run(run)
    work.finish()
    return done


def index_documents(documents: Documents, path: StrPath, *, first: int = 0,
                    progress: Any = None, **options: Any) -> Dict[str, Any]:
    """Make a store of documents in memory.  Those without a name are numbered
    from first.  Returns a report."""
    work, report, name = Work(progress), _abi.IndexReport(), c_text(path)
    with ExitStack() as until:
        struct = index_options(options, work, until)
        build(documents, work,
              lambda builder, err: dll.cooc_builder_open(
                  builder, name, ctypes.byref(struct), err),
              lambda builder, err: dll.cooc_builder_finish(
                  builder, ctypes.byref(report), err),
              lambda: first)
    work.finish()
    return as_dict(report)


def count(documents: Iterable[Any], path: StrPath, *, named: bool = False,
          vocab: Optional[Iterable[str]] = None, progress: Any = None,
          **options: Any) -> Store:
    """Count every pair of terms in documents, and return the new store.

    documents is an iterable, for example a list or a generator, of documents
    of one kind:

    - strings, which are cut into words;
    - lists of strings, each of which is a term as it is, or with fold="case"
      a term without surrounding white space, case-folded.  Empty strings are
      dropped; a string with a line end is a ValueError;
    - with vocab, arrays of integers: i means the term vocab[i].

    Documents are numbered from 0, and the number is the name of the document.
    To give names, pass a dict, or (name, document) pairs with named=True.
    Documents are read one by one and are never in memory all at once.

    Options are those of cooc.index(), without those about files, and those of
    cooc.count_store().  If the iterable raises an exception, no store is
    made.  If counting fails or is stopped, cooc.count_store(path) continues
    it.  store.made has the reports on what was read, dropped and counted.

    >>> import cooc
    >>> with cooc.count({"monday": ["black tea", "milk"], "friday": ["milk"]},
    ...                 "baskets.cooc") as store:
    ...     print(store.terms[:], store["milk", "black tea"])
    ['milk', 'black tea'] 1
    >>> with cooc.count([[0, 1], [1, 2]], "ids.cooc",
    ...                 vocab=["coffee", "milk", "tea"]) as store:
    ...     store["milk", "tea"]
    1
    """
    refuse("count", options, DOCUMENT_OPTIONS | COUNT)
    indexed = index_documents(
        Documents(documents, named, vocab), path, progress=progress,
        **{k: v for k, v in options.items() if k in DOCUMENT_OPTIONS})
    counted = count_store(path, progress=progress,
                          **{k: v for k, v in options.items() if k in COUNT})
    store = Store(path)
    store.made = {"index": indexed, "count": counted}
    return store


def check(path: StrPath, *, threads: int = 0,
          progress: Any = None) -> Dict[str, int]:
    """Verify every checksum, the order of all lists and both sum identities of
    a store.  Raises cooc.FormatError for the first error.  Returns a report.

    >>> import cooc
    >>> cooc.check("tea.cooc")["pairs"]
    6
    """
    work, report = Work(progress), _abi.CheckReport()
    work.run(dll.cooc_check, c_text(path), threads,
             ctypes.byref(work.watch), ctypes.byref(report))
    work.finish()
    return as_dict(report)
