"""Data as a model is shown it: fenced, so that nothing inside can end it, and cut to size."""

from __future__ import annotations

import re
from collections.abc import Iterator

from equiv.cells import Cell
from equiv.core.literals import sql_literal
from equiv.show.escape import escape

from .case import Shown

CELL_WIDTH = 300
"""Characters of a cell that are shown."""

ROWS_SAY = {
    "no result": "There is no result: no populated database is at hand, or the query gives none there.",
    "empty": "No rows.",
    "all rows": "Rows: {total}, all shown:",
    "first rows": "Rows: {total}, the first {shown} shown:",
}
"""Every fixed phrase about rows."""


def fence(text: str, kind: str) -> str:
    """Text as a block that nothing inside can close: its fence is longer than any row of backticks there."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    readable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return f"{marks}{kind}\n{readable}\n{marks}"


def shown_rows(result: Shown | None) -> Iterator[str]:
    """A result, its rows as SQL literals."""
    if result is None:
        yield ROWS_SAY["no result"]
    elif result.total == 0:
        yield ROWS_SAY["empty"]
    else:
        says = "all rows" if len(result.rows) == result.total else "first rows"
        yield ROWS_SAY[says].format(shown=len(result.rows), total=result.total)
        yield fence("\n".join(f"({', '.join(map(_cell, row))})" for row in result.rows), "text")


def _cell(cell: Cell) -> str:
    r"""A cell on one line; a line break inside it is written out as ``\n``."""
    text = sql_literal(cell)
    shown = escape(text[:CELL_WIDTH])
    return shown if len(text) <= CELL_WIDTH else f"{shown}… ({len(text)} characters)"
