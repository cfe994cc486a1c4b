"""Words of the notation that hold no node within: names, literals, keys of an order, cuts."""

from __future__ import annotations

import re

from equiv.algebra.terms import Constant, Direction
from equiv.core.model import quoted

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def is_plain(text: str) -> bool:
    """Whether a name can stand without quotes."""
    return bool(_PLAIN.match(text))


def name(text: str | int) -> str:
    """A column or a table by its name; a column by its place is ``#1`` and so on."""
    if isinstance(text, int):
        return f"#{text + 1}"
    return text if is_plain(text) else quoted(text)


def literal(constant: Constant) -> str:
    """A literal as SQL has it."""
    match constant.kind:
        case "null":
            return "NULL"
        case "text":
            return "'" + constant.text.replace("'", "''") + "'"
        case "blob":
            return f"x'{constant.text}'"
    return constant.text


def keys(after: int, directions: tuple[Direction, ...]) -> str:
    """The keys of an order, which stand after so many columns."""
    return ", ".join(_key(f"#{after + number}", each) for number, each in enumerate(directions, 1))


def _key(column: str, direction: Direction) -> str:
    text = f"{column} descending" if direction.descending else column
    if direction == Direction.of(descending=direction.descending):
        return text
    return f"{text}, NULLs {'first' if direction.nulls_first else 'last'}"


def cut(limit: int | None, offset: int) -> str:
    """The words for the rows that LIMIT and OFFSET leave."""
    if limit is None:
        return f"all rows from {offset + 1} on"
    return f"rows {offset + 1} to {offset + limit}" if limit else "no row"
