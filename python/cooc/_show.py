"""progress=True: a progress line on standard error."""

from __future__ import annotations

import sys

from ._lib import Progress


class Line:
    """A line that is overwritten.  Prints nothing unless standard error is a
    terminal."""

    def __init__(self) -> None:
        self._width = 0
        self._tty = sys.stderr.isatty()

    def __call__(self, p: Progress) -> None:
        if p.total:
            text = f"{p.phase}: {100 * p.done / p.total:.0f}%"
        elif p.documents:
            text = f"{p.phase}: {p.documents:,} documents"
        else:
            text = p.phase
        if p.total and p.pairs:
            text += f", {p.pairs:,} pairs"
        if self._tty:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._tty and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
