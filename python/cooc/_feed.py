"""Documents of an iterable, added to a store by the library's builder.

The caller's thread takes documents from the iterable and packs them into
batches.  A second thread owns the builder: it opens it, adds the batches, and
finishes or aborts it.  Python raises KeyboardInterrupt in the main thread
only, so Ctrl-C cannot come between a builder and the code that frees it.

The caller waits until a batch is added before it packs the next one.  If both
threads ran Python code at the same time, each call of the library would have
to wait for the interpreter lock, up to 5 ms per document.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from queue import SimpleQueue
from typing import (Any, Callable, Iterable, Iterator, List, Optional,
                    Tuple)

import numpy as np

from ._lib import Work, dll
from .errors import InvalidError

_BATCH_BYTES = 1 << 20
_BATCH_SECONDS = 0.2
_BYTES = np.dtype([("data", np.uintp), ("len", np.uintp)])  # cooc_bytes

Name = Optional[bytes]
Batch = Callable[[ctypes.c_void_p, Any], int]
Open = Callable[[Any, Any], int]


class Builder:
    """A builder of the library, in a thread of its own.

    opening and finishing are called in that thread with a pointer to the
    builder, or the builder, and a struct cooc_err; each returns a code.
    """

    def __init__(self, work: Work, opening: Open, finishing: Batch) -> None:
        self._work, self._opening, self._finishing = work, opening, finishing
        self._batches: SimpleQueue[Optional[Batch]] = SimpleQueue()
        self._idle = threading.Event()
        self._over = False
        self._process = os.getpid()

    def _run(self, err: Any) -> int:
        """The life of a builder, as one long call of the library."""
        builder = ctypes.c_void_p()
        try:
            rc = self._opening(ctypes.byref(builder), err)
            while rc == 0:
                self._idle.set()
                batch = self._batches.get()
                if self._work.stopping:
                    break
                if batch is None:
                    last, builder = builder, ctypes.c_void_p()
                    return self._finishing(last, err)
                rc = batch(builder, err)
            return rc
        finally:
            dll.cooc_builder_abort(builder)
            self._over = True
            self._idle.set()

    def _wait(self) -> None:
        """Wait until the thread is idle; raise the library's error if it has
        failed."""
        while not self._idle.wait(0.1):
            self._work.show()
        self._work.show()
        if self._over:
            self._work.wait()

    def open(self) -> None:
        """Open the builder."""
        self._work.start(self._run)
        self._wait()

    def add(self, batch: Batch) -> None:
        """Add a batch of documents."""
        if os.getpid() != self._process:
            raise RuntimeError("documents are being added by the parent of "
                               "this process")
        self._idle.clear()
        self._batches.put(batch)
        self._wait()

    def finish(self) -> None:
        """Complete the store."""
        self._batches.put(None)
        self._work.wait()

    def abort(self) -> None:
        """Stop, and return when the library has removed everything.  Further
        interrupts are ignored.  A forked child has no thread to stop."""
        while os.getpid() == self._process:
            try:
                self._work.stopping = True
                self._batches.put(None)
                self._work.stop()
                return
            except KeyboardInterrupt:
                pass


# ---- documents of one kind


def _name(name: str) -> bytes:
    """The name of a document; U+FFFD replaces lone surrogates."""
    try:
        return name.encode("utf-8")
    except UnicodeEncodeError:
        data = name.encode("utf-8", "surrogatepass")
        return data.decode("utf-8", "replace").encode("utf-8")


def _encoded(text: str, what: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{what} has a lone surrogate, which is not a "
                         f"character: {text!r:.80}") from None


class Texts:
    """Strings, which the library cuts into words."""

    def __init__(self) -> None:
        self._calls: List[Tuple[Name, int, bytes, int]] = []

    def add(self, shown: str, name: Name, text: Any) -> int:
        """Add a document to the batch; returns its size in bytes."""
        if not isinstance(text, str):
            raise TypeError(f"document {shown}: documents must be all strings "
                            "or all lists of tokens")
        data = text.encode("utf-8", "surrogatepass")
        self._calls.append((name, len(name or b""), data, len(data)))
        return len(data)

    def batch(self) -> Batch:
        """What was added since the last call."""
        calls, self._calls = self._calls, []
        function = dll.cooc_builder_text

        def run(builder: ctypes.c_void_p, err: Any) -> int:
            for call in calls:
                rc = function(builder, *call, err)
                if rc < 0:
                    return rc
            return 0
        return run


class _Arrays:
    """Documents that are parts of one array."""

    def __init__(self, function: Callable[..., int]) -> None:
        self._function = function
        self._names: List[Name] = []
        self._sizes: List[int] = []

    def _batch(self, values: np.ndarray, starts: np.ndarray) -> Batch:
        names, self._names = self._names, []
        self._sizes = []
        function = self._function
        first, step = values.ctypes.data, values.itemsize
        places = (first + step * starts[:-1]).tolist()
        sizes = np.diff(starts).tolist()

        def run(builder: ctypes.c_void_p, err: Any, _kept: Any = values
                ) -> int:
            for name, place, n in zip(names, places, sizes):
                rc = function(builder, name, len(name or b""), place, n, err)
                if rc < 0:
                    return rc
            return 0
        return run

    def _starts(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(self._sizes, dtype=np.int64)])


def split_lines(data: bytes) -> np.ndarray:
    """An array of struct cooc_bytes, one for each line in data.

    >>> split_lines(b"tea\\n\\nmilk")["len"].tolist()
    [3, 0, 4]
    """
    ends = np.flatnonzero(np.frombuffer(data + b"\n", np.uint8) == 10)
    starts = np.concatenate([[0], ends[:-1] + 1])
    address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
    out = np.empty(len(ends), _BYTES)
    out["data"] = starts + address
    out["len"] = ends - starts
    return out


class Tokens(_Arrays):
    """Lists of strings, each of which is a term; empty ones are dropped."""

    def __init__(self) -> None:
        super().__init__(dll.cooc_builder_terms)
        self._lines: List[bytes] = []

    def add(self, shown: str, name: Name, tokens: Any) -> int:
        """Add a document to the batch; returns its size in bytes."""
        if isinstance(tokens, str):
            raise TypeError(f"document {shown}: documents must be all strings "
                            "or all lists of tokens")
        if not hasattr(tokens, "__iter__"):
            raise TypeError(f"document {shown} must be a string or a list of "
                            f"tokens, not {type(tokens).__name__}")
        tokens = list(tokens)
        try:
            text = "\n".join(tokens)
            data = text.encode("utf-8")
        except (TypeError, UnicodeEncodeError):
            self._blame(shown, tokens)
            raise
        if tokens and text.count("\n") != len(tokens) - 1:
            self._blame(shown, tokens)
        self._names.append(name)
        self._sizes.append(len(tokens))
        if tokens:
            self._lines.append(data)
        return len(data)

    @staticmethod
    def _blame(shown: str, tokens: Iterable[Any]) -> None:
        """Raise an error that names the wrong token."""
        for t in tokens:
            if isinstance(t, (int, np.integer)):
                raise TypeError(f"document {shown}: a token must be a string, "
                                f"not {type(t).__name__} ({t!r}); for arrays "
                                "of ids give their words with vocab=")
            if not isinstance(t, str):
                raise TypeError(f"document {shown}: a token must be a string, "
                                f"not {type(t).__name__} ({t!r:.80}); for "
                                "(name, document) pairs give named=True")
            if "\n" in t:
                raise ValueError(f"document {shown}: a token cannot contain a "
                                 f"line end: {t!r:.80}")
            _encoded(t, f"document {shown}: a token")

    def batch(self) -> Batch:
        """What was added since the last call."""
        lines, self._lines = self._lines, []
        data = b"\n".join(lines)
        terms = split_lines(data)[:None if lines else 0]
        starts = self._starts()
        keep = terms["len"] > 0
        if not keep.all():
            terms = terms[keep]
            starts = np.concatenate([[0], np.cumsum(keep)])[starts]
        run = self._batch(terms, starts)
        return lambda builder, err, _kept=data: run(builder, err)


class Ids(_Arrays):
    """Arrays of integers, which are indexes into a list of words."""

    def __init__(self, vocab: Any) -> None:
        super().__init__(dll.cooc_builder_ids)
        self._lines = self._vocabulary(vocab)
        self._n = len(self._lines)
        self._arrays: List[np.ndarray] = []
        self._shown: List[str] = []

    @staticmethod
    def _vocabulary(vocab: Any) -> List[bytes]:
        if hasattr(vocab, "items"):
            raise TypeError("vocab must be a list of words in the order of "
                            "their ids, not a mapping")
        words = [vocab] if isinstance(vocab, str) else list(vocab)
        for i, word in enumerate(words):
            if not isinstance(word, str):
                raise TypeError(f"vocab: word {i} must be a string, not "
                                f"{type(word).__name__}")
            if not word or "\n" in word:
                raise InvalidError(f"vocab: word {i} is empty or contains a "
                                   f"line end: {word!r:.80}")
        return [_encoded(w, f"vocab: word {i}") for i, w in enumerate(words)]

    def give_vocabulary(self, builder: ctypes.c_void_p, err: Any) -> int:
        """The first batch: the words."""
        data = b"\n".join(self._lines)
        words = split_lines(data)[:self._n]
        self._lines = []
        return dll.cooc_builder_vocab(builder, words.ctypes.data, self._n, err)

    def add(self, shown: str, name: Name, ids: Any) -> int:
        """Add a document to the batch; returns its size in bytes."""
        if isinstance(ids, str) or not hasattr(ids, "__iter__"):
            raise TypeError(f"document {shown}: with vocab, a document must "
                            f"be an array of ids, not {type(ids).__name__}")
        if not hasattr(ids, "__len__") or isinstance(ids, (set, frozenset)):
            ids = list(ids)
        array = np.asarray(ids)
        if array.ndim != 1:
            raise InvalidError(f"document {shown} must be a one-dimensional "
                               f"array of ids, not one of shape "
                               f"{array.shape}")
        if array.size and array.dtype.kind not in "iu":
            for i in array.tolist():
                if isinstance(i, bool) or not isinstance(i, int):
                    raise TypeError(f"document {shown}: an id must be an "
                                    f"integer, not {type(i).__name__} "
                                    f"({i!r:.80})")
            self._refuse_ids(shown, array)
        elif array.dtype == np.uint64:      # may not fit into int64
            self._refuse_ids(shown, array)
        self._names.append(name)
        self._sizes.append(array.size)
        self._arrays.append(array.astype(np.int64))     # always a copy
        self._shown.append(shown)
        return 4 * array.size

    def _refuse_ids(self, shown: str, array: np.ndarray) -> None:
        for i in array.tolist():
            if not 0 <= i < self._n:
                raise InvalidError(f"document {shown}: id {i} is out of range "
                                   f"(vocab has {self._n} words)")

    def batch(self) -> Batch:
        """What was added since the last call."""
        arrays, self._arrays = self._arrays, []
        shown, self._shown = self._shown, []
        ids = np.concatenate([np.empty(0, np.int64), *arrays])
        if ids.size and not 0 <= ids.min() <= ids.max() < self._n:
            for which, array in zip(shown, arrays):
                self._refuse_ids(which, array)
        return self._batch(ids.astype(np.uint32), self._starts())


# ---- documents of an iterable


class Documents:
    """The documents of an iterable, by name."""

    def __init__(self, documents: Iterable[Any], named: bool,
                 vocab: Any = None) -> None:
        if isinstance(documents, (str, bytes, os.PathLike)):
            raise TypeError("documents is a single string; put documents into "
                            "a list, or use cooc.index() to read files")
        if hasattr(documents, "items"):
            documents, named = documents.items(), True
        self._documents, self._named = documents, named
        self._ids = None if vocab is None else Ids(vocab)

    @staticmethod
    def _split(i: int, item: Any) -> Tuple[Any, Any]:
        try:
            name, document = item
        except (TypeError, ValueError):
            raise TypeError(f"document {i} is not a (name, document) pair: "
                            f"{item!r:.80}") from None
        if not isinstance(name, (str, int)):
            raise TypeError(f"document {i}: a name must be a string or an "
                            f"integer, not {type(name).__name__}")
        return str(name), document

    def _items(self, first: int) -> Iterator[Tuple[str, Name, Any]]:
        """The name to show in messages, the name for the library, and the
        document.  The library counts from 0 itself."""
        for i, item in enumerate(self._documents, first):
            if not self._named:
                shown = str(i)
                name = shown.encode() if first else None
            else:
                shown, item = self._split(i - first, item)
                name = _name(shown)
            if isinstance(item, (bytes, bytearray)):
                raise TypeError(f"document {shown} is bytes; decode it first")
            yield shown, name, item

    def give(self, builder: Builder, first: int) -> None:
        """Add all of them; those without a name are numbered from first."""
        kind: Any = self._ids
        if kind:
            builder.add(kind.give_vocabulary)
        size, due = 0, time.monotonic() + _BATCH_SECONDS
        for shown, name, document in self._items(first):
            if kind is None:
                kind = Texts() if isinstance(document, str) else Tokens()
            size += kind.add(shown, name, document) + 64
            if size >= _BATCH_BYTES or time.monotonic() >= due:
                builder.add(kind.batch())
                size, due = 0, time.monotonic() + _BATCH_SECONDS
        if size:
            builder.add(kind.batch())


def build(documents: Documents, work: Work, opening: Open, finishing: Batch,
          first: Callable[[], int] = lambda: 0) -> None:
    """Add all documents and finish, or leave nothing behind.  first is called
    when the builder is open."""
    builder = Builder(work, opening, finishing)
    try:
        builder.open()
        documents.give(builder, first())
        builder.finish()
    except BaseException:
        builder.abort()
        raise
