"""The parameters of a text, ``$1`` or ``:name``: values, or typed places, where they stand.

PostgreSQL has no views with parameters.  So a query is read with calls of ``current_setting`` in their
places, cast to the type that PostgreSQL itself takes each of them for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from equiv.cells import Cell
from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.script import literal
from equiv.dialects.postgres.statements import code
from equiv.dialects.typed.lowering.build import INTEGERS, setting

FAMILIES = {
    **dict.fromkeys(INTEGERS, "integer"),
    "numeric": "number",
    "float8": "float",
    "bool": "boolean",
    "text": "text",
    "varchar": "text",
    "date": "date",
    "timestamp": "timestamp",
    "uuid": "uuid",
}
"""Types of parameters whose values are cells of the core, and what these are."""
_PLACE = re.compile(r"(?<![\w$:\]])(\$[1-9]\d{0,4}|:[A-Za-z_]\w*)(?![\w$(])")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One place of a text at which a parameter stands."""

    name: str
    start: int
    end: int


def parameters_in(text: str) -> Iterator[Parameter]:
    """The places of parameters, outside of strings, quoted names and comments."""
    if "$" not in text and ":" not in text:
        return
    for start, end in code(text):
        for found in _PLACE.finditer(text, start, end):
            yield Parameter(found[1], found.start(1), found.end(1))


def replaced(text: str, values: Mapping[str, str]) -> str:
    """The text with an expression, in parentheses, for each parameter that has one."""
    parts, position = [], 0
    for place in parameters_in(text):
        if place.name in values:
            parts += [text[position : place.start], f"({values[place.name]})"]
            position = place.end
    return "".join([*parts, text[position:]])


def bound(text: str, values: Mapping[str, Cell]) -> str:
    """The text with values for its parameters, each a literal without a type, as a parameter is one."""
    return replaced(text, {name: _untyped(value) for name, value in values.items()})


def _untyped(value: Cell) -> str:
    found = literal(value).removesuffix("::bytea")
    return f"'{found}'" if isinstance(value, int | float) and not found.startswith("'") else found


def filled(text: str, literals: Mapping[str, str]) -> str:
    """The text with literals of the core for its parameters, each without a type."""
    return replaced(text, {name: _without_type(found) for name, found in literals.items()})


def _without_type(found: str) -> str:
    """A literal of the core, maybe shielded by a subquery, as PostgreSQL's of no type yet."""
    inner = found[len("(SELECT ") : -1] if found.startswith("(SELECT ") else found
    inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
    if inner.startswith(("x'", "X'")):
        return f"'\\x{inner[2:]}"
    if inner == "NULL" or inner.startswith("'"):
        return inner
    return f"'{inner}'"


def typed_places(text: str, types: Mapping[str, str]) -> str:
    """The text with an expression of its type for each parameter, by which the lowering knows it.

    Raises:
        UnsupportedError: a type whose values are no cells of the core.
    """
    for name, kind in types.items():
        if kind not in FAMILIES:
            raise UnsupportedError("Parameter", f"{name}, of type {kind}")
    return replaced(
        text,
        {
            name: f"CAST(pg_catalog.current_setting('{setting(kind, name)}') AS pg_catalog.{kind})"
            for name, kind in types.items()
        },
    )
