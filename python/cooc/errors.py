"""What can go wrong.  Messages are the library's own."""

from __future__ import annotations

from typing import Dict, Optional, Type

from . import _abi


class CoocError(Exception):
    """All errors of the library.

    `code` is the number that the library has for them, `path` the file or
    directory concerned and `option` the name of the option that is wrong or
    that would help; both are None if the library does not name one.
    """

    code = 0
    path: Optional[str] = None
    option: Optional[str] = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def message(self) -> str:
        """What went wrong, and what to do."""
        return self.args[0]

    @message.setter
    def message(self, text: str) -> None:
        self.args = (text,)

    def __str__(self) -> str:
        return self.message


class OutOfMemoryError(CoocError, MemoryError):
    """There is not enough memory."""

    code = _abi.COOC_ENOMEM


class SystemRefusedError(CoocError, OSError):
    """The system refused to read or write."""

    code = _abi.COOC_EIO


class FormatError(CoocError, ValueError):
    """Damaged, truncated or foreign data."""

    code = _abi.COOC_EFORMAT


class VersionError(CoocError):
    """A store of a newer format."""

    code = _abi.COOC_EVERSION


class InvalidError(CoocError, ValueError):
    """An argument or option makes no sense."""

    code = _abi.COOC_EINVAL


class NotFoundError(CoocError, FileNotFoundError):
    """No such file or store."""

    code = _abi.COOC_ENOTFOUND


class UnknownTermError(CoocError, KeyError):
    """No document holds the term; the message suggests close ones."""

    code = _abi.COOC_ENOTFOUND


class ExistsError(CoocError, FileExistsError):
    """The store is there already."""

    code = _abi.COOC_EEXISTS


class BusyError(CoocError):
    """Another process is writing the store."""

    code = _abi.COOC_EBUSY


class LimitError(CoocError, OverflowError):
    """Past a stated limit."""

    code = _abi.COOC_ELIMIT


class NotCountedError(CoocError):
    """The store holds no pairs yet: see cooc.count_store()."""

    code = _abi.COOC_ENOTCOUNTED


class CancelledError(CoocError):
    """The work was stopped."""

    code = _abi.COOC_ECANCELLED


class DiskFullError(CoocError, OSError):
    """The disk or a quota is full, or would be."""

    code = _abi.COOC_EFULL


BY_CODE: Dict[int, Type[CoocError]] = {
    c.code: c for c in CoocError.__subclasses__() if c is not UnknownTermError}
