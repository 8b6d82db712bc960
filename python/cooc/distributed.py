"""Count a collection with the workers of a Dask cluster.

    from dask.distributed import Client
    import cooc.distributed

    client = Client("tcp://scheduler:8786")
    store = cooc.distributed.count("/shared/texts", "/shared/texts.cooc",
                                   client=client, parts=64)

The client and all workers need the same version of cooc, and must see the
directory of the store, and the inputs, under the same paths.  The store is the
same, byte for byte, as one made by a single process.

A worker gets one part at a time, and counts it with all of its threads and 60 %
of its memory limit.  If it dies, another worker gets the part.  Only names,
options and numbers of parts travel through Dask; documents and counts are read
from and written to the shared directory.
"""

from __future__ import annotations

import operator
import os
from typing import Any, Dict, List, Optional, Sequence

from . import build, grow
from ._feed import Documents
from ._lib import StrPath, c_text, call, dll, refuse
from ._team import Job, Team
from .errors import ExistsError, InvalidError
from .store import Store

_INDEX = (build.INDEX | set(build.LISTS)) - {"count_follows", "part", "parts"}
_COUNT = build.COUNT - {"recount", "written"}
_PATHS = {"merge_terms_file", "phrases_file", "stop_file", "thesaurus_file",
          "terms_file", "vocab_file"}


# ---- on a worker


def _documents_of(partition: Any, named: bool, vocab: Any) -> Documents:
    """The documents of a partition of a bag, a series or a dataframe."""
    columns = getattr(partition, "columns", None)
    if columns is not None:
        first, *more = (partition.iloc[:, i] for i in range(len(columns)))
        partition, named = (zip(first, *more), True) if more else (first, named)
    return Documents(partition, named, vocab)


def _index_partition(partition: Any, path: str, *, named: bool, vocab: Any,
                     first: int, **options: Any) -> Dict[str, Any]:
    return build.index_documents(_documents_of(partition, named, vocab), path,
                                 first=first, replace=True, **options)


def _length(partition: Any, **_: Any) -> int:
    return sum(1 for _ in partition)


def _finish(path: str, **options: Any) -> Dict[str, Any]:
    """Finish the count.  A worker may have died just after it had done so."""
    try:
        return build.count_store(path, **options)
    except ExistsError:
        return {}


# ---- on the client


def _absolute(path: StrPath) -> str:
    c_text(path)
    return os.path.abspath(os.fspath(path))


def _number_of_parts(parts: Any) -> int:
    number = operator.index(parts)
    if not 1 <= number < 2**32:
        raise InvalidError(f"parts must be a positive number, not {number}")
    return number


def _refuse_existing(path: str, replace: bool) -> None:
    if os.path.lexists(path) and not replace:
        raise ExistsError(f"{path}: exists already; replace it with "
                          "replace=True, or, if it is not counted yet, count "
                          "it with cooc.distributed.count_store()")


def _parts_of_files(inputs: Any, folder: str, parts: int,
                    options: Dict[str, Any]) -> List[Job]:
    if isinstance(inputs, (str, bytes, os.PathLike)):
        inputs = [inputs]
    paths = [_absolute(p) for p in inputs]
    return [Job(f"index part {i}/{parts}", build.index,
                (paths, f"{folder}/{i}.cooc"),
                dict(options, part=i, parts=parts, replace=True))
            for i in range(1, parts + 1)]


def _parts_of_texts(team: Team, inputs: Any, named: bool, vocab: Any,
                    options: Dict[str, Any]) -> List[Job]:
    """A job for each partition.  Documents of a bag are numbered on from one
    partition to the next, so their numbers are needed first."""
    columns = getattr(inputs, "columns", None)
    if columns is not None and len(columns) not in (1, 2):
        raise InvalidError("the dataframe must have one column, the texts, or "
                           "two, names and texts; choose them with "
                           f"df[[...]], not {list(columns)!r:.200}")
    partitions, starts = inputs.to_delayed(), [0]
    if not hasattr(inputs, "dtypes") and not named:
        lengths = team.each("measuring partitions", [
            Job(f"partition {i}", _length, (), {}, p)
            for i, p in enumerate(partitions)])
        for n in lengths:
            starts.append(starts[-1] + n)
    return [Job(f"index partition {i}", _index_partition,
                (f"{team.folder}/{i}.cooc",),
                dict(options, named=named, vocab=vocab,
                     first=starts[i] if len(starts) > 1 else 0), p)
            for i, p in enumerate(partitions)]


def index(inputs: Any, path: StrPath, *, client: Any = None, parts: int = 64,
          named: bool = False, vocab: Optional[Sequence[str]] = None,
          progress: Any = None, retries: int = 3, replace: bool = False,
          **options: Any) -> Dict[str, Any]:
    """Index documents with the workers of a Dask cluster, as
    cooc.distributed.count() does, but do not count pairs.  Returns the report
    of cooc.merge(), and that of each part as "parts"."""
    of_texts = hasattr(inputs, "to_delayed") and hasattr(inputs, "npartitions")
    if of_texts and hasattr(inputs, "numblocks"):
        raise TypeError("inputs must be paths, a Dask bag, a series or a "
                        "dataframe, not a Dask array")
    if not of_texts and (named or vocab is not None):
        raise TypeError("named and vocab apply to documents, not to files")
    known = build.DOCUMENT_OPTIONS if of_texts else _INDEX
    refuse("index", options, known - {"count_follows", "replace"})
    where, parts = _absolute(path), _number_of_parts(parts)
    _refuse_existing(where, replace)
    options = {k: _absolute(v) if k in _PATHS and v is not None else v
               for k, v in options.items()}
    filters = {k: options.pop(k) for k in grow.FILTERS & set(options)}
    options.update({f"merge_{k}": filters[k]
                    for k in ("terms", "terms_file") if k in filters})
    with Team(client, where, retries, progress) as team:
        jobs = _parts_of_texts(team, inputs, named, vocab, options) \
            if of_texts else _parts_of_files(inputs, team.folder, parts,
                                             options)
        reports = team.each("indexing parts", jobs)
        stores = [f"{team.folder}/{i}.cooc"
                  for i in range(not of_texts, len(jobs) + (not of_texts))]
        whole = team.folder + "/whole.cooc"
        how = {k: options[k] for k in ("threads", "memory") if k in options}
        merged, = team.each("merging parts", [
            Job("merge", grow.merge, (stores, whole),
                dict(filters, **how, replace=True))])
        _refuse_existing(where, replace)
        call(dll.cooc_replace, c_text(whole), c_text(where))
    return dict(merged, parts=reports)


def count_store(path: StrPath, *, client: Any = None, parts: int = 64,
                progress: Any = None, retries: int = 3,
                **options: Any) -> Dict[str, Any]:
    """Count every pair of an indexed store with the workers of a Dask cluster.

    Call this again after a failure: parts that are finished are kept.  Options
    are those of cooc.count_store() except recount.  Returns its report.
    """
    refuse("count_store", options, _COUNT)
    where, parts = _absolute(path), _number_of_parts(parts)
    with Store(where):
        pass                    # opening the store reports the error
    with Team(client, where, retries, progress) as team:
        team.each("counting parts", [
            Job(f"count part {i}/{parts}", build.count_part,
                (where, i, parts), options) for i in range(1, parts + 1)])
        report, = team.each("finishing", [
            Job("finish", _finish, (where,), options)])
    return report


def count(inputs: Any, path: StrPath, *, client: Any = None, parts: int = 64,
          named: bool = False, vocab: Optional[Sequence[str]] = None,
          progress: Any = None, retries: int = 3, replace: bool = False,
          **options: Any) -> Store:
    """Count every pair of terms with the workers of a Dask cluster, and return
    the new store, which is the same, byte for byte, as without Dask.

    inputs are either

    - the paths of files or directories, as for cooc.index(), which all workers
      can read; they are divided into that number of parts;
    - or a Dask bag of documents, as for cooc.count(), with named and vocab as
      there; or a series of texts, named by its index; or a dataframe with one
      column, or with two columns, names and texts.  Each partition becomes a
      part.  The documents of a bag without names are numbered, so it is
      computed twice: once to measure the partitions.  To avoid this, persist
      the bag or give names.

    client is a distributed.Client; by default, the current one.  parts is the
    number of parts for counting as well.  A part is repeated up to `retries`
    times if its worker dies or fails for want of memory or disk access.

    progress is a function that is called with a cooc.Progress, or True for a
    line on standard error.  Options are those of cooc.index() and
    cooc.count_store(); threads and memory are per worker.  Relative paths are
    made absolute, also in the names of documents.

    If counting fails or is stopped, cooc.distributed.count_store(path)
    continues it.
    """
    known = _INDEX | _COUNT
    refuse("count", options, known - {"replace"})
    shared = dict(client=client, parts=parts, progress=progress,
                  retries=retries)
    indexed = index(inputs, path, named=named, vocab=vocab, replace=replace,
                    **shared, **{k: v for k, v in options.items()
                                 if k in _INDEX})
    counted = count_store(path, **shared, **{k: v for k, v in options.items()
                                             if k in _COUNT})
    store = Store(path)
    store.made = {"index": indexed, "count": counted}
    return store
