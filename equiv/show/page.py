"""The blocks of a page of output: plain data that a terminal, Markdown and HTML show.

Text is made safe to show: what comes from a model or a database may drive a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict in one line: its name, and the rest."""

    verdict: str
    rest: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of the blocks that follow, up to the next heading."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line or two of prose."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be shown, and copied, exactly as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; every cell is text already."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marks: frozenset[tuple[int, int]] = frozenset()
    """Cells that stand out, by row and column from 0."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Two tables next to each other, or one below the other where they are too wide."""

    left: Grid
    right: Grid


@dataclass(frozen=True, slots=True)
class Diff:
    """Lines that go (``-``), come (``+``) or stay (a blank)."""

    title: str
    lines: tuple[tuple[str, str], ...]


Block = Headline | Heading | Text | Code | Grid | Beside | Diff


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of control, format (direction marks too), surrogate and separator characters."""


def escape(text: str, keep: str = "") -> str:
    r"""The text with hidden characters written out (``\x1b``), but for those of ``keep``."""
    return "".join(c if c in keep or unicodedata.category(c) not in _HIDDEN else _written(c) for c in text)


def fenced(text: str, language: str) -> str:
    """The text as a block of Markdown that nothing inside can close: its fence is longer than any there."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
    return f"{fence}{language}\n{text}\n{fence}"


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
