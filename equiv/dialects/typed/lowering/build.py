"""Nodes of the core, built short: unique names, what types become, parameters."""

from __future__ import annotations

from collections.abc import Iterable
from secrets import token_hex

from sqlglot import exp

from equiv.core.building import call, column, derived, identifier, named, outputs, select, table
from equiv.core.functions.table import CASTS
from equiv.core.model import Affinity
from equiv.core.query import UnsupportedError
from equiv.dialects.typed import tree as t
from equiv.names import UniqueNames, fold

__all__ = ["call", "column", "derived", "identifier", "named", "outputs", "select", "table"]


def unique(wanted: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number behind them."""
    names = UniqueNames()
    return [names.fresh("column" if fold(name) in _UNNAMED else name) for name in wanted]


_UNNAMED = frozenset(("", "?column?", "true", "false"))
"""Names that say nothing, and those under which SQLite's subqueries show no column."""


_SIZES = {"int2": 2, "int4": 4, "int8": 8}
INTEGERS = frozenset(_SIZES)
FLOATS = frozenset(("float4", "float8"))
NUMBERS = INTEGERS | FLOATS | {"numeric"}
TEXTS = frozenset(("text", "varchar", "name"))
STAMPS = frozenset(("timestamp", "timestamptz"))
PLAIN = NUMBERS | TEXTS | STAMPS | {"bool", "bpchar", "date", "time", "uuid", "unknown"}
"""Types whose values are cells of the core that are equal, and in order, just if the values are."""
_PLAIN_BELOW = INTEGERS | {"bool", "date", "uuid"}
"""Those of which the same is true of a domain, which no other reading asks for by their names."""


def is_plain(found: t.Type) -> bool:
    """Whether values of a type are cells of the core that are equal just if the values are."""
    below = found.base.name if found.base is not None else ""
    return found.name in PLAIN or found.sort == "e" or below in _PLAIN_BELOW


def require_plain(found: t.Type, where: str) -> None:
    """Make sure that values can be compared as cells of the core.

    Raises:
        UnsupportedError: they cannot.
    """
    if not is_plain(found):
        raise UnsupportedError("Type", f"{found.name} in {where}")


def require_ordered(found: t.Type, where: str) -> None:
    """Make sure that the core orders the values, or the ranks of labels, as PostgreSQL does.

    Raises:
        UnsupportedError: it does not.
    """
    require_plain(found, where)
    if found.sort == "e" and not found.labels:
        raise UnsupportedError("Type", f"the order of an enumerated type in {where}")


def number(text: str) -> exp.Expression:
    """A number by its digits."""
    return exp.Neg(this=exp.Literal.number(text[1:])) if text.startswith("-") else exp.Literal.number(text)


def string(text: str) -> exp.Expression:
    """A text."""
    return exp.Literal.string(text)


def cast(value: exp.Expression, to: str) -> exp.Expression:
    """CAST to INTEGER, REAL or TEXT."""
    return exp.Cast(this=value, to=exp.DataType(this=CASTS[Affinity(to)]))


def real(value: exp.Expression) -> exp.Expression:
    """A number as a REAL, so that division does not cut it off."""
    return cast(value, "REAL")


def joined(*parts: exp.Expression) -> exp.Expression:
    """Texts one after another."""
    found = parts[0]
    for part in parts[1:]:
        found = exp.DPipe(this=found, expression=part)
    return found


def part(value: exp.Expression, start: int, length: int | None = None) -> exp.Expression:
    """Characters of a text from a place on, counted from 1."""
    given = [value, number(str(start))]
    return call("SUBSTR", *given, *([] if length is None else [number(str(length))]))


def case(
    branches: Iterable[tuple[exp.Expression, exp.Expression]], default: exp.Expression
) -> exp.Expression:
    """CASE with conditions."""
    ifs = [exp.If(this=condition, true=value) for condition, value in branches]
    return exp.Case(ifs=ifs, default=default)


def all_of(parts: Iterable[exp.Expression], node: type[exp.Expression] = exp.And) -> exp.Expression:
    """Conditions joined by AND, or by another operator."""
    found: exp.Expression | None = None
    for each in parts:
        found = each if found is None else node(this=found, expression=each)
    assert found is not None
    return found


def is_null(value: exp.Expression) -> exp.Expression:
    """IS NULL."""
    return exp.Is(this=value, expression=exp.Null())


_MARK = f"equiv_parameter_{token_hex(8)}."
"""Before the type and the name of a parameter: no server has such a setting, and no text can name it."""


def setting(kind: str, name: str) -> str:
    """The setting that stands for a parameter of a type."""
    return f"{_MARK}{kind}.{name}"


def is_widened(narrow: str, wide: str) -> bool:
    """Whether all whole numbers of one type are among those of another, by their names."""
    return narrow in _SIZES and wide in _SIZES and _SIZES[narrow] < _SIZES[wide]


def parameter_of(value: t.Expr) -> str | None:
    """The name of the parameter that an expression stands for, or None.

    A cast to wider whole numbers gives the same number, so that it stands for the parameter too.
    """
    match value:
        case t.ParameterValue(name=name):
            return name
        case t.RoutineCall(cast=True, type=t.Type(name=wide), arguments=(narrow,)) if is_widened(
            narrow.type.name, wide
        ):
            return parameter_of(narrow)
        case (
            t.Conversion(value=t.RoutineCall() as call, type=found)
            | t.RoutineCall(cast=True, arguments=(t.RoutineCall() as call,), type=found)
        ) if found.name != "text":
            kind = found.name
        case t.RoutineCall() as call:
            kind = "text"
        case _:
            return None
    if call.routine.name != "current_setting" or len(call.arguments) != 1:
        return None
    asked = call.arguments[0]
    prefix = setting(kind, "")
    if not isinstance(asked, t.TypedConstant) or asked.text is None or not asked.text.startswith(prefix):
        return None
    return asked.text.removeprefix(prefix)
