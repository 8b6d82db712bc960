"""Exceptions, with the messages of the library."""

from __future__ import annotations

from typing import Dict, Optional, Type

from . import _abi


class CoocError(Exception):
    """Base class of all errors of the library.

    `code` is the error code of the library, `path` the file or directory
    concerned, and `option` the name of the option that is wrong or that would
    help.  path and option are None if the library does not name one.
    """

    code = 0
    path: Optional[str] = None
    option: Optional[str] = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def message(self) -> str:
        """What is wrong, where, and what to do."""
        return self.args[0]

    @message.setter
    def message(self, text: str) -> None:
        self.args = (text,)

    def __str__(self) -> str:
        return self.message


class OutOfMemoryError(CoocError, MemoryError):
    """Out of memory."""

    code = _abi.COOC_ENOMEM


class SystemRefusedError(CoocError, OSError):
    """The system failed to read or write."""

    code = _abi.COOC_EIO


class FormatError(CoocError, ValueError):
    """Damaged, truncated or foreign data."""

    code = _abi.COOC_EFORMAT


class VersionError(CoocError):
    """A store of a newer format."""

    code = _abi.COOC_EVERSION


class InvalidError(CoocError, ValueError):
    """An invalid argument or option."""

    code = _abi.COOC_EINVAL


class NotFoundError(CoocError, FileNotFoundError):
    """The file or store does not exist."""

    code = _abi.COOC_ENOTFOUND


class UnknownTermError(CoocError, KeyError):
    """No document contains the term.  The message suggests similar terms."""

    code = _abi.COOC_ENOTFOUND


class ExistsError(CoocError, FileExistsError):
    """The store exists already."""

    code = _abi.COOC_EEXISTS


class BusyError(CoocError):
    """Another process or call is writing the store."""

    code = _abi.COOC_EBUSY


class LimitError(CoocError, OverflowError):
    """Beyond a documented limit."""

    code = _abi.COOC_ELIMIT


class NotCountedError(CoocError):
    """The store has no counted pairs yet; call cooc.count_store()."""

    code = _abi.COOC_ENOTCOUNTED


class CancelledError(CoocError):
    """The call was cancelled."""

    code = _abi.COOC_ECANCELLED


class DiskFullError(CoocError, OSError):
    """The disk or a quota is full, or would be."""

    code = _abi.COOC_EFULL


BY_CODE: Dict[int, Type[CoocError]] = {
    c.code: c for c in CoocError.__subclasses__() if c is not UnknownTermError}
