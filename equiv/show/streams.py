"""Standard streams that a verdict survives: what cannot be written degrades, and never raises as it is."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO

_FALLBACK = "backslashreplace"
_NEVER_RAISE = ("replace", "xmlcharrefreplace", "namereplace", "ignore")


class _Pipe(io.FileIO):
    """A stream that takes what nobody reads any more, quietly."""

    def write(self, data: object) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            return memoryview(data).nbytes  # type: ignore[arg-type]


def open_standard_streams() -> None:
    """Make the standard streams of a program sound; to be called once, when it begins.

    One that is closed leads nowhere.  Characters that the encoding of the output
    lacks are written as escapes.  A broken pipe is no error.
    """
    _open_closed(range(3))
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout, sys.stderr = _renewed(sys.stdout, 1), _renewed(sys.stderr, 2)


def _open_closed(descriptors: Iterable[int]) -> None:
    """Let closed descriptors lead nowhere, so that nothing else is opened as one of them."""
    for descriptor in descriptors:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free


def _renewed(stream: TextIO | None, descriptor: int) -> TextIO:
    if isinstance(stream, io.TextIOWrapper) and stream.isatty():
        stream.reconfigure(errors=_FALLBACK)
        return stream
    encoding, errors = (stream.encoding, stream.errors) if stream is not None else ("utf-8", None)
    return io.TextIOWrapper(
        io.BufferedWriter(_Pipe(descriptor, "w", closefd=False)),
        encoding=encoding,
        errors=errors if errors in _NEVER_RAISE else _FALLBACK,
        line_buffering=descriptor == 2,
    )


def leave_standard_output() -> None:
    """Write out what is buffered; what fails now goes nowhere, instead of failing again at the very end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
