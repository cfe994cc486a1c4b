"""Descriptions as a model is shown them: one line a column, in no more than so many characters."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.show.escape import escape

from .read import Described, DescribedColumn

MOST = 24_000
"""Characters for one database, about 6,000 tokens; the longest of BIRD's dev databases needs 12,000."""

WIDTHS = (1000, 500, 250, 120, 60, 0)
"""Characters of one description, the widest that fit first."""


def as_text(described: Described, most: int = MOST) -> str:
    """The descriptions of a database; '' if there are none.

    The text is the same for every question on the database, so that providers can keep the prefix.  What
    does not fit is cut: each description first, then the columns at the end.
    """
    texts = ("\n".join(_lines(described, width)) for width in WIDTHS)
    text = ""
    for text in texts:
        if len(text) <= most:
            return text
    kept = text[:most].rpartition("\n")[0]
    left = text.count("\n") - kept.count("\n")
    return f"{kept}\n({left} more lines are left out)"


def _lines(described: Described, width: int) -> Iterator[str]:
    for table, columns in sorted(described.items()):
        told = [_column(column, width) for column in columns if column.says_something]
        if told:
            yield f"{_cut(table, 200)}:"
            yield from told


def _column(column: DescribedColumn, width: int) -> str:
    said = {
        "": column.readable if column.readable != column.name else "",
        "meaning: ": column.meaning if column.meaning != column.readable else "",
        "form: ": column.form,
        "values: ": column.values,
    }
    parts = [f"{what}{_cut(text, width)}" for what, text in said.items() if text and width]
    return "; ".join([f"- {_cut(column.name, 200)}", *parts])


def _cut(text: str, width: int) -> str:
    shown = escape(text[:width])
    return shown if len(text) <= width else f"{shown}…"
