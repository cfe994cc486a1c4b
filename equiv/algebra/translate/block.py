"""One SELECT: FROM, WHERE, GROUP BY, HAVING, windows, projections, DISTINCT and the keys of ORDER BY."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from sqlglot import exp

from equiv.algebra.terms import (
    Bag,
    Binding,
    Direction,
    Expression,
    Field,
    Limited,
    Squash,
    Term,
    conjunction,
)
from equiv.algebra.translate.collation import sorted_row
from equiv.algebra.translate.comparison import same
from equiv.algebra.translate.expression import expression
from equiv.algebra.translate.group import grouped
from equiv.algebra.translate.query import all_of, direction
from equiv.algebra.translate.sources import from_clause, restricted
from equiv.algebra.translate.stage import Stage
from equiv.algebra.translate.symbol_table import SymbolTable
from equiv.algebra.translate.window import windowed
from equiv.core.claims.block import is_grouped
from equiv.core.printing.trees import key
from equiv.core.unsupported import UnsupportedError

_DEEP = (exp.Query, exp.AggFunc, exp.Window, exp.Anonymous)
"""Node classes that bar a sort key of SELECT DISTINCT from being computed from the outputs."""

Sorted = tuple[Bag, tuple[Direction, ...]]
"""A bag whose last outputs are keys, and how they sort."""


def block(select: exp.Expression, symbols: SymbolTable) -> Sorted:
    """The rows of one SELECT, with the keys of its ORDER BY as further outputs."""
    for name in ("distinct", "having", "group"):
        clause = select.args.get(name)
        if clause is not None and clause.args.get("on"):
            raise UnsupportedError("Distinct", "DISTINCT ON")
    rows = from_clause(select, symbols)
    where = select.args.get("where")
    if where is not None:
        rows = restricted(rows, where.this, symbols)
    if is_grouped(select):
        stage = grouped(select, rows, symbols)
    elif select.args.get("having") is not None:
        raise UnsupportedError("Having", "HAVING without a group")
    else:
        stage = Stage.of(rows, symbols)
    stage = windowed(select, stage, symbols)
    outputs = [each.unalias() for each in select.expressions]
    order = select.args.get("order")
    # A literal left here is no position (these are resolved): it sorts nothing.
    terms = [] if order is None else [t for t in order.expressions if not _is_constant(t.this)]
    if select.args.get("distinct") is not None:
        return _distinct(select, terms, stage, symbols)
    order_keys = [t.this for t in terms]
    bag = stage.bag([*outputs, *order_keys], expression)
    sorted_ = (replace(t, outputs=_with_keys(t.outputs, order_keys, symbols)) for t in bag.terms)
    return Bag(tuple(sorted_)), tuple(direction(t) for t in terms)


def _with_keys(
    values: tuple[Expression, ...], nodes: Sequence[exp.Expression], symbols: SymbolTable
) -> tuple[Expression, ...]:
    """The values, of which the last ones, those of some nodes, are as ORDER BY compares them."""
    split = len(values) - len(nodes)
    return (*values[:split], *sorted_row(nodes, values[split:], symbols))


def _is_constant(node: exp.Expression) -> bool:
    return isinstance(node, exp.Null | exp.Literal | exp.Boolean)


def _distinct(
    select: exp.Expression, terms: list[exp.Expression], stage: Stage, symbols: SymbolTable
) -> Sorted:
    """SELECT DISTINCT: a key of its order is computed from the outputs, or else from a merged row."""
    outputs = [each.unalias() for each in select.expressions]
    places = [key(output) for output in outputs]
    keys_are_columns = select is symbols.translation.tree and all(key(t.this) in places for t in terms)
    for output in outputs:
        symbols.translation.require_merging([output], "DISTINCT", shown=keys_are_columns)
    bag = all_of(Squash(stage.bag(outputs, expression)), len(outputs), symbols, "distinct")
    kept = bag.terms[0]
    keys = [_key(t.this, outputs, kept, symbols) for t in terms]
    hidden = [t.this for t, sort_key in zip(terms, keys, strict=True) if sort_key is None]
    if hidden:
        row = symbols.world.names.variable("merged")
        source = _merged(select, hidden, stage, kept, symbols)
        kept = replace(kept, bindings=(*kept.bindings, Binding(row, source)))
        numbers = count()
        keys = [sort_key or Field(row, next(numbers)) for sort_key in keys]
    outputs_and_keys = (*kept.outputs, *(each for each in keys if each is not None))
    sorted_rows = replace(kept, outputs=_with_keys(outputs_and_keys, [t.this for t in terms], symbols))
    return Bag((sorted_rows,)), tuple(direction(t) for t in terms)


def _merged(
    select: exp.Expression, hidden: list[exp.Expression], stage: Stage, kept: Term, symbols: SymbolTable
) -> Limited:
    """One of the rows that were merged into one: SQLite sorts by the first that it comes across."""
    outputs = [each.unalias() for each in select.expressions]
    bag = symbols.world.names.copy_of(stage.bag([*outputs, *hidden], expression))
    split = len(outputs)
    terms = (
        Term(t.bindings, conjunction((t.condition, same(t.outputs[:split], kept.outputs))), t.outputs[split:])
        for t in bag.terms
    )
    return Limited(Bag(tuple(terms)), len(hidden), (), 1, 0, symbols.translation.site(select, "merged"))


def _key(
    node: exp.Expression, outputs: list[exp.Expression], kept: Term, symbols: SymbolTable
) -> Expression | None:
    """A key of the order by the outputs of SELECT DISTINCT; None if it needs more than these."""
    places = [key(output) for output in outputs]
    plain = node.this if isinstance(node, exp.Collate) else node
    if key(plain) in places:
        return kept.outputs[places.index(key(plain))]
    columns = {
        (output.text("table"), output.name): value
        for output, value in zip(outputs, kept.outputs, strict=True)
        if isinstance(output, exp.Column)
    }
    mentioned = {(column.text("table"), column.name) for column in node.find_all(exp.Column)}
    if node.find(*_DEEP) is not None or not mentioned <= set(columns):
        return None
    return expression(node, symbols.inside(columns))
