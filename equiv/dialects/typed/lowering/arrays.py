"""Values compared with the elements of an array, and arrays that are compared with a written-out one.

An array is ``ARRAY[…]`` or a constant of one dimension.  Of another one nothing is known but whether a value
is equal to one of its elements, or to all: a symbol.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering import build as b
from equiv.dialects.typed.lowering.calls import Given, LoweringPlace, Meaning
from equiv.dialects.typed.lowering.comparisons import is_direct
from equiv.dialects.typed.lowering.unknown import turned

_ELEMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|([^",{}\\]+)', re.DOTALL)
"""Of an array as PostgreSQL prints it, quoted or plain."""
_READ = b.INTEGERS | b.TEXTS | {"uuid"}
"""Types of which an element is written as a constant is."""


def _elements_of(array: t.Expr, kind: t.Type) -> tuple[t.Expr, ...] | None:
    """The elements of a written-out array; None of another.

    Args:
        array: an expression of an array's type.
        kind: the type that its elements have, if that is an enumeration.
    """
    match array:
        case t.Array(elements=elements) if not any(each.type.name.startswith("_") for each in elements):
            return elements
        case t.TypedConstant(text=str(text)) if text.startswith("{") and text.endswith("}"):
            name = array.type.name.removeprefix("_")
            if not (kind.labels and kind.name == name and kind.schema == array.type.schema):
                kind = t.Type(name)
            if not array.type.name.startswith("_") or not (name in _READ or kind.labels):
                return None
            return _read(text[1:-1], kind)
    return None


def _read(inner: str, kind: t.Type) -> tuple[t.Expr, ...] | None:
    found: list[t.Expr] = []
    end = 0
    while end < len(inner) or found:
        match = _ELEMENT.match(inner, end)
        if match is None:
            return None
        quoted, plain = match.groups()
        shown = plain.strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL)
        is_absent = quoted is None and shown.upper() == "NULL"
        found.append(t.TypedConstant(kind, None if is_absent else shown))
        end = match.end()
        if end == len(inner):
            return tuple(found)
        if inner[end] != ",":
            return None
        end += 1
    return ()


def compared_with_elements(value: t.Compared, place: LoweringPlace) -> exp.Expression:
    """A comparison with the elements of an array: IN, or one after the other.

    Raises:
        UnsupportedError: the array is not written out.
    """
    elements = _elements_of(value.array, value.value.type)
    if elements is None:
        if value.routine.name == "<>" and value.routine.schema == "pg_catalog":
            # Both are NULL where the array is, and where an element that is NULL would decide.
            same = replace(value, routine=replace(value.routine, name="="), any=not value.any)
            return exp.Not(this=place.lowered(same))
        raise UnsupportedError("Array", "a comparison with an array that is not a literal")
    if not elements:
        return exp.false() if value.any else exp.true()
    membership = ("=", True), ("<>", False)
    if (value.routine.name, value.any) in membership and is_direct(value.routine):
        found = exp.In(
            this=place.lowered(value.value), expressions=[place.lowered(each) for each in elements]
        )
        return found if value.any else exp.Not(this=found)
    each_of = [
        place.lowered(t.RoutineCall(value.type, value.routine, (value.value, each))) for each in elements
    ]
    return b.all_of(each_of, exp.Or if value.any else exp.And)


def _held_against(given: Given) -> exp.Expression:
    """``a @> ARRAY[…]`` and ``a && ARRAY[…]``: whether all, or one, of the elements are in the array.

    An element that is NULL is in none, and one of the array is as if it were not there.
    """
    value, place = given.call, given.place
    is_all = value.routine.name != "&&"
    if value.routine.name == "<@":
        if (other_way := turned(value)) is None:
            raise UnsupportedError("Operator", str(value.routine))
        value, _ = other_way
    for array, other in (value.arguments, value.arguments[::-1])[: 1 if is_all else 2]:
        kind = _element_type(other)
        elements = None if kind is None else _elements_of(other, kind)
        if elements is None or kind is None or any(each.type.name != kind.name for each in elements):
            continue
        equal = t.Routine("=", (kind.name,) * 2, operator=True)
        known = [t.Compared(value.type, equal, True, each, array) for each in elements]
        tests = [exp.Is(this=place.lowered(each), expression=exp.true()) for each in known]
        neutral = exp.true() if is_all else exp.false()
        held = b.all_of(tests, exp.And if is_all else exp.Or) if tests else neutral
        return b.case([(b.is_null(place.lowered(array)), exp.Null())], held)
    raise UnsupportedError("Operator", str(value.routine))


def _emptiness(given: Given) -> exp.Expression:
    """Whether an array is the empty one, of which there is but one: by how many elements it has."""
    for array, other in (given.call.arguments, given.call.arguments[::-1]):
        if isinstance(other, t.TypedConstant) and other.text == "{}":
            node = exp.EQ if given.call.routine.name == "=" else exp.NEQ
            return node(this=_count(array, given.place), expression=b.number("0"))
    raise UnsupportedError("Operator", str(given.call.routine))


def has_no_length(value: t.Expr, place: LoweringPlace) -> exp.Expression | None:
    """Whether ``array_length(a, 1)`` is NULL: of NULL and of the empty array; None of another expression."""
    match value:
        case t.RoutineCall(
            routine=t.Routine("array_length", schema="pg_catalog"),
            arguments=(array, t.TypedConstant(text="1")),
        ) if place.state.symbols is not None:
            is_empty = exp.EQ(this=_count(array, place), expression=b.number("0"))
            return exp.Or(this=b.is_null(place.lowered(array)), expression=is_empty)
    return None


def _count(array: t.Expr, place: LoweringPlace) -> exp.Expression:
    counting = t.Routine("cardinality", ("anyarray",))
    return place.lowered(t.RoutineCall(t.Type("int4"), counting, (array,)))


def _element_type(array: t.Expr) -> t.Type | None:
    """The type of an array's elements, if these are of one that has no equal values but identical ones."""
    name = array.type.name.removeprefix("_")
    return t.Type(name) if array.type.name.startswith("_") and name in {"text", "uuid", *b.INTEGERS} else None


_ARRAYS = (frozenset(("anyarray",)),) * 2
OF_ARRAYS: tuple[Meaning, ...] = (
    Meaning(("=", "<>"), _ARRAYS, _emptiness, "beside the empty array, of no elements"),
    Meaning(
        ("@>", "<@", "&&"), _ARRAYS, _held_against, "each element that is written out is one of the array's"
    ),
)
"""Rows of operators, by name and types of arguments."""
