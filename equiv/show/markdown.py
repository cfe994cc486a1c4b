"""Blocks as Markdown, in the flavour of GitHub.

Everything shown may come from a model: hidden characters are written out, and
whatever would be markup, a link, a mention or HTML is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from equiv.show.escape import escape
from equiv.show.page import Beside, Block, Code, Diff, Grid, Heading, Headline, Text

_ACTIVE = re.compile(r"[\\`*_\[\]<>&|~#@!$^]|(?<=[a-z]):(?=//)|(?<=www)\.", re.IGNORECASE)
"""What may open markup; a colon or a dot only where a bare address would become a link."""

_OPENING = re.compile(r"^(\s*)([-+=]|\d+[.)])")
"""What would make a line a list, or the line above it a heading."""

_NUMBER = re.compile(r"[-+]?(?:[\d,]*\d|[\d,]*+\.\d+)( ?%| [\[(±].*)?|-|")


def markdown(blocks: Iterable[Block]) -> str:
    """The text of a Markdown file."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Headline():
            yield f"**{_plain(block.verdict)}** {_plain(block.rest)}"
        case Heading():
            yield f"## {_plain(block.text)}"
        case Text():
            yield _OPENING.sub(r"\1\\\2", _plain(block.text))
        case Code():
            yield from _fenced(escape(block.text, keep="\n\t"), "sql")
        case Diff():
            yield f"**{_plain(block.title)}**"
            yield ""
            yield from _fenced("\n".join(f"{sign} {escape(text)}" for sign, text in block.lines), "diff")
        case Grid():
            yield from _table(block)
        case Beside():
            yield from _table(block.left)
            yield ""
            yield from _table(block.right)


def _plain(text: str) -> str:
    return _ACTIVE.sub(r"\\\g<0>", escape(text))


def _fenced(text: str, language: str) -> Iterator[str]:
    """A fence that is longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (f"{fence}{language}", text, fence)


def _table(grid: Grid) -> Iterator[str]:
    if grid.title:
        yield f"**{_plain(grid.title)}**"
        yield ""
    columns = zip(*grid.rows, strict=True) if grid.rows else ((),) * len(grid.columns)
    yield _row(grid.columns)
    yield _row(["---:" if is_numeric(cells) else "---" for cells in columns], escaped=True)
    for number, row in enumerate(grid.rows):
        cells = [
            f"**{_plain(cell)}**" if (number, place) in grid.marks else _plain(cell)
            for place, cell in enumerate(row)
        ]
        yield _row(cells, escaped=True)


def _row(cells: Iterable[str], *, escaped: bool = False) -> str:
    return f"| {' | '.join(cells if escaped else map(_plain, cells))} |"


def is_numeric(cells: Iterable[str]) -> bool:
    """Whether the cells of a column are numbers, maybe with a unit or an interval, or missing."""
    known = list(cells)
    return any(known) and all(_NUMBER.fullmatch(cell) for cell in known)
