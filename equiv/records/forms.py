"""Forms of JSON values: how a value is written, how it is read back, and which JSON is one.

JSON lacks blobs and infinities: a cell that is one becomes ``{"blob": hex}`` or ``{"real": "inf"}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from equiv.cells import Cell
from equiv.relation import RELATIONS, Relation


@dataclass(frozen=True, slots=True)
class JsonForm:
    """One form of JSON values."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    """The inverse of ``write``; what is none may raise a KeyError, TypeError, ValueError or the like."""
    holds: Callable[[Any], bool]
    """Whether a JSON value is of this form, the words of a closed list apart."""


def _same(value: Any) -> Any:
    return value


def plain(holds: Callable[[Any], bool]) -> JsonForm:
    """The form of values that JSON has itself."""
    return JsonForm(_same, _same, holds)


ANY = plain(lambda _: True)
TEXT = plain(lambda value: isinstance(value, str))
FLAG = plain(lambda value: isinstance(value, bool))
NUMBER = plain(lambda value: isinstance(value, int | float) and not isinstance(value, bool))
COUNT = plain(lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0)
MILLISECONDS = JsonForm(lambda ms: round(ms, 3), _same, NUMBER.holds)


def word(closed: type[StrEnum]) -> JsonForm:
    """A word of a closed list."""
    return JsonForm(_same, closed, TEXT.holds)


def or_null(form: JsonForm) -> JsonForm:
    """A form, or null."""

    def with_none(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda value: None if value is None else function(value)

    return JsonForm(
        with_none(form.write), with_none(form.read), lambda value: value is None or form.holds(value)
    )


TEXT_OR_NULL = JsonForm(lambda text: text or None, lambda found: found or "", or_null(TEXT).holds)
"""A text that is null where it is ''."""


def list_of(form: JsonForm) -> JsonForm:
    """A list, of which a tuple is read."""
    return JsonForm(
        lambda values: [form.write(value) for value in values],
        lambda found: tuple(map(form.read, found)),
        lambda found: isinstance(found, list) and all(map(form.holds, found)),
    )


def values_of(form: JsonForm) -> JsonForm:
    """An object whose keys are anything; it is pairs that are written and read."""
    return JsonForm(
        lambda pairs: {name: form.write(value) for name, value in pairs},
        lambda found: tuple((name, form.read(value)) for name, value in found.items()),
        lambda found: isinstance(found, dict) and all(map(form.holds, found.values())),
    )


def object_of(
    make: Callable[..., Any],
    fields: Mapping[str, JsonForm],
    later: Mapping[str, JsonForm] | None = None,
    *,
    head: Mapping[str, Any] | None = None,
    terse: bool = False,
) -> JsonForm:
    """An object with a key for each attribute of a value, in this order.

    Args:
        make: makes the value of its attributes.
        fields: keys that every such object has.
        later: keys that objects of older versions may lack.
        head: keys that are written first, and are no attributes.
        terse: whether those of ``later`` are left out where they are empty.
    """
    more = later or {}

    def write(value: Any) -> dict[str, Any]:
        told = [*fields.items(), *((n, f) for n, f in more.items() if not terse or getattr(value, n))]
        return {**(head or {}), **{name: form.write(getattr(value, name)) for name, form in told}}

    def read(found: Any) -> Any:
        given = {name: form.read(found[name]) for name, form in fields.items()}
        return make(**given, **{name: form.read(found[name]) for name, form in more.items() if name in found})

    return JsonForm(write, read, shape_of(fields, more))


def shape_of(
    fields: Mapping[str, JsonForm], later: Mapping[str, JsonForm] | None = None
) -> Callable[[Any], bool]:
    """Whether a value is an object that has such fields, and of later ones none that is another form."""

    def holds(found: Any) -> bool:
        if not isinstance(found, dict) or not all(
            name in found and form.holds(found[name]) for name, form in fields.items()
        ):
            return False
        return all(form.holds(found[name]) for name, form in (later or {}).items() if name in found)

    return holds


def json_cell(cell: Cell) -> Any:
    """A cell as a JSON value."""
    match cell:
        case bytes():
            return {"blob": cell.hex()}
        case float() if not math.isfinite(cell):
            return {"real": str(cell)}
    return cell


def _read_cell(found: Any) -> Cell:
    match found:
        case {"blob": str(digits)}:
            return bytes.fromhex(digits)
        case {"real": str(text)}:
            return float(text)
        case None | int() | float() | str():
            return found
    raise ValueError(f"no cell: {found!r}")


def _is_cell(found: Any) -> bool:
    match found:
        case {"blob": str(digits)}:
            return all(each in "0123456789abcdef" for each in digits) and len(digits) % 2 == 0
        case {"real": "inf" | "-inf" | "nan"}:
            return True
    return found is None or isinstance(found, int | float | str)


def _read_relation(text: str) -> Relation:
    return next(relation for relation in RELATIONS if str(relation) == text)


CELL = JsonForm(json_cell, _read_cell, _is_cell)
TEXTS = list_of(TEXT)
ROWS = list_of(list_of(CELL))
RELATION = JsonForm(str, _read_relation, TEXT.holds)
