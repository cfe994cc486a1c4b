"""The lengths that values of character(n) show in columns whose types no longer say so."""

from __future__ import annotations

from equiv.dialects.typed.tree import (
    AggregateCall,
    CaseWhen,
    Coalesce,
    CommonTable,
    CommonTableUse,
    Compound,
    DerivedTable,
    Expr,
    Grouped,
    Over,
    Select,
    SetOperand,
    SourceColumn,
    TypedConstant,
    TypedQuery,
    parts_of,
)

_KEEPING = ("min", "max", "lag", "lead", "first_value", "last_value", "nth_value", "any_value")
"""Aggregates and window functions whose values are among those of their first argument, or NULL."""
_DEEPEST = 40


def shown_lengths(query: TypedQuery) -> tuple[int | None, ...]:
    """For each column the characters that its values show, blanks behind among them; None: not known."""
    parts = list(parts_of(query))
    queries = {part.number: part.query for part in parts if isinstance(part, DerivedTable)}
    ctes = {part.number: part.query for part in parts if isinstance(part, CommonTable)}
    queries |= {
        part.number: ctes[part.cte] for part in parts if isinstance(part, CommonTableUse) and part.cte in ctes
    }
    return tuple(_column(query, place, queries, 0) for place in range(_width(query)))


def _width(query: TypedQuery) -> int:
    return len(query.targets) if isinstance(query, Select) else len(query.body.types)


def _column(query: TypedQuery, place: int, queries: dict[int, TypedQuery], depth: int) -> int | None:
    if isinstance(query, Select):
        return _length(query.targets[place].value, queries, depth)
    return _operand(query.body, place, queries, depth)


def _operand(
    body: Compound | SetOperand, place: int, queries: dict[int, TypedQuery], depth: int
) -> int | None:
    if isinstance(body, SetOperand):
        return _column(body.query, place, queries, depth)
    sides = {_operand(side, place, queries, depth) for side in (body.left, body.right)}
    return sides.pop() if len(sides) == 1 else None


def _length(value: Expr, queries: dict[int, TypedQuery], depth: int) -> int | None:
    if value.type.name != "bpchar" or depth > _DEEPEST:
        return None
    if value.type.length is not None:
        return value.type.length
    match value:
        case Grouped(value=inner):
            return _length(inner, queries, depth + 1)
        case AggregateCall() | Over() if value.routine.name in _KEEPING and len(value.arguments) < 3:
            return _length(value.arguments[0], queries, depth + 1)
        case SourceColumn(source=source, position=position) if source in queries:
            return _column(queries[source], position - 1, queries, depth + 1)
        case Coalesce(arguments=results):
            return _common(results, queries, depth)
        case CaseWhen(branches=branches, default=default):
            return _common((*(result for _, result in branches), default), queries, depth)
    return None


def _common(results: tuple[Expr, ...], queries: dict[int, TypedQuery], depth: int) -> int | None:
    """The length of all values of several expressions, NULL apart."""
    shown = [each for each in results if not (isinstance(each, TypedConstant) and each.text is None)]
    lengths = {_length(each, queries, depth + 1) for each in shown}
    return lengths.pop() if len(lengths) == 1 else None
