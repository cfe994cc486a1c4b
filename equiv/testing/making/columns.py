"""Columns as a place in a query sees them, each with the kind of its values."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.core.model import Column, Domain, Table, quoted
from equiv.testing.making.texts import HARD_COLUMNS

Seen = tuple[str, str]
"""A column as SQL text, and its kind: (i)nteger, (r)eal, (t)ext, (d)ate, (f)lag, (u)nknown; (h)ard ones are
for :data:`HARD` conditions alone."""


def kind_of(column: Column) -> str:
    """The kind of a stored column by its declared type."""
    if "DATE" in column.declared_type.upper():
        return "d"
    match column.domain:
        case Domain.BOOLEAN:
            return "f"
        case Domain.INTEGER:
            return "i"
        case Domain.NUMBER:
            return "r"
        case Domain.TEXT:
            return "t"
        case _:
            return "u"


def columns_of(table: Table, alias: str) -> list[Seen]:
    """The columns of a table under an alias."""
    return [
        (f"{quoted(alias)}.{quoted(c.name)}", "h" if c.name in HARD_COLUMNS else kind_of(c))
        for c in table.columns
    ]


def usual(seen: Sequence[Seen]) -> list[Seen]:
    """The columns that any condition may mention."""
    return [each for each in seen if each[1] != "h"]
