"""Origins of the values of an expression, and the effect of a conversion on values of an origin.

CASE, COALESCE, MIN, a derived table and a scalar subquery hand values on as they are: the values of an
expression come from the columns, literals and computed expressions at the end of these ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from equiv.core.affinity import Affinity
from equiv.core.claims.predicates import is_boolean, is_number, is_text
from equiv.core.claims.sources import base_column, feeds, select_operands
from equiv.core.claims.value_types import Applied, affinity, cast_affinity, results
from equiv.core.context import Context
from equiv.core.functions.nodes import function_of


class Sort(StrEnum):
    """The kind of values that an origin gives, whatever the facts are."""

    NUMBER = "number"
    """NULL or a number."""
    TEXT = "text"
    """Values that TEXT affinity leaves unchanged: no number."""
    WORD = "word"
    """A text that no affinity makes a number of."""
    CONVERTED = "converted"
    """Values that NUMERIC affinity leaves unchanged: a column applied it when they were stored."""
    ANY = "any"


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """A base table's column, a literal, a parameter, or the columns from which a value is computed."""

    sort: Sort
    name: str
    is_constant: bool = False

    def __str__(self) -> str:
        return self.name


_UNCHANGED = {
    Applied.NUMERIC: (Sort.NUMBER, Sort.CONVERTED, Sort.WORD),
    Applied.TEXT: (Sort.TEXT, Sort.WORD),
    Applied.WEAK: (Sort.TEXT, Sort.WORD),
}


def effect(conversion: Applied, origin: Origin) -> str:
    """The effect of a conversion on values of an origin: its name if it may change one, else ''."""
    if conversion is Applied.NONE or origin.sort in _UNCHANGED.get(conversion, ()):
        return ""
    return str(conversion)


def origins(node: exp.Expression, ctx: Context) -> Iterator[Origin]:
    """The origins of an expression's values; NULL has none."""
    match node:
        case exp.Null():
            return
        case exp.Collate() | exp.Filter() | exp.Window() | exp.Alias():
            yield from origins(node.this, ctx)
        case exp.Column():
            yield from _of_column(node, ctx)
        case exp.Subquery() if all(operand.expressions for operand in select_operands(node.this)):
            for operand in select_operands(node.this):
                yield from origins(operand.expressions[0].unalias(), ctx)
        case exp.Literal() | exp.Neg() if is_number(node):
            yield Origin(Sort.NUMBER, node.sql(), is_constant=True)
        case exp.Literal() if is_text(node):
            is_word = not any(character.isdigit() for character in node.name)
            yield Origin(Sort.WORD if is_word else Sort.TEXT, repr(node.name), is_constant=True)
        case exp.Parameter():
            yield Origin(Sort.ANY, f"?{node.name}", is_constant=True)
        case _ if _passes(node):
            for result in results(node):
                yield from origins(result, ctx)
        case _:
            yield Origin(_sort(node), _computed(node, ctx))


def _passes(node: exp.Expression) -> bool:
    function = function_of(node)
    return isinstance(node, exp.Case) or (function is not None and function.passes)


def _of_column(column: exp.Expression, ctx: Context) -> Iterator[Origin]:
    base = base_column(column, ctx)
    if base is not None:
        yield Origin(_STORED.get(affinity(column, ctx), Sort.ANY), f"{base[0].name}.{base[1].name}")
        return
    fed = feeds(column)
    if fed is None:
        yield Origin(Sort.ANY, "a column")
    for each in fed or ():
        yield from origins(each, ctx)


_STORED = {Applied.NUMERIC: Sort.CONVERTED, Applied.TEXT: Sort.TEXT}


def _computed(node: exp.Expression, ctx: Context) -> str:
    """The columns of base tables from which a value is computed."""
    names = {origin.name for column in node.find_all(exp.Column) for origin in origins(column, ctx)}
    return f"computed from {', '.join(sorted(names))}" if names else "computed"


def _sort(node: exp.Expression) -> Sort:
    if isinstance(node, exp.Cast):
        target = cast_affinity(node)
        return {Affinity.BLOB: Sort.ANY, Affinity.TEXT: Sort.TEXT}.get(target, Sort.NUMBER)
    if is_boolean(node):
        return Sort.NUMBER
    function = function_of(node)
    if function is None:
        return Sort.ANY
    if function.is_number:
        return Sort.NUMBER
    return Sort.TEXT if function.results <= {"text", "blob"} else Sort.ANY
