"""An open store: queries and results."""

from __future__ import annotations

import ctypes
import json
import operator
import os
import threading
from contextlib import contextmanager
from typing import (TYPE_CHECKING, Any, Dict, Iterable, Iterator, Optional,
                    Tuple, Union)

import numpy as np

from . import _abi
from ._lib import StrPath, Work, as_dict, c_text, call, dll, set_options
from ._names import Names, number_of, one_dimension
from ._tables import ENTRY, HIT, table, take
from .errors import InvalidError, NotCountedError, UnknownTermError
from .export import write_export
from .matrix import fill_matrix
from .measures import make_scoring
from .records import Info, Lengths, Pair

if TYPE_CHECKING:
    import scipy.sparse

Term = Union[str, int, np.integer]
Terms = Union[Term, Iterable[Term]]
_ROWS = {_abi.COOC_ROWS_FULL: "full", _abi.COOC_ROWS_COMPACT: "compact"}
_u32, _size, _ptr = ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p


def _several(terms: Terms) -> Iterable[Term]:
    """A single term is a list of one."""
    if isinstance(terms, np.ndarray):
        one_dimension("terms", terms)
    if isinstance(terms, (bytes, bytearray)):   # iterates over integers
        raise TypeError("a term must be a string or an id, not bytes")
    return [terms] if isinstance(terms, (str, int, np.integer)) else terms


def _whole(name: str, n: Optional[int]) -> Optional[int]:
    """A number of results, or None."""
    if n is not None and not 0 <= operator.index(n) < 2**63:
        raise InvalidError(f"{name} cannot be {n}")
    return n


class Store:
    """A store, open for reading; see cooc.open().

    Several threads may query a store at the same time.  Words are folded and
    stemmed like those of the documents.  Every method accepts the id of a term
    instead of a word; id 0 is the most frequent term.
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
        call(dll.cooc_open, ctypes.byref(out), c_text(path))
        self._db, self._closed = out.value, False
        self.info: Info = self._read_info()
        self.terms = Names(self, dll.cooc_term_name, self.info.terms)
        self.stems = Names(self, dll.cooc_term_stem, self.info.terms)
        self.documents = Names(self, dll.cooc_document_name,
                               self.info.documents)

    # ---- opening and closing

    @contextmanager
    def _open(self) -> Iterator[int]:
        """The store of the library, which stays open inside the block."""
        with self._lock:
            if self._closed:
                raise ValueError(f"the store is closed: {self.path}")
            self._users += 1
        try:
            yield self._db      # type: ignore[misc]
        except NotCountedError as e:
            e.message = (f"{self.path} is not counted yet; call "
                         f"cooc.count_store({self.path!r}) and open it again")
            raise
        finally:
            with self._lock:
                self._users -= 1
                self._drop()

    def _drop(self) -> None:
        if self._closed and not self._users and self._db:
            dll.cooc_close(self._db)
            self._db = None

    def close(self) -> None:
        """Close the store, after the queries of other threads have ended."""
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

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        i = self.info
        if self._closed:
            return f"<cooc.Store {self.path!r}: closed>"
        what = number_of(i.pairs, "pair") if i.counted else "not counted"
        return (f"<cooc.Store {self.path!r}: "
                f"{number_of(i.documents, 'document')}, "
                f"{number_of(i.terms, 'term')}, {what}>")

    # ---- facts

    def _read_info(self) -> Info:
        out = _abi.Info()
        with self._open() as db:
            call(dll.cooc_info_get, db, ctypes.byref(out))
        facts = as_dict(out)
        facts["rows"] = _ROWS[out.rows] if out.counted else ""
        return Info(**{name: facts[name] for name in Info._fields})

    @property
    def lengths(self) -> Lengths:
        """Number of distinct terms per document: smallest, largest, mean and
        standard deviation.  Reads the length of every document.

        >>> import cooc
        >>> cooc.open("tea.cooc").lengths.mean
        2.0
        """
        out = _abi.Lengths()
        with self._open() as db:
            call(dll.cooc_lengths_get, db, ctypes.byref(out))
        return Lengths(**as_dict(out))

    @property
    def manifest(self) -> Dict[str, Any]:
        """The manifest: how the store was made, and its files."""
        with self._open() as db:
            return json.loads(dll.cooc_manifest(db))

    @property
    def df(self) -> np.ndarray:
        """The document frequency of each term, by id.

        >>> import cooc
        >>> cooc.open("tea.cooc").df
        array([4, 2, 2, 1, 1])
        """
        if self._df is None:
            df = np.empty(self.info.terms, np.uint64)
            with self._open() as db:
                call(dll.cooc_term_dfs, db, 0, len(df), df.ctypes.data)
            self._df = df.astype(np.int64)
            self._df.flags.writeable = False
        return self._df

    def __len__(self) -> int:
        return self.info.terms

    def __iter__(self) -> Iterator[str]:
        """The terms, the most frequent first.

        >>> import cooc
        >>> list(cooc.open("tea.cooc"))
        ['tea', 'coffee', 'milk', 'beans', 'leaves']
        """
        return iter(self.terms)

    def __contains__(self, term: object) -> bool:
        if isinstance(term, (int, np.integer)):
            return 0 <= int(term) < len(self)
        if not isinstance(term, str):
            return False
        word, out = term.encode("utf-8", "surrogateescape"), _u32()
        found = ctypes.c_bool()
        try:
            with self._open() as db:
                call(dll.cooc_term_lookup, db, word, len(word),
                     ctypes.byref(out), ctypes.byref(found))
        except InvalidError:    # neither a word nor a phrase
            return False
        return found.value

    def id(self, term: Term) -> int:
        """The id of a word.

        >>> import cooc
        >>> cooc.open("tea.cooc").id("Coffee")
        1
        """
        if isinstance(term, (int, np.integer)):
            if not 0 <= term < len(self):
                raise UnknownTermError(f"term id {term} is out of range (the "
                                       f"store has {len(self):,} terms)")
            return int(term)
        if not isinstance(term, str):
            raise TypeError("a term must be a string or an id, not "
                            f"{type(term).__name__}")
        word, out = term.encode("utf-8", "surrogateescape"), _u32()
        with self._open() as db:
            call(dll.cooc_term_find, db, word, len(word), ctypes.byref(out),
                 missing=UnknownTermError)
        return out.value

    def ids(self, terms: Terms) -> np.ndarray:
        """The ids of words; a string is a single word.

        >>> import cooc
        >>> cooc.open("tea.cooc").ids(["milk", "tea"])
        array([2, 0], dtype=uint32)
        """
        terms = _several(terms)
        if isinstance(terms, np.ndarray) and terms.dtype.kind in "iu" and \
                (not terms.size or
                 0 <= terms.min() <= terms.max() < len(self)):
            return terms.astype(np.uint32)
        if not all(isinstance(t, str) for t in terms):
            return np.array([self.id(t) for t in terms], np.uint32)
        words = [t.encode("utf-8", "surrogateescape") for t in terms]
        n = len(words)
        out = np.zeros(n, np.uint32)
        with self._open() as db:
            call(dll.cooc_terms_find, db, (ctypes.c_char_p * n)(*words),
                 (ctypes.c_size_t * n)(*map(len, words)), n,
                 out.ctypes.data_as(ctypes.POINTER(_u32)),
                 missing=UnknownTermError)
        return out

    # ---- queries

    def pair(self, x: Term, y: Term) -> Pair:
        """The count and the document frequencies of two terms.  Works on an
        uncounted store.

        >>> import cooc
        >>> cooc.open("tea.cooc").pair("coffee", "tea")
        Pair(x='coffee', y='tea', count=2, fx=2, fy=4, total=5)
        """
        out, a, b = _abi.Pair(), self.id(x), self.id(y)
        with self._open() as db:
            call(dll.cooc_pair_get, db, a, b, ctypes.byref(out))
        name_x, name_y = self.terms[[a, b]]
        return Pair(name_x, name_y, out.count, out.fx, out.fy, out.total)

    def __getitem__(self, key: Union[Term, Tuple[Term, Term]]) -> int:
        """store[x, y] is the number of documents with both terms, store[x] of
        documents with x.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store["coffee", "tea"], store["coffee", "leaves"], store["tea"]
        (2, 0, 4)
        >>> store["cofee", "tea"]
        Traceback (most recent call last):
            ...
        cooc.errors.UnknownTermError: no document contains 'cofee'; similar \
terms: coffee
        """
        x, y = key if isinstance(key, tuple) and len(key) == 2 else (key, key)
        out, a, b = _abi.Pair(), self.id(x), self.id(y)   # type: ignore
        with self._open() as db:
            call(dll.cooc_pair_get, db, a, b, ctypes.byref(out))
        return out.count

    def terms_like(self, like: Optional[str] = None, *,
                   prefix: Optional[str] = None, min_df: Optional[int] = None,
                   max_df: Optional[int] = None,
                   n: Optional[int] = None) -> np.ndarray:
        """Ids of the terms that match a pattern or have a prefix, the most
        frequent first.  A pattern must match the whole term; it may contain
        '*', '?', '[a-z]' and '[!a]'.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store.terms[store.terms_like("*ea*")]
        ['tea', 'beans', 'leaves']
        >>> store.terms[store.terms_like(prefix="B")]
        ['beans']
        """
        chosen, ids, size = _abi.TermFilter(), _ptr(), _size()
        set_options(chosen, {"like": like, "prefix": prefix, "min_df": min_df,
                             "max_df": max_df, "limit": _whole("n", n)})
        with self._open() as db:
            call(dll.cooc_terms, db, ctypes.byref(chosen), ctypes.byref(ids),
                 ctypes.byref(size))
        return take(ids, size.value, np.uint32)

    def _ranking(self, work: Optional[Work], n: Optional[int],
                 scoring: _abi.Scoring, exclude: Terms,
                 **limits: Any) -> _abi.RankOptions:
        options = _abi.RankOptions(scoring=scoring)
        set_options(options, {"limit": _whole("n", n) or _abi.COOC_ALL,
                              **limits})
        out = np.array(sorted({self.id(t) for t in _several(exclude)
                               if not isinstance(t, (str, int, np.integer))
                               or t in self}), np.uint32)
        options.exclude, options.n_exclude = out.ctypes.data, len(out)
        options._kept = out
        if work:
            options.watch = ctypes.pointer(work.watch)
        return options

    def top(self, terms: Terms, n: Optional[int] = 20,
            by: str = "count", *, any: bool = False, reverse: bool = False,
            shift: Optional[float] = None, smoothing: Optional[float] = None,
            min_count: Optional[int] = None, min_score: Optional[float] = None,
            min_df: Optional[int] = None, max_df: Optional[int] = None,
            exclude: Terms = (), rarer: bool = False,
            commoner: bool = False, frame: Optional[bool] = None) -> Any:
        """The terms that co-occur with a term, the highest score first.

        For several terms, co-occurrence is counted in the documents that
        contain all of them, or with any=True any of them.  n=None or 0 returns
        all terms.  exclude is a word or a list of words; unknown words are
        ignored.  The result has the columns term, id, count, df and score.
        It is a DataFrame if pandas is installed, otherwise or with frame=False
        a structured array.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> for term, _, count, df, score in store.top("tea", n=2, by="dice",
        ...                                            frame=False):
        ...     print(f"{term} {count} {df} {score:.3f}")
        coffee 2 2 0.667
        milk 2 2 0.667
        """
        ids = np.unique(self.ids(terms))
        options = self._ranking(
            None, n, make_scoring(by, reverse, shift, smoothing), exclude,
            min_count=min_count, min_score=min_score, min_df=min_df,
            max_df=max_df, rarer=rarer, commoner=commoner)
        hits, size = _ptr(), _size()
        with self._open() as db:
            call(dll.cooc_top, db, ids.ctypes.data, len(ids),
                 _abi.COOC_MATCH_ANY if any else _abi.COOC_MATCH_ALL,
                 ctypes.byref(options), ctypes.byref(hits), ctypes.byref(size))
        found = take(hits, size.value, HIT)
        return table({"term": self.terms[found["y"]], "id": found["y"],
                      "count": found["count"].astype(np.int64),
                      "df": found["fy"].astype(np.int64),
                      "score": found["score"]}, frame)

    def pairs(self, n: Optional[int] = 20, by: str = "count", *,
              reverse: bool = False, shift: Optional[float] = None,
              smoothing: Optional[float] = None,
              min_count: Optional[int] = None,
              min_score: Optional[float] = None, min_df: Optional[int] = None,
              max_df: Optional[int] = None, exclude: Terms = (),
              threads: int = 0, progress: Any = None,
              frame: Optional[bool] = None, like1: Optional[str] = None,
              like2: Optional[str] = None) -> Any:
        """The pairs with the highest scores; x is the more frequent term.

        like1 and like2 are patterns, as in terms_like(): one term of a pair
        must match like1 and the other like2, in either role.  With one of
        them, at least one term must match.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> list(store.pairs(n=1, by="npmi", min_count=2, frame=False)["y"])
        ['coffee']
        >>> list(store.pairs(like1="c*", like2="m*", frame=False)["count"])
        [1]
        """
        work = Work(progress)
        options = self._ranking(
            work, n, make_scoring(by, reverse, shift, smoothing), exclude,
            min_count=min_count, min_score=min_score, min_df=min_df,
            max_df=max_df, threads=threads, like1=like1, like2=like2)
        hits, size = _ptr(), _size()
        with self._open() as db:
            work.run(dll.cooc_pairs, db, ctypes.byref(options),
                     ctypes.byref(hits), ctypes.byref(size))
        work.finish()
        found = take(hits, size.value, HIT)
        return table({"x": self.terms[found["x"]], "y": self.terms[found["y"]],
                      "count": found["count"].astype(np.int64),
                      "fx": found["fx"].astype(np.int64),
                      "fy": found["fy"].astype(np.int64),
                      "score": found["score"]}, frame)

    def similar(self, terms: Terms, n: Optional[int] = 20, by: str = "ppmi",
                *, contexts: Optional[int] = 10000, min_df: Optional[int] = 10,
                reverse: bool = False, shift: Optional[float] = None,
                smoothing: Optional[float] = None,
                min_score: Optional[float] = None, threads: int = 0,
                progress: Any = None, frame: Optional[bool] = None) -> Any:
        """The terms that are used most like a term: those with the most
        similar rows, by the cosine of weights in common contexts.

        contexts is the number of most frequent terms that serve as contexts
        (None: all), by is the measure that weights them.  Terms with a df of
        at least min_df are compared.  n=None or 0 returns all of them.  The
        result has the columns term, id, count, df and score.  For a list of
        terms, which share one pass over the store, the first column is query.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> for term, _, count, df, score in store.similar(
        ...         "coffee", n=2, min_df=1, frame=False):
        ...     print(f"{term} {count} {df} {score:.3f}")
        tea 2 4 0.588
        leaves 0 1 0.230
        """
        single = isinstance(terms, (str, int, np.integer))
        ids = self.ids(terms)
        work = Work(progress)
        options = _abi.SimilarOptions(
            scoring=make_scoring(by, reverse, shift, smoothing))
        set_options(options, {
            "limit": _whole("n", n) or _abi.COOC_ALL,
            "contexts": _whole("contexts", contexts) or _abi.COOC_ALL,
            "min_df": max(1, operator.index(min_df or 1)), "min_score": min_score,
            "threads": threads})
        options.watch = ctypes.pointer(work.watch)
        hits, size = _ptr(), _size()
        with self._open() as db:
            work.run(dll.cooc_similar, db, ids.ctypes.data, len(ids),
                     ctypes.byref(options), ctypes.byref(hits),
                     ctypes.byref(size))
        work.finish()
        found = take(hits, size.value, HIT)
        query = {} if single else {"query": self.terms[found["x"]]}
        return table({**query,
                      "term": self.terms[found["y"]], "id": found["y"],
                      "count": found["count"].astype(np.int64),
                      "df": found["fy"].astype(np.int64),
                      "score": found["score"]}, frame)

    def row(self, term: Term) -> Tuple[np.ndarray, np.ndarray]:
        """Ids of all terms that co-occur with a term, ascending, and the
        counts.

        >>> import cooc
        >>> cooc.open("tea.cooc").row("coffee")
        (array([0, 2, 3], dtype=uint32), array([2, 1, 1]))
        """
        x, entries, n = self.id(term), _ptr(), _size()
        with self._open() as db:
            call(dll.cooc_row, db, x, ctypes.byref(entries), ctypes.byref(n))
        row = take(entries, n.value, ENTRY)
        return row["term"].copy(), row["count"].astype(np.int64)

    def docs(self, terms: Terms, y: Optional[Term] = None, *,
             any: bool = False) -> np.ndarray:
        """Numbers of the documents that contain a term, all of several terms,
        or with any=True any of them.  docs(x, y) is docs([x, y]).

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store.documents[store.docs("coffee", "milk")]
        ['monday']
        >>> store.documents[store.docs(["beans", "leaves"], any=True)]
        ['tuesday', 'friday']
        """
        ids = self.ids(terms)
        if y is not None:
            ids = np.append(ids, self.ids(y))
        docs, n = _ptr(), _size()
        with self._open() as db:
            call(dll.cooc_docs, db, ids.ctypes.data, len(ids),
                 _abi.COOC_MATCH_ANY if any else _abi.COOC_MATCH_ALL,
                 ctypes.byref(docs), ctypes.byref(n))
        return take(docs, n.value, np.uint32)

    def _listed(self, names: str, terms: Optional[Terms],
                like: Optional[str]) -> Optional[np.ndarray]:
        """The ids of terms or of those that match a pattern, or None."""
        if like is None:
            return None if terms is None else self.ids(terms)
        if terms is not None:
            raise InvalidError(f"give {names}, not both")
        found = _abi.List()
        with self._open() as db:
            call(dll.cooc_list_like, db, c_text(like), ctypes.byref(found),
                 missing=UnknownTermError)
        return take(_ptr(found.terms), found.n, np.uint32)

    def between(self, xs: Optional[Terms] = None, ys: Optional[Terms] = None,
                *, like1: Optional[str] = None,
                like2: Optional[str] = None) -> np.ndarray:
        """Counts of every x with every y, as a dense matrix; without ys, of
        every x with every x.  The count of a term with itself is its document
        frequency.  Works on an uncounted store.

        like1 and like2 are patterns that take the place of xs and ys: all
        terms that match, in the order of terms_like().

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store.between(["tea", "coffee"], ["milk", "leaves", "tea"])
        array([[2, 1, 4],
               [1, 0, 2]])
        >>> store.between(["tea", "coffee"], like2="*e*s")
        array([[1, 1],
               [1, 0]])
        """
        rows = self._listed("xs or like1", xs, like1)
        if rows is None:
            raise InvalidError("give xs or like1")
        columns = self._listed("ys or like2", ys, like2)
        columns = rows if columns is None else columns
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
               terms: Optional[Terms] = None,
               measure: str = "count", *, reverse: bool = False,
               shift: Optional[float] = None,
               smoothing: Optional[float] = None,
               min_count: Optional[int] = None, symmetric: bool = True,
               diagonal: bool = False, dtype: Any = None,
               progress: Any = None) -> "scipy.sparse.csr_matrix":
        """Pairs of terms as a sparse matrix of SciPy.

        Row and column i are the term with id i.  The matrix has all terms, or
        the top_terms most frequent ones; with terms=[...] it has these terms
        in this order.  Cells are counts (int64), or the measure from row to
        column (float64).  dtype sets another type, which must be able to hold
        every count.  Pairs that never co-occur, pairs with a count below
        min_count and scores of 0 are not stored.  symmetric=False stores each
        pair once, in the row of the rarer term; diagonal=True adds each term
        with itself.

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
            raise InvalidError("give top_terms or terms, not both")
        ids = None if terms is None else self.ids(terms)
        n = len(self) if ids is None else len(ids)
        n = min(n, _whole("top_terms", top_terms) or n)
        spec = _abi.Matrix(n=n, symmetric=symmetric, diagonal=diagonal,
                           scoring=make_scoring(measure, reverse, shift,
                                                smoothing))
        set_options(spec, {"min_count": min_count})
        counts = measure == "count" and shift is None and smoothing is None
        return fill_matrix(self, spec, ids, counts, dtype, progress)

    def export(self, path: StrPath, format: str = "tsv", *, by: str = "count",
               reverse: bool = False, shift: Optional[float] = None,
               smoothing: Optional[float] = None,
               terms: Optional[Terms] = None, shape: str = "default",
               progress: Any = None, **options: Any) -> Dict[str, Any]:
        """Write pairs to a file for another program, like `cooc export`.

        shape is "triangle" for each pair once, "symmetric" for both
        directions, or "default" for what readers of the format expect.
        Options are the fields of struct cooc_export_options: top_terms,
        min_count, min_score, per_node, top_edges, nodes, diagonal, stems,
        threads, memory, tmpdir; and like1 and like2, patterns as in pairs().
        The format "ciff" has documents instead of pairs: of these options, it
        takes terms and top_terms, and the store need not be counted.
        Returns a report.

        >>> import cooc
        >>> store = cooc.open("tea.cooc")
        >>> store.export("tea.tsv", min_count=2)["pairs"]
        2
        """
        ids = None if terms is None else self.ids(terms)
        return write_export(self, path, format,
                            make_scoring(by, reverse, shift, smoothing), ids,
                            shape, progress, options)


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
