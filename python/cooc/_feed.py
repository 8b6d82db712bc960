"""Documents of an iterable, as a stream that the library reads.

The library reads one end of a pipe in a thread of its own; the other is
written here, in the caller's thread, as the iterable gives documents.  Texts
go as JSON lines.  Lists of tokens go as triples (document, token, 1), which
the library takes as they are.
"""

from __future__ import annotations

import os
import select
from json import JSONEncoder
from typing import Any, Callable, Iterable, Iterator, Set, Tuple

from ._lib import Work

_BLOCK = 1 << 18
_json = JSONEncoder(ensure_ascii=False).encode
_writing: Set[int] = set()


def _after_fork() -> None:
    """A child that held the pipe open would keep the reader waiting."""
    while _writing:
        os.close(_writing.pop())


os.register_at_fork(after_in_child=_after_fork)


class Pipe:
    """Written to without blocking, so that a library that has failed and
    reads no more is noticed.  Our own copy of the end that is read stays
    open, so that no write can meet SIGPIPE."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        _writing.add(self._write)
        self.path = f"/dev/fd/{self._read}"

    def write(self, data: bytes, work: Work) -> bool:
        """False if nobody reads any more."""
        rest = memoryview(data)
        while rest and not work.ended.is_set():
            if not work.stopping:
                work.show()
            try:
                rest = rest[os.write(self._write, rest):]
            except BlockingIOError:
                select.select([], [self._write], [], 0.1)
        return not rest

    def end(self) -> None:
        if self._write in _writing:
            _writing.remove(self._write)
            os.close(self._write)

    def close(self) -> None:
        self.end()
        os.close(self._read)


# ---- documents to lines


def _name_of(name: Any) -> str:
    if not isinstance(name, (str, int)):
        raise TypeError("the name of a document is a string or an integer, "
                        f"not {type(name).__name__}")
    return str(name)


def text_line(name: str, text: str) -> bytes:
    """A document as a line of JSON."""
    return (f'{{"id":{_json(name)},"text":{_json(text)}}}\n'
            ).encode("utf-8", "surrogatepass")


class TokenLines:
    """Documents as triples.  A first empty line, which is passed over, keeps
    names from looking like the beginning of an archive."""

    def __init__(self) -> None:
        self._before = "\n"
        self._last = ""

    def __call__(self, name: str, tokens: Iterable[str]) -> bytes:
        tokens = list(tokens)
        before, self._before = self._before, ""
        if before == "" and name == self._last:
            raise ValueError(f"two documents have the name {name!r}")
        self._last = name
        if "\t" in name or "\n" in name:
            raise ValueError("the name of a document of tokens cannot hold "
                             f"tabs and line ends: {name!r}")
        head = name + "\t"
        try:
            text = "\t1\n".join([head + t for t in tokens])
            if text.count("\n") + text.count("\t") == 3 * len(tokens) - 2:
                return f"{before}{text}\t1\n".encode("utf-8")
        except (TypeError, UnicodeEncodeError):
            pass
        if tokens:
            self._blame(name, tokens)
        return f"{before}{head}\n".encode("utf-8")

    @staticmethod
    def _blame(name: str, tokens: Iterable[Any]) -> None:
        """Say which token it is."""
        for t in tokens:
            if not isinstance(t, str):
                raise TypeError(f"document {name}: a token is a string, not "
                                f"{type(t).__name__} ({t!r}); for (name, "
                                "document) pairs say named=True")
            if "\t" in t or "\n" in t:
                raise ValueError(f"document {name}: a token cannot hold tabs "
                                 f"and line ends: {t!r}")
            try:
                t.encode("utf-8")
            except UnicodeEncodeError:
                raise ValueError(f"document {name}: a token that is no "
                                 f"Unicode text: {t!r}") from None
        name.encode("utf-8")


class Lines:
    """The lines of all documents; `format` is known after the first."""

    def __init__(self, documents: Iterable[Any], named: bool) -> None:
        if isinstance(documents, (str, bytes, os.PathLike)):
            raise TypeError("documents is a single string; put documents into "
                            "a list, or use cooc.index() to read files")
        if hasattr(documents, "items"):
            documents, named = documents.items(), True
        self._items = self._name(documents, named)
        self._first = next(self._items, None)
        texts = self._first is None or isinstance(self._first[1], str)
        self.format = "jsonl" if texts else "triples"

    @staticmethod
    def _name(documents: Iterable[Any],
              named: bool) -> Iterator[Tuple[str, Any]]:
        for i, item in enumerate(documents):
            if not named:
                yield str(i), item
                continue
            try:
                name, item = item
            except (TypeError, ValueError):
                raise TypeError(f"document {i} is not a (name, document) "
                                f"pair: {item!r:.80}") from None
            yield _name_of(name), item

    def __iter__(self) -> Iterator[bytes]:
        if self._first is None:
            return
        line: Callable[[str, Any], bytes] = TokenLines()
        if self.format == "jsonl":
            line = text_line
        yield line(*self._checked(self._first))
        for item in self._items:
            yield line(*self._checked(item))

    def _checked(self, item: Tuple[str, Any]) -> Tuple[str, Any]:
        name, document = item
        if isinstance(document, (bytes, bytearray)):
            raise TypeError(f"document {name} is bytes; decode them first")
        if isinstance(document, str) != (self.format == "jsonl"):
            raise TypeError(f"document {name}: documents are all strings or "
                            "all lists of tokens")
        if not isinstance(document, str) and \
                not hasattr(document, "__iter__"):
            raise TypeError(f"document {name} is neither a string nor a list "
                            f"of tokens, but {type(document).__name__}")
        return item


def _spoil(pipe: Pipe, work: Work) -> None:
    """Give the library a line that it must refuse, so that half a collection
    cannot become a store; Ctrl-C does not keep us from it."""
    work.stopping = True
    while True:
        try:
            pipe.write(b"\n!\n", work)
            pipe.end()
            return
        except KeyboardInterrupt:
            pass


def feed(lines: Lines, pipe: Pipe, work: Work) -> None:
    """Write everything, or until the library has failed."""
    block = bytearray()
    try:
        for line in lines:
            block += line
            if len(block) >= _BLOCK:
                if not pipe.write(bytes(block), work):
                    return
                block.clear()
        pipe.write(bytes(block), work)
        pipe.end()
    except BaseException:
        _spoil(pipe, work)
        raise
