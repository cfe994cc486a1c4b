"""What DuckDB has of its own in the words of PostgreSQL's typed tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.lowering.joins import nearest, without_half_joins
from equiv.dialects.duckdb.lowering.mapping import mapped
from equiv.dialects.duckdb.lowering.row_values import compared_rows, contained
from equiv.dialects.duckdb.lowering.unpivoting import stacked
from equiv.dialects.duckdb.resolving.tree import (
    AsofJoined,
    Between,
    Contained,
    NotDistinct,
    Qualified,
    RowCompared,
    RowIn,
    Tried,
    Unpivoted,
    comparison,
    own,
)
from equiv.dialects.duckdb.resolving.types import BIGINT, BOOLEAN
from equiv.dialects.typed import tree as t

_DIGITS = 18
_WHOLE = re.compile(r"(0|-?[1-9][0-9]*)\Z")
"""A whole number as DuckDB writes it."""


def desugared(query: t.TypedQuery) -> t.TypedQuery:
    """The same query without what PostgreSQL's typed tree lacks.

    Raises:
        UnsupportedError: a SEMI or ANTI join stands where its rows may be padded.
    """
    numbers = count(_highest(query) + 1)
    found = mapped(query, lambda value: _desugared(value, numbers))
    assert isinstance(found, t.Select | t.SetQuery)
    return found


def _highest(query: t.TypedQuery) -> int:
    return max(
        (each.number for each in t.parts_of(query) if isinstance(each, t.FromSource | t.CommonTable)),
        default=0,
    )


def _desugared(value: object, numbers: Iterator[int]) -> object:
    match value:
        case t.Expr():
            return _expression(value)
        case AsofJoined():
            return nearest(value, next(numbers))
        case Unpivoted():
            return stacked(value)
        case Qualified():
            plain = without_half_joins(value)
            return plain if plain.qualify is None else _filtered(plain, next(numbers))
    return value


def _expression(value: t.Expr) -> t.Expr:
    match value:
        case Between(operands=operands):
            return t.Logic(BOOLEAN, "and", operands)
        case RowCompared():
            return compared_rows(value)
        case RowIn(operands=operands):
            return t.Logic(BOOLEAN, "or", operands)
        case Contained():
            return contained(value)
        case Tried(type=kind, routine=routine, arguments=arguments):
            return t.RoutineCall(kind, routine, arguments)
        case t.IsDistinct(
            left=t.RoutineCall(cast=True, arguments=(whole,)), right=t.TypedConstant(text=str(text))
        ) if _is_text_of(whole, value.left, text):
            number = t.TypedConstant(whole.type, text)
            return t.IsDistinct(BOOLEAN, comparison("=", whole, number), whole, number)
        case NotDistinct(operands=operands):
            return t.Logic(BOOLEAN, "not", operands)
        case t.Now(word="TODAY"):
            return replace(value, word="CURRENT_DATE")
        case t.AggregateCall(arguments=(first,)) | t.Over(arguments=(first,)) if _adds_truths(value, first):
            whole = t.RoutineCall(BIGINT, own("int8", (first,)), (first,), cast=True)
            # Of no true or false value COUNT_IF too is NULL.
            routine = replace(value.routine, name="sum", arguments=("int8",))
            return replace(value, routine=routine, arguments=(whole,))
    return value


def _is_text_of(whole: t.Expr, shown: t.Expr, text: str) -> bool:
    """Whether a text is that of an integer, beside the text of an integer: then the integers compare."""
    is_text = whole.type.name in ("int2", "int4", "int8") and shown.type.name == "text"
    return is_text and len(text) < _DIGITS and _WHOLE.match(text) is not None


def _adds_truths(value: t.AggregateCall | t.Over, first: t.Expr) -> bool:
    return value.routine.name in ("sum", "count_if", "countif") and first.type.name == "bool"


def _filtered(query: Qualified, number: int) -> t.Select:
    """QUALIFY as a condition on a derived table, which computes the windows."""
    assert query.qualify is not None
    if query.distinct_on:
        raise UnsupportedError("Distinct", "DISTINCT ON with QUALIFY")
    targets = [*query.targets, t.ResultColumn(query.qualify, "qualify")]
    places = []
    for key in query.order:
        values = [each.value for each in targets]
        if key.value not in values:
            targets.append(t.ResultColumn(key.value, "key"))
            values.append(key.value)
        places.append(values.index(key.value))
    names = tuple(each.name for each in targets)
    inner = replace(
        query, targets=tuple(targets), qualify=None, distinct=False, order=(), limit=None, ctes=()
    )
    fields = [t.SourceColumn(each.value.type, number, place) for place, each in enumerate(targets, 1)]
    shown = len(query.targets)
    return Qualified(
        tuple(
            t.ResultColumn(field, each.name)
            for field, each in zip(fields[:shown], query.targets, strict=True)
        ),
        (t.DerivedTable(number, "qualified", names, inner),),
        fields[shown],
        None,
        None,
        distinct=query.distinct,
        distinct_on=(),
        order=tuple(
            t.SortKey(fields[place], key.descending, key.nulls_first)
            for place, key in zip(places, query.order, strict=True)
        ),
        limit=query.limit,
        ctes=query.ctes,
        aggregates=False,
    )
