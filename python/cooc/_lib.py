"""The shared library: where it is, and how it is called."""

from __future__ import annotations

import ctypes
import ctypes.util
import operator
import os
import re
import threading
import warnings
from pathlib import Path
from typing import (Any, Callable, Iterable, Iterator, List, Mapping,
                    NamedTuple, Optional, Type, Union)

from . import _abi
from .errors import BY_CODE, CoocError, InvalidError

SONAME = "libcooc.so.0.1"
StrPath = Union[str, "os.PathLike[str]"]


def _places() -> Iterator[str]:
    """Where to look, the first that exists counts."""
    here = Path(__file__).resolve().parent
    yield str(here / SONAME)
    if (here.parent.parent / "include" / "cooc.h").is_file():
        yield str(here.parent.parent / "build" / SONAME)


def _load() -> ctypes.CDLL:
    chosen = os.environ.get("COOC_LIBRARY")
    if not chosen:
        chosen = next((p for p in _places() if os.path.exists(p)), SONAME)
    try:
        return ctypes.CDLL(chosen)
    except OSError as e:
        raise ImportError(
            f"cooc needs its shared library, {SONAME}: {e}. Run 'make' in the "
            "folder of cooc's sources and install the package again, or 'make "
            "install', or set COOC_LIBRARY to the path of the library."
        ) from None


def _bind(dll: ctypes.CDLL) -> ctypes.CDLL:
    """Declare every function, and make sure that it is the right library:
    other structs would give garbage."""
    where = dll._name
    try:
        for name, (result, arguments) in _abi.FUNCTIONS.items():
            function = getattr(dll, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError:
        raise ImportError(f"{where} is not the library of cooc {_abi.VERSION}: "
                          f"it has no {name}()") from None
    wrong = [name for name, struct in _abi.STRUCTS.items() if
             dll.cooc_struct_size(name.encode()) != ctypes.sizeof(struct)]
    version = dll.cooc_version().decode()
    if version != _abi.VERSION or wrong:
        also = f" with another struct {wrong[0]}" if wrong else ""
        raise ImportError(
            f"{where} is cooc {version}{also}, but this package is for cooc "
            f"{_abi.VERSION}; install both from the same sources")
    return dll


dll = _bind(_load())


def failure(err: _abi.Err, kind: Optional[Type[CoocError]] = None) -> CoocError:
    """The exception for what the library said; kind for things not found."""
    text = err.text.decode("utf-8", "replace")
    if kind is None or kind.code != err.code:
        kind = BY_CODE.get(err.code, CoocError)
    return kind(text)


def c_text(value: StrPath) -> bytes:
    """Encode a path or a name for the library, which stops at the first NUL.

    >>> c_text("tea.cooc")
    b'tea.cooc'
    >>> c_text("tea\\0.cooc")
    Traceback (most recent call last):
        ...
    ValueError: embedded null byte
    """
    text = os.fsencode(value)
    if b"\0" in text:
        raise ValueError("embedded null byte")
    return text


def call(function: Callable[..., int], *arguments: Any,
         missing: Optional[Type[CoocError]] = None) -> int:
    """Call with a struct cooc_err behind the arguments."""
    err = _abi.Err()
    rc = function(*arguments, ctypes.byref(err))
    if rc < 0:
        raise failure(err, missing)
    return rc


# ---- long work


class Progress(NamedTuple):
    """How far a long job is; total is 0 while it is unknown."""

    phase: str
    unit: str
    done: int
    total: int
    documents: int
    pairs: int
    bytes: int


_HOOK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p,
                         ctypes.POINTER(_abi.Progress))
_WARN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class Work:
    """A long call of the library, in a thread of its own.

    The calling thread stays free to feed it, to show progress and to take
    Ctrl-C; whatever it raises stops the work, and is raised only when the
    library has returned.  `watch` is for the options of the call.
    """

    def __init__(self, progress: Any = None) -> None:
        if progress is True:
            from ._show import Line
            progress = Line()
        self._show = progress or None
        self.stopping = False
        self._latest: Optional[Progress] = None
        self._raised: Optional[BaseException] = None
        self._thread: Optional[threading.Thread] = None
        self.ended = threading.Event()
        self._hook = _HOOK(self._on_progress)   # must outlive the call
        self._warn = _WARN(self._on_warning)    # likewise
        self._warnings: List[str] = []
        self.watch = _abi.Watch(
            progress=ctypes.cast(self._hook, ctypes.c_void_p),
            warning=ctypes.cast(self._warn, ctypes.c_void_p))

    def _on_warning(self, _: Any, text: bytes) -> None:
        self._warnings.append(text.decode(errors="replace"))

    def _on_progress(self, _: Any, p: Any) -> int:
        if self._show:
            c = p.contents
            self._latest = Progress(c.phase.decode(), c.unit.decode(), c.done,
                                    c.total, c.documents, c.pairs, c.bytes)
        return self.stopping

    def _run(self, function: Any, arguments: Any) -> None:
        try:
            call(function, *arguments)
        except BaseException as e:
            self._raised = e
        finally:
            self.ended.set()

    def start(self, function: Callable[..., int], *arguments: Any) -> None:
        self.ended.clear()
        self._thread = threading.Thread(target=self._run, daemon=True,
                                        args=(function, arguments))
        self._thread.start()

    def show(self) -> None:
        """Pass on what the library told last, in the caller's thread."""
        latest, self._latest = self._latest, None
        if latest and self._show:
            self._show(latest)
        while self._warnings:
            warnings.warn(self._warnings.pop(0), stacklevel=4)

    def wait(self) -> None:
        """Until the call has ended; raises what it or `progress` raised."""
        try:
            while not self.ended.wait(0.1):
                self.show()
            self.show()
        except BaseException:
            self.stop()
            raise
        if self._raised:
            raise self._raised

    def stop(self) -> None:
        """Give up; returns when the library has."""
        self.stopping = True
        while True:
            try:
                self.ended.wait()
                return
            except KeyboardInterrupt:   # again: it is on its way
                pass

    def run(self, function: Callable[..., int], *arguments: Any) -> None:
        self.start(function, *arguments)
        self.wait()

    def finish(self) -> None:
        """The last of several calls is over."""
        done = getattr(self._show, "close", None)
        if done:
            done()


def as_dict(struct: ctypes.Structure) -> dict:
    """The fields of a report."""
    values = {}
    for name, *_ in struct._fields_:
        value = getattr(struct, name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        elif isinstance(value, ctypes.Structure):
            value = as_dict(value)
        values[name] = value
    return values


def refuse(function: str, options: Mapping[str, Any],
            known: Iterable[str]) -> None:
    """An option that there is not."""
    wrong = sorted(set(options) - set(known))
    if wrong:
        raise TypeError(f"{function}() has no option {wrong[0]!r}; there are: "
                        + ", ".join(sorted(known)))


def parse_size(name: str, text: str) -> int:
    """Bytes: "64M" are 64 MiB, as on the command line.

    >>> parse_size("memory", "64M")
    67108864
    """
    found = re.fullmatch("([0-9]+)([KMGT]?)", text.strip().upper())
    if not found:
        raise InvalidError(f"{name} cannot be {text!r}; it is a number of "
                           'bytes, or a string as in "64M" or "2G"')
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")


def set_options(struct: ctypes.Structure, options: dict) -> None:
    """Put keyword arguments into a struct of options."""
    for name, value in options.items():
        kind = dict(struct._fields_)[name]
        if value is None:
            continue
        if kind is ctypes.c_char_p:
            value = c_text(value)
        elif name == "memory" and isinstance(value, str):
            value = parse_size(name, value)
        elif hasattr(value, "__index__"):
            value = operator.index(value)   # numpy's integers, too
        try:
            setattr(struct, name, value)
        except TypeError as e:
            raise TypeError(f"{name}: {e}") from None
        if isinstance(value, int) and getattr(struct, name) != value:
            raise InvalidError(f"{name} cannot be {value}")
