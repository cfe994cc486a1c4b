"""Reading and editing the clauses of a resolved SELECT: what structural rules are built from.

Nothing here claims anything about schema or facts; see :mod:`equiv.rules.guards.selects`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import cast

from sqlglot import exp

from equiv.core.claims.blocks import is_grouped, of_node
from equiv.core.claims.fingerprint import operands, sources

Place = tuple[str, str]
"""A column as (alias of its source, column name), as a resolved tree spells them."""

BODY_ARGS = ("expressions", "group", "having", "order", "windows")
"""The clauses of a SELECT that read the rows which FROM and WHERE let through."""


def place_of(column: exp.Expression) -> Place:
    """Where a column reference points to."""
    return column.text("table"), column.name


def conjuncts(condition: exp.Expression | None) -> list[exp.Expression]:
    """The operands of an AND chain; none for no condition."""
    return list(operands(condition, exp.And)) if condition is not None else []


def conjoin(parts: Sequence[exp.Expression]) -> exp.Expression | None:
    """The AND chain of some conditions; None for none."""
    chained: exp.Expression | None = None
    for part in parts:
        chained = part if chained is None else exp.And(this=chained, expression=part)
    return chained


def filters(select: exp.Expression) -> list[exp.Expression]:
    """The conjuncts of WHERE."""
    where = select.args.get("where")
    return conjuncts(where.this if where is not None else None)


def set_filters(select: exp.Expression, parts: Sequence[exp.Expression]) -> None:
    """Make some conjuncts the whole WHERE; equal ones are kept once."""
    condition = conjoin(list(dict.fromkeys(part.copy() for part in parts)))
    select.set("where", exp.Where(this=condition) if condition is not None else None)


def joins_of(select: exp.Expression) -> list[exp.Expression]:
    """The JOIN clauses of a SELECT."""
    return list(select.args.get("joins") or ())


def side_of(join: exp.Expression) -> str:
    """``LEFT``, ``RIGHT``, ``FULL``, or nothing for an inner join."""
    return join.text("side").upper()


def is_inner(join: exp.Expression) -> bool:
    """Whether a join pads no side."""
    return not side_of(join)


def has_settled_joins(select: exp.Expression) -> bool:
    """Whether inner joins carry no condition: all stand in WHERE."""
    return all(not is_inner(join) or join.args.get("on") is None for join in joins_of(select))


def only_pads_right(select: exp.Expression) -> bool:
    """Whether every join is an inner join without a condition or a LEFT join."""
    return {side_of(join) for join in joins_of(select)} <= {"", "LEFT"} and has_settled_joins(select)


def inner_sources(select: exp.Expression) -> list[exp.Expression]:
    """The sources that no join of this SELECT can pad."""
    if not only_pads_right(select):
        return []
    return [source for source in sources(select) if not _is_left_joined(source)]


def _is_left_joined(source: exp.Expression) -> bool:
    return isinstance(source.parent, exp.Join) and not is_inner(source.parent)


def set_sources(
    select: exp.Expression, inner: Sequence[exp.Expression], outer: Sequence[exp.Expression] = ()
) -> None:
    """Make FROM of some inner-joined sources, followed by some LEFT JOIN clauses."""
    plain = [source.copy() for source in inner]
    select.set("from_", exp.From(this=plain[0]) if plain else None)
    select.set("joins", [exp.Join(this=source) for source in plain[1:]] + [join.copy() for join in outer])


def outer_joins(select: exp.Expression) -> list[exp.Expression]:
    """The JOIN clauses that pad a side."""
    return [join for join in joins_of(select) if not is_inner(join)]


def drop_source(select: exp.Expression, alias: str) -> None:
    """Take a source out of FROM (its conditions are the caller's business)."""
    inner = [s for s in sources(select) if not _is_left_joined(s) and alias_of(s) != alias]
    outer = [join for join in outer_joins(select) if alias_of(join.this) != alias]
    set_sources(select, inner, outer)


def alias_of(source: exp.Expression) -> str:
    """The alias of a source."""
    return str(source.alias_or_name)


def is_own(column: exp.Expression, select: exp.Expression) -> bool:
    """Whether a column is of a source of a SELECT; a column of its name may be of a query around."""
    return place_of(column)[0] in {alias_of(source) for source in sources(select)}


def columns(node: exp.Expression | Iterable[exp.Expression]) -> Iterator[exp.Expression]:
    """All column references in a tree or in several, nested queries included."""
    for root in [node] if isinstance(node, exp.Expression) else node:
        yield from root.find_all(exp.Column)


def mentions(node: exp.Expression | Iterable[exp.Expression], aliases: str | set[str]) -> bool:
    """Whether a tree refers to a column of one of the sources."""
    wanted = {aliases} if isinstance(aliases, str) else aliases
    return any(place_of(column)[0] in wanted for column in columns(node))


def aliases_in(node: exp.Expression) -> set[str]:
    """The aliases of the sources that a tree refers to."""
    return {place_of(column)[0] for column in columns(node)}


def body(select: exp.Expression) -> list[exp.Expression]:
    """Everything that reads a joined and filtered row: projections, GROUP BY, HAVING, ORDER BY."""
    found: list[exp.Expression] = []
    for name in BODY_ARGS:
        value = select.args.get(name)
        found += value if isinstance(value, list) else [value] if value is not None else []
    return found


def substitute(node: exp.Expression, mapping: Mapping[Place, exp.Expression]) -> None:
    """Replace column references below a node by copies of expressions, in place."""
    for column in list(columns(node)):
        new = mapping.get(place_of(column))
        if new is not None and column is not node:
            column.replace(new.copy())


def substituted(node: exp.Expression, mapping: Mapping[Place, exp.Expression]) -> exp.Expression:
    """A copy of a tree with column references replaced."""
    holder = exp.Paren(this=node.copy())
    substitute(holder, mapping)
    found: exp.Expression = holder.this
    found.pop()
    return found


@of_node
def has_windows(select: exp.Expression) -> bool:
    """Whether a SELECT computes window functions."""
    windows = (window for part in body(select) for window in part.find_all(exp.Window))
    return any(enclosing_select(window) is select for window in windows)


def group_keys(select: exp.Expression) -> list[exp.Expression]:
    """The GROUP BY expressions."""
    group = select.args.get("group")
    return list(group.expressions) if group is not None else []


def order_terms(query: exp.Expression) -> list[exp.Expression]:
    """The ORDER BY terms (exp.Ordered)."""
    order = query.args.get("order")
    return list(order.expressions) if order is not None else []


def is_limited(query: exp.Expression) -> bool:
    """Whether a query has LIMIT or OFFSET."""
    return bool(query.args.get("limit") or query.args.get("offset"))


def is_block(query: exp.Expression | None) -> bool:
    """Whether a query is a SELECT that only joins, filters and projects (DISTINCT and ORDER BY apart)."""
    return (
        isinstance(query, exp.Select)
        and query.args.get("with_") is None
        and query.args.get("from_") is not None
        and has_settled_joins(query)
        and not is_limited(query)
        and not is_grouped(query)
        and query.args.get("having") is None
        and not has_windows(query)
    )


def outputs(query: exp.Expression) -> list[exp.Expression]:
    """The projections of a query without their names; of the first operand for a compound."""
    while isinstance(query, exp.SetOperation):
        query = query.this
    return [x.unalias() for x in query.expressions] if isinstance(query, exp.Select) else []


def output_named(query: exp.Expression, name: str) -> exp.Expression | None:
    """The projection of that name."""
    while isinstance(query, exp.SetOperation):
        query = query.this
    for projection in query.expressions if isinstance(query, exp.Select) else ():
        if projection.alias_or_name == name:
            return cast(exp.Expression, projection.unalias())
    return None


def rename_apart(query: exp.Expression, root: exp.Expr) -> exp.Expression:
    """A copy of a query whose sources have aliases that the tree does not use yet."""
    taken = {alias_of(clause.this) for clause in root.find_all(exp.From, exp.Join)}
    copied = query.copy()
    for clause in list(copied.find_all(exp.From, exp.Join)):
        old = alias_of(clause.this)
        new = next(name for number in count(2) if (name := f"{old}_{number}") not in taken)
        taken.add(new)
        clause.this.set("alias", exp.TableAlias(this=exp.to_identifier(new)))
        for column in list(columns(copied)):
            if place_of(column)[0] == old:
                column.set("table", exp.to_identifier(new))
    return copied


def enclosing_select(node: exp.Expression) -> exp.Select | None:
    """The innermost SELECT around a node."""
    return node.find_ancestor(exp.Select)
