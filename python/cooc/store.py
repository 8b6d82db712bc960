"""An open store: questions and answers."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from contextlib import contextmanager
from typing import (TYPE_CHECKING, Any, Dict, Iterable, Iterator, NamedTuple,
                    Optional, Sequence, Tuple, Union)

import numpy as np

from . import _abi
from ._lib import StrPath, Work, as_dict, call, dll
from ._names import Names
from ._tables import table
from .errors import InvalidError, UnknownTermError
from .matrix import fill_matrix
from .measures import _find, make_by

if TYPE_CHECKING:
    import scipy.sparse

Term = Union[str, int, np.integer]
_u32, _size, _ptr = ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p
_ENTRY = np.dtype([("term", "<u4"), ("count", "<u4")])
_HIT = np.dtype([("x", "<u4"), ("y", "<u4"), ("count", "<u8"),
                 ("df_x", "<u8"), ("df_y", "<u8"), ("documents", "<u8"),
                 ("score", "<f8")])


class Pair(NamedTuple):
    """Two terms in a collection: the whole 2x2 table."""

    x: str
    y: str
    count: int                  # type: ignore[assignment]
    df_x: int
    df_y: int
    documents: int

    def score(self, by: str = "npmi", reverse: bool = False) -> float:
        """A measure of this pair, from x to y or the other way round.

        >>> import cooc
        >>> cooc.open("tea.cooc").pair("coffee", "tea").score("jaccard")
        0.5
        """
        df = (self.df_y, self.df_x) if reverse else (self.df_x, self.df_y)
        pair = _abi.Pair(0, 0, self.count, *df, self.documents)
        return dll.cooc_score(ctypes.byref(pair), _find(by)[1])


class Info(NamedTuple):
    """Facts about a store."""

    documents: int
    terms: int
    postings: int
    tokens: int
    increments: int
    counted: bool
    pairs: int
    rows: str
    left_out_df: int
    left_out_rows: int
    left_out_pairs: int
    row_bytes: int
    store_bytes: int
    shortest: int
    longest: int
    mean_length: float
    sd_length: float


def _take(pointer: Any, n: int, kind: Any, free: Any) -> np.ndarray:
    """Copy the library's array, and give it back."""
    try:
        if not n:
            return np.empty(0, kind)
        size = n * np.dtype(kind).itemsize
        bytes_there = (ctypes.c_char * size).from_address(pointer.value)
        return np.frombuffer(memoryview(bytes_there), kind).copy()
    finally:
        free(pointer)


class Store:
    """A store, open for reading; see cooc.open().

    Several threads may ask at once.  Words are folded and stemmed like those
    of the documents; instead of a word every method takes the id of a term as
    well.  Ids count from 0, the most frequent term.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._db: Optional[int] = None
        self._users = 0
        self._closed = True
        self._df: Optional[np.ndarray] = None
        self.made: Optional[Dict[str, Any]] = None
        out = _ptr()
        call(dll.cooc_open, ctypes.byref(out), os.fsencode(path))
        self._db, self._closed = out.value, False
        self.info: Info = self._read_info()
        self.terms = Names(self, dll.cooc_term, self.info.terms)
        self.documents = Names(self, dll.cooc_document, self.info.documents)

    # ---- life

    @contextmanager
    def _open(self) -> Iterator[int]:
        """The library's store, which stays open meanwhile."""
        with self._lock:
            if self._closed:
                raise ValueError(f"the store is closed: {self.path}")
            self._users += 1
        try:
            yield self._db      # type: ignore[misc]
        finally:
            with self._lock:
                self._users -= 1
                self._drop()

    def _drop(self) -> None:
        if self._closed and not self._users and self._db:
            dll.cooc_close(self._db)
            self._db = None

    def close(self) -> None:
        """Close it; threads that are still asking get their answer first."""
        with self._lock:
            self._closed = True
            self._drop()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_db", None):
            self.close()

    def __repr__(self) -> str:
        i = self.info
        what = f"{i.pairs:,} pairs" if i.counted else "not counted"
        return (f"<cooc.Store {self.path!r}: {i.documents:,} documents, "
                f"{i.terms:,} terms, {what}>")

    # ---- facts

    def _read_info(self) -> Info:
        out = _abi.Info()
        with self._open() as db:
            call(dll.cooc_info, db, ctypes.byref(out))
        facts = as_dict(out)
        facts["rows"] = "costly" if out.rows else "all"
        return Info(**{name: facts[name] for name in Info._fields})

    @property
    def manifest(self) -> Dict[str, Any]:
        """How the store was made, and its files."""
        with self._open() as db:
            return json.loads(dll.cooc_manifest(db))

    @property
    def df(self) -> np.ndarray:
        """In how many documents each term occurs, by id.

        >>> import cooc
        >>> cooc.open("tea.cooc").df
        array([4, 2, 2, 1, 1])
        """
        if self._df is None:
            df = np.empty(self.info.terms, np.uint64)
            with self._open() as db:
                call(dll.cooc_dfs, db, 0, len(df), df.ctypes.data)
            self._df = df.astype(np.int64)
            self._df.flags.writeable = False
        return self._df

    def __len__(self) -> int:
        return self.info.terms

    def __contains__(self, term: object) -> bool:
        if isinstance(term, (int, np.integer)):
            return 0 <= int(term) < len(self)
        if not isinstance(term, str):
            return False
        try:
            self.id(term)
        except (UnknownTermError, InvalidError):
            return False
        return True

    def id(self, term: Term) -> int:
        """The id of a word.

        >>> import cooc
        >>> cooc.open("tea.cooc").id("Coffee")
        1
        """
        if isinstance(term, (int, np.integer)):
            if not 0 <= term < len(self):
                raise UnknownTermError(f"there is no term {term}; the store "
                                       f"has {len(self):,}, from 0")
            return int(term)
        if not isinstance(term, str):
            raise TypeError("a term is a string or an id, not "
                            f"{type(term).__name__}")
        word, out = term.encode("utf-8", "surrogateescape"), _u32()
        with self._open() as db:
            call(dll.cooc_find, db, word, len(word), ctypes.byref(out),
                 missing=UnknownTermError)
        return out.value

    def ids(self, terms: Union[str, Iterable[Term]]) -> np.ndarray:
        """The ids of some words."""
        if isinstance(terms, str):
            terms = [terms]
        if isinstance(terms, np.ndarray) and terms.dtype.kind in "iu" and \
                (not terms.size or
                 0 <= terms.min() <= terms.max() < len(self)):
            return terms.astype(np.uint32)
        return np.array([self.id(t) for t in terms], np.uint32)

    # ---- questions

    def pair(self, x: Term, y: Term) -> Pair:
        """Both terms and how often they meet.  Needs no counted rows.

        >>> import cooc
        >>> cooc.open("tea.cooc").pair("coffee", "tea")
        Pair(x='coffee', y='tea', count=2, df_x=2, df_y=4, documents=5)
        """
        out, a, b = _abi.Pair(), self.id(x), self.id(y)
        with self._open() as db:
            call(dll.cooc_pair, db, a, b, ctypes.byref(out))
        name_x, name_y = self.terms[[a, b]]
        return Pair(name_x, name_y, out.count, out.df_x, out.df_y,
                    out.documents)

    def __getitem__(self, key: Union[Term, Tuple[Term, Term]]) -> int:
        """store[x, y]: documents with both; store[x]: documents with x.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store["coffee", "tea"], store["coffee", "leaves"], store["tea"]
        (2, 0, 4)
        >>> store["cofee", "tea"]
        Traceback (most recent call last):
            ...
        cooc.errors.UnknownTermError: no document holds 'cofee'; close to it \
are: coffee
        """
        x, y = key if isinstance(key, tuple) and len(key) == 2 else (key, key)
        out, a, b = _abi.Pair(), self.id(x), self.id(y)   # type: ignore
        with self._open() as db:
            call(dll.cooc_pair, db, a, b, ctypes.byref(out))
        return out.count

    def _choice(self, work: Optional[Work], n: Optional[int], by: _abi.By,
                exclude: Iterable[Term], **limits: Any) -> _abi.Choice:
        choice = _abi.Choice()
        dll.cooc_choice_init(ctypes.byref(choice))
        choice.by, choice.limit = by, n or 0
        out = np.array(sorted({self.id(t) for t in exclude if t in self}),
                       np.uint32)
        choice.exclude, choice.n_exclude = out.ctypes.data, len(out)
        choice._kept = out
        if work:
            choice.watch = work.watch
        for name, value in limits.items():
            if value is not None:
                if name != "min_score" and value < 0:
                    raise ValueError(f"{name} cannot be {value}")
                setattr(choice, name, value)
        return choice

    def top(self, terms: Union[Term, Sequence[Term]], n: Optional[int] = 20,
            by: str = "count", *, any: bool = False, reverse: bool = False,
            shift: Optional[float] = None, smoothing: Optional[float] = None,
            min_count: Optional[int] = None, min_score: Optional[float] = None,
            min_df: Optional[int] = None, max_df: Optional[int] = None,
            exclude: Iterable[Term] = (), rarer: bool = False,
            commoner: bool = False, frame: Optional[bool] = None) -> Any:
        """What occurs with a term, the strongest first.

        Of several terms: what stands in the documents that hold all of them,
        or with any=True any of them.  n=None gives everything.  The answer
        has the columns term, id, count, df and score: a DataFrame if there is
        pandas (frame=False: never), else a structured array.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> for term, _, count, df, score in store.top("tea", n=2, by="dice",
        ...                                            frame=False):
        ...     print(f"{term} {count} {df} {score:.3f}")
        coffee 2 2 0.667
        milk 2 2 0.667
        """
        if isinstance(terms, (str, int, np.integer)):
            terms = [terms]
        ids = np.unique(self.ids(terms))
        choice = self._choice(
            None, n, make_by(by, reverse, shift, smoothing), exclude,
            min_count=min_count, min_score=min_score, min_df=min_df,
            max_df=max_df, rarer=rarer, commoner=commoner)
        hits, size = _ptr(), _size()
        with self._open() as db:
            call(dll.cooc_top, db, ids.ctypes.data, len(ids),
                 _abi.COOC_ANY_OF if any else _abi.COOC_ALL_OF,
                 ctypes.byref(choice), ctypes.byref(hits), ctypes.byref(size))
        found = _take(hits, size.value, _HIT, dll.cooc_hits_free)
        return table({"term": self.terms[found["y"]], "id": found["y"],
                      "count": found["count"].astype(np.int64),
                      "df": found["df_y"].astype(np.int64),
                      "score": found["score"]}, frame)

    def pairs(self, n: Optional[int] = 20, by: str = "count", *,
              reverse: bool = False, shift: Optional[float] = None,
              smoothing: Optional[float] = None,
              min_count: Optional[int] = None,
              min_score: Optional[float] = None, min_df: Optional[int] = None,
              max_df: Optional[int] = None, exclude: Iterable[Term] = (),
              threads: int = 0, progress: Any = None,
              frame: Optional[bool] = None) -> Any:
        """The strongest pairs of all, x the more frequent term.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> list(store.pairs(n=1, by="npmi", min_count=2, frame=False)["y"])
        ['coffee']
        """
        work = Work(progress)
        choice = self._choice(
            work, n, make_by(by, reverse, shift, smoothing), exclude,
            min_count=min_count, min_score=min_score, min_df=min_df,
            max_df=max_df, threads=threads)
        hits, size = _ptr(), _size()
        with self._open() as db:
            work.run(dll.cooc_pairs, db, ctypes.byref(choice),
                     ctypes.byref(hits), ctypes.byref(size))
        work.finish()
        found = _take(hits, size.value, _HIT, dll.cooc_hits_free)
        return table({"x": self.terms[found["x"]], "y": self.terms[found["y"]],
                      "count": found["count"].astype(np.int64),
                      "df_x": found["df_x"].astype(np.int64),
                      "df_y": found["df_y"].astype(np.int64),
                      "score": found["score"]}, frame)

    def row(self, term: Term) -> Tuple[np.ndarray, np.ndarray]:
        """Ids of all partners, ascending, and how often they meet.

        >>> import cooc
        >>> cooc.open("tea.cooc").row("coffee")
        (array([0, 2, 3], dtype=uint32), array([2, 1, 1]))
        """
        x, entries, n = self.id(term), _ptr(), _size()
        with self._open() as db:
            call(dll.cooc_row, db, x, ctypes.byref(entries), ctypes.byref(n))
        row = _take(entries, n.value, _ENTRY, dll.cooc_row_free)
        return row["term"].copy(), row["count"].astype(np.int64)

    def docs(self, x: Term, y: Optional[Term] = None) -> np.ndarray:
        """The documents that hold x, or x and y.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store.documents[store.docs("coffee", "milk")]
        ['monday']
        """
        a = self.id(x)
        b = a if y is None else self.id(y)
        docs, n = _ptr(), _size()
        with self._open() as db:
            call(dll.cooc_docs, db, a, b, ctypes.byref(docs), ctypes.byref(n))
        return _take(docs, n.value, np.uint32, dll.cooc_docs_free)

    def between(self, xs: Sequence[Term],
                ys: Optional[Sequence[Term]] = None) -> np.ndarray:
        """Counts of every x with every y (no ys: of all with all), as a
        dense matrix; of a term with itself, its df.  Needs no counted rows.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store.between(["tea", "coffee"], ["milk", "leaves", "tea"])
        array([[2, 1, 4],
               [1, 0, 2]])
        """
        rows = self.ids(xs)
        columns = rows if ys is None else self.ids(ys)
        if self.info.counted:
            both = np.unique(np.concatenate([rows, columns]))
            m = self.matrix(terms=both, diagonal=True)
            return m[np.searchsorted(both, rows)][
                :, np.searchsorted(both, columns)].toarray()
        out = np.empty((len(rows), len(columns)), np.int64)
        wide = np.zeros(len(self), np.int64)
        for i, x in enumerate(rows):
            ids, counts = self.row(x)
            wide[ids] = counts
            wide[x] = self.df[x]
            out[i] = wide[columns]
            wide[ids] = 0
            wide[x] = 0
        return out

    def matrix(self, top_terms: Optional[int] = None,
               terms: Optional[Sequence[Term]] = None,
               measure: str = "count", *, reverse: bool = False,
               shift: Optional[float] = None,
               smoothing: Optional[float] = None,
               min_count: Optional[int] = None, symmetric: bool = True,
               diagonal: bool = False, dtype: Any = None,
               progress: Any = None) -> "scipy.sparse.csr_matrix":
        """All pairs of some terms as a sparse matrix of scipy.

        Row and column i is the term with id i, of the top_terms most frequent
        or of all; or with terms=[...] those, in that order.  Cells hold the
        count (int64) or the measure from row to column (float64); dtype asks
        for another type.  Pairs that never meet, or less than min_count
        times, are not stored, and neither are scores of 0.  Without symmetric
        each pair is there once, in the row of its rarer term.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> m = store.matrix(terms=["coffee", "milk", "tea"])
        >>> print(m.toarray())
        [[0 1 2]
         [1 0 2]
         [2 2 0]]
        >>> print(store.matrix(top_terms=3, measure="ppmi").toarray().round(3))
        [[0.    0.322 0.322]
         [0.322 0.    0.322]
         [0.322 0.322 0.   ]]
        """
        if terms is not None and top_terms is not None:
            raise ValueError("give top_terms or terms, not both")
        ids = None if terms is None else self.ids(terms)
        n = len(self) if ids is None else len(ids)
        if top_terms is not None:
            if top_terms < 0:
                raise ValueError(f"top_terms cannot be {top_terms}")
            n = min(n, top_terms)
        spec = _abi.Matrix(n=n, symmetric=symmetric, diagonal=diagonal,
                           min_count=max(min_count or 0, 0),
                           by=make_by(measure, reverse, shift, smoothing))
        counts = measure == "count" and shift is None and smoothing is None
        return fill_matrix(self, spec, ids, counts, dtype, progress)


def open(path: StrPath) -> Store:
    """Open a store, counted or not, for reading.

    >>> import cooc
    >>> with cooc.open("tea.cooc") as store:
    ...     store["coffee", "tea"]
    2
    >>> store["coffee", "tea"]
    Traceback (most recent call last):
        ...
    ValueError: the store is closed: tea.cooc
    """
    return Store(path)
