"""The shared library: find it, load it, call it."""

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
                    NamedTuple, Optional, Set, Type, Union)

from . import _abi
from ._messages import advice
from .errors import BY_CODE, CoocError, InvalidError

SONAME = "libcooc.so.0.1"
StrPath = Union[str, "os.PathLike[str]"]


def _places() -> Iterator[str]:
    """Paths of the library, of which the first that exists is used."""
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


# Functions that this package does not call, so a library may lack them.
OPTIONAL = {"cooc_changed", "cooc_docs_into", "cooc_document_id",
            "cooc_export_to", "cooc_pairs_each", "cooc_row_into",
            "cooc_scratch_free", "cooc_scratch_new", "cooc_term_id",
            "cooc_top_into"}


def _bind(dll: ctypes.CDLL) -> ctypes.CDLL:
    """Declare every function, initialise the library and check its version:
    within 0.minor, structs begin with their size and only grow at the end."""
    where = dll._name
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        function = getattr(dll, name, None)
        if function:
            function.restype, function.argtypes = result, arguments
        elif name not in OPTIONAL:
            raise ImportError(f"{where} is not the library of cooc "
                              f"{_abi.VERSION}: it has no {name}()")
    # Must be the first call.  It fails if another module uses ICU already;
    # then ICU keeps its allocators, which work except when memory runs out.
    dll.cooc_global_init(0, None)
    if dll.cooc_version_number() // 100 != _abi.COOC_VERSION_NUMBER // 100:
        raise ImportError(
            f"{where} is cooc {dll.cooc_version().decode()}, but this package "
            f"is for cooc {_abi.VERSION}; install both from the same sources")
    return dll


dll = _bind(_load())


def failure(err: _abi.Err,
            kind: Optional[Type[CoocError]] = None) -> CoocError:
    """The exception for an error of the library.  kind is the class to use if
    it has the code of the error."""
    if kind is None or kind.code != err.code:
        kind = BY_CODE.get(err.code, CoocError)
    option = err.option.decode("utf-8", "replace")
    error = kind(err.text.decode("utf-8", "replace") +
                 advice(option, err.code))
    error.path = os.fsdecode(err.path) or None
    error.option = option or None
    if err.sys_errno and isinstance(error, OSError):
        error.errno = err.sys_errno
    return error


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
    """Call a function with a struct cooc_err after its arguments; raise the
    error that it returns."""
    err = _abi.Err()
    rc = function(*arguments, ctypes.byref(err))
    if rc < 0:
        raise failure(err, missing)
    return rc


# ---- long work


class Progress(NamedTuple):
    """The progress of a long job.  total is 0 while it is unknown."""

    phase: str
    unit: str
    done: int
    total: int
    documents: int
    pairs: int
    bytes: int


class Note(NamedTuple):
    """A finding about an input file.

    kind is "encoding" (not UTF-8; text: the encoding that was assumed),
    "invalid" (count bytes were replaced), "bad" (skipped; text: why), "binary"
    (skipped; text: what it is and how to convert it), "empty", "hidden"
    (skipped) or "lines" (each line is a document).  line is 0 if the note is
    about the whole file.
    """

    kind: str
    path: str
    line: int
    count: int
    text: str


_NOTES_MAX = 10000

_HOOK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p,
                         ctypes.POINTER(_abi.Progress))
_WARN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
_NOTE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_abi.Note))
_NOTE_KINDS = {value: name[len("COOC_NOTE_"):].lower()
               for name, value in vars(_abi).items()
               if name.startswith("COOC_NOTE_")}


class Work:
    """A long call of the library, in a second thread.

    The caller's thread reports progress and receives Ctrl-C.  An exception
    that is raised there cancels the call, and propagates when the library has
    returned.  `watch` is for the options of the call.
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
        self._warn = _WARN(self._on_warning)    # as must this
        self._note = _NOTE(self._on_note)       # and this
        self._warnings: List[str] = []
        self.notes: List[Note] = []
        self.watch = _abi.Watch(
            progress=ctypes.cast(self._hook, ctypes.c_void_p),
            warning=ctypes.cast(self._warn, ctypes.c_void_p),
            note=ctypes.cast(self._note, ctypes.c_void_p))

    def _on_warning(self, _: Any, text: bytes) -> None:
        self._warnings.append(text.decode(errors="replace"))

    def _on_note(self, _: Any, note: Any) -> None:
        n = note.contents
        if len(self.notes) < _NOTES_MAX:
            self.notes.append(Note(
                _NOTE_KINDS.get(n.kind, "other"), os.fsdecode(n.path), n.line,
                n.count, n.text.decode("utf-8", "replace")))

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
        """Report the latest progress and all warnings, in the caller's
        thread."""
        latest, self._latest = self._latest, None
        if latest and self._show:
            self._show(latest)
        while self._warnings:
            warnings.warn(self._warnings.pop(0), stacklevel=4)

    def wait(self) -> None:
        """Wait until the call has ended; raise its error, or the exception
        that the progress function has raised."""
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
        """Cancel the call, and return when the library has.  Further
        interrupts are ignored."""
        self.stopping = True
        while self._thread and self._thread.ident:
            try:
                self.ended.wait()
                return
            except KeyboardInterrupt:
                pass

    def run(self, function: Callable[..., int], *arguments: Any) -> None:
        self.start(function, *arguments)
        self.wait()

    def finish(self) -> None:
        """End the progress line, after the last of several calls."""
        done = getattr(self._show, "close", None)
        if done:
            done()


def as_dict(struct: ctypes.Structure) -> dict:
    """The fields of a report, without its size."""
    values = {}
    for name, *_ in struct._fields_:
        value = getattr(struct, name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        elif isinstance(value, ctypes._Pointer):
            value = as_dict(value.contents) if value else None
        if name != "size":
            values[name] = value
    return values


def option_names(struct: Type[_abi.Sized]) -> Set[str]:
    """The fields that are parameters.  Pointers to structs are not."""
    return {name for name, kind in struct._fields_
            if name != "size" and not hasattr(kind, "contents")}


def one_of(name: str, value: Any, known: Mapping[str, int],
           renamed: Mapping[str, str]) -> int:
    """The number of a named value.

    >>> one_of("rows", "compact", {"full": 1, "compact": 2}, {})
    2
    >>> one_of("rows", "all", {"full": 1, "compact": 2}, {"all": "full"})
    Traceback (most recent call last):
        ...
    cooc.errors.InvalidError: rows='all' is now called rows='full'
    """
    if value in known:
        return known[value]
    if value in renamed:
        raise InvalidError(f"{name}={value!r} is now called "
                           f"{name}={renamed[value]!r}")
    *names, last = map(repr, known)
    raise InvalidError(f"{name} must be {', '.join(names)} or {last}, not "
                       f"{value!r}")


_RENAMED = {"costly_df": "compact_df", "then_count": "count_follows"}


def refuse(function: str, options: Mapping[str, Any],
           known: Iterable[str]) -> None:
    """Raise an error if one of the options does not exist."""
    wrong = sorted(set(options) - set(known))
    if wrong and _RENAMED.get(wrong[0]) in known:
        raise InvalidError(f"option {wrong[0]} is now called "
                           f"{_RENAMED[wrong[0]]}")
    if wrong:
        raise TypeError(f"{function}() has no option {wrong[0]!r}; the "
                        "options are: " + ", ".join(sorted(known)))


def parse_size(name: str, text: str) -> int:
    """A number of bytes: "64M" means 64 MiB, as on the command line.

    >>> parse_size("memory", "64M")
    67108864
    """
    found = re.fullmatch("([0-9]+)([KMGT]?)", text.strip().upper())
    if not found:
        raise InvalidError(f"{name} must be a number of bytes, or a string "
                           f'like "64M" or "2G", not {text!r}')
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")


def set_options(struct: ctypes.Structure, options: dict) -> None:
    """Set the fields of a struct from keyword arguments."""
    kinds = dict(struct._fields_)
    for name, value in options.items():
        kind = kinds[name]
        if value is None:
            continue
        if f"has_{name}" in kinds:
            setattr(struct, f"has_{name}", True)
            if value != value:
                raise InvalidError(f"{name} cannot be nan")
        if kind is ctypes.c_char_p:
            value = c_text(value)
        elif name == "memory" and isinstance(value, str):
            value = parse_size(name, value)
        elif hasattr(value, "__index__"):
            value = operator.index(value)   # NumPy's integers as well
        try:
            setattr(struct, name, value)
        except TypeError as e:
            raise TypeError(f"{name}: {e}") from None
        if isinstance(value, int) and getattr(struct, name) != value:
            raise InvalidError(f"{name} cannot be {value}")
