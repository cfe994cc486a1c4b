"""Forms of JSON values: how a value is written, how it is read back, and which JSON is one.

JSON lacks blobs and infinities: a cell that is one becomes ``{"blob": hex}`` or ``{"real": "inf"}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, is_dataclass
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from equiv.cells import Cell
from equiv.relation import RELATIONS, Relation


@dataclass(frozen=True, slots=True)
class JsonForm:
    """One form of JSON values."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    """The inverse of ``write``; what is none may raise a KeyError, TypeError, ValueError or the like."""
    fault: Callable[[Any, str], str]
    """How a JSON value of a name departs from the form, the words of a closed list apart; '' if it is one."""
    kind: Any
    """The type of its JSON values, for the document of an interface."""

    def holds(self, value: Any) -> bool:
        """Whether a JSON value is of this form."""
        return not self.fault(value, "it")


def _same(value: Any) -> Any:
    return value


def plain(kind: Any, what: str, holds: Callable[[Any], bool]) -> JsonForm:
    """The form of values that JSON has itself, by their type, what others are said to be, and a test."""
    return JsonForm(_same, _same, lambda value, name: "" if holds(value) else _no(what, value, name), kind)


def _no(what: str, value: Any, name: str) -> str:
    return f"{name} is {what}, but {type(value).__name__}"


ANY = plain(object, "", lambda _: True)
TEXT = plain(str, "no text", lambda value: isinstance(value, str))
FLAG = plain(bool, "neither true nor false", lambda value: isinstance(value, bool))
NUMBER = plain(float, "no number", lambda value: type(value) in (int, float))
COUNT = plain(int, "no count", lambda value: type(value) is int and value >= 0)
MILLISECONDS = JsonForm(lambda ms: round(ms, 3), _same, NUMBER.fault, float)


def or_null(form: JsonForm) -> JsonForm:
    """A form, or null."""

    def with_none(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda value, *name: None if value is None else function(value, *name)

    return JsonForm(
        with_none(form.write),
        with_none(form.read),
        lambda value, name: "" if value is None else form.fault(value, name),
        form.kind | None,
    )


TEXT_OR_NULL = JsonForm(lambda text: text or None, lambda found: found or "", or_null(TEXT).fault, str | None)
"""A text that is null where it is ''."""


def list_of(form: JsonForm) -> JsonForm:
    """A list, of which a tuple is read."""

    def fault(found: Any, name: str) -> str:
        if not isinstance(found, list):
            return _no("no list", found, name)
        faults = (form.fault(part, f"number {number} of {name}") for number, part in enumerate(found, 1))
        return next(filter(None, faults), "")

    return JsonForm(
        lambda values: [form.write(value) for value in values],
        lambda found: tuple(map(form.read, found)),
        fault,
        list[form.kind],  # type: ignore[name-defined]
    )


def values_of(form: JsonForm) -> JsonForm:
    """An object whose keys are anything; it is pairs that are written and read."""

    def fault(found: Any, name: str) -> str:
        if not isinstance(found, dict):
            return _no("no object", found, name)
        return next(filter(None, (form.fault(part, repr(key[:40])) for key, part in found.items())), "")

    return JsonForm(
        lambda pairs: {name: form.write(value) for name, value in pairs},
        lambda found: tuple((name, form.read(value)) for name, value in found.items()),
        fault,
        dict[str, form.kind],  # type: ignore[name-defined]
    )


Special = Mapping[Any, JsonForm]
"""The forms of types and of fields, by name, that have their own."""
_NONE: Special = {}


def form_of(hint: Any, special: Special) -> JsonForm:
    """The form of a type: a scalar, a closed list, a dataclass, a tuple of any length, or one or None."""
    if form := special.get(hint) or _FORMS.get(hint):
        return form
    if get_origin(hint) is tuple:
        return list_of(form_of(get_args(hint)[0], special))
    if NoneType in get_args(hint):
        (kind,) = (each for each in get_args(hint) if each is not NoneType)
        return or_null(form_of(kind, special))
    if isinstance(hint, type) and is_dataclass(hint):
        return object_of(hint, special=special)
    return JsonForm(_same, hint, TEXT.fault, str)


def object_of(
    kind: Callable[..., Any],
    names: str = "",
    later: str = "",
    *,
    special: Special = _NONE,
    head: Mapping[str, Any] | None = None,
    terse: bool = False,
    exact: bool = False,
) -> JsonForm:
    """An object with a key for each field of a dataclass, in this order.

    Args:
        kind: the class; what form a field has follows from its type.
        names: keys that every such object has; none: all fields.
        later: keys that objects of older versions may lack.
        special: the forms of fields by name, and of types, that have their own.
        head: keys that are written first, and are no fields.
        terse: whether those of ``later`` are left out where they are empty.
        exact: whether other keys are a fault.
    """
    forms = forms_in(kind, f"{names} {later}" if names else "", special)
    optional = set(later.split())

    def write(value: Any) -> dict[str, Any]:
        told = [name for name in forms if not terse or name not in optional or getattr(value, name)]
        return {**(head or {}), **{name: forms[name].write(getattr(value, name)) for name in told}}

    def read(found: Any) -> Any:
        told = (name for name in forms if name not in optional or name in found)
        return kind(**{name: forms[name].read(found[name]) for name in told})

    return JsonForm(write, read, shape_of(forms, optional, exact=exact).fault, dict[str, Any])


def forms_in(kind: Callable[..., Any], names: str = "", special: Special = _NONE) -> dict[str, JsonForm]:
    """The forms of the fields of a dataclass, or of those of some names, in this order."""
    hints = get_type_hints(kind)
    return {name: special.get(name) or form_of(hints[name], special) for name in names.split() or hints}


def shape_of(forms: Mapping[str, JsonForm], later: Collection[str] = (), *, exact: bool = False) -> JsonForm:
    """An object with such fields, of which it may lack the later ones, read and written as it is."""
    needed = forms.keys() - set(later)

    def fault(found: Any, name: str) -> str:
        if not isinstance(found, dict):
            return _no("no object", found, name)
        for key in sorted(needed - found.keys() | (found.keys() - forms.keys() if exact else set())):
            return f"{name} {'lacks' if key in forms else 'has an unknown'} {key[:40]!r}"
        faults = (form.fault(found[key], repr(key)) for key, form in forms.items() if key in found)
        return next(filter(None, faults), "")

    return JsonForm(_same, _same, fault, dict[str, Any])


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


def _cell_fault(found: Any, name: str) -> str:
    return "" if _is_cell(found) else _no("no cell", found, name)


CELL = JsonForm(json_cell, _read_cell, _cell_fault, object)
TEXTS = list_of(TEXT)
ROWS = list_of(list_of(CELL))
RELATION = JsonForm(str, _read_relation, TEXT.fault, str)
_FORMS: dict[Any, JsonForm] = {
    str: TEXT,
    bool: FLAG,
    int: COUNT,
    float: NUMBER,
    Cell: CELL,
    Relation: RELATION,
}
