"""A text file that is read once, line by line, whatever its size; its beginning is at hand beforehand.

Comparison operators that a tokeniser has split, ``> =`` for ``>=`` in CoSQL's gold queries, no dialect
reads; they are joined, as the public scripts of Spider, CoSQL and ESM+ do.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from equiv.errors import InputError
from equiv.files import encoding_of, no_text, refuse_zeros
from equiv.spelling import did_you_mean

BLOCK = 1 << 18
"""How many bytes are taken at a time."""

BEGINNING = 2_000
"""How many characters tell what a text is."""


class TextFile:
    """A text file, UTF-8 or UTF-16 unless another encoding is named.

    Raises:
        InputError: it cannot be read, or its beginning is not text; or there is no such encoding.
    """

    def __init__(self, path: Path, encoding: str = "") -> None:
        self._rest = _lines_in(path, encoding_named(encoding))
        self._first: deque[str] = deque()
        length = 0
        while length < BEGINNING and (line := next(self._rest, None)) is not None:
            self._first.append(line)
            length += len(line) if length else len(line.lstrip())

    @property
    def head(self) -> str:
        """The first lines of the file without leading blank ones; available until the lines are read."""
        return "".join(self._first).lstrip()

    def lines(self) -> Iterator[str]:
        r"""The lines with their ends, once; only ``\n`` ends one, since SQL may hold the other separators.

        Raises:
            InputError: the file cannot be read, or is not text.
        """
        first, self._first = self._first, deque()
        while first:
            yield first.popleft()
        yield from self._rest

    def whole(self) -> str:
        """All lines."""
        return "".join(self.lines())


def without_ends(lines: Iterable[str]) -> Iterator[str]:
    r"""The lines without the ``\n`` or ``\r\n`` that ends them."""
    for line in lines:
        bare = line.removesuffix("\n").removesuffix("\r")
        if bare or line.endswith("\n"):
            yield bare


def encoding_named(name: str) -> str:
    """The name of an encoding, if there is one of it.

    Raises:
        InputError: there is none.
    """
    try:
        "".encode(name or "utf-8")
    except (LookupError, ValueError):
        from encodings.aliases import aliases

        known = (each.replace("_", "-") for each in aliases)
        raise InputError(f"unknown encoding {name!r}{did_you_mean(name, known)}") from None
    return name


def _lines_in(path: Path, encoding: str) -> Iterator[str]:
    begun: list[str] = []
    for block in _blocks_of(path, encoding):
        refuse_zeros(str(path), block)
        end, *lines = block.split("\n")
        begun.append(end)
        for line in lines:
            yield "".join(begun) + "\n"
            begun = [line]
    if last := "".join(begun):
        yield last


def _blocks_of(path: Path, encoding: str) -> Iterator[str]:
    try:
        with path.open("rb") as file:
            yield from _decoded(str(path), iter(lambda: file.read(BLOCK), b""), encoding)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _decoded(name: str, blocks: Iterator[bytes], encoding: str) -> Iterator[str]:
    first = next(blocks, b"")
    encoding = encoding or encoding_of(first)
    decoder = codecs.getincrementaldecoder(encoding)()
    taken = 0
    try:
        for block in chain([first], blocks):
            yield decoder.decode(block)
            taken += len(block)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        waiting, _ = decoder.getstate()
        raise no_text(name, encoding, taken - len(waiting) + error.start) from None


_TOKEN = re.compile(
    r"""'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|/\*.*?(?:\*/|\Z)|(?P<sign>[<>!])[ \t\r\n]+=""",
    re.DOTALL,
)
"""A string, a quoted name, a comment, or a split operator."""


def joined_operators(sql: str) -> str:
    """The query with its split operators joined; what stands in quotes and comments stays."""
    return _TOKEN.sub(lambda found: f"{found['sign']}=" if found["sign"] else found[0], sql)
