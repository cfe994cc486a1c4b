"""Name resolution with SQLite's own rules: from a tree as read, or a CHECK, to a *resolved tree*.

What that is :mod:`equiv.core.query` says.  Terms of ORDER BY and GROUP BY are resolved after
``resolveOrderGroupBy`` and ``resolveCompoundOrderBy`` in
https://sqlite.org/src/file/src/resolve.c: a whole ORDER BY term that is a name
is a result alias first; an integer is a position; these terms see no names of
enclosing queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.lexer import GrammarError
from equiv.core.model import Schema, Table
from equiv.core.printing import is_position, key
from equiv.core.query import UnsupportedError
from equiv.dialects.sqlite.grammar.queries import read
from equiv.dialects.sqlite.resolve.namespace import (
    Namespace,
    OutputColumn,
    Projection,
    Resolution,
    VisibleSource,
    alias_node,
    behind_collate,
    expression,
    projected,
)
from equiv.dialects.sqlite.resolve.sources import (
    Ctes,
    KnownCte,
    ResolvedSource,
    condition,
    resolve_sources,
    star,
)
from equiv.names import NameMap, UniqueNames, fold, is_same, quoted


@dataclass(frozen=True)
class Resolved:
    """A resolved query and the columns that a query around it sees."""

    tree: exp.Expression
    outputs: tuple[OutputColumn, ...]


@dataclass(frozen=True)
class ResolvedBlock:
    """One resolved SELECT; its projections have no aliases yet."""

    tree: exp.Select
    projections: Sequence[Projection]
    results: Namespace
    """The namespace of its result columns."""


def resolve(tree: exp.Expression, schema: Schema) -> exp.Expression:
    """The resolved tree of a query as the grammar reads it; the argument is left as it is.

    Raises:
        UnsupportedError: the query has no resolved tree.
    """
    if schema.has_twins:
        raise UnsupportedError("Schema", "names that differ only in letter case")
    return query(tree, Namespace(Resolution(schema), Ctes()), ()).tree


def nested(raw: exp.Expression, namespace: Namespace) -> exp.Expression:
    """The resolved tree of a subquery in an expression."""
    return query(raw, Namespace(namespace.session, namespace.ctes, outer=namespace), ()).tree


def query(
    raw: exp.Expression,
    around: Namespace,
    columns: tuple[str, ...],
    show: Callable[[tuple[OutputColumn, ...]], None] | None = None,
) -> Resolved:
    """Resolve a query.

    Args:
        raw: as read.
        around: what it sees.
        columns: names its columns anew, if given.
        show: told of its columns as soon as these are known: operands behind the first may be recursive.
    """
    ctes = _open_ctes(raw, around)
    around = replace(around, ctes=ctes)
    operators, operands = _spine(raw)
    blocks = [_block(operands[0], around)]
    outputs = _outputs(blocks[0], columns)
    if show is not None:
        show(outputs)
    blocks += [_block(operand, around) for operand in operands[1:]]
    for operand, block in zip(operands, blocks, strict=True):
        _name_projections(block, outputs)
        block.tree.meta["all_of"] = operand.meta.get("all_of")
    tree: exp.Expression = blocks[0].tree
    for operator, block in zip(operators, blocks[1:], strict=True):
        tree = type(operator)(this=tree, expression=block.tree, distinct=bool(operator.args.get("distinct")))
        tree.meta["values"] = operator.meta.get("values")
    if operators and raw.args.get("order"):
        parts = [(block.tree, block.projections, block.results) for block in blocks]
        tree.set("order", _positions(raw.args["order"], parts))
    alone = Namespace(around.session, ctes)
    for clause in ("limit", "offset"):
        if raw.args.get(clause):
            tree.set(
                clause, type(raw.args[clause])(expression=expression(raw.args[clause].expression, alone))
            )
    if ctes.used:
        tree.set("with_", exp.With(expressions=ctes.used))
    return Resolved(tree, outputs)


def _open_ctes(raw: exp.Expression, around: Namespace) -> Ctes:
    outer = around.ctes
    ctes = Ctes(outer=outer if isinstance(outer, Ctes) else None)
    clause = raw.args.get("with_")
    for member in clause.expressions if clause is not None else ():
        ctes.members[member.args["alias"].name] = KnownCte(member, replace(around, ctes=ctes), ctes)
    return ctes


def _spine(raw: exp.Expression) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """The operators and the operands of a left-associative compound; none and itself for a SELECT."""
    operators: list[exp.Expression] = []
    operands: list[exp.Expression] = []
    while isinstance(raw, exp.SetOperation):
        operators.append(raw)
        last = raw.expression
        operands.append(_all_of(last) if isinstance(last, exp.SetOperation) else last)
        raw = raw.this
    operands.append(raw)
    return operators[::-1], operands[::-1]


def _all_of(values: exp.Expression) -> exp.Expression:
    """SELECT * of several rows of VALUES: what SQLite's parser makes of these after another operand."""
    found = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Subquery(this=values.copy())))
    found.meta["spans"] = ["*"]
    found.meta["all_of"] = True
    return found


def _block(raw: exp.Expression, around: Namespace) -> ResolvedBlock:
    members = resolve_sources(raw, around)
    sources = [source for source, _, _ in members]
    windows = NameMap((window.name, window) for window in raw.args.get("windows") or ())
    results = Namespace(around.session, around.ctes, sources, around.outer, windows=windows)
    projections = _projections(raw, results)
    clauses = replace(results, projections=projections, results=results)
    select = exp.Select(distinct=exp.Distinct() if raw.args.get("distinct") else None)
    select.set("expressions", [projected(each, results, expression) for each in projections])
    _attach(select, members, clauses)
    for name, clause in (("where", exp.Where), ("having", exp.Having)):
        if raw.args.get(name):
            select.set(name, clause(this=expression(raw.args[name].this, clauses)))
    terms = replace(clauses, outer=None)
    if raw.args.get("group"):
        select.set("group", exp.Group(expressions=_group_terms(raw.args["group"].expressions, terms)))
    if isinstance(raw, exp.Select) and raw.args.get("order"):
        select.set("order", exp.Order(expressions=_order_terms(raw.args["order"].expressions, terms)))
    return ResolvedBlock(select, projections, results)


def joined(raw: exp.Expression, around: Namespace) -> tuple[exp.Select, list[VisibleSource]]:
    """A SELECT of the members of a FROM clause, without result columns, and their sources."""
    members = resolve_sources(raw, around)
    sources = [source for source, _, _ in members]
    select = exp.Select()
    _attach(select, members, Namespace(around.session, around.ctes, sources, around.outer))
    return select, sources


def _attach(
    select: exp.Select,
    members: Sequence[tuple[VisibleSource, exp.Expression, ResolvedSource]],
    clauses: Namespace,
) -> None:
    """Give a SELECT its FROM clause."""
    sources = [source for source, _, _ in members]
    for index, (_, node, item) in enumerate(members):
        if item.join is None:
            select.set("from_", exp.From(this=node))
        else:
            on = condition(index, sources, item, clauses)
            join = exp.Join(this=node, side=item.join.args.get("side"), on=on)
            if item.join.args.get("kind"):
                join.meta["cross"] = True
            select.append("joins", join)


def _projections(raw: exp.Expression, results: Namespace) -> list[Projection]:
    found = []
    for node, span in zip(raw.expressions, raw.meta["spans"], strict=True):
        if isinstance(node, exp.Star) or (isinstance(node.this, exp.Star) and isinstance(node, exp.Column)):
            table = node.text("table")
            found += [Projection(name, None, column) for name, column in star(results.sources, table)]
        elif isinstance(node, exp.Alias):
            found.append(Projection(node.alias, node.this, span=span))
        else:
            found.append(Projection(None, node, span=span))
    return found


def _outputs(block: ResolvedBlock, columns: tuple[str, ...]) -> tuple[OutputColumn, ...]:
    """What a query around sees: SQLite makes equal names different by ``:1``, ``:2`` and so on."""
    if columns and len(columns) != len(block.projections):
        raise UnsupportedError("Query", "a column list of the wrong length")
    outputs = []
    visible: set[str] = set()
    used = UniqueNames()
    for place, projection in enumerate(block.projections):
        node = block.tree.expressions[place]
        name = (
            columns[place] if columns else projection.alias or _column_name(node, projection, block.results)
        )
        plain = name or "expr"
        if not columns and isinstance(node, exp.Column) and (projection.fixed or projection.alias is None):
            plain = node.name
        name = name or projection.span
        if fold(name) in ("true", "false"):
            name = f"column{place + 1}"
        stem, count = name, 0
        while fold(name) in visible:
            count += 1
            name = f"{stem}:{count}"
        visible.add(fold(name))
        outputs.append(OutputColumn(name, used.fresh(plain)))
    return tuple(outputs)


def _column_name(node: exp.Expression, projection: Projection, namespace: Namespace) -> str | None:
    raw = projection.raw
    while isinstance(raw, exp.Collate):
        raw, node = raw.this, node.this
    if isinstance(raw, exp.Column) and isinstance(node, exp.Column):
        return namespace.session.sources[node.text("table")].visible(node.name)
    return None


def _name_projections(block: ResolvedBlock, outputs: Sequence[OutputColumn]) -> None:
    if len(outputs) != len(block.projections):
        raise UnsupportedError("SetOperation", "operands with different numbers of columns")
    named = [
        exp.Alias(this=node, alias=alias_node(output.column))
        for node, output in zip(block.tree.expressions, outputs, strict=True)
    ]
    block.tree.set("expressions", named)


_Operand = tuple[exp.Select, Sequence[Projection], Namespace]


def _order_terms(raw: Sequence[exp.Expression], namespace: Namespace) -> list[exp.Expression]:
    """The terms of a SELECT's ORDER BY, positions and aliases replaced by what they stand for."""
    return [_ordered(term, _order_term(term.this, namespace)) for term in raw]


def _ordered(term: exp.Expression, node: exp.Expression) -> exp.Expression:
    found = exp.Ordered(this=node, desc=bool(term.args.get("desc")))
    if term.args.get("nulls_first") is not None:
        found.set("nulls_first", term.args["nulls_first"])
    return found


def _order_term(raw: exp.Expression, namespace: Namespace) -> exp.Expression:
    projections = namespace.projections or ()
    place = _named(behind_collate(raw), projections) or _position(behind_collate(raw), len(projections))
    return expression(raw, namespace) if place is None else _copied(raw, place, namespace)


def _group_terms(raw: Sequence[exp.Expression], namespace: Namespace) -> list[exp.Expression]:
    """The terms of a GROUP BY: a name is a column first, then a result alias."""
    found = []
    for term in raw:
        place = _position(behind_collate(term), len(namespace.projections or ()))
        node = expression(term, namespace) if place is None else _copied(term, place, namespace)
        if is_position(node):
            place = _named(behind_collate(term), namespace.projections or ())
            node = expression(term, namespace) if place is None else _copied(term, place, namespace)
        found.append(node)
    return found


def _positions(raw: exp.Expression, operands: Sequence[_Operand]) -> exp.Expression:
    """The ORDER BY of a compound: each term as a position, under COLLATE if it has one."""
    found = []
    for term in raw.expressions:
        node: exp.Expression = exp.Literal.number(_compound_position(behind_collate(term.this), operands))
        if isinstance(term.this, exp.Collate):
            node = exp.Collate(this=node, expression=term.this.expression.copy())
        found.append(_ordered(term, node))
    return exp.Order(expressions=found)


def _compound_position(raw: exp.Expression, operands: Sequence[_Operand]) -> int:
    place = _position(raw, len(operands[0][1]))
    if place is not None:
        return place
    for tree, projections, results in operands:
        place = _named(raw, projections) or _equal(raw, tree, results, projections)
        if place is not None:
            return place
    raise UnsupportedError("Order", "an ORDER BY term that matches no result column")


def _equal(
    raw: exp.Expression, tree: exp.Select, results: Namespace, projections: Sequence[Projection]
) -> int | None:
    visible = Namespace(
        results.session, results.ctes, results.sources, None, projections, results, results.windows
    )
    try:
        wanted = key(expression(raw, visible))
    except UnsupportedError:
        return None
    keys = [key(node.unalias()) for node in tree.expressions]
    return keys.index(wanted) + 1 if wanted in keys else None


def _named(node: exp.Expression, projections: Sequence[Projection]) -> int | None:
    """The 1-based place of the first result alias that a whole term names."""
    if not isinstance(node, exp.Column) or node.text("table"):
        return None
    for place, projection in enumerate(projections, 1):
        if projection.alias is not None and is_same(projection.alias, node.name):
            return place
    return None


def _position(node: exp.Expression, count: int) -> int | None:
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdigit() or len(node.name) > 9:
        return None
    place = int(node.name)
    if not 1 <= place <= count:
        raise UnsupportedError("Order", f"ORDER BY position {place} of {count}")
    return place


def _copied(raw: exp.Expression, place: int, namespace: Namespace) -> exp.Expression:
    """A copy of a result column, under the outermost COLLATE of the term.

    An integer, which would be a position again, becomes NULL: no constant orders
    or groups anything.  Where SQLite compiles a copy otherwise than a position,
    ``meta["place"]`` keeps the position for the comparison of the programs.
    """
    assert namespace.projections is not None
    assert namespace.results is not None
    term = projected(namespace.projections[place - 1], namespace.results, expression)
    term = exp.Null() if is_position(term) else term
    if isinstance(raw, exp.Collate):
        term = exp.Collate(this=term, expression=raw.expression.copy())
    if isinstance(raw, exp.Collate) or term.find(exp.Query) is not None or term.find(exp.Column) is None:
        term.meta["place"] = place
    return term


def rows_breaking(expression: str, table: Table) -> exp.Expression | None:
    """The query of the rows that break a CHECK, resolved; None if it is none that queries may hold."""
    text = f"SELECT 1 FROM {quoted(table.name)} WHERE NOT ({expression})"
    try:
        return resolve(read(text), Schema((table,)))
    except (GrammarError, UnsupportedError, RecursionError):
        return None
