"""Name resolution with SQLite's own rules: from a tree as read to a *resolved tree*.

What that is :mod:`equiv.core.query` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.sqlite.resolve.expressions import expression
from equiv.dialects.sqlite.resolve.namespace import (
    Namespace,
    Output,
    Projection,
    Session,
    Source,
    alias_node,
    fresh,
    projected,
)
from equiv.dialects.sqlite.resolve.order import group_terms, order_terms, positions
from equiv.dialects.sqlite.resolve.sources import Cte, Ctes, Item, condition, resolve_sources, star


@dataclass(frozen=True)
class Resolved:
    """A resolved query and the columns that a query around it sees."""

    tree: exp.Expression
    outputs: tuple[Output, ...]


@dataclass(frozen=True)
class Block:
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
        raise UnsupportedError("Schema", "names that differ in the case of letters beyond ASCII alone")
    return query(tree, Namespace(Session(schema), Ctes()), ()).tree


def nested(raw: exp.Expression, namespace: Namespace) -> exp.Expression:
    """The resolved tree of a subquery in an expression."""
    return query(raw, Namespace(namespace.session, namespace.ctes, outer=namespace), ()).tree


def query(raw: exp.Expression, around: Namespace, columns: tuple[str, ...]) -> Resolved:
    """Resolve a query; ``columns`` names its columns anew, if given."""
    ctes = _open_ctes(raw, around)
    around = replace(around, ctes=ctes)
    operators, operands = _spine(raw)
    blocks = [_block(operand, around) for operand in operands]
    outputs = _outputs(blocks[0], columns)
    for operand, block in zip(operands, blocks, strict=True):
        _name_projections(block, outputs)
        block.tree.meta["all_of"] = operand.meta.get("all_of")
    tree: exp.Expression = blocks[0].tree
    for operator, block in zip(operators, blocks[1:], strict=True):
        tree = type(operator)(this=tree, expression=block.tree, distinct=bool(operator.args.get("distinct")))
        tree.meta["values"] = operator.meta.get("values")
    if operators and raw.args.get("order"):
        parts = [(block.tree, block.projections, block.results) for block in blocks]
        tree.set("order", positions(raw.args["order"], parts))
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
        ctes.members[member.args["alias"].name.lower()] = Cte(member, replace(around, ctes=ctes), ctes)
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


def _block(raw: exp.Expression, around: Namespace) -> Block:
    members = resolve_sources(raw, around)
    sources = [source for source, _, _ in members]
    windows = {window.name.lower(): window for window in raw.args.get("windows") or ()}
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
        select.set("group", exp.Group(expressions=group_terms(raw.args["group"].expressions, terms)))
    if isinstance(raw, exp.Select) and raw.args.get("order"):
        select.set("order", exp.Order(expressions=order_terms(raw.args["order"].expressions, terms)))
    return Block(select, projections, results)


def joined(raw: exp.Expression, around: Namespace) -> tuple[exp.Select, list[Source]]:
    """A SELECT of the members of a FROM clause, without result columns, and their sources."""
    members = resolve_sources(raw, around)
    sources = [source for source, _, _ in members]
    select = exp.Select()
    _attach(select, members, Namespace(around.session, around.ctes, sources, around.outer))
    return select, sources


def _attach(
    select: exp.Select, members: Sequence[tuple[Source, exp.Expression, Item]], clauses: Namespace
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


def _outputs(block: Block, columns: tuple[str, ...]) -> tuple[Output, ...]:
    """What a query around sees: SQLite makes equal names different by ``:1``, ``:2`` and so on."""
    if columns and len(columns) != len(block.projections):
        raise UnsupportedError("Query", "a column list of another length")
    outputs = []
    visible: set[str] = set()
    used: set[str] = set()
    for place, projection in enumerate(block.projections):
        node = block.tree.expressions[place]
        name = (
            columns[place] if columns else projection.alias or _column_name(node, projection, block.results)
        )
        plain = name or "expr"
        if not columns and isinstance(node, exp.Column) and (projection.fixed or projection.alias is None):
            plain = node.name
        name = name or projection.span
        if name.lower() in ("true", "false"):
            name = f"column{place + 1}"
        stem, count = name, 0
        while name.lower() in visible:
            count += 1
            name = f"{stem}:{count}"
        visible.add(name.lower())
        outputs.append(Output(name, fresh(plain, used)))
    return tuple(outputs)


def _column_name(node: exp.Expression, projection: Projection, namespace: Namespace) -> str | None:
    raw = projection.raw
    while isinstance(raw, exp.Collate):
        raw, node = raw.this, node.this
    if isinstance(raw, exp.Column) and isinstance(node, exp.Column):
        return namespace.session.sources[node.text("table")].visible(node.name)
    return None


def _name_projections(block: Block, outputs: Sequence[Output]) -> None:
    if len(outputs) != len(block.projections):
        raise UnsupportedError("SetOperation", "operands of different lengths")
    named = [
        exp.Alias(this=node, alias=alias_node(output.column))
        for node, output in zip(block.tree.expressions, outputs, strict=True)
    ]
    block.tree.set("expressions", named)
