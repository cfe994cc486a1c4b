"""One SELECT: FROM, WHERE, GROUP BY, HAVING, windows, projections, DISTINCT and the keys of ORDER BY.

FROM has base tables, derived tables, common table expressions, and joins.  An outer join is the sum of the
matched rows and of those that match nothing, padded with NULLs.

A generated column is its expression over the other columns of the row.  It stays as it is where storing its
value may convert it, or where a fact speaks of it that is neither a CHECK nor its type: a key, NOT NULL, a
reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count, product

from sqlglot import exp

from equiv.algebra import terms as t
from equiv.algebra.kinds import kinds
from equiv.algebra.translate.comparison import same, sorted_row
from equiv.algebra.translate.expression import expression
from equiv.algebra.translate.group import grouped
from equiv.algebra.translate.query import all_of, direction
from equiv.algebra.translate.symbol_table import (
    MAX_TERMS,
    AliasedColumn,
    NamedRows,
    NamedTable,
    Stage,
    SymbolTable,
    Translation,
)
from equiv.algebra.translate.window import windowed
from equiv.algebra.world import World
from equiv.core.claims.blocks import is_grouped
from equiv.core.functions.traits import ALL, BLOBS, NULL_ONLY, REALS, TEXTS, WHOLE, StorageClass
from equiv.core.model import Affinity, Column, Table
from equiv.core.printing import key
from equiv.core.query import UnsupportedError
from equiv.dialects.registry import reference
from equiv.facts import FactKind
from equiv.names import fold, folded

_KEPT: dict[Affinity, frozenset[StorageClass]] = {
    Affinity.BLOB: ALL,
    Affinity.TEXT: NULL_ONLY | TEXTS | BLOBS,
    # A REAL that is whole is stored as an integer.
    Affinity.INTEGER: WHOLE | BLOBS,
    Affinity.NUMERIC: WHOLE | BLOBS,
    Affinity.REAL: NULL_ONLY | REALS | BLOBS,
}
"""The storage classes that a column of an affinity stores as they are."""


def column_value(binding: t.Binding, table: Table, column: Column, world: World) -> t.Expression:
    """The value of a column of a row: its expression if it is generated, else the field itself."""
    if column.generated and column.expression and not _is_spoken_of(table, column, world):
        found = _computed(binding, table, column, world)
        if found is not None:
            return found
    return t.Field(binding.row, column.name)


def _is_spoken_of(table: Table, column: Column, world: World) -> bool:
    """Whether a fact other than a CHECK or its type names the column."""
    place = (fold(table.name), fold(column.name))
    silent = (FactKind.CHECK, FactKind.TYPE)
    return any(fact.kind not in silent and place in fact.places for fact in world.facts)


def _computed(binding: t.Binding, table: Table, column: Column, world: World) -> t.Expression | None:
    """The expression of a generated column over a row; None if it cannot be said or is converted."""
    from equiv.algebra.translate.expression import expression

    query = reference().rows_breaking(column.expression, table)
    where = query.args.get("where") if query is not None else None
    if query is None or where is None or not isinstance(where.this, exp.Not):
        return None
    others = folded(node.name for node in where.find_all(exp.Column))
    # Columns may be generated from generated ones, but in no circle.
    values = {
        (table.name, each.name): column_value(binding, table, each, world)
        for each in table.columns
        if fold(each.name) in others and each.name != column.name
    }
    try:
        found = expression(where.this.this, SymbolTable(Translation(query, world)).inside(values))
    except UnsupportedError:
        return None
    trial = World(world.schema, world.facts, world.names)
    if not kinds(found, trial, {binding.row: binding.source}) <= _KEPT[column.affinity]:
        return None
    world.use(trial.used)
    return found


_DEEP = (exp.Query, exp.AggFunc, exp.Window, exp.Anonymous)
"""Node classes that bar a sort key of SELECT DISTINCT from being computed from the outputs."""

Sorted = tuple[t.Bag, tuple[t.Direction, ...]]
"""A bag whose last outputs are keys, and how they sort."""


def block(select: exp.Expression, symbols: SymbolTable) -> Sorted:
    """The rows of one SELECT, with the keys of its ORDER BY as further outputs."""
    for name in ("distinct", "having", "group"):
        clause = select.args.get(name)
        if clause is not None and clause.args.get("on"):
            raise UnsupportedError("Distinct", "DISTINCT ON")
    rows = _from_clause(select, symbols)
    where = select.args.get("where")
    if where is not None:
        rows = _restricted(rows, where.this, symbols)
    if is_grouped(select):
        stage = grouped(select, rows, symbols)
    elif select.args.get("having") is not None:
        raise UnsupportedError("Having", "HAVING without GROUP BY")
    else:
        stage = Stage.of(rows, symbols)
    stage = windowed(select, stage, symbols)
    outputs = [each.unalias() for each in select.expressions]
    order = select.args.get("order")
    # A literal left here is no position (these are resolved): it sorts nothing.
    terms = [] if order is None else [each for each in order.expressions if not _is_constant(each.this)]
    if select.args.get("distinct") is not None:
        return _distinct(select, terms, stage, symbols)
    order_keys = [each.this for each in terms]
    bag = stage.bag([*outputs, *order_keys], expression)
    sorted_ = (replace(each, outputs=_with_keys(each.outputs, order_keys, symbols)) for each in bag.terms)
    return t.Bag(tuple(sorted_)), tuple(direction(each) for each in terms)


def _with_keys(
    values: tuple[t.Expression, ...], nodes: Sequence[exp.Expression], symbols: SymbolTable
) -> tuple[t.Expression, ...]:
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
    keys_are_columns = select is symbols.translation.tree and all(key(each.this) in places for each in terms)
    for output in outputs:
        symbols.translation.require_merging([output], "DISTINCT", shown=keys_are_columns)
    bag = all_of(t.Squash(stage.bag(outputs, expression)), len(outputs), symbols, "distinct")
    kept = bag.terms[0]
    keys = [_key(each.this, outputs, kept, symbols) for each in terms]
    hidden = [each.this for each, sort_key in zip(terms, keys, strict=True) if sort_key is None]
    if hidden:
        row = symbols.world.names.variable("merged")
        source = _merged(select, hidden, stage, kept, symbols)
        kept = replace(kept, bindings=(*kept.bindings, t.Binding(row, source)))
        numbers = count()
        keys = [sort_key or t.Field(row, next(numbers)) for sort_key in keys]
    outputs_and_keys = (*kept.outputs, *(each for each in keys if each is not None))
    sorted_rows = replace(kept, outputs=_with_keys(outputs_and_keys, [each.this for each in terms], symbols))
    return t.Bag((sorted_rows,)), tuple(direction(each) for each in terms)


def _merged(
    select: exp.Expression, hidden: list[exp.Expression], stage: Stage, kept: t.Term, symbols: SymbolTable
) -> t.Limited:
    """One of the rows that were merged into one: SQLite sorts by the first that it comes across."""
    outputs = [each.unalias() for each in select.expressions]
    bag = symbols.world.names.copy_of(stage.bag([*outputs, *hidden], expression))
    split = len(outputs)
    terms = (
        t.Term(
            each.bindings,
            t.conjunction((each.condition, same(each.outputs[:split], kept.outputs))),
            each.outputs[split:],
        )
        for each in bag.terms
    )
    return t.Limited(t.Bag(tuple(terms)), len(hidden), (), 1, 0, symbols.translation.site(select, "merged"))


def _key(
    node: exp.Expression, outputs: list[exp.Expression], kept: t.Term, symbols: SymbolTable
) -> t.Expression | None:
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


_ONE_ROW = NamedRows((), t.Bag((t.Term((), t.TRUE, ()),)))


def _from_clause(select: exp.Expression, symbols: SymbolTable) -> NamedRows:
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
        on, side = join.args.get("on"), join.side.upper()
        if join.this.args.get("lateral"):
            joined_rows = _beside(joined_rows, join.this, on, side, symbols)
            continue
        right = _source(join.this, symbols)
        # Beside RIGHT and FULL an ON is no WHERE: it decides which rows are padded.
        if not side and on is not None and not one_sided and _looks_ahead(on, joined_rows, right, select):
            waiting.append(on)
            on = None
        joined_rows = _joined(joined_rows, right, on, side, symbols)
        if len(joined_rows.bag.terms) > MAX_TERMS:
            raise UnsupportedError("Join", "too many outer joins")
    for on in waiting:
        joined_rows = _restricted(joined_rows, on, symbols)
    return joined_rows


def _beside(
    left: NamedRows, node: exp.Expression, on: exp.Expression | None, side: str, symbols: SymbolTable
) -> NamedRows:
    """The rows of a FROM clause, each with those of a subquery that sees it."""
    if side not in ("", "LEFT"):
        raise UnsupportedError("Lateral", f"a {side} JOIN of a lateral subquery")
    found: list[NamedRows] = []
    for term in left.bag.terms:
        one = replace(left, bag=t.Bag((term,)))
        # One site a choice, so that the rows that match and those that do not are told by one choice.
        right = _source(node, symbols.inside(left.columns(term)))
        found.append(_joined(one, right, on, side, symbols))
        if sum(len(each.bag.terms) for each in found) > MAX_TERMS:
            raise UnsupportedError("Join", "too many outer joins")
    layout = found[0].layout if found else left.layout
    return NamedRows(layout, t.Bag(tuple(term for each in found for term in each.bag.terms)))


def _looks_ahead(on: exp.Expression, left: NamedRows, right: NamedRows, select: exp.Expression) -> bool:
    """Whether the condition of an inner join, which is one of WHERE, mentions a source to its right."""
    from equiv.core.claims.blocks import source_aliases

    seen = {alias for alias, _ in (*left.layout, *right.layout)}
    mentioned = {column.text("table") for column in on.find_all(exp.Column)}
    return bool(mentioned & source_aliases(select) - seen)


def _restricted(rows: NamedRows, condition: exp.Expression, symbols: SymbolTable) -> NamedRows:
    """The rows for which a condition is true."""
    from equiv.algebra.translate.expression import holds

    terms = [
        replace(
            each,
            condition=t.conjunction((each.condition, holds(condition, symbols.inside(rows.columns(each))))),
        )
        for each in rows.bag.terms
    ]
    return NamedRows(rows.layout, t.Bag(tuple(terms)))


def _source(node: exp.Expression, symbols: SymbolTable) -> NamedRows:
    alias = node.alias_or_name
    if isinstance(node, exp.Subquery):
        from equiv.algebra.translate.query import table

        return _read(alias, table(node.this, symbols.around()), symbols)
    if not isinstance(node, exp.Table):
        raise UnsupportedError(type(node).__name__, "this kind of item in FROM")
    cte = symbols.tables.get(fold(node.name))
    if cte is not None:
        copied = NamedTable(cte.names, symbols.world.names.copy_of(cte.bag))
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
    binding = t.Binding(row, t.Scan(base.name))
    values = tuple(column_value(binding, base, column, symbols.world) for column in columns)
    layout = tuple((alias, column.name) for column in columns)
    return NamedRows(layout, t.Bag((t.Term((binding,), t.TRUE, values),)))


def _read(alias: str, source: NamedTable, symbols: SymbolTable) -> NamedRows:
    """The rows of a table under an alias, those columns only that are mentioned."""
    places = [n for n, name in enumerate(source.names) if (alias, name) in symbols.translation.used]
    terms = (replace(each, outputs=tuple(each.outputs[n] for n in places)) for each in source.bag.terms)
    return NamedRows(tuple((alias, source.names[n]) for n in places), t.Bag(tuple(terms)))


def _joined(
    left: NamedRows, right: NamedRows, on: exp.Expression | None, side: str, symbols: SymbolTable
) -> NamedRows:
    layout = (*left.layout, *right.layout)
    matched = _product(left, right)
    matched = matched if on is None else _restricted(matched, on, symbols)
    terms = list(matched.bag.terms)
    if side in ("LEFT", "FULL"):
        alone = _unmatched(left, right, on, symbols)
        terms += [replace(each, outputs=(*each.outputs, *_nulls(right.layout))) for each in alone]
    if side in ("RIGHT", "FULL"):
        alone = _unmatched(right, left, on, symbols)
        terms += [replace(each, outputs=(*_nulls(left.layout), *each.outputs)) for each in alone]
    if side not in ("", "LEFT", "RIGHT", "FULL"):
        raise UnsupportedError("Join", f"a join of kind {side}")
    return NamedRows(layout, t.Bag(tuple(terms)))


def _nulls(layout: tuple[AliasedColumn, ...]) -> tuple[t.Expression, ...]:
    return (t.NULL,) * len(layout)


def _product(left: NamedRows, right: NamedRows) -> NamedRows:
    terms = [
        t.Term(
            (*one.bindings, *two.bindings),
            t.conjunction((one.condition, two.condition)),
            (*one.outputs, *two.outputs),
        )
        for one, two in product(left.bag.terms, right.bag.terms)
    ]
    return NamedRows((*left.layout, *right.layout), t.Bag(tuple(terms)))


def _unmatched(
    kept: NamedRows, other: NamedRows, on: exp.Expression | None, symbols: SymbolTable
) -> list[t.Term]:
    """The rows of one side for which the condition is true with no row of the other."""
    found: list[t.Term] = []
    copy = symbols.world.names.copy_of
    for term in kept.bag.terms:
        around = symbols.inside(kept.columns(term))
        partners = other if on is None else _restricted(other, on, around)
        bare = t.Bag(tuple(replace(each, outputs=()) for each in partners.bag.terms))
        # NOT EXISTS, not NOT ON: an ON that is NULL for every partner pads the row too.
        alone = replace(term, condition=t.conjunction((term.condition, t.Not(t.Exists(bare)))))
        found += copy(t.Bag((alone,))).terms
    return found
