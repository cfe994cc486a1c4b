"""The parameters of a text, ``$1`` or ``:name``, and the text with values in their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from equiv.cells import Cell
from equiv.dialects.postgres.script import literal
from equiv.dialects.postgres.statements import code

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
    """The text with a literal, in parentheses, for each parameter that has one."""
    parts, position = [], 0
    for place in parameters_in(text):
        if place.name in values:
            parts += [text[position : place.start], f"({values[place.name]})"]
            position = place.end
    return "".join([*parts, text[position:]])


def bound(text: str, values: Mapping[str, Cell]) -> str:
    """The text with values for its parameters."""
    return replaced(text, {name: literal(value) for name, value in values.items()})
