"""The operations on numbers of a typed query, with the kind of number that each is computed in.

The core has one addition, and takes a number for the same one whatever its type.  An engine adds integers,
decimals and floats of two widths each in its own way, and cuts digits off where it makes a float of a number.
"""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.query import CAST, COMPARISON
from equiv.dialects.typed.lowering.numbers.singles import is_cut, is_single
from equiv.dialects.typed.lowering.types import FLOATS, INTEGERS, NUMBERS
from equiv.dialects.typed.tree import Aggregate, Call, Constant, Expr, Over, Query, Type, parts_of

_CHOOSING = frozenset(
    """count min max lag lead first_value last_value nth_value row_number rank dense_rank ntile
    first last arg_min arg_max any_value""".split()  # noqa: SIM905
)
_DIGITS = {"int2": 5, "int4": 10, "int8": 19}
_KEPT = {"float4": 6, "float8": 15}
"""How many digits of a decimal number a float keeps in any case."""


def computed_in(query: Query) -> frozenset[tuple[str, str]]:
    """The names of the operations on numbers, each with ``integer``, ``numeric``, ``float4`` or ``float8``.

    Among them are a cast to a float, unless it keeps all digits and is only compared, and a comparison with
    a float that a cast may have cut digits off.
    """
    parts = list(parts_of(query))
    # Equal expressions may stand elsewhere, too.
    compared = {
        id(each)
        for part in parts
        if isinstance(part, Call) and _is_comparison(part)
        for each in part.arguments
        if _makes_float(each) and not _cuts(each)
    }
    return frozenset(found for part in parts if id(part) not in compared for found in _computed(part))


def _is_comparison(call: Call) -> bool:
    return call.type.name == "bool" and not call.cast


def _computed(part: object) -> Iterator[tuple[str, str]]:
    match part:
        case Call(type=Type(name=target)) if _makes_float(part):
            yield CAST, target
        case Call(arguments=arguments) if _is_comparison(part) and any(map(_cuts, arguments)):
            yield COMPARISON, "float8"
        case Call(cast=True):
            return
        case (
            Call(routine=routine, arguments=arguments)
            | Aggregate(routine=routine, arguments=arguments)
            | Over(routine=routine, arguments=arguments)
        ):
            # What is cut to 32 bits is computed with 64, and cut in the core, too.
            kind = "float8" if isinstance(part, Call) and is_cut(part) else part.type.name
            of_numbers = kind in NUMBERS and any(each.type.name in NUMBERS for each in arguments)
            if of_numbers and routine.name not in _CHOOSING:
                yield routine.name, "integer" if kind in INTEGERS else kind


def _makes_float(value: Expr) -> bool:
    """Whether a value is a number that is made a float: a constant's digits are the float's."""
    match value:
        case Call(type=Type(name=target), arguments=(source,), routine=routine) if target in FLOATS:
            if is_cut(value) or (not value.cast and routine.name != target):
                return False
            if source.type.name == "float4":
                # Made wider, what was computed shows the digits that it lacks.
                return not is_single(source)
            return source.type.name in NUMBERS and not isinstance(source, Constant)
    return False


def _cuts(value: Expr) -> bool:
    """Whether a value is a number that is made a float, which may not hold all of its digits."""
    match value:
        case Call(type=Type(name=target), arguments=(source,)) if _makes_float(value):
            return source.type.name == "float4" or _digits(source.type) > _KEPT[target]
    return False


def _digits(found: Type) -> float:
    """The most digits that a number of a type has."""
    if found.name == "numeric" and found.scale is not None:
        return (found.modifier - 4) >> 16
    return _DIGITS.get(found.name, float("inf"))
