"""FROM clauses: base tables, derived tables, common table expressions, and joins.

An outer join is the sum of the matched rows and of those that match nothing, padded with NULLs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from sqlglot import exp

from equiv.algebra.terms import (
    NULL,
    TRUE,
    Bag,
    Binding,
    Exists,
    Expression,
    Not,
    Scan,
    Term,
    conjunction,
)
from equiv.algebra.translate.generated import column_value
from equiv.algebra.translate.symbol_table import MAX_TERMS, NamedRows, Place, SymbolTable, Table
from equiv.core.unsupported import UnsupportedError

_ONE_ROW = NamedRows((), Bag((Term((), TRUE, ()),)))


def from_clause(select: exp.Expression, symbols: SymbolTable) -> NamedRows:
    """The rows of a FROM clause, conditions of its joins included.

    Raises:
        UnsupportedError: a source or a condition that the algebra cannot say.
    """
    first = select.args.get("from_")
    if first is None:
        return _ONE_ROW
    joined_rows = _source(first.this, symbols)
    waiting: list[exp.Expression] = []
    joins: Sequence[exp.Join] = select.args.get("joins") or ()
    one_sided = any(join.side.upper() in ("RIGHT", "FULL") for join in joins)
    for join in joins:
        right, on, side = _source(join.this, symbols), join.args.get("on"), join.side.upper()
        # Beside RIGHT and FULL an ON is no WHERE: it decides which rows are padded.
        if not side and on is not None and not one_sided and _looks_ahead(on, joined_rows, right, select):
            waiting.append(on)
            on = None
        joined_rows = _joined(joined_rows, right, on, side, symbols)
        if len(joined_rows.bag.terms) > MAX_TERMS:
            raise UnsupportedError("Join", "too many outer joins")
    for on in waiting:
        joined_rows = restricted(joined_rows, on, symbols)
    return joined_rows


def _looks_ahead(on: exp.Expression, left: NamedRows, right: NamedRows, select: exp.Expression) -> bool:
    """Whether the condition of an inner join, which is one of WHERE, mentions a source to its right."""
    from equiv.core.claims.block import source_aliases

    seen = {alias for alias, _ in (*left.layout, *right.layout)}
    mentioned = {column.text("table") for column in on.find_all(exp.Column)}
    return bool(mentioned & source_aliases(select) - seen)


def restricted(rows: NamedRows, condition: exp.Expression, symbols: SymbolTable) -> NamedRows:
    """The rows for which a condition is true."""
    from equiv.algebra.translate.expression import holds

    terms = [
        replace(t, condition=conjunction((t.condition, holds(condition, symbols.inside(rows.columns(t))))))
        for t in rows.bag.terms
    ]
    return NamedRows(rows.layout, Bag(tuple(terms)))


def _source(node: exp.Expression, symbols: SymbolTable) -> NamedRows:
    alias = node.alias_or_name
    if isinstance(node, exp.Subquery):
        from equiv.algebra.translate.query import table

        return _read(alias, table(node.this, symbols.around()), symbols)
    if not isinstance(node, exp.Table):
        raise UnsupportedError(type(node).__name__, "a source that the algebra does not know")
    cte = symbols.tables.get(node.name.lower())
    if cte is not None:
        copied = Table(cte.names, symbols.world.names.copy_of(cte.bag))
        return _read(alias, copied, symbols)
    base = symbols.world.schema.table(node.name)
    if base is None:
        raise UnsupportedError("Table", f"no such table: {node.name}")
    row = symbols.world.names.variable(base.name)
    mentioned = {name for owner, name in symbols.translation.used if owner == alias}
    columns = [column for column in base.columns if column.name in mentioned]
    if len(columns) < len(mentioned):
        unknown = sorted(mentioned - {column.name for column in columns})
        raise UnsupportedError("Column", f"{alias} has no such column: {unknown}")
    binding = Binding(row, Scan(base.name))
    values = tuple(column_value(binding, base, column, symbols.world) for column in columns)
    layout = tuple((alias, column.name) for column in columns)
    return NamedRows(layout, Bag((Term((binding,), TRUE, values),)))


def _read(alias: str, source: Table, symbols: SymbolTable) -> NamedRows:
    """The rows of a table under an alias, those columns only that are mentioned."""
    places = [n for n, name in enumerate(source.names) if (alias, name) in symbols.translation.used]
    terms = (replace(t, outputs=tuple(t.outputs[n] for n in places)) for t in source.bag.terms)
    return NamedRows(tuple((alias, source.names[n]) for n in places), Bag(tuple(terms)))


def _joined(
    left: NamedRows, right: NamedRows, on: exp.Expression | None, side: str, symbols: SymbolTable
) -> NamedRows:
    layout = (*left.layout, *right.layout)
    matched = _product(left, right)
    matched = matched if on is None else restricted(matched, on, symbols)
    terms = list(matched.bag.terms)
    if side in ("LEFT", "FULL"):
        alone = _unmatched(left, right, on, symbols)
        terms += [replace(t, outputs=(*t.outputs, *_nulls(right.layout))) for t in alone]
    if side in ("RIGHT", "FULL"):
        alone = _unmatched(right, left, on, symbols)
        terms += [replace(t, outputs=(*_nulls(left.layout), *t.outputs)) for t in alone]
    if side not in ("", "LEFT", "RIGHT", "FULL"):
        raise UnsupportedError("Join", f"a join of kind {side}")
    return NamedRows(layout, Bag(tuple(terms)))


def _nulls(layout: tuple[Place, ...]) -> tuple[Expression, ...]:
    return (NULL,) * len(layout)


def _product(left: NamedRows, right: NamedRows) -> NamedRows:
    terms = [
        Term(
            (*one.bindings, *two.bindings),
            conjunction((one.condition, two.condition)),
            (*one.outputs, *two.outputs),
        )
        for one, two in product(left.bag.terms, right.bag.terms)
    ]
    return NamedRows((*left.layout, *right.layout), Bag(tuple(terms)))


def _unmatched(
    kept: NamedRows, other: NamedRows, on: exp.Expression | None, symbols: SymbolTable
) -> list[Term]:
    """The rows of one side for which the condition is true with no row of the other."""
    found: list[Term] = []
    copy = symbols.world.names.copy_of
    for term in kept.bag.terms:
        around = symbols.inside(kept.columns(term))
        partners = other if on is None else restricted(other, on, around)
        bare = Bag(tuple(replace(each, outputs=()) for each in partners.bag.terms))
        # NOT EXISTS, not NOT ON: an ON that is NULL for every partner pads the row too.
        alone = replace(term, condition=conjunction((term.condition, Not(Exists(bare)))))
        found += copy(Bag((alone,))).terms
    return found
