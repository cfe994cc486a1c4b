"""Kinds of numbers: what engines compute in several types, and the core in one.

The core has one addition, and takes a number for the same one whatever its type.  An engine adds integers,
decimals and floats of two widths each in its own way, and cuts digits off where it makes a float of a number.

Of what surely is a whole number, by its parts: a float of 32 bits is exact up to 2**24; beyond, it rests on
exact arithmetic.

A cell of a ``real`` is the shortest decimal that reads as it; made wider it is what the 32 bits say.  What is
computed with 32 bits, or cast to them, is cut to them.  A whole number and a sum are the exact number, as
under exact arithmetic.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from sqlglot import exp

from equiv.core.query import CAST, COMPARISON
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import FLOATS, INTEGERS, NUMBERS, call, number
from equiv.dialects.typed.walks import found_in, parts_of

NUMBERINGS = frozenset(("row_number", "rank", "dense_rank", "percent_rank", "cume_dist"))
READERS = frozenset(("lag", "lead", "first_value", "last_value", "nth_value", "ntile"))
OF_ONE_ROW = READERS - {"ntile"} | {"min", "max"}
"""Aggregates and window functions whose value is the argument in some row."""
_CHOOSING = READERS | OF_ONE_ROW | NUMBERINGS | {"count", "first", "last", "arg_min", "arg_max", "any_value"}
_DIGITS = {"int2": 5, "int4": 10, "int8": 19}
_KEPT = {"float4": 6, "float8": 15}
"""How many digits of a decimal number a float keeps in any case."""


def computed_in(query: t.TypedQuery) -> frozenset[tuple[str, str]]:
    """The names of the operations on numbers, each with ``integer``, ``numeric``, ``float4`` or ``float8``.

    Among them are a cast to a float, unless it keeps all digits and is only compared, and a comparison with
    a float that a cast may have cut digits off.
    """
    parts = list(parts_of(query))
    # Equal expressions may stand elsewhere, too.
    compared = {
        id(each)
        for part in parts
        if isinstance(part, t.RoutineCall) and _is_comparison(part)
        for each in part.arguments
        if _makes_float(each) and not _cuts(each)
    }
    return frozenset(found for part in parts if id(part) not in compared for found in _computed(part))


def _is_comparison(call: t.RoutineCall) -> bool:
    return call.type.name == "bool" and not call.cast


def _computed(part: object) -> Iterator[tuple[str, str]]:
    match part:
        case t.RoutineCall(type=t.Type(name=target)) if _makes_float(part):
            yield CAST, target
        case t.RoutineCall(arguments=arguments) if _is_comparison(part) and any(map(_cuts, arguments)):
            yield COMPARISON, "float8"
        case t.RoutineCall(cast=True):
            return
        case (
            t.RoutineCall(routine=routine, arguments=arguments)
            | t.AggregateCall(routine=routine, arguments=arguments)
            | t.Over(routine=routine, arguments=arguments)
        ):
            # What is cut to 32 bits is computed with 64, and cut in the core, too.
            kind = "float8" if isinstance(part, t.RoutineCall) and is_cut(part) else part.type.name
            of_numbers = kind in NUMBERS and any(each.type.name in NUMBERS for each in arguments)
            if of_numbers and routine.name not in _CHOOSING:
                yield routine.name, "integer" if kind in INTEGERS else kind


def _makes_float(value: t.Expr) -> bool:
    """Whether a value is a number that is made a float: a constant's digits are the float's."""
    match value:
        case t.RoutineCall(type=t.Type(name=target), arguments=(source,), routine=routine) if (
            target in FLOATS
        ):
            if is_cut(value) or (not value.cast and routine.name != target):
                return False
            if source.type.name == "float4":
                # Made wider, what was computed shows the digits that it lacks.
                return not is_single(source)
            return source.type.name in NUMBERS and not isinstance(source, t.TypedConstant)
    return False


def _cuts(value: t.Expr) -> bool:
    """Whether a value is a number that is made a float, which may not hold all of its digits."""
    match value:
        case t.RoutineCall(type=t.Type(name=target), arguments=(source,)) if _makes_float(value):
            return source.type.name == "float4" or _digits(source.type) > _KEPT[target]
    return False


def _digits(found: t.Type) -> float:
    """The most digits that a number of a type has."""
    if found.name == "numeric" and found.scale is not None:
        return (found.modifier - 4) >> 16
    return _DIGITS.get(found.name, float("inf"))


_OPERATORS = frozenset("+-*")
_KEEPING = frozenset(("sum", "min", "max"))


def has_narrow_fractions(query: t.TypedQuery) -> bool:
    """Whether a part of a query is a float of 32 bits that may be no whole number."""
    return any(part.type.name == "float4" and not is_whole(part) for part in found_in(query, t.Expr))


def is_whole(value: t.Expr) -> bool:
    """Whether a value is a whole number, or NULL, on every row."""
    if value.type.name in INTEGERS:
        return True
    match value:
        case t.TypedConstant(text=text):
            digits = (text or "0").lstrip("-").removesuffix(".0")
            return text is None or (value.type.name in NUMBERS and digits.isdecimal())
        case t.RoutineCall(cast=True, arguments=(inner, *_)):
            return value.type.name in NUMBERS and is_whole(inner)
        case t.RoutineCall(routine=routine, arguments=arguments):
            return routine.operator and routine.name in _OPERATORS and all(map(is_whole, arguments))
        case (
            t.AggregateCall(routine=routine, arguments=arguments)
            | t.Over(routine=routine, arguments=arguments)
        ):
            return routine.name in _KEEPING and all(map(is_whole, arguments))
        case t.NestedQuery(form=form) if form != "scalar":
            return False
    passed = _passed_by(value)
    return bool(passed) and all(map(is_whole, passed))


def _passed_by(value: t.Expr) -> tuple[t.Expr, ...]:
    """The expressions of which one is the value of an expression; none of one that computes its value."""
    match value:
        case t.Grouped(value=inner) | t.NullIf(value=inner):
            return (inner,)
        case t.Coalesce(arguments=arguments) | t.GreatestLeast(arguments=arguments):
            return arguments
        case t.CaseWhen(branches=branches, default=default):
            return (default, *(result for _, result in branches))
        case t.NestedQuery(query=t.Select(targets=targets)):
            return (targets[0].value,)
    return ()


_EXACT = frozenset(("-", "+", "abs", "@", "floor", "ceil", "ceiling", "trunc", "sign"))


def is_single(value: t.Expr) -> bool:
    """Whether a number of 32 bits may be none that a short decimal is."""
    if value.type.name != "float4":
        return False
    match value:
        case t.SourceColumn() | t.TypedConstant() | t.Conversion():
            return True
        case t.RoutineCall():
            return not is_whole(value)
        case t.AggregateCall(routine=routine) | t.Over(routine=routine):
            return routine.name in OF_ONE_ROW
    passed = _passed_by(value)
    return any(map(is_single, passed)) if passed else isinstance(value, t.NestedQuery)


def is_cut(value: t.RoutineCall) -> bool:
    """Whether digits of what a call computes are cut off, to those of 32 bits: a sign or a floor has none."""
    return is_single(value) and (value.cast or value.routine.name not in _EXACT or len(value.arguments) > 1)


def widened(value: t.Expr, found: exp.Expression, beside: t.Expr | None = None) -> exp.Expression:
    """A number of 32 bits as one of 64; as it is where that makes no difference beside another number."""
    if not is_single(value) or (beside is not None and _is_exact(beside)):
        return found
    if isinstance(value, t.TypedConstant) and value.text is not None:
        return number(repr(_single(float(value.text)))) if not _is_exact(value) else found
    return call("WIDENED", found)


def _is_exact(value: t.Expr) -> bool:
    """Whether a value is a constant that 32 bits hold: no other number of 32 bits is on its other side."""
    while isinstance(value, t.RoutineCall) and value.cast and len(value.arguments) == 1:
        value = value.arguments[0]
    if not isinstance(value, t.TypedConstant) or value.text is None or value.type.name not in _NUMBERS:
        return False
    return _single(float(value.text)) == float(value.text)


_NUMBERS = INTEGERS | {"numeric", "float4", "float8"}


def _single(value: float) -> float:
    try:
        (found,) = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        return float("inf")
    return float(found)
